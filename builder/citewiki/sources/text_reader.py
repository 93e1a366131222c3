"""Plain text: its headings recognised, its wrapped lines joined, and then read as Markdown.

Headings are underlined lines, numbered lines ("2.1 Scope"), chapter lines in many languages, and
lines in capitals; always set off by a blank line, and believed only when there are two of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from citewiki.model import Source
from citewiki.sources.about import About
from citewiki.sources.markdown_reader import source

_UNDERLINE = re.compile(r"(=|-|~|\*|\^|#|─|━)\1{2,}\s*")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?[ \t]+(?=\S)")
_CHAPTER = re.compile(
    r"(?:第[0-9〇一二三四五六七八九十百零]{1,6}[章回部篇卷编編]"
    r"|(?:chapter|part|book|appendix|chương|phần|kapitel|teil|chapitre|partie|capítulo|parte|глава"
    r"|часть|บทที่)\s+[0-9IVXLCA-Z一二三]{1,6}\b)",
    re.I,
)
_SECTION = re.compile(
    r"(?:第[0-9〇一二三四五六七八九十百零]{1,6}[节節条條]|(?:section|mục|điều|§)\s*\d[\d.]*\b)",
    re.I,
)
_ITEM = re.compile(r"\s*(?:[-*+•‣▪–]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])[ \t]+")
_ENDS_SENTENCE = re.compile(r"[.,;:!?。，；：！？、…][\"'”’)]?$")

_HEADING_WIDTH = 80  # columns; a longer line is a sentence
_CAPITALS_WIDTH = 60
_NARROWEST_WRAP, _WIDEST_WRAP = 40, 120  # columns at which people and programs wrap text


def read(text: str, name: str) -> Source:
    """The sections of a plain text; `name` is the file's."""
    body = as_markdown(text)
    return source(About(), body, name, reader="text", media_type="text/plain")


def as_markdown(text: str) -> str:
    """The text with its headings marked `##` and deeper and its wrapped paragraphs on one line."""
    lines = text.split("\n")
    found = _titled(dict(_headings(lines)), lines)
    if len(found) < 2:
        found = {}
    blocks: list[str] = []
    block: list[str] = []
    for number, line in enumerate(lines):
        if number in found:
            blocks += [*_paragraphs(block), f"{'#' * found[number]} {line.strip()}"]
            block = []
        elif number - 1 in found and _UNDERLINE.fullmatch(line):
            continue
        elif line.strip():
            block.append(line.rstrip())
        else:
            blocks += _paragraphs(block)
            block = []
    return "\n\n".join([*blocks, *_paragraphs(block)])


def _titled(found: dict[int, int], lines: list[str]) -> dict[int, int]:
    """The headings, where the first is the text's title when it opens it and ranks above all."""
    first = next((number for number, line in enumerate(lines) if line.strip()), -1)
    rest = [rank for number, rank in found.items() if number != first]
    counted = first in found and any(
        pattern.match(lines[first].strip()) for pattern in (_NUMBERED, _CHAPTER, _SECTION)
    )
    if first in found and not counted and rest and found[first] < min(rest):
        return {**found, first: 1}
    return found


def _headings(lines: list[str]) -> Iterator[tuple[int, int]]:
    """(line, heading level) of what looks like a heading; chapters rank above all others."""
    chapters = any(_CHAPTER.match(line.strip()) for line in lines)
    for number, line in enumerate(lines):
        words = line.strip()
        if not words or (number and lines[number - 1].strip()):
            continue
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if rank := _rank(words, following):
            yield number, rank if rank == 2 and _CHAPTER.match(words) else min(6, rank + chapters)


def _rank(words: str, following: str) -> int:
    """The heading level (2 to 6) of a line after a blank one; 0 when it is no heading."""
    width = _width(words)
    if width > _HEADING_WIDTH or not any(char.isalpha() for char in words):
        return 0
    if _UNDERLINE.fullmatch(following) and len(following.rstrip()) >= len(words) - 2:
        return 2 if following[0] in "=*#━" else 3
    if following.strip():
        return 0
    if _CHAPTER.match(words):
        return 2
    if _ENDS_SENTENCE.search(words):
        return 0
    if _SECTION.match(words):
        return 3
    if numbered := _NUMBERED.match(words):
        return 2 + numbered[1].count(".")
    letters = [char for char in words if char.isalpha()]
    capitals = all(char.isupper() for char in letters) and len(letters) >= 4
    return 2 if capitals and width <= _CAPITALS_WIDTH else 0


def _paragraphs(block: list[str]) -> list[str]:
    """A block of lines without blank ones: joined where it was wrapped, else as it stands."""
    if not block:
        return []
    if all(line.startswith(("    ", "\t")) for line in block):  # code, or a table
        return ["\n".join(block)]
    items = _items([line.strip() for line in block])
    widths = [_width(line) for item in items for line in item[:-1]]
    widest = max(map(_width, block))
    wrapped = _NARROWEST_WRAP <= widest <= _WIDEST_WRAP and all(
        width >= 0.7 * widest for width in widths
    )
    if not wrapped:
        return ["\n".join(line.strip() for line in block)]
    return ["\n".join(join_lines(item) for item in items)]


def _items(lines: list[str]) -> list[list[str]]:
    """The lines of each list item; one list of all lines where there are no items."""
    items: list[list[str]] = []
    for line in lines:
        if not items or _ITEM.match(line):
            items.append([])
        items[-1].append(line)
    return items


def chapter_number(line: str) -> str:
    """What says which chapter or part it is: "Chapter 5" of "Chapter 5. Replication"; or ""."""
    found = _CHAPTER.match(line.strip())
    return " ".join(found[0].split()) if found else ""


def is_chapter(line: str) -> bool:
    """Whether the line is, or begins with, the number of a chapter or part."""
    return bool(_CHAPTER.match(line.strip()))


def join_lines(lines: list[str]) -> str:
    """Wrapped lines as one: Chinese and Japanese without a space, the rest with one."""
    joined = ""
    for line in lines:
        gap = "" if not joined or (unspaced(joined[-1]) and unspaced(line[:1])) else " "
        joined += gap + line
    return joined


def unspaced(char: str) -> bool:
    """Whether the character belongs to a script that is written without spaces."""
    return bool(char) and (
        "\u2e80" <= char <= "\u9fff"
        or "\uf900" <= char <= "\ufaff"
        or "\uff00" <= char <= "\uffef"
        or "\u0e00" <= char <= "\u0eff"
        or char >= "\U00020000"
    )


def _width(line: str) -> int:
    """Columns of a terminal: wide characters take two."""
    if line.isascii():
        return len(line)
    return sum(1 + (unicodedata.east_asian_width(char) in "WF") for char in line)
