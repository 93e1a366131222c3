"""What a page's sources look like to a reader: a title, a place, and where the original is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from citewiki.markdown.footnotes import Footnote
from citewiki.model import Page, SourceRef
from citewiki.site.urls import ROOT

_PAGE_NUMBER = re.compile(r"\bpp?\.\s*(\d+)")
_READ_BY_BROWSERS = (".html", ".htm", ".xhtml", ".txt", ".md", ".markdown")
_PAUSE = re.compile(r"(?<=[，。；：！？、])")
_KINDS = {  # by media type
    "application/pdf": "PDF",
    "application/epub+zip": "EPUB",
    "text/html": "web page",
    "text/markdown": "Markdown",
    "text/plain": "text",
}
WHOLE = 90  # characters of a quote that a link names as a whole; of a longer one both ends
ENDS = 5  # words of each end


@dataclass(frozen=True, slots=True)
class Original:
    """One source as raw/manifest.jsonl knows it."""

    path: str  # "raw/…"
    title: str
    url: str = ""  # where it came from, when that is an address
    pages: frozenset[str] = frozenset()  # slugs of those that were made of it
    id: str = field(default="", compare=False)
    kind: str = field(default="", compare=False)  # for a person: "PDF"
    taken: datetime | None = field(default=None, compare=False)  # when the wiki took it in; UTC
    owner: str = field(default="", compare=False)  # who took it in; "": the wiki itself
    sections: tuple[Part, ...] = field(default=(), compare=False)  # in the source's order


@dataclass(frozen=True, slots=True)
class Part:
    """One section of a source, and what became of it."""

    title: str
    locator: str
    status: str  # "compiled", "pending", "skipped", …
    reason: str
    pages: tuple[str, ...]  # slugs


@dataclass(frozen=True, slots=True)
class Evidence:
    """A source as it stands under a page."""

    title: str
    locator: str  # "pp. 3-7 › 2.1 Hybrid"; "" the whole
    href: str = ""  # of the original, with urls.ROOT when it is on the site; "" not published


def read_manifest(path: Path) -> dict[str, Original]:
    """Originals by id and by path; lines that cannot be read are left to `citewiki lint`."""
    found: dict[str, Original] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return found
    for line in lines:
        try:
            record = json.loads(line)
            where, title = str(record["path"]), str(record.get("title") or "")
            origin = str(record.get("origin") or "")
            parts = tuple(map(_part, record.get("sections") or ()))
            original = Original(
                where,
                title,
                origin if is_address(origin) else "",
                frozenset(slug for part in parts for slug in part.pages),
                str(record.get("id") or where),
                _kind(str(record.get("media_type") or ""), where),
                _moment(record.get("fetched_at")),
                str(record.get("owner") or ""),
                parts,
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        found[where] = original
        found.setdefault(original.id, original)
    return found


def _part(data: Mapping[str, Any]) -> Part:
    title, locator, status, reason = (
        str(data.get(key) or "") for key in ("title", "locator", "status", "reason")
    )
    return Part(title, locator, status, reason, tuple(map(str, data.get("pages") or ())))


def _kind(media_type: str, path: str) -> str:
    """What kind of file a source is, in a reader's word."""
    end = path.rpartition("/")[2].rpartition(".")[2] if "." in path else ""
    return _KINDS.get(media_type) or (end.upper() if 0 < len(end) <= 5 else "")


