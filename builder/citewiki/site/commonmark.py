"""Blocks as CommonMark reads them, written so that Python-Markdown reads the same.

Obsidian, GitHub and every editor nest list items by the column of their parent's text, let lists
and tables follow a paragraph without a blank line, and end a block quote at a blank line.
Python-Markdown wants four spaces a level and the blank line, and joins block quotes. Only white
space and `1)` → `1.` change, and `BETWEEN` parts two block quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Edit = tuple[int, int, str]
"""(start, end, new): text[start:end] is to be replaced."""

BETWEEN = "\x02-\x03"
"""A paragraph of this stands between two block quotes; the tree drops it."""

_WORTH_A_LOOK = re.compile(r"^[ ]*(?:[-*+>]|\d{1,9}[.)])[ ]|^[ |:]*-+[ ]*\|", re.MULTILINE)
_ITEM = re.compile(r"([ ]*)([-*+]|(\d{1,9})([.)]))([ ]+)(?=\S)")
_RULE = re.compile(r"[ ]{0,3}([-*_])(?:[ ]*\1){2,}[ ]*$")
_NO_PARAGRAPH = re.compile(r"[ ]{0,3}(?:#{1,6}[ ]|>|\||<|```|~~~|!!!|\?\?\?|\[\^?[^\]]+\]:)|[ ]{4}")
_DASHES = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$")


def block_edits(text: str, code: Iterable[tuple[int, int]]) -> list[Edit]:
    """What to change in `text`, in order; `code` are the spans of its code blocks, in order.

    `text` has no tabs. Lists in block quotes and in indented blocks are left as they are.
    """
    return _Scan(text, code).run() if _WORTH_A_LOOK.search(text) else []


class _Scan:
    """One walk over the lines of a text."""

    def __init__(self, text: str, code: Iterable[tuple[int, int]]) -> None:
        self.lines = text.split("\n")
        self.code = iter(code)
        self.block = next(self.code, None)
        self.edits: list[Edit] = []
        self.open: list[tuple[int, str]] = []  # of each open item: column of its text, marker
        self.paragraph = False  # whether the line before is one that a list may not follow
        self.quote = False  # whether a block quote came last, blank lines apart

    def run(self) -> list[Edit]:
        start = 0
        for number, line in enumerate(self.lines):
            while self.block and self.block[1] <= start:
                self.block = next(self.code, None)
            inside = bool(self.block and self.block[0] < start)
            item = None if inside or _RULE.match(line) else _ITEM.match(line)
            if not line.strip():
                self.paragraph = False
            elif item and (self.open or len(item[1]) < 4):
                self._item(start, item)
            else:
                self._line(start, number, line, inside)
            start += len(line) + 1
        return self.edits

    def _item(self, start: int, item: re.Match[str]) -> None:
        indent, marker = len(item[1]), item[4] or item[2]
        sibling = ""
        while self.open and indent < self.open[-1][0]:
            sibling = self.open.pop()[1]
        interrupts = self.paragraph and not self.open and item[3] in (None, "1")
        if interrupts or (sibling and (sibling in ".)") != (marker in ".)")):
            self.edits.append((start, start, "\n"))
        self._indent(start, indent, 4 * len(self.open))
        if marker == ")":
            self.edits.append((start + item.start(4), start + item.end(4), "."))
        column = item.end() if len(item[5]) <= 4 else item.end(2) + 1
        self.open.append((column, marker))
        self.paragraph = self.quote = False

    def _line(self, start: int, number: int, line: str, inside: bool) -> None:
        indent = len(line) - len(line.lstrip(" "))
        if self.open:
            goes_on = bool(self.lines[number - 1].strip()) and not line.startswith(">")
            if goes_on and indent < self.open[-1][0] and not inside:
                return  # the item's paragraph goes on, however far it is indented
            while self.open and indent < self.open[-1][0] and not inside:
                self.open.pop()
            if self.open:
                past = max(0, indent - self.open[-1][0])
                self._indent(start, indent, 4 * len(self.open) + past)
                return
        quote = line.startswith(">") and not inside
        blank_before = number > 0 and not self.lines[number - 1].strip()
        if quote and self.quote and blank_before:
            self.edits.append((start, start, f"{BETWEEN}\n\n"))
        if self.paragraph and not inside and self._starts_table(number):
            self.edits.append((start, start, "\n"))
        self.paragraph = not inside and not _NO_PARAGRAPH.match(line)
        self.quote = quote

    def _indent(self, start: int, present: int, wanted: int) -> None:
        if present != wanted:
            self.edits.append((start, start + present, " " * wanted))

    def _starts_table(self, number: int) -> bool:
        below = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        return "|" in self.lines[number] and "|" in below and bool(_DASHES.match(below))
