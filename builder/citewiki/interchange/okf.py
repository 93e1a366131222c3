"""Pages as a bundle of the Open Knowledge Format, version 0.2, and back.

The specification: https://github.com/GoogleCloudPlatform/knowledge-catalog, okf/SPEC.md; section
numbers below are of it. A concept's front matter is the page's own with the format's keys beside
it; the key `citewiki` tells which of them an export has added, so that reading the concept gives
back the page's file byte for byte. Where that cannot be told otherwise (front matter that is not
YAML, odd line ends), that key holds the file's text, good as long as nobody edits the concept.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any

from citewiki.interchange.beside import Beside
from citewiki.interchange.copies import Copy
from citewiki.interchange.links import Targets, quoted, with_markdown_links, with_wikilinks
from citewiki.markdown import frontmatter
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.yamltext import as_read
from citewiki.model import ANYONE, Page
from citewiki.store.catalog import INDEX_MARK
from citewiki.store.decay import DAYS, checked
from citewiki.store.pages import is_archived, render_page
from citewiki.text.folding import name_key
from citewiki.text.slugs import slugify

VERSION = "0.2"
INDEX, LOG = "index.md", "log.md"
RESERVED = (INDEX, LOG)
"""Lists at any level of a bundle (3.1); all other .md files are concepts."""

MARK = "citewiki"
"""The key that tells what an export has added."""

_WORDS = "<!-- citewiki: words "
_OF = "of"  # in an entry of `sources` that stands for one footnote: the source's id


@dataclass(frozen=True, slots=True)
class Concept:
    """A file of a bundle, read."""

    text: str  # the page's file
    path: str = ""  # relative to wiki/; "": that of the concept
    ours: bool = False  # whether an export of this program wrote it


def bundle(
    copies: Sequence[Copy], beside: Beside | None = None, *, days: int = DAYS
) -> dict[str, str | Path]:
    """The files of a bundle by path. Pages that nobody checks for `days` are stale then."""
    beside = beside or Beside({})
    paths = _concept_paths(copies)
    targets = Targets((copy.page for copy in copies), paths)
    files = {
        paths[copy.page.path]: concept(copy, paths[copy.page.path], targets, days=days)
        for copy in copies
    }
    pages = {paths[copy.page.path]: copy.page for copy in copies}
    indexes = _indexes(pages)
    if beside.words:
        given = words(beside.words, targets, beside.files)
        declared, _, rest = indexes[INDEX].partition("\n\n")
        indexes[INDEX] = f"{declared}\n\n{given}\n\n{INDEX_MARK}\n\n{rest}"
    lists: dict[str, str | Path] = {**indexes, LOG: _log(pages, beside.log)}
    return dict(sorted({**beside.files, **files, **lists}.items()))


def words(text: str, targets: Targets, files: Iterable[str] = ()) -> str:
    """A person's words of wiki/index.md as they stand above the lists of a bundle's own.

    Where they would not come back as they are, a comment before them holds them.
    """
    linked = with_markdown_links(frontmatter.split(text)[1].strip(), INDEX, targets, files)
    if read_words(f"{linked}\n{INDEX_MARK}") == text:
        return linked
    kept = json.dumps(text).replace(">", "\\u003e").replace("--", "-\\u002d")
    return f"{_WORDS}{kept} -->\n\n{linked}".rstrip()


def read_words(text: str) -> str:
    """The words that a bundle's index.md holds above its lists; "": none."""
    above, mark, _ = frontmatter.split(text)[1].partition(INDEX_MARK)
    if not mark:
        return ""
    above = above.strip()
    if above.startswith(_WORDS):
        with contextlib.suppress(ValueError, RecursionError):
            kept = json.loads(above.removeprefix(_WORDS).partition(" -->")[0])
            return kept if isinstance(kept, str) else ""
    return with_wikilinks(above)


def concept(copy: Copy, path: str, targets: Targets, *, days: int = DAYS) -> str:
    """The file of one concept, which lies at `path` in the bundle."""
    block, body, _ = frontmatter.split(copy.text)
    linked = with_markdown_links(body, copy.page.path, targets, copy.files)
    mark: dict[str, Any] = {"okf": VERSION}
    if path != copy.page.path:
        mark["path"] = copy.page.path
    front = frontmatter.parse(block or "")
    if block is None:
        mark["bare"] = True
    mine = not front.problems and _is_yaml(_written(front, copy.page, "", {}, days))
    if mine:
        text = _written(front, copy.page, linked, mark, days)
        if read(text).text == copy.text:
            return text
    linked = linked.lstrip("\ufeff")
    mark |= {"original": copy.text, "sha256": _hash(linked)}
    if mine:
        text = _written(front, copy.page, linked, mark, days)
        if read(text).text == copy.text:
            return text
    fresh = frontmatter.split(render_page(copy.page))[0] or ""
    return _written(frontmatter.parse(fresh), copy.page, linked, mark, days)


