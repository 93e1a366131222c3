"""A body cut into its blocks: headings, paragraphs, list items, table rows, code.

What shows no text of the page is left out: comments, footnote and link definitions, rules, the
line that opens an admonition, `[TOC]`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.regions import Span, blanked, regions

_BEFORE_TEXT = re.compile(
    r"[ \t]*(?P<quote>(?:>[ \t]?)*)[ \t]*"
    r"(?P<item>(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))+(?:\[[ xX]\][ \t]+)?|:[ \t]+)?"
)
_ATX = re.compile(r"(#{1,6})(?:[ \t]+(?P<text>.*?))??(?:[ \t]+#+)?[ \t]*")
_SETEXT = re.compile(r"(=+|-+)[ \t]*")
ATTRIBUTES = r"\{(?::[ ]*|[ ]*(?=[.#][A-Za-z_]|[\w-]+=))([^}\n ][^\n]*)\}"
"""An attribute list at the end of a block, narrower than Python-Markdown's: `{x}` is text."""
_ATTRIBUTES = re.compile(rf"[ ]+{ATTRIBUTES}[ ]*$")
_ID = re.compile(r"(?:^|\s)#([^\s}]+)")
_RULE = re.compile(r"[ \t>]*([-*_])[ \t]*(?:\1[ \t]*){2,}")
_TABLE_RULE = re.compile(r"[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*")
_CELL_END = re.compile(r"(?<!\\)\|")
_SHOWS_NO_TEXT = re.compile(
    r"[ \t]*(?:\[[^\]^\n]+\]:[ \t]+\S+.*"  # a link's definition
    r"|(?:!!!|\?\?\?\+?)[ \t].*|===[ \t]*[\"'].*"  # what opens an admonition or a tab
    r"|\[TOC\]|\{[:#.%][^}\n]*\}|\[![\w-]+\][-+]?.*|\^[\w-]+)[ \t]*"
)
_HIDDEN = frozenset(("code", "comment", "verbatim"))


@dataclass(frozen=True, slots=True)
class Block:
    """Text that belongs together: no sentence goes on from one block to the next."""

    kind: Literal["heading", "paragraph", "item", "row", "code"]
    lines: tuple[Span, ...]  # body[start:end] of each line, without "> ", "- ", "| " before it
    start: int  # of the first line, with its marks
    end: int  # of the last line, without its line end
    level: int = 0  # of a heading, 1..6
    id: str = ""  # that a heading gives itself: "# Heading {#id}"
    cells: tuple[Span, ...] = ()  # of a row
    header: tuple[Span, ...] = ()  # the table's header cells; empty for the header itself


@lru_cache(maxsize=8)
def blocks(body: str) -> tuple[Block, ...]:
    """The blocks of `body` in reading order; linear in its length."""
    found = _Cutter(body).run()
    code = [region for region in regions(body) if region.kind == "code"]
    found += [Block("code", ((start, end),), start, end) for start, end, _ in code]
    if code:
        found.sort(key=lambda block: block.start)
    return tuple(found)


