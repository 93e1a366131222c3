"""The pages of a PDF as rows of text with their place on the page, by PDFium.

Rows come in the order of the page's content, which is reading order for two columns too in what
typesetting programs write.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import degrees
from typing import TYPE_CHECKING, Any, Literal

from citewiki.sources.encoding import clean
from citewiki.sources.pdf_columns import Line, untangled

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

MOST_PAGES = 5_000
"""Pages that are read; what lies beyond is recorded as unread."""

MOST_CHARACTERS = 200_000
"""Characters that are read of one page; a dense newspaper page has some 30,000."""

_ANGLE_SAMPLE = 40  # letters whose angle is asked

Lack = Literal["", "pictures", "blank", "damaged"]

_HYPHEN = re.compile(r"\s*[\ufffe\x02](?=(\w?))")  # PDFium's sign for a hyphen at a line's end
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "\xad": None}
)
_SPACES = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Box:
    """Where a row stands on its page, in points; y grows upwards."""

    left: float
    bottom: float
    right: float
    top: float
    size: float  # height of its first letter with its font's ascent and descent


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a page's text."""

    text: str
    box: Box | None = None  # None where the page does not tell


@dataclass(frozen=True, slots=True)
class PageText:
    """One page."""

    index: int  # from 0
    label: str  # as the document numbers it: "iv", "12"
    rows: tuple[Row, ...]
    lack: Lack = ""  # why there are no rows
    is_cut: bool = False  # whether it holds more than `MOST_CHARACTERS`


def page_texts(document: PdfDocument) -> Iterator[PageText]:
    """The first `MOST_PAGES` pages; one that cannot be loaded comes without rows."""
    labels = page_labels(document)
    for index, label in enumerate(labels[:MOST_PAGES]):
        yield _page_text(document, index, label)


def page_labels(document: PdfDocument) -> list[str]:
    """The document's own page numbers if they tell all pages apart, else 1, 2, 3 …"""
    labels = [clean(document.get_page_label(i) or "").strip() for i in range(len(document))]
    if all(labels) and len(set(labels)) == len(labels):
        return labels
    return [str(index + 1) for index in range(len(document))]


def _page_text(document: PdfDocument, index: int, label: str) -> PageText:
    from pypdfium2 import PdfiumError

    try:
        page = document[index]
    except PdfiumError:  # the page tree or the page is broken
        return PageText(index, label, (), "damaged")
    try:
        rows, count = _rows(page)
        lack: Lack = "" if rows else "pictures" if _shows_something(page) else "blank"
        return PageText(index, label, rows, lack, count > MOST_CHARACTERS)
    except PdfiumError:
        return PageText(index, label, (), "damaged")
    finally:
        page.close()


def _shows_something(page: PdfPage) -> bool:
    """Whether the page holds an image or drawn shapes."""
    return any(True for _ in page.get_objects(max_depth=3))


def _rows(page: PdfPage) -> tuple[tuple[Row, ...], int]:
    """The rows of the page's text, and how many characters it has."""
    text_page = page.get_textpage()
    angle = _angle(text_page)
    if (upright := -angle % 360) != page.get_rotation():
        # PDFium orders lines by how the page is shown; text that lies on its side gets mixed up.
        text_page.close()
        page.set_rotation(upright)
        text_page = page.get_textpage()
    try:
        count = text_page.count_chars()
        if count <= 0:
            return (), 0
        read = min(count, MOST_CHARACTERS)
        text = text_page.get_text_range(0, read)
        # Positions are asked by character; where PDFium left some out, they cannot be told.
        located = text_page if len(text) == read and not angle else None

        def rows_of(raw: str, start: int) -> list[Row]:
            return [line.row for line in _lines(raw, located, start)]

        lines = list(_lines(text, located))
        rows = untangled(lines, text_page, rows_of) if located else [line.row for line in lines]
        return tuple(_joined(rows)), count
    finally:
        text_page.close()


def _angle(text_page: Any) -> int:
    """By how many degrees the letters are turned clockwise, in steps of 90; most of a sample."""
    from pypdfium2 import raw

    count = text_page.count_chars()
    sample = range(0, count, max(1, count // _ANGLE_SAMPLE))
    angles = (raw.FPDFText_GetCharAngle(text_page.raw, index) for index in sample)
    turned = Counter(round(degrees(angle) / 90) * 90 % 360 for angle in angles if angle >= 0)
    return turned.most_common(1)[0][0] if turned else 0


def _lines(text: str, text_page: Any, start: int = 0) -> Iterator[Line]:
    for line in text.split("\r\n"):
        end = start + len(line)
        words = _readable(line)
        if words:
            box = _box(text_page, line, start) if text_page else None
            yield Line(line, start, Row(words, box))
        start = end + 2


def _readable(line: str) -> str:
    """A line with its hyphens joined, ligatures spelled out, and single spaces."""
    joined = _HYPHEN.sub(lambda found: "-" if found[1].isupper() else "", line)
    return _SPACES.sub(" ", clean(joined.translate(_LIGATURES)).replace("\n", " ")).strip()


def _box(text_page: Any, line: str, start: int) -> Box | None:
    """The box from the line's first visible character to its last one."""
    from pypdfium2 import PdfiumError

    first = start + len(line) - len(line.lstrip())
    last = start + len(line.rstrip()) - 1
    try:
        left, bottom, _, top = text_page.get_charbox(first, loose=True)
        _, low, right, _ = text_page.get_charbox(last, loose=True)
    except PdfiumError:
        return None
    if top <= bottom:
        return None
    size = top - bottom
    joined = low < bottom - size / 2  # at a hyphen: the row holds two lines or more
    return Box(left, low if joined else bottom, right, top, size)


def _joined(rows: Sequence[Row]) -> Iterator[Row]:
    """Rows with what stands on one line put together, such as raised numbers and table cells."""
    held: Row | None = None
    for row in rows:
        if held and held.box and row.box and _on_one_line(held.box, row.box):
            gap = row.box.left - held.box.right
            space = " " if gap > 0.15 * max(held.box.size, row.box.size) else ""
            box = replace(
                held.box, right=row.box.right, bottom=min(held.box.bottom, row.box.bottom)
            )
            held = Row(held.text + space + row.text, box)
            continue
        if held:
            yield held
        held = row
    if held:
        yield held


def _on_one_line(before: Box, after: Box) -> bool:
    """Whether the second box goes on to the right of the first at about its height."""
    overlap = min(before.top, after.top) - max(before.bottom, after.bottom)
    smaller = min(before.size, after.size)
    return overlap > 0.4 * smaller and after.left > before.right - 0.3 * smaller