def read(text: str) -> Concept:
    """The page that a concept's file holds. Of other programs' concepts it is the file itself."""
    block, body, _ = frontmatter.split(text)
    front = frontmatter.parse(block or "")
    mark = front.get(MARK)
    if not isinstance(mark, dict) or "okf" not in mark:
        return Concept(text)
    path = str(mark.get("path") or "")
    original = mark.get("original")
    if isinstance(original, str) and mark.get("sha256") == _hash(body):
        return Concept(original, path, ours=True)
    front = _as_before(front, mark)
    rest = frontmatter.render(frontmatter.update(front, {MARK: None}))
    body = with_wikilinks(body)
    if mark.get("bare") and not rest:
        return Concept(body, path, ours=True)
    newline = "\r\n" if "\r\n" in text.partition("\n---")[0] else "\n"
    return Concept(f"---{newline}{rest}---{newline}{body}", path, ours=True)


def _written(
    front: frontmatter.FrontMatter, page: Page, body: str, mark: Mapping[str, Any], days: int
) -> str:
    """A concept's file: the page's front matter with the format's keys, and a body."""
    added = {key: value for key, value in _keys(page, days).items() if front.get(key) is None}
    entry = front.entry("sources")
    before = entry.value if entry else None
    sources = _sources(before, page.body)
    mark = dict(mark)
    if sources and before is None:
        added["sources"] = sources
    if added:
        mark["added"] = {key: _digest(added[key]) for key in sorted(added)}
    if entry and before is not None and sources and sources != before:
        mark["sources"] = {"was": entry.raw, "now": _digest(sources)}
        added["sources"] = sources
    front = frontmatter.update(front, {**added, MARK: mark})
    newline = "\r\n" if any(entry.raw.endswith("\r\n") for entry in front.entries) else "\n"
    return f"---{newline}{frontmatter.render(front)}---{newline}{body}"


def _as_before(front: frontmatter.FrontMatter, mark: Mapping[str, Any]) -> frontmatter.FrontMatter:
    """`front` without what the export has added, as far as nobody has changed that since."""
    added = mark.get("added")
    gone: dict[str, Any] = {
        key: None
        for key, digest in (added.items() if isinstance(added, dict) else ())
        if digest == _digest(front.get(key))
    }
    front = frontmatter.update(front, gone)
    was, entry = mark.get("sources"), front.entry("sources")
    if not isinstance(was, dict) or entry is None:
        return front
    if was.get("now") != _digest(entry.value):
        items = entry.value if isinstance(entry.value, list) else [entry.value]
        kept = [item for item in items if not (isinstance(item, dict) and _OF in item)]
        return frontmatter.update(front, {"sources": kept})
    before = frontmatter.parse(str(was.get("was") or "")).entries
    entries = (before if each is entry else (each,) for each in front.entries)
    return replace(front, entries=tuple(chain.from_iterable(entries)))


