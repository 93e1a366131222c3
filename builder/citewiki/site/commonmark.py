"""Blocks as CommonMark reads them, written so that Python-Markdown reads the same.

Obsidian, GitHub and every editor nest list items by the column of their parent's text, let lists
and tables follow a paragraph without a blank line, and end a block quote at a blank line.
Python-Markdown wants four spaces a level and the blank line, and joins block quotes. What stands in
a block quote is read in the same way. Only white space and `1)` → `1.` change, `BETWEEN` parts two
block quotes, and a blank line within a quote begins with `>`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import NamedTuple

Edit = tuple[int, int, str]
"""(start, end, new): text[start:end] is to be replaced."""

BETWEEN = "\x02-\x03"
"""A paragraph of this stands between two block quotes; the tree drops it."""

_WORTH_A_LOOK = re.compile(
    r"^[ ]*(?:>|(?:[-*+]|\d{1,9}[.)])[ ])|^[ |:]*-+[ ]*\||^[ ]{0,3}(?:```|~~~)"
    r"|^[ ]{1,3}#|^[ ]{0,3}(?:---|\*\*\*|___)",
    re.MULTILINE,
)
_UNDERLINE = re.compile(r"[ ]{0,3}(?:-+|=+)[ ]*$")
_BEGINS_A_BLOCK = re.compile(r"[ ]{0,3}(?:>|#{1,6}(?:[ ]|$))")  # whatever paragraph was open
_INDENTED_HEADING = re.compile(r"[ ]{1,3}#{1,6}(?:[ ]|$)")
_QUOTE = re.compile(r"[ ]{0,3}>[ ]?")
_DEEPEST = 30  # quotes within quotes; what lies deeper is left as it is
_ITEM = re.compile(r"([ ]*)([-*+]|(\d{1,9})([.)]))([ ]+)(?=\S)")
_RULE = re.compile(r"[ ]{0,3}([-*_])(?:[ ]*\1){2,}[ ]*$")
_NO_PARAGRAPH = re.compile(r"[ ]{0,3}(?:#{1,6}[ ]|>|\||<|```|~~~|!!!|\?\?\?|\[\^?[^\]]+\]:)|[ ]{4}")
_DASHES = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$")


def block_edits(text: str, code: Iterable[tuple[int, int]]) -> list[Edit]:
    """What to change in `text`; `code` are the spans of its code blocks, in order.

    `text` has no tabs. Lists in indented blocks are left as they are.
    """
    if not _WORTH_A_LOOK.search(text):
        return []
    scan = _Scan(_Code(code))
    start = 0
    for line in text.split("\n"):
        scan.lines.append(_Line(line, start, start))
        start += len(line) + 1
    scan.run()
    return scan.edits


class _Line(NamedTuple):
    """A line, or what of it stands in a block quote."""

    text: str
    start: int  # where it starts in the page
    whole: int  # where the whole line does


class _Code:
    """The spans of code blocks, asked for by places that only grow."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in spans:
            self._starts.append(start)
            self._ends.append(end)

    def holds(self, place: int) -> bool:
        """Whether a code block has begun before `place` and goes on there."""
        index = bisect_left(self._starts, place) - 1
        return index >= 0 and place < self._ends[index]

    def begins(self, place: int) -> bool:
        """Whether a code block begins at `place`."""
        index = bisect_left(self._starts, place)
        return index < len(self._starts) and self._starts[index] == place


