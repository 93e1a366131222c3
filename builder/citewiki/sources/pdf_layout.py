"""Rows of PDF pages to paragraphs: running heads and page numbers out, broken lines joined."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from citewiki.model import Place
from citewiki.sources.pdf_pages import Box, PageText, Row
from citewiki.sources.text_reader import is_chapter, unspaced

Touched = tuple[PageText, Sequence[Row]]
"""A page that a section touches, with those of its rows that belong to the section."""

REPEATED = 3
"""Pages on whose edge a line must stand to be a running head or foot."""

_EDGE = 2  # rows from the top and from the bottom that may be running heads and feet
_LONGEST_HEAD = 100  # characters
_OUTER_NUMBER = re.compile(r"^\d{1,4}(?=\s|$)|(?<=\s)\d{1,4}$")
_PAGE_NUMBER = re.compile(
    r"(?:page|seite|p\.|trang|стр\.|第)?\s*[-–—|·]*\s*(?P<number>\d{1,5}|[ivxlcdm]{1,8})\s*[-–—|·]*"
    r"(?:\s*(?:/|of|von|de|trên|из|页|頁|ページ).{0,12})?",
    re.I,
)
_ITEM = re.compile(
    r"(?:[•‣▪●◦–*·]|[-]\s|\(?\d{1,3}[.)]\s|\(?[a-zA-Z][.)]\s|\([ivx]{1,5}\)\s|\[\d+\]\s)"
)
_LEADERS = re.compile(r"(?:\.\s?){3,}\s*\w{1,6}$")  # a line of a table of contents
_NEAR = 12  # rows above and below that show how wide a column is
_STOPS = re.compile(r"[.!?:;。！？：；…][\"'”’»)\]]*$")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-$")


def without_furniture(pages: Sequence[PageText]) -> list[PageText]:
    """The pages without what repeats on their edges: running heads and feet, page numbers.

    A row at an edge goes when it is nothing but the page's number; when it begins or ends with
    the number that this page has in the count of the document's pages; or when it stands, numbers
    at its ends aside, on the edge of at least `REPEATED` pages.
    """
    edges = [[(i, page.rows[i].text) for i in _edges(page.rows)] for page in pages]
    heads = Counter(key for rows in edges for key in {_key(text) for _, text in rows} if key)
    first = _first_number(pages, edges)
    kept = []
    for page, rows in zip(pages, edges, strict=True):
        gone = {
            i
            for i, text in rows
            if heads[_key(text)] >= REPEATED
            or _is_number(text, page.label)
            or (first is not None and page.index + first in _numbers(text))
        }
        kept.append(replace(page, rows=tuple(r for i, r in enumerate(page.rows) if i not in gone)))
    return kept


def _edges(rows: Sequence[Row]) -> set[int]:
    """Positions of the rows that stand highest and lowest on the page, or come first and last."""
    order = list(range(len(rows)))
    boxes = [row.box for row in rows if row.box]
    if len(boxes) == len(rows):
        order.sort(key=lambda i: -boxes[i].top)
    return {*order[:_EDGE], *order[-_EDGE:]}


def _first_number(pages: Sequence[PageText], edges: Sequence[list[tuple[int, str]]]) -> int | None:
    """The number that the first page has, if a third of the pages (and three) count on from it."""
    firsts = Counter(
        number - page.index
        for page, rows in zip(pages, edges, strict=True)
        for number in {n for _, text in rows for n in _numbers(text)}
    )
    (first, count) = max(firsts.items(), key=lambda item: item[1], default=(0, 0))
    return first if count >= max(REPEATED, len(pages) / 3) else None


def _key(text: str) -> str:
    """What a running head says on every page: its letters, without the page's number."""
    words = text if is_chapter(text) else _OUTER_NUMBER.sub("", text)
    return "".join(char for char in words.casefold() if char.isalnum())


def _numbers(text: str) -> list[int]:
    """The numbers with which a short row begins and ends; none of a chapter's heading."""
    if len(text) > _LONGEST_HEAD or is_chapter(text):
        return []
    return [int("".join(filter(str.isdecimal, found))) for found in _OUTER_NUMBER.findall(text)]


