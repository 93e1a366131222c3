"""What somebody wants a page to be, checked: nothing that comes from outside is taken as it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from citewiki.errors import DataError
from citewiki.markdown.frontmatter import split
from citewiki.model import SourceRef
from citewiki.text.folding import name_key, nfc

MOST_BODY = 1_000_000  # characters, some 150,000 words: a book, and more than a page should have
MOST_TITLE = 200
MOST_SUMMARY = 1_000
MOST_WHY = 1_000
MOST_NAME = 100  # of a domain, a tag, a user
MOST_ITEMS = 50  # tags, aliases, users, sources
"""Limits of what is handed in: decisions; they keep a mistake from filling the wiki."""

DEFAULT_TYPE = "concept"

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TYPE = re.compile(r"[^\W_][\w-]{0,39}")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Wish:
    """A page as it is to be; what is empty is left as it is, or to the program."""

    title: str
    body: str
    domain: str = ""  # of a new page; one that is there stays where it is
    summary: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    shared_with: tuple[str, ...] | None = None  # None: as it is; a user's new page: nobody
    type: str = DEFAULT_TYPE
    sources: tuple[SourceRef, ...] = ()
    why: str = ""  # the reason, by which the write guard lets a text be reworded


def wish(
    title: str,
    body: str,
    *,
    domain: str = "",
    summary: str = "",
    tags: Iterable[str] = (),
    aliases: Iterable[str] = (),
    shared_with: Iterable[str] | None = None,
    type: str = DEFAULT_TYPE,
    sources: Iterable[SourceRef | Mapping[str, str] | str] = (),
    why: str = "",
) -> Wish:
    """What is wanted, in one form. Raises DataError naming the argument that cannot be used."""
    title = one_line("title", title, MOST_TITLE)
    if not title:
        raise DataError("title", "is empty; a page needs one")
    if not _TYPE.fullmatch(kind := one_line("type", type, 40)):
        raise DataError("type", "is no word, such as concept, entity or synthesis")
    shared = None if shared_with is None else _texts("shared_with", shared_with)
    return Wish(
        title,
        text("body", body, MOST_BODY, front="pass title, tags and the like as arguments"),
        one_line("domain", domain, MOST_NAME),
        one_line("summary", summary, MOST_SUMMARY),
        tuple(tag.lstrip("#").strip() for tag in _texts("tags", tags) if tag.strip("# ")),
        tuple(
            name
            for name in _texts("aliases", aliases, MOST_TITLE)
            if name_key(name) != name_key(title)
        ),
        shared,
        kind,
        tuple(map(_source, _limited("sources", sources))),
        one_line("why", why, MOST_WHY),
    )


def text(name: str, value: object, most: int, *, front: str = "") -> str:
    """A text of several lines, its line ends "\\n"; `front`: what to do instead of front matter.

    Raises DataError when it is none, empty, too long, or holds what no text holds.
    """
    found = _sound(name, value)
    found = found.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not found.strip():
        raise DataError(name, "is empty; hand in some text")
    if len(found) > most:
        raise DataError(name, f"has {len(found):,} characters, more than {most:,}; split it")
    if front and split(found)[0] is not None:
        raise DataError(name, f"starts with front matter; {front}")
    return found


def one_line(name: str, value: object, most: int) -> str:
    """A text of one line, white space made one, NFC. Raises DataError as `text` does."""
    found = nfc(" ".join(_sound(name, value).split()))
    if len(found) > most:
        raise DataError(name, f"has {len(found):,} characters, more than {most:,}; shorten it")
    return found


def _sound(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise DataError(name, f"has to be text, and is {_kind(value)}")
    if _SURROGATE.search(value):
        raise DataError(name, "holds half a character (a lone surrogate); hand in valid Unicode")
    if found := _CONTROL.search(value):
        raise DataError(name, f"holds the control character U+{ord(found[0]):04X}; take it out")
    return value


def _texts(name: str, values: Iterable[str], most: int = MOST_NAME) -> tuple[str, ...]:
    found = (one_line(name, value, most) for value in _limited(name, values))
    return tuple({name_key(value): value for value in reversed([*found]) if value}.values())[::-1]


def _limited(name: str, values: object) -> Collection[object]:
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise DataError(name, f"has to be a list, and is {_kind(values)}")
    found = list(values)
    if len(found) > MOST_ITEMS:
        raise DataError(name, f"has {len(found)} entries, more than {MOST_ITEMS}")
    return found


def _source(given: object) -> SourceRef:
    """A source as it is named: id, path or address, or all that a page says of it."""
    keys = ("id", "resource", "sha256", "locator")
    parts: list[object]
    if isinstance(given, SourceRef):
        parts = [getattr(given, key) for key in keys]
    elif isinstance(given, Mapping):
        parts = [given.get(key) or "" for key in keys]
    else:
        parts = [given, given if "/" in str(given) else "", "", ""]
    id, resource, sha256, locator = (one_line("sources", part, MOST_SUMMARY) for part in parts)
    scheme = _SCHEME.match(resource)
    if scheme and not resource.lower().startswith(("http://", "https://")):
        raise DataError("sources", f"“{resource}” is no address of the web and no path in raw/")
    if not scheme and ".." in re.split(r"[/\\]", resource):
        raise DataError("sources", f"“{resource}” leads out of raw/")
    if not id and not resource:
        raise DataError("sources", "has an entry without an id and without a resource")
    return SourceRef(id or resource, resource, sha256, locator)


def _kind(value: object) -> str:
    return {"NoneType": "nothing", "str": "a text", "dict": "a mapping"}.get(
        type(value).__name__, f"a {type(value).__name__}"
    )