class _Scan:
    """One walk over the lines of a page, or of a block quote in it."""

    def __init__(self, code: _Code, prefix: str = "", depth: int = 0) -> None:
        self.lines: list[_Line] = []
        self.code = code
        self.prefix = prefix  # with which a line begins that is put in
        self.depth = depth
        self.edits: list[Edit] = []
        self.open: list[tuple[int, str]] = []  # of each open item: column of its text, marker
        self.paragraph = False  # whether the line before is one that a list may not follow
        self.quote = False  # whether a block quote came last, blank lines apart
        self.fenced = False  # whether the line before belongs to a code block
        self.rule = False  # whether the line before is a rule

    def run(self) -> None:
        number = 0
        while number < len(self.lines):
            line, start, _ = self.lines[number]
            inside = self.code.holds(start)
            item = None if inside or _RULE.match(line) else _ITEM.match(line)
            if self.fenced and not inside and line.strip() and not self.open:
                self._blank(number)
            self.fenced = inside
            if self.rule and _UNDERLINE.match(line):
                self._blank(number)
            self.rule = not inside and bool(_RULE.match(line))
            if not line.strip():
                self.paragraph = False
            elif item and (self.open or len(item[1]) < 4):
                self._item(number, item)
            else:
                self._line(number, inside)
                if not self.open and not inside and _QUOTE.match(line):
                    number = self._quote(number)
            number += 1

    def _quote(self, first: int) -> int:
        """Read the block quote that begins with the line `first`; the number of its last line."""
        inner = _Scan(self.code, f"{self.prefix}> ", self.depth + 1)
        number = first
        while number < len(self.lines):
            line, start, whole = self.lines[number]
            mark = _QUOTE.match(line)
            if not mark:
                break
            inner.lines.append(_Line(line[mark.end() :], start + mark.end(), whole))
            number += 1
        if self.depth < _DEEPEST:
            inner.run()
            self.edits += inner.edits
        return number - 1

    def _item(self, number: int, item: re.Match[str]) -> None:
        start = self.lines[number].start
        indent, marker = len(item[1]), item[4] or item[2]
        sibling = ""
        while self.open and indent < self.open[-1][0]:
            sibling = self.open.pop()[1]
        interrupts = self.paragraph and not self.open and item[3] in (None, "1")
        if interrupts or (sibling and (sibling in ".)") != (marker in ".)")):
            self._blank(number)
        self._indent(start, indent, 4 * len(self.open))
        if marker == ")":
            self.edits.append((start + item.start(4), start + item.end(4), "."))
        column = item.end() if len(item[5]) <= 4 else item.end(2) + 1
        self.open.append((column, marker))
        self.paragraph = self.quote = False

    def _line(self, number: int, inside: bool) -> None:
        line, start, _ = self.lines[number]
        before = self.lines[number - 1].text.strip() if number else ""
        indent = len(line) - len(line.lstrip(" "))
        fence = not inside and self.code.begins(start + indent) and line[indent] in "`~"
        begins = not inside and (fence or self.rule or bool(_BEGINS_A_BLOCK.match(line)))
        if self.open:
            goes_on = bool(before) and not begins
            if goes_on and indent < self.open[-1][0] and not inside:
                return  # the item's paragraph goes on, however far it is indented
            while self.open and indent < self.open[-1][0] and not inside:
                self.open.pop()
            if self.open:
                past = max(0, indent - self.open[-1][0])
                self._indent(start, indent, 4 * len(self.open) + past)
                return
            if before and begins:
                self._blank(number)
        elif fence and self.quote and before:
            self._blank(number)
        if indent and not inside and _INDENTED_HEADING.match(line):
            self._indent(start, indent, 0)
        quote = not inside and bool(_QUOTE.match(line))
        if quote and self.quote and number and not before:
            self._blank(number, f"{self.prefix}{BETWEEN}\n")
        if self.paragraph and not inside and (fence or self._starts_table(number)):
            self._blank(number)
        self.fenced = self.fenced or fence
        self.paragraph = not inside and not _NO_PARAGRAPH.match(line)
        self.quote = quote

    def _blank(self, number: int, with_before: str = "") -> None:
        """A blank line before the line `number`."""
        place = self.lines[number].whole
        self.edits.append((place, place, f"{with_before}{self.prefix.rstrip()}\n"))

    def _indent(self, start: int, present: int, wanted: int) -> None:
        if present != wanted:
            self.edits.append((start, start + present, " " * wanted))

    def _starts_table(self, number: int) -> bool:
        below = self.lines[number + 1].text if number + 1 < len(self.lines) else ""
        return "|" in self.lines[number].text and "|" in below and bool(_DASHES.match(below))
