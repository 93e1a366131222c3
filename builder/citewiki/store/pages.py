"""Pages on disk: read tolerantly, written deterministically, found without surprises."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from citewiki.errors import PageError
from citewiki.markdown import frontmatter
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page, Problem, ScopeNote, SourceRef, Verification, Viewer, moment
from citewiki.store.paths import ARCHIVE, is_put_away, page_paths, unnamed_paths
from citewiki.store.visibility import NOBODY, hiding, visible
from citewiki.text.folding import nfc
from citewiki.text.slugs import slugify

END_BEFORE = "valid_until_before"
"""Front matter key of a superseded page: the end that it had before, or "open" for none."""

_H1 = re.compile(r"\A\s*#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_UNNAMED = "its name is not UTF-8; rename it"


def load_page(wiki: Path, path: str) -> Page:
    """The page at `path`; raises PageError when the file cannot be read as UTF-8 text."""
    file = wiki / path
    try:
        if file.exists() and not file.is_file():  # a pipe would be waited for
            raise PageError(path, "is no regular file")
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise PageError(
            path, f"is not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from error
    except OSError as error:
        raise PageError(path, f"cannot be read: {error.strerror or error}") from error
    return parse_page(text, path)


def load_pages(
    wiki: Path,
    *,
    archived: bool = False,
    viewer: Viewer = None,
    known: Mapping[str, Page] | None = None,
) -> tuple[list[Page], list[Problem]]:
    """All pages that `viewer` sees, each with a slug of its own, and a problem for each unreadable.

    Pages `known`, by path, as `load_page` gave them, are not read again. The problems are the
    operator's to hear of, as nobody can tell who may see such a file.
    """
    pages, problems = list[Page](), list[Problem]()
    for path in page_paths(wiki, archived=archived):
        try:
            pages.append((known or {}).get(path) or load_page(wiki, path))
        except PageError as error:
            problems.append(Problem(path, error.reason, error.line, "error", "unreadable-page"))
    for path in unnamed_paths(wiki, archived=archived):
        problems.append(Problem(path, _UNNAMED, 0, "error", "unreadable-page"))
    return unique_slugs([page for page in pages if visible(page, viewer)]), problems


def unique_slugs(pages: list[Page]) -> list[Page]:
    """The same pages, where none shares a slug with another.

    A slug that a file states goes before one taken from a file name; among equals the shorter
    path keeps it. The others get their folder in front: `b-notes` beside `notes`.
    """
    owners: dict[str, Page] = {}
    clashing: dict[str, Page] = {}
    for page in sorted(pages, key=lambda p: (not _states_slug(p), p.path.count("/"), p.path)):
        if owners.setdefault(page.slug, page) is not page:
            clashing[page.path] = page
    if not clashing:
        return pages
    taken = set(owners)
    renamed: dict[str, Page] = {}
    for path, page in sorted(clashing.items()):
        slug = slugify(f"{path.rpartition('/')[0]} {page.slug}", taken)
        taken.add(slug)
        message = (
            f"shares the slug “{page.slug}” with {owners[page.slug].path}; it goes by “{slug}”"
        )
        severity = "error" if _states_slug(page) else "warning"
        problem = Problem(path, message, 0, severity, "duplicate-slug")  # type: ignore[arg-type]
        renamed[path] = replace(page, slug=slug, problems=(*page.problems, problem))
    return [renamed.get(page.path, page) for page in pages]


def _states_slug(page: Page) -> bool:
    return page.slug != slugify(_stem(page.path))


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def parse_page(text: str, path: str) -> Page:
    """A page from its file's text. Never raises: what is wrong becomes `problems`."""
    block, body, body_line = frontmatter.split(text)
    body = body.replace("\r\n", "\n").replace("\r", "\n")
    front = frontmatter.parse(block or "")
    problems = [
        Problem(
            path,
            f"{p.key}: {p.message}" if p.key else p.message,
            p.line,
            p.severity,
            "front-matter",
        )
        for p in front.problems
    ]
    values: dict[str, Any] = {}
    lines = {entry.key: entry.line for entry in front.entries}
    for key, (attribute, read) in _KEYS.items():
        raw = front.get(key)
        if raw is None:
            continue
        try:
            values[attribute] = read(raw)
        except ValueError as error:
            message = f"{key}: {error}, not {_shown(raw)}"
            problems.append(Problem(path, message, lines.get(key, 0), "error", "front-matter"))
    if hidden := list(hiding(text, block, front, values)):
        values |= {"owner": NOBODY, "shared_with": ()}
        problems += [Problem(path, why, line, "error", "access") for why, line in hidden]
    generated = front.get("generated")
    if isinstance(generated, dict):
        values["generated_by"] = str(generated.get("by") or "")
        values["generated_sha256"] = str(generated.get("sha256") or "")
        try:
            values["generated_at"] = _time(generated.get("at"))
        except ValueError as error:
            message = f"generated.at: {error}, not {_shown(generated.get('at'))}"
            problems.append(
                Problem(path, message, lines.get("generated", 0), "error", "front-matter")
            )
    stem = nfc(_stem(path))
    heading = _H1.search(body) if not values.get("title") else None
    title = values.pop("title", "") or (_plain_heading(heading[1]) if heading else "") or stem
    slug = values.pop("slug", "") or slugify(stem)
    folder = path.removeprefix(f"{ARCHIVE}/").rpartition("/")[0].partition("/")[0]
    return Page(
        path=path,
        slug=nfc(slug),
        title=title,
        body=body,
        domain=values.pop("domain", "") or folder,
        related=_related(front) if block and "[[" in block else (),
        body_line=body_line,
        problems=tuple(problems),
        **values,
    )