def _is_number(text: str, label: str) -> bool:
    """Whether the row is nothing but a page number in an ornament, or this page's own label."""
    found = _PAGE_NUMBER.fullmatch(text)
    return found is not None and found["number"].casefold() == label.casefold()


def flowing(pages: Sequence[Touched]) -> tuple[str, tuple[Place, ...]]:
    """Paragraphs separated by blank lines, and the offset at which each page starts."""
    pieces: list[str] = []
    places: list[Place] = []
    length = 0
    before: Row | None = None
    for page, rows in pages:
        column = _Column(rows)
        for position, row in enumerate(rows):
            if before is None:
                glue = ""
            elif _ends_by_words(before, row) if position == 0 else column.ends(position - 1):
                glue = "\n\n"
            else:
                last, glue = _joint(pieces[-1], row.text)
                length += len(last) - len(pieces[-1])
                pieces[-1] = last
            length += len(glue)
            if position == 0:
                places.append(Place(length, f"p. {page.label}"))
            pieces += [glue, row.text] if glue else [row.text]
            length += len(row.text)
            before = row
    return "".join(pieces), tuple(places)


def _joint(text: str, following: str) -> tuple[str, str]:
    """The end of a line and what comes between it and the next one of its paragraph."""
    if _BROKEN_WORD.search(text) and following[:1].islower():
        return text[:-1], ""
    close = text.endswith("-") or (unspaced(text[-1:]) and unspaced(following[:1]))
    return text, "" if close else " "


class _Column:
    """The rows of a page, and where its paragraphs end, as its layout shows."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        gaps = [
            one.box.bottom - two.box.top
            for one, two in pairwise(rows)
            if one.box and two.box and abs(one.box.bottom - two.box.top) < 3 * one.box.size
        ]
        self.usual_gap = median(gaps) if gaps else 0.0  # between lines of a paragraph, in points

    def ends(self, position: int) -> bool:
        """Whether the paragraph ends between the row at `position` and the next one."""
        row, following = self.rows[position], self.rows[position + 1]
        if _ITEM.match(following.text) or _LEADERS.search(row.text[-80:]):
            return True
        if not row.box or not following.box:
            return _ends_by_words(row, following)
        one, two = row.box, following.box
        gap = one.bottom - two.top
        if gap < -2 * one.size:  # the next column
            return _ends_by_words(row, following)
        if abs(one.size - two.size) > 0.15 * max(one.size, two.size):
            return True
        if gap > self.usual_gap + 0.4 * one.size:
            return True
        if _STOPS.search(row.text):
            if abs(two.left - one.left) > 0.8 * one.size and not _ITEM.match(row.text):
                return True
        elif abs(two.right - one.right) < 0.3 * one.size:  # justified on both sides
            return False
        # If the next word would have fitted in this line, the line was ended on purpose.
        word = following.text[:1] if unspaced(following.text[:1]) else following.text.split(" ")[0]
        needed = (two.right - two.left) * (len(word) + 1) / len(following.text)
        return one.right + needed < self._right_edge(position, one) - 0.5 * one.size

    def _right_edge(self, position: int, box: Box) -> float:
        """How far the row's column reaches: the furthest of the rows around it."""
        near = self.rows[max(0, position - _NEAR) : position + _NEAR + 1]
        return max(row.box.right for row in near if row.box and _same_column(row.box, box))


def _same_column(one: Box, other: Box) -> bool:
    """Whether their left edges lie within an indentation of one another."""
    return abs(one.left - other.left) <= 4 * other.size


def _ends_by_words(row: Row, following: Row) -> bool:
    """Where no layout helps: a sentence that has ended, or a line that starts like a new one."""
    text, start = row.text, following.text[:1]
    if _ITEM.match(following.text):
        return True
    if _BROKEN_WORD.search(text) and start.islower():
        return False
    if _STOPS.search(text):
        return True
    goes_on = start.islower() or unspaced(start) or text.endswith((",", "-"))
    return not goes_on and len(text) < 40
