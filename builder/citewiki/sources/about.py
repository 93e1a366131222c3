"""What a source says about itself: title, author, date, tags … from front matter of many kinds.

Blogs (Jekyll, Hugo), note programs (Obsidian) and clippers name the same things differently; the
first key of a row that holds something usable wins.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any
from urllib.parse import unquote

from citewiki.markdown import frontmatter
from citewiki.model import AUTHORITIES, Problem
from citewiki.sources.encoding import clean
from citewiki.text.folding import nfc

_TITLE = ("title", "name")
_SUMMARY = ("description", "summary", "abstract", "excerpt", "subtitle")
_AUTHOR = ("author", "authors", "creator", "by")
_DATE = (
    "date",
    "published",
    "pubdate",
    "publishdate",
    "created",
    "created_at",
    "updated",
    "modified",
)
_URL = ("url", "source_url", "canonical", "canonical_url", "link", "source", "origin")
_LANGUAGE = ("lang", "language", "locale")
_TAGS = ("tags", "tag", "keywords", "categories", "category")
_ALIASES = ("aliases", "alias")

_TOML = re.compile(r"\ufeff?\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.M | re.S)
_DATE_IN_NAME = re.compile(
    r"(?:(?:19|20)\d\d)[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)"
    r"(?:[T_ -]?\d{4,6}(?!\d))?"
)
_HASH_IN_NAME = re.compile(
    r"(?<![^\W_])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,64})(?![^\W_])",
    re.I,
)
_SEPARATORS = re.compile(r"[\s_]+|(?<=\S)[-.](?=\S)")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}$")


@dataclass(frozen=True, slots=True)
class About:
    """What could be learned about a source; empty where it says nothing."""

    title: str = ""
    summary: str = ""
    author: str = ""
    date: datetime | None = None  # UTC
    url: str = ""
    language: str = ""  # ISO 639-1
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    authority: str = ""  # one of model.AUTHORITIES, or "" when not said
    problems: tuple[Problem, ...] = ()


def split_about(text: str, path: str) -> tuple[About, str]:
    """What the front matter of `text` says (YAML between `---`, TOML between `+++`), and the body.

    Never raises: what cannot be read is a problem of the file `path`.
    """
    if found := _TOML.match(text):
        try:
            return about(tomllib.loads(found[1])), text[found.end() :]
        except tomllib.TOMLDecodeError as error:
            problem = Problem(path, f"front matter is not TOML: {error}", 1, "warning")
            return About(problems=(problem,)), text[found.end() :]
    block, body, _ = frontmatter.split(text)
    if block is None:
        return About(), body
    front = frontmatter.parse(block)
    problems = tuple(
        Problem(path, f"{bad.key}: {bad.message}" if bad.key else bad.message, bad.line, "warning")
        for bad in front.problems
    )
    return about({entry.key: entry.value for entry in front.entries}, problems), body


def about(values: Mapping[str, Any], problems: tuple[Problem, ...] = ()) -> About:
    """The usable part of front matter or of a page's metadata; keys in any case."""
    folded = {str(key).lower(): value for key, value in values.items()}
    tags = [tag.lstrip("#") for key in _TAGS for tag in _listed(folded.get(key), spaced=True)]
    authority = str(folded.get("source_authority") or "")
    if not authority and folded.get("layout") == "post":
        authority = "blog"
    return About(
        title=_first(folded, _TITLE),
        summary=_first(folded, _SUMMARY),
        author=", ".join(_names(folded)),
        date=next(filter(None, (moment(folded.get(key)) for key in _DATE)), None),
        url=next((url for key in _URL if (url := _line(folded.get(key))).startswith("http")), ""),
        language=_first(folded, _LANGUAGE)[:2].lower(),
        tags=tuple(dict.fromkeys(filter(None, tags))),
        aliases=tuple(dict.fromkeys(a for key in _ALIASES for a in _listed(folded.get(key)))),
        authority=authority if authority in AUTHORITIES else "",
        problems=problems,
    )


def moment(value: object) -> datetime | None:
    """A date or time as UTC; None for what is neither. Times without a zone are taken as UTC."""
    if isinstance(value, datetime):
        found: datetime | None = value
    elif isinstance(value, date):
        found = datetime.combine(value, time())
    else:
        found = _parsed(_line(value))
    if found is None or found.tzinfo is None:
        return found and found.replace(tzinfo=UTC)
    try:
        return found.astimezone(UTC)
    except OverflowError:  # year 1 or 9999 at the edge of the calendar
        return None


def readable_title(name: str) -> str:
    """A title from a file's name: without suffix, dates, hashes and separators; never empty."""
    stem = nfc(unquote(name, errors="replace")).rsplit("/", 1)[-1]
    stem = _SUFFIX.sub("", stem).strip() or stem.strip() or "Untitled"
    bare = _HASH_IN_NAME.sub(" ", _DATE_IN_NAME.sub(" ", stem, count=1))
    words = _SEPARATORS.sub(" ", bare).strip(" -_.,()[]")
    if not any(char.isalpha() for char in words):
        dated = _DATE_IN_NAME.search(stem)
        return dated[0] if dated else stem
    return words[0].upper() + words[1:] if words[0].isascii() else words


def _parsed(text: str) -> datetime | None:
    """ISO 8601 and the looser forms that people write in front matter, year first."""
    text = re.sub(r"^(\d{4})[/.](\d{1,2})[/.](\d{1,2})", r"\1-\2-\3", text)
    text = re.sub(r"^(\d{4})-(\d{1,2})-(\d{1,2})\b", _padded, text)
    text = re.sub(r" ([+-]\d\d:?\d\d)$", r"\1", text)  # Jekyll: 2024-05-01 10:00:00 +0800
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.fromisoformat(text[:10])
    except ValueError:
        return None


def _padded(found: re.Match[str]) -> str:
    return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"


def _first(values: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    return next((line for key in keys if (line := _line(values.get(key)))), "")


def _line(value: object) -> str:
    """A scalar as one line of text; "" for lists, tables and nothing."""
    if value is None or isinstance(value, list | tuple | dict):
        return ""
    return " ".join(clean(str(value)).split())


def _listed(value: object, *, spaced: bool = False) -> list[str]:
    """A list, or a scalar cut at commas; where `spaced`, at spaces if it has no comma (Jekyll)."""
    if isinstance(value, list | tuple):
        return [line for item in value if (line := _line(item))]
    text = _line(value)
    if "," in text or not spaced:
        return [part.strip() for part in text.split(",") if part.strip()]
    return text.split()


def _names(values: Mapping[str, Any]) -> list[str]:
    """Authors, given as a name, a list of names, or tables with a `name`."""
    for key in _AUTHOR:
        given = values.get(key)
        people = given if isinstance(given, list | tuple) else [given]
        named = [person.get("name") if isinstance(person, dict) else person for person in people]
        if lines := [line for item in named if (line := _line(item))]:
            return lines
    return []