def render_page(page: Page, previous: str = "") -> str:
    """The file of `page`. Deterministic.

    With `previous`, the file's present text: keys that nobody changed, unknown keys, comments
    and their order stay byte for byte. Without it, every key of a page is written.
    """
    block, _, _ = frontmatter.split(previous)
    front = frontmatter.parse(block or "")
    before = parse_page(previous, page.path) if previous else None
    changes = {
        key: write(page)
        for key, write in _WRITERS.items()
        if before is None or write(page) != write(before)
    }
    if "type" not in front:
        changes["type"] = page.type
    front = frontmatter.update(front, changes)
    lines = frontmatter.render(front).strip("\r\n")
    text = f"---\n{lines}\n---\n{page.body.rstrip()}\n"
    if "\r\n" in previous:
        text = text.replace("\r\n", "\n").replace("\n", "\r\n")
    return text


def body_sha256(body: str) -> str:
    """The hash by which an edit by a person is told: of the body without outer white space."""
    return hashlib.sha256(body.strip().encode("utf-8")).hexdigest()


def is_archived(page: Page) -> bool:
    """Whether a page has been put away: by its time, or by the folder that it lies in."""
    return page.archived_at is not None or is_put_away(page.path)


def edited_by_hand(page: Page) -> bool:
    """Whether a person wrote the page, or changed what the program wrote."""
    return not page.generated_sha256 or page.generated_sha256 != body_sha256(page.body)


# -- front matter values: from text, and back ------------------------------------------------


def _text(raw: Any) -> str:
    if isinstance(raw, list | dict):
        raise ValueError("must be one text")
    return nfc(" ".join(str(raw).split()))


def _texts(raw: Any) -> tuple[str, ...]:
    """A list of texts; one text is a list of one; null entries are dropped."""
    if isinstance(raw, dict):
        raise ValueError("must be a list of texts")
    items = raw if isinstance(raw, list) else [raw]
    if any(isinstance(item, dict | list) for item in items):
        raise ValueError("must be a list of texts")
    texts = (nfc(" ".join(str(item).split())) for item in items if item is not None)
    return tuple(dict.fromkeys(text for text in texts if text))


def _tags(raw: Any) -> tuple[str, ...]:
    """Tags; a single text may hold several, divided by commas, as Obsidian and Jekyll allow."""
    if isinstance(raw, str):
        raw = raw.split(",")
    return tuple(tag.lstrip("#").strip() for tag in _texts(raw) if tag.lstrip("#").strip())


def _number(raw: Any) -> float:
    try:
        value = float(raw)
    except (TypeError, ValueError):
        raise ValueError("must be a number from 0 to 1") from None
    if not 0 <= value <= 1:
        raise ValueError("must be a number from 0 to 1")
    return value


def _time(raw: Any) -> datetime | None:
    """A time in ISO 8601; without an offset it is UTC, a day alone is its first moment."""
    if raw is None:
        return None
    try:
        return moment(str(raw))
    except ValueError:
        raise ValueError("must be a time such as 2026-05-12 or 2026-05-12T14:00:00Z") from None


def _end_before(raw: Any) -> datetime | None:
    """The end that a page had before it was superseded; None: it had none."""
    return None if raw == "open" else _time(raw)


def _sources(raw: Any) -> tuple[SourceRef, ...]:
    """Sources as mappings, or as bare ids or addresses, as wikis of other makers have them."""
    found: list[SourceRef] = []
    for item in raw if isinstance(raw, list) else [raw]:
        if isinstance(item, dict):
            values = {
                key: str(item.get(key) or "") for key in ("id", "resource", "sha256", "locator")
            }
            values["id"] = values["id"] or values["resource"]
            found.append(SourceRef(**values))
        elif item is not None:
            found.append(SourceRef(id=_text(item)))
    return tuple(found)