class _Cutter:
    """One pass over the lines of a body in which all but prose is blank."""

    def __init__(self, body: str) -> None:
        hidden = [(r.start, r.end) for r in regions(body) if r.kind in _HIDDEN]
        hidden += [(note.start, note.end) for note in footnotes(body).values()]
        self.text = blanked(body, sorted(hidden))
        self.bars_in = [r for r in regions(body) if r.kind in ("inline code", "math")]
        self.found: list[Block] = []
        self.lines: list[Span] = []  # of the open block
        self.kind: Literal["paragraph", "item"] = "paragraph"
        self.quote = 0  # depth of block quotes in the open block
        self.start = self.end = 0
        self.header: tuple[Span, ...] = ()  # cells of the open table's header

    def run(self) -> list[Block]:
        start = 0
        for line in self.text.split("\n"):
            end = start + len(line)
            if line and line[0].isalpha() and not self.header:
                self.add(line, start, end, 0, 0)  # most lines of prose
            elif line:
                self.line(line, start, end)
            else:
                self.close()
            start = end + 1
        self.close()
        return self.found

    def line(self, line: str, start: int, end: int) -> None:
        first = line.lstrip(" \t>")[:1]
        if not line or line.isspace() or (first in "[!?={^" and _SHOWS_NO_TEXT.fullmatch(line)):
            self.close()
        elif line[0] == "#" and (atx := _ATX.fullmatch(line)):
            self.close()
            if atx["text"]:
                self.lines = [(start + atx.start("text"), start + atx.end("text"))]
                self.heading(len(atx[1]), start, end)
        elif self.is_setext(line):
            self.heading(1 if line[0] == "=" else 2, self.start, end)
        elif self.lines and "|" in line and _TABLE_RULE.fullmatch(line):
            self.open_table()
        elif first in "-*_" and _RULE.fullmatch(line):
            self.close()
        else:
            self.text_line(line, start, end)

    def text_line(self, line: str, start: int, end: int) -> None:
        before = _BEFORE_TEXT.match(line)
        indent = before.end() if before else 0
        quote = before["quote"].count(">") if before else 0
        item = bool(before and before["item"])
        if self.header and quote == self.quote:
            self.row(self.cells(start + indent, end), start, end, self.header)
            return
        if item or (quote and quote != self.quote):  # a line without ">" may go on with a quote
            self.close()
        if indent == len(line) or (quote and _SHOWS_NO_TEXT.fullmatch(line[indent:])):
            self.close()
            return
        self.add(line, start, end, indent, quote, item=item)

    def add(
        self, line: str, start: int, end: int, indent: int, quote: int, *, item: bool = False
    ) -> None:
        """Add a line to the open block, or open one with it."""
        if not self.lines:
            self.kind, self.quote, self.start = "item" if item else "paragraph", quote, start
        self.lines.append((start + indent, start + len(line.rstrip())))
        self.end = end

    def is_setext(self, line: str) -> bool:
        return (
            line[0] in "=-"
            and len(self.lines) == 1
            and self.kind == "paragraph"
            and not self.quote
            and self.lines[0][0] == self.start
            and _SETEXT.fullmatch(line) is not None
        )

    def heading(self, level: int, start: int, end: int) -> None:
        """The open line is a heading; attributes at its end are not part of its text."""
        first, last = self.lines.pop()
        text = self.text[first:last]
        attributes = _ATTRIBUTES.search(text) if text.endswith("}") else None
        own_id = _ID.search(attributes[1]) if attributes else None
        line = (first, first + attributes.start() if attributes else last)
        name = own_id[1] if own_id else ""
        self.found.append(Block("heading", (line,), start, end, level=level, id=name))

    def open_table(self) -> None:
        """The open block's last line turns out to be a table's header."""
        start, end = self.lines.pop()
        quote = self.quote
        first = self.start if not self.lines else start
        self.close()
        self.header, self.quote = self.cells(start, end), quote
        self.row(self.header, first, end, ())

    def row(self, cells: tuple[Span, ...], start: int, end: int, header: tuple[Span, ...]) -> None:
        filled = [cell for cell in cells if cell[0] < cell[1]] or [cells[0]]
        content = (filled[0][0], filled[-1][1])
        self.found.append(Block("row", (content,), start, end, cells=cells, header=header))

    def cells(self, start: int, end: int) -> tuple[Span, ...]:
        """The trimmed cells of the row text[start:end]; bars in code or after "\\" part nothing."""
        bars = [bar.start() for bar in _CELL_END.finditer(self.text, start, end)]
        edges = [start - 1, *(bar for bar in bars if not self.is_in_code(bar)), end]
        spans = [self.trimmed(a + 1, b) for a, b in pairwise(edges)]
        if len(spans) > 1 and spans[0][0] == spans[0][1]:
            spans = spans[1:]
        if len(spans) > 1 and spans[-1][0] == spans[-1][1]:
            spans = spans[:-1]
        return tuple(spans)

    def is_in_code(self, position: int) -> bool:
        index = bisect_left(self.bars_in, (position,)) - 1
        return index >= 0 and position < self.bars_in[index].end

    def trimmed(self, start: int, end: int) -> Span:
        text = self.text[start:end]
        left = len(text) - len(text.lstrip())
        return start + left, max(start + left, start + len(text.rstrip()))

    def close(self) -> None:
        """End the open block or table."""
        self.header = ()
        if self.lines:
            self.found.append(Block(self.kind, tuple(self.lines), self.start, self.end))
            self.lines = []
        self.quote = 0