def _digest(value: Any) -> str:
    """By which a value that was changed is told from what the export has written."""
    plain = json.dumps(as_read(value), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(plain.encode("utf-8", "replace")).hexdigest()[:8]


def _keys(page: Page, days: int) -> dict[str, Any]:
    """What the format says of a page beside its own keys (4.1, 5.2, 5.4, 5.5)."""
    found: dict[str, Any] = {"type": page.type or "concept", "title": page.title}
    if page.summary:
        found["description"] = page.summary
    if not page.generated_by and page.owner and page.owner != ANYONE:
        found["generated"] = {"by": f"human:{page.owner}"}  # (7)
        if page.ingested_at:
            found["generated"]["at"] = page.ingested_at
    over = bool(page.superseded_by) or is_archived(page)
    found["status"] = "deprecated" if over else "stable"
    if stale := stale_after(page, days):
        found["stale_after"] = stale.date()  # content is stale on that day and after (5.5)
    return found


def stale_after(page: Page, days: int = DAYS) -> datetime | None:
    """When a page has ended, or nobody has checked it for `days`, whichever comes first."""
    when = checked(page)
    try:
        unchecked = when + timedelta(days=days) if when else None
    except OverflowError:  # in the year 9999
        unchecked = None
    return min((each for each in (page.valid_until, unchecked) if each), default=None)


def _sources(value: Any, body: str) -> list[Any]:
    """The sources as the format has them: each with a resource, and one for each footnote (5.1).

    The label of a footnote is the id of an entry: `paper.1` stands beside `paper`, which it is of.
    """
    found: list[Any] = []
    items = value if isinstance(value, list) else [value]
    for item in items:
        if item is None or item == "":
            continue
        entry = dict(item) if isinstance(item, dict) else {"id": item, "resource": item}
        if not entry.get("resource"):
            entry["resource"] = entry.get("id") or entry.get("title") or "unknown"
        found.append(entry)
    by_id = {str(entry["id"]): entry for entry in found if entry.get("id")}
    for label, note in footnotes(body).items():
        if label in by_id:
            continue
        stem = label.rpartition(".")[0]
        source = by_id.get(stem) or {}
        entry = {"id": label, "resource": note.resource or source.get("resource") or note.text}
        entry["resource"] = entry["resource"] or label
        if note.locator:
            entry["locator"] = note.locator
        found.append({**entry, _OF: stem} if source else entry)
    return found


def _concept_paths(copies: Iterable[Copy]) -> dict[str, str]:
    """Where each page lies in the bundle: where it is, unless that name is reserved (3.1)."""
    paths = {copy.page.path: copy.page.path for copy in copies}
    taken = {name_key(path) for path in paths}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        if name_key(name) not in RESERVED:
            continue
        stem = slugify(name.removesuffix(".md"))
        numbered = (f"{folder}{slash}{stem}{number or ''}.md" for number in count())
        paths[path] = next(each for each in numbered if name_key(each) not in taken)
        taken.add(name_key(paths[path]))
    return paths


def _indexes(pages: Mapping[str, Page]) -> dict[str, str]:
    """An index.md for each folder (8): its concepts, then the folders in it."""
    folders: dict[str, list[str]] = {"": []}
    inside: dict[str, set[str]] = {"": set()}
    counts: dict[str, int] = {}
    for path in pages:
        folder = path.rpartition("/")[0]
        folders.setdefault(folder, []).append(path)
        counts[folder] = counts.get(folder, 0) + 1
        while folder:
            above, _, name = folder.rpartition("/")
            inside.setdefault(folder, set())
            folders.setdefault(folder, [])
            inside.setdefault(above, set()).add(name)
            folder = above
    return {
        f"{folder}/{INDEX}".lstrip("/"): _index(
            folder, {path: pages[path] for path in held}, inside.get(folder, set()), counts
        )
        for folder, held in folders.items()
    }


def _index(
    folder: str, pages: Mapping[str, Page], inside: Iterable[str], counts: Mapping[str, int]
) -> str:
    lines = [] if folder else ["---", f'okf_version: "{VERSION}"', "---", ""]  # (12)
    rows = [
        f"* [{_words(page.title)}]({quoted(path.rpartition('/')[2])}){_dash(page.summary)}"
        for path, page in sorted(pages.items(), key=lambda item: (name_key(item[1].title), item[0]))
    ]
    if rows:
        lines += ["# Concepts", "", *rows, ""]
    below = sorted(inside)
    if below or not rows:
        lines += ["# Folders", ""]
    for name in below:
        held = counts.get(f"{folder}/{name}".lstrip("/"), 0)
        about = f" - {held:,} concept{'' if held == 1 else 's'}" if held else ""
        lines.append(f"* [{_words(name)}]({quoted(name)}/){about}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _log(pages: Mapping[str, Page], lines: Sequence[str] = ()) -> str:
    """What the pages say of their own past, by day, the newest first (9); then the wiki's lines."""
    slugs = {page.slug: (path, page) for path, page in pages.items()}
    found: dict[str, list[str]] = {}
    for path, page in pages.items():
        link = _link(path, page)
        after = slugs.get(page.superseded_by)
        by = f" by {_link(*after)}" if after else ""
        dated: list[tuple[datetime | None, str]] = [
            (page.ingested_at, f"* **Creation**: {link}"),
            (page.generated_at, f"* **Update**: {link}"),
            *((each.at, f"* **Verification**: {link}") for each in page.verified),
            (page.superseded_at, f"* **Deprecation**: {link} superseded{by}"),
            (page.archived_at, f"* **Deprecation**: {link} archived"),
        ]
        for at, line in dated:
            is_first = line.startswith("* **Update**") and at == page.ingested_at
            if at and not is_first:
                found.setdefault(f"{at:%Y-%m-%d}".rjust(10, "0"), []).append(line)
    told: dict[str, list[str]] = {}
    for line in lines:
        told.setdefault(line[2:12], []).append(f"* {line.removeprefix('- ')}")
    rows = ["# Log"]
    for day in sorted({*found, *told}, reverse=True):
        rows += [
            "",
            f"## {day}",
            "",
            *sorted(dict.fromkeys(found.get(day, ()))),
            *told.get(day, ()),
        ]
    return "\n".join(rows) + "\n"


def _link(path: str, page: Page) -> str:
    return f"[{_words(page.title)}](/{quoted(path)})"


def _words(text: str) -> str:
    return re.sub(r"([\\\[\]*_`<])", r"\\\1", " ".join(text.split()))


def _dash(summary: str) -> str:
    return f" - {' '.join(summary.split())}" if summary else ""


def _is_yaml(text: str) -> bool:
    """Whether any YAML reader takes the front matter for a mapping (11)."""
    import yaml

    try:
        block = frontmatter.split(text)[0]
        value = yaml.load(block or "", Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and bool(str(value.get("type") or "").strip())


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