def _verified(raw: Any) -> tuple[Verification, ...]:
    """Who verified the page and when; one mapping is a list of one (OKF v0.2, 5.2)."""
    found: list[Verification] = []
    for item in raw if isinstance(raw, list) else [raw]:
        if not isinstance(item, dict):
            raise ValueError("must be a list of {by: who, at: time}")
        at, previous = _time(item.get("at")), _time(item.get("previous"))
        found.append(Verification(str(item.get("by") or ""), at, previous))
    return tuple(found)


def _scopes(raw: Any) -> tuple[ScopeNote, ...]:
    """Under what conditions the page holds beside others."""
    found: list[ScopeNote] = []
    for item in raw if isinstance(raw, list) else [raw]:
        if not isinstance(item, dict) or not item.get("beside"):
            raise ValueError("must be a list of {beside: slug, note: condition}")
        names = ("beside", "note", "of")
        found.append(ScopeNote(*(_text(item.get(name) or "") for name in names)))
    return tuple(found)


def _shown(raw: Any) -> str:
    text = str(raw)
    return repr(text if len(text) <= 60 else text[:57] + "…")


def _related(front: frontmatter.FrontMatter) -> tuple[str, ...]:
    """What wikilinks in front matter call, as Obsidian follows them; in order, each once.

    Only keys of the writer's own count: a summary that quotes "[[x]]" is text.
    """
    found: dict[str, None] = {}
    left: list[Any] = [entry.value for entry in reversed(front.entries) if entry.key not in _KEYS]
    while left:
        value = left.pop()
        if isinstance(value, str):
            found.update((link.target, None) for link in wikilinks(value) if link.target)
        elif value is not None:
            left += reversed(list(value.values()) if isinstance(value, dict) else value)
    return tuple(found)


def _plain_heading(text: str) -> str:
    from citewiki.markdown.plain import plain

    return nfc(" ".join(plain(text).split()))


_KEYS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "type": ("type", _text),
    "title": ("title", _text),
    "slug": ("slug", _text),
    "aliases": ("aliases", _texts),
    "redirect_from": ("redirect_from", _texts),
    "summary": ("summary", _text),
    "domain": ("domain", _text),
    "tags": ("tags", _tags),
    "owner": ("owner", _text),
    "shared_with": ("shared_with", _texts),
    "sources": ("sources", _sources),
    "source_authority": ("source_authority", _text),
    "confidence": ("confidence", _number),
    "ingested_at": ("ingested_at", _time),
    "last_verified_at": ("last_verified_at", _time),
    "verified": ("verified", _verified),
    "valid_from": ("valid_from", _time),
    "valid_until": ("valid_until", _time),
    "scopes": ("scopes", _scopes),
    "superseded_by": ("superseded_by", _text),
    "superseded_at": ("superseded_at", _time),
    END_BEFORE: ("valid_until_before", _end_before),
    "supersedes": ("supersedes", _texts),
    "archived_at": ("archived_at", _time),
}


def _refs(page: Page) -> list[dict[str, str]]:
    names = ("id", "resource", "sha256", "locator")
    return [
        {name: getattr(ref, name) for name in names if getattr(ref, name)} for ref in page.sources
    ]


def _verification(one: Verification) -> dict[str, Any]:
    known = {"by": one.by, "at": one.at, "previous": one.previous}
    return {key: value for key, value in known.items() if value is not None}


def _generated(page: Page) -> dict[str, Any] | None:
    if not page.generated_by:
        return None
    parts = {
        "by": page.generated_by,
        "at": page.generated_at,
        "sha256": page.generated_sha256,
    }
    return {key: value for key, value in parts.items() if value}


_WRITERS: dict[str, Callable[[Page], Any]] = {
    "type": lambda page: page.type,
    "title": lambda page: page.title,
    "slug": lambda page: page.slug,
    "aliases": lambda page: list(page.aliases),
    "redirect_from": lambda page: list(page.redirect_from) or None,
    "summary": lambda page: page.summary,
    "domain": lambda page: page.domain,
    "tags": lambda page: list(page.tags),
    "owner": lambda page: page.owner or None,
    "shared_with": lambda page: list(page.shared_with),
    "sources": _refs,
    "source_authority": lambda page: page.source_authority,
    "confidence": lambda page: page.confidence,
    "ingested_at": lambda page: page.ingested_at,
    "last_verified_at": lambda page: page.last_verified_at,
    "verified": lambda page: list(map(_verification, page.verified)) or None,
    "valid_from": lambda page: page.valid_from,
    "valid_until": lambda page: page.valid_until,
    "scopes": lambda page: (
        [{"beside": each.beside, "note": each.note, "of": each.of} for each in page.scopes] or None
    ),
    "superseded_by": lambda page: page.superseded_by or None,
    "superseded_at": lambda page: page.superseded_at,
    END_BEFORE: lambda page: page.valid_until_before,
    "supersedes": lambda page: list(page.supersedes),
    "archived_at": lambda page: page.archived_at,
    "generated": _generated,
}
