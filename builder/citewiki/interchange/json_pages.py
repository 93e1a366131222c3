"""Pages as JSON, one file each, and back.

`page.schema.json` in this folder describes a page's file; a copy of it stands in every export.
Beside its facts and its text a page's file holds its front matter as it was written, so that
reading gives back the page's file byte for byte; where a fact has been changed, the fact counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from citewiki.errors import DataError
from citewiki.interchange.beside import Beside
from citewiki.interchange.copies import Copy
from citewiki.interchange.links import Targets
from citewiki.markdown import frontmatter
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page, as_json
from citewiki.store.pages import parse_page
from citewiki.text.folding import name_key, nfc
from citewiki.text.slugs import slugify

FORMAT, VERSION = "citewiki-pages", 1
INDEX, BACKLINKS, SCHEMA = "_index.json", "_backlinks.json", "page.schema.json"

_FACTS = (
    "type", "title", "slug", "aliases", "summary", "domain", "tags", "owner", "shared_with",
    "sources", "source_authority", "confidence", "ingested_at", "last_verified_at", "verified",
    "valid_from", "valid_until", "scopes", "superseded_by", "superseded_at", "valid_until_before",
    "supersedes", "archived_at",
)  # fmt: skip
_TEXTS = ("content", "body", "markdown")
"""What the text of a page may be called; the first is ours."""

_STRUCTURE = {*_TEXTS, "path", "links", "backlinks", "front_matter", "file"}

FILES = "_files/"
"""Where the files lie that pages show, at their path under wiki/."""


def files(copies: Sequence[Copy], beside: Beside | None = None) -> dict[str, str | Path]:
    """The files of an export by name: the pages, two lists, the schema, and what pages show."""
    beside = beside or Beside({})
    targets = Targets(copy.page for copy in copies)
    names = _names(copies)
    listed = [
        {
            "slug": copy.page.slug,
            "title": copy.page.title,
            "file": names[copy.page.path],
            "path": copy.page.path,
            "type": copy.page.type,
            "domain": copy.page.domain,
            "summary": copy.page.summary,
            "tags": list(copy.page.tags),
        }
        for copy in copies
    ]
    pages = {names[copy.page.path]: _json(page_json(copy, targets)) for copy in copies}
    more = {"words": beside.words, "log": list(beside.log)}
    index = {key: value for key, value in more.items() if value}
    return {
        **{f"{FILES}{path}": place for path, place in beside.files.items()},
        **pages,
        INDEX: _json({"format": FORMAT, "version": VERSION, **index, "pages": listed}),
        BACKLINKS: _json(targets.backlinks()),
        SCHEMA: Path(__file__).with_name(SCHEMA).read_text(encoding="utf-8"),
    }


def page_json(copy: Copy, targets: Targets) -> dict[str, Any]:
    """One page as JSON types, its keys in the order of front matter."""
    block, body, _ = frontmatter.split(copy.text)
    meant = (targets.page(link, copy.page.path) for link in wikilinks(copy.page.body))
    data = {
        **_facts(copy.page),
        "path": copy.page.path,
        "links": sorted({page.slug for page in meant if page and page.path != copy.page.path}),
        "files": list(copy.files),
        "front_matter": block,
        "content": body,
    }
    if _assembled(block, body) != copy.text:
        data["file"] = copy.text
    return data


def read(data: Any, name: str) -> tuple[str, str]:
    """(path relative to wiki/, text) of the page that the file called `name` holds.

    Also of files that other programs wrote: what they call otherwise, and keys that no page has,
    stay as front matter. Raises DataError when it holds no page.
    """
    if not isinstance(data, dict):
        raise DataError(name, "is not the JSON of a page")
    content = next((data[key] for key in _TEXTS if isinstance(data.get(key), str)), None)
    if content is None:
        raise DataError(name, "has no text: a page's text is its “content”")
    path = data.get("path")
    if not isinstance(path, str) or not path.endswith(".md"):
        path = _path(data, name)
    block = data.get("front_matter")
    text = _assembled(block if isinstance(block, str) else None, content)
    file = data.get("file")
    if isinstance(file, str) and frontmatter.split(file)[1] == content:
        text = file
    known = _facts(parse_page(text, path))
    given = {key: value for key, value in data.items() if key not in _STRUCTURE}
    if "front_matter" in data:  # the file states its slug, or goes by its name
        given.pop("slug", None)
        given.pop("files", None)
    changes = {
        key: value
        for key, value in given.items()
        if not (key in known and known[key] == value) and (value is not None or key in known)
    }
    if not changes:
        return path, text
    try:
        block, body, _ = frontmatter.split(text)
        front = frontmatter.update(frontmatter.parse(block or ""), changes)
        return path, _assembled(frontmatter.render(front), body)
    except RecursionError:
        raise DataError(name, "its values are nested without end") from None


def _facts(page: Page) -> dict[str, Any]:
    """What is known of a page, apart from its text."""
    found: dict[str, Any] = {key: as_json(getattr(page, key)) for key in _FACTS}
    generated = {
        "by": page.generated_by,
        "at": as_json(page.generated_at),
        "sha256": page.generated_sha256,
    }
    found["generated"] = generated if page.generated_by else None
    return found


def _path(data: Mapping[str, Any], name: str) -> str:
    """Where a page lies that does not say it: under its domain, by its slug or title."""
    named = (data.get(key) for key in ("slug", "title"))
    slug = next((str(each) for each in named if each), "") or name.rpartition("/")[2][:-5]
    domain = str(data.get("domain") or "")
    return f"{slugify(domain)}/{slugify(slug)}.md" if domain else f"{slugify(slug)}.md"


def _names(copies: Sequence[Copy]) -> dict[str, str]:
    """The file of each page by its path: its slug, where that is a file's name."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for copy in copies:
        slug = slugify(copy.page.slug, taken)
        taken.add(name_key(slug))
        names[copy.page.path] = f"{nfc(slug)}.json"
    return names


def _assembled(block: str | None, body: str) -> str:
    return body if block is None else f"---\n{block}---\n{body}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"
