"""File and URL names made from titles.

python-slugify is not used: it takes the vowel signs out of Indic and Thai words (हिन्दी → ह-न-द).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Container

from citewiki.text.folding import name_key

MOST_CHARS = 80
MOST_BYTES = 180  # of the 255 that file systems allow; temporary names and ".md" come on top
_FOR_OWNER = 60  # bytes of an owner's name that go on top, too; a longer one shortens the title

_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com\d|lpt\d"  # devices on Windows, whatever the extension
    r"|index|readme|log)"  # a folder's own page, and the wiki's log
)
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ](?=\w)")
_SIGN_IN_NAME = re.compile(r"(?<=[^\W_])(?:\++|#)(?!\w)")  # C++ and C# are not C
_SIGNS = {"+": "-plus", "#": "-sharp"}
_EMOJI_MARKS = re.compile("[\u20d0-\u20ff\ufe00-\ufe0f]")  # they only style the sign before them
_ASCII_RUNS = re.compile(r"[^a-z0-9]+")


def slugify(title: str, taken: Container[str] = (), *, room: int = 0) -> str:
    """A name for `title`: letters of any script in lower case, "-" between words.

    NFC, never empty, at most `MOST_CHARS` characters and `MOST_BYTES` bytes in UTF-8, no name
    that a system or the wiki reserves; a slug is its own slug. A title without letters or digits
    becomes `page-` and eight digits of its SHA-256.

    `taken` holds the names in use by their `name_key`; a name in use gets -2, -3, … at its end.
    `room`: bytes to leave free of the limits, for what is put behind it.
    """
    slug = _cut(_joined_words(title), room)
    if not slug:
        digest = hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()
        slug = f"page-{digest[:8]}"
    if _RESERVED.fullmatch(slug):
        slug += "-page"
    unique, number = slug, 1
    while unique in taken or name_key(unique) in taken:
        number += 1
        suffix = f"-{number}"
        unique = _cut(slug, room + len(suffix)) + suffix
    return unique


def _joined_words(title: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).lower())
    text = _SIGN_IN_NAME.sub(lambda signs: _SIGNS[signs[0][0]] * len(signs[0]), text)
    text = _APOSTROPHE.sub("", text)
    if text.isascii():
        return _ASCII_RUNS.sub("-", text).strip("-")
    kept: list[str] = []
    for char in _EMOJI_MARKS.sub("", text):
        category = unicodedata.category(char)
        if char.isalnum() or (category[0] == "M" and kept and kept[-1] != "-"):
            kept.append(char)
        elif category != "Cf" and kept and kept[-1] != "-":  # joiners and soft hyphens part nothing
            kept.append("-")
    return unicodedata.normalize("NFC", "".join(kept)).strip("-")


def _cut(slug: str, room: int = 0) -> str:
    """`slug` within the limits less `room`, at the end of a word where one ends near."""
    if len(slug) <= MOST_CHARS - room and len(slug.encode()) <= MOST_BYTES - room:
        return slug
    short = slug[: MOST_CHARS - room].encode()[: MOST_BYTES - room].decode(errors="ignore")
    if slug[len(short)] != "-" and short.rfind("-") > len(short) // 2:
        short = short[: short.rfind("-")]
    return short.rstrip("-")


def owned_slug(title: str, owner: str, taken: Container[str] = ()) -> str:
    """`slugify`, with `~` and the owner's name behind it: `vector-db~bob`; no owner, no tail.

    No title gives a "~", so what one owner's pages are called never turns on those of another,
    which they may not be able to see. `taken` as in `slugify`; numbers stand before the "~".
    """
    if not owner:
        return slugify(title, taken)
    tail = f"~{slugify(owner)}"
    return slugify(title, _With(tail, taken), room=max(0, len(tail.encode()) - _FOR_OWNER)) + tail


class _With:
    """The names in use that end in `tail`, by what stands before it."""

    def __init__(self, tail: str, taken: Container[str]) -> None:
        self._tail, self._taken = tail, taken

    def __contains__(self, name: object) -> bool:
        """Whether the name with its tail is in use."""
        return f"{name}{self._tail}" in self._taken
