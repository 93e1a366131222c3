"""Two columns whose lines a PDF draws in turns, left and right: each column read as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from citewiki.sources.pdf_pages import Box, Row

WIDE = 1.2
"""Width of a gutter, in heights of a line; spaces of justified text stay below 0.8."""

FEWEST_LINES = 6
"""Lines on both sides of a gutter; a table of fewer is left as it stands."""

_SHARE = 0.6  # of the long lines that must part at the gutter
_SHORTEST_SIDE = 20  # characters of the median line of a column; cells of tables are shorter
_MIDDLE = (0.3, 0.7)  # where a gutter may be, as a share of the text's width
_PROBE = 4  # of the sample, every fourth line is looked at first
_SAMPLE = 24  # long lines that are looked at to find a gutter


class Line(NamedTuple):
    """A line as the page gives it: where its characters are, and what is read of it."""

    raw: str
    start: int  # of its first character, in the page's text
    row: Row


class _Gap(NamedTuple):
    left: float  # points
    right: float
    at: int  # index of the space in the raw line


def untangled(lines: Sequence[Line], text_page: Any, rows_of: Any) -> list[Row]:
    """The rows of a page; of lines that run over a gutter, first the left parts, then the right.

    `rows_of(raw, start)` makes rows of a piece of a line.
    """
    gutter = _gutter(lines, text_page)
    if gutter is None:
        return [line.row for line in lines]
    rows: list[Row] = []
    left: list[Row] = []
    right: list[Row] = []
    for line in lines:
        box = line.row.box
        gap = next((g for g in _gaps(line, text_page) if g.left <= gutter <= g.right), None)
        if gap:
            left += rows_of(line.raw[: gap.at], line.start)
            right += rows_of(line.raw[gap.at + 1 :], line.start + gap.at + 1)
        elif box and box.right <= gutter:
            left.append(line.row)
        elif box and box.left >= gutter:
            right.append(line.row)
        else:  # it runs over both columns: what stood above it is read
            rows += [*left, *right, line.row]
            left, right = [], []
    return [*rows, *left, *right]


def _gutter(lines: Sequence[Line], text_page: Any) -> float | None:
    """Where the two columns part, in points from the left; None where there are no two."""
    boxes = [line.row.box for line in lines if line.row.box]
    if len(boxes) < len(lines) or len(lines) < FEWEST_LINES:
        return None
    start, end = min(box.left for box in boxes), max(box.right for box in boxes)
    wide = [line for line in lines if _width(line) > 0.55 * (end - start)]
    sample = _some(wide)
    found = [gap for line in sample[::_PROBE] for gap in _gaps(line, text_page)[:1]]
    if found:  # most pages have one column, and end here
        found = [gap for line in sample for gap in _gaps(line, text_page)[:1]]
    looked = len(sample)
    pairs = [_between(one, two) for one, two in pairwise(lines)]
    beside = [gap for gap in pairs if gap]
    if len(beside) > len(found):
        found, looked = beside, len(lines) // 2
    if len(found) < max(FEWEST_LINES, _SHARE * looked):
        return None
    place = _deepest(found)
    low, high = (start + share * (end - start) for share in _MIDDLE)
    crossed = [gap for gap in found if gap.left <= place <= gap.right]
    if not low <= place <= high or len(crossed) < max(FEWEST_LINES, _SHARE * looked):
        return None
    return place if _is_prose(lines, place, text_page) else None


def _is_prose(lines: Sequence[Line], place: float, text_page: Any) -> bool:
    """Whether both sides hold lines of text, and not the cells of a table."""
    sides: tuple[list[int], list[int]] = ([], [])
    for line in lines:
        for gap in _gaps(line, text_page):
            if gap.left <= place <= gap.right:
                sides[0].append(gap.at)
                sides[1].append(len(line.raw) - gap.at)
                break
        else:
            box = line.row.box
            if box and (box.right <= place or box.left >= place):
                sides[box.left >= place].append(len(line.raw))
    middle = [sorted(side)[len(side) // 2] for side in sides if side]
    return len(middle) == 2 and min(middle) >= _SHORTEST_SIDE


def _deepest(gaps: Sequence[_Gap]) -> float:
    """A place that most of the gaps hold."""
    borders = sorted([(gap.left, 0) for gap in gaps] + [(gap.right, 1) for gap in gaps])
    best = open_now = 0
    place = borders[0][0]
    for (at, closes), (following, _) in pairwise(borders):
        open_now += -1 if closes else 1
        if open_now > best:
            best, place = open_now, (at + following) / 2
    return place


def _gaps(line: Line, text_page: Any) -> list[_Gap]:
    """The wide gaps in the middle of a line, from left to right."""
    return list(_found_gaps(line, text_page)) if line.row.box else []


def _found_gaps(line: Line, text_page: Any) -> Iterator[_Gap]:
    from pypdfium2 import PdfiumError

    box = line.row.box
    assert box is not None
    low, high = (int(share * len(line.raw)) for share in _MIDDLE)
    for at in range(max(1, low), min(high + 1, len(line.raw) - 1)):
        if line.raw[at] != " ":
            continue
        if line.raw[at - 1] == " " or line.raw[at + 1] == " ":
            continue
        try:
            right = text_page.get_charbox(line.start + at - 1, loose=True)[2]
            left = text_page.get_charbox(line.start + at + 1, loose=True)[0]
        except PdfiumError:
            continue
        if left - right > WIDE * box.size:
            yield _Gap(right, left, at)


def _between(one: Line, two: Line) -> _Gap | None:
    """The gap between two lines that stand side by side."""
    a, b = one.row.box, two.row.box
    if not a or not b or b.left - a.right <= WIDE * max(a.size, b.size):
        return None
    return _Gap(a.right, b.left, -1) if _level(a, b) else None


def _level(a: Box, b: Box) -> bool:
    overlap = min(a.top, b.top) - max(a.bottom, b.bottom)
    return overlap > 0.4 * min(a.size, b.size)


def _width(line: Line) -> float:
    box = line.row.box
    return box.right - box.left if box else 0.0


def _some(lines: Sequence[Line]) -> Sequence[Line]:
    step = max(1, len(lines) // _SAMPLE)
    return lines[::step][:_SAMPLE]