def _moment(text: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(str(text)) if text else None
    except ValueError:
        return None


def evidence(
    page: Page, originals: Mapping[str, Original], *, publish_raw: bool
) -> tuple[Evidence, ...]:
    """The sources of `page`, each once, in the page's order."""
    return tuple(
        dict.fromkeys(describe(ref, originals, publish_raw=publish_raw) for ref in page.sources)
    )


def describe(
    ref: SourceRef, originals: Mapping[str, Original], *, publish_raw: bool, words: str = ""
) -> Evidence:
    """A reference as title, place and, when it may be opened, the address of the original.

    The address leads to the page of a PDF that the locator names, else to the `words` quoted.
    """
    resource = ref.resource or ref.id
    original = originals.get(ref.resource) or originals.get(ref.id)
    address = original.url if original else resource if is_address(resource) else ""
    if publish_raw and original:
        address = f"{ROOT}{quote(original.path)}"
    if address:
        address += place(address, ref.locator, words)
    if original and original.title:
        title = original.title
    elif is_address(resource):
        title = resource.partition("://")[2].rstrip("/")
    else:
        title = resource.rpartition("/")[2] or resource
    return Evidence(title, ref.locator, address)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a source that a page rests on."""

    locator: str  # "p. 4"
    words: str
    href: str = ""  # of that place in the original; "" not published
    note: str = ""  # "#fn:…": where the page notes it


@dataclass(frozen=True, slots=True)
class Panel:
    """A source as it stands under a page: all of it that the page rests on."""

    title: str
    href: str = ""
    about: str = ""  # "PDF, taken in 12 May 2026"
    locators: tuple[str, ...] = ()
    quotes: tuple[Quoted, ...] = ()
    listed: str = ""  # its place on /sources/


def panels(
    page: Page,
    originals: Mapping[str, Original],
    notes: Iterable[Footnote],
    *,
    publish_raw: bool,
) -> list[tuple[Original | None, Panel]]:
    """The sources of `page`, each once, with the places and words of them that it names.

    Those in its front matter come first, then those that only footnotes name.
    """
    found: dict[str, list[tuple[SourceRef, Footnote | None]]] = {}
    refs = [(ref, None) for ref in page.sources]
    cited = [(SourceRef(note.resource, note.resource, "", note.locator), note) for note in notes]
    for ref, note in (*refs, *cited):
        original = originals.get(ref.resource) or originals.get(ref.id)
        found.setdefault(original.path if original else ref.resource or ref.id, []).append(
            (ref, note)
        )
    made = []
    for every in found.values():
        first = every[0][0]
        original = originals.get(first.resource) or originals.get(first.id)
        whole = describe(replace(first, locator=""), originals, publish_raw=publish_raw)
        told = dict.fromkeys(ref.locator for ref, note in every if not note and ref.locator)
        quotes = []
        for ref, note in every:
            if note and note.quote:
                shown = describe(ref, originals, publish_raw=publish_raw, words=note.quote)
                quotes.append(Quoted(ref.locator, note.quote, shown.href, f"#fn:{note.label}"))
        href = describe(first, originals, publish_raw=publish_raw).href if len(told) == 1 else ""
        made.append(
            (original, Panel(whole.title, href or whole.href, "", tuple(told), tuple(quotes)))
        )
    return made


def place(address: str, locator: str, words: str = "") -> str:
    """What to put behind `address` to open it at the place: "#page=4", "#:~:text=…" or "".

    The page of a PDF is in RFC 8118, 3; text fragments in wicg.github.io/scroll-to-text-fragment.
    """
    path = urlsplit(address).path.lower()
    if path.endswith(".pdf"):
        number = _PAGE_NUMBER.search(locator)
        return f"#page={number[1]}" if number and "#" not in address else ""
    if not words or not ("://" in address or path.endswith(_READ_BY_BROWSERS)):
        return ""
    return f"{'' if '#' in address else '#'}:~:text={text_fragment(words)}"


def text_fragment(words: str) -> str:
    """`words` as a browser looks them up: whole, or by their first and last words when long."""
    words = " ".join(words.split())
    if len(words) <= WHOLE:
        return _encoded(words)
    parts = words.split(" ")
    if len(parts) >= 2 * ENDS + 1:
        return f"{_encoded(' '.join(parts[:ENDS]))},{_encoded(' '.join(parts[-ENDS:]))}"
    clauses = [part for part in _PAUSE.split(words) if part.strip()]  # scripts without spaces
    if len(clauses) > 2:
        return f"{_encoded(clauses[0])},{_encoded(clauses[-1])}"
    return _encoded(words)


def _encoded(words: str) -> str:
    return quote(words, safe="").replace("-", "%2D")  # "-" and "," part a fragment's parts


def is_address(text: str) -> bool:
    """Whether `text` is a web address."""
    return text.startswith(("https://", "http://"))
