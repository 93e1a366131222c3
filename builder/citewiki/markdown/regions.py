"""The regions of a Markdown text in which nothing is prose: code, comments, math, HTML.

One pass from left to right, as each kind of region hides the openers of the others inside it.
Every search for a closer that fails is remembered, so that time stays linear in the text whatever
it holds (a page of 100,000 backticks included).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple

Span = tuple[int, int]
Kind = Literal["code", "inline code", "comment", "math", "tag", "verbatim"]


class Region(NamedTuple):
    """text[start:end] is no prose."""

    start: int
    end: int
    kind: Kind  # "code": a block of it; "verbatim": an HTML element whose content is not Markdown


_OPENER = re.compile(  # each begins with a set sign, so that `re` skips all others in one go
    r"\\(?:.|\n)"  # an escaped character opens nothing
    r"|`[^`\n]+`(?!`)"  # by far the most frequent region
    r"|``*|~~~+"
    r"|<!--|</?[A-Za-z](?:[^<>\"'\n]|\n(?![ \t]*\n)|\"[^\"<\n]*\"|'[^'<\n]*'|[\"'])*+>|<\?"
    r"|%%|\$\$?"
    r"|\n(?:[ \t]*\n)?(?= {4}|\t| {1,3}\t)"
)
_ENDS_ITS_BLOCK = re.compile(  # a line after which no paragraph goes on: a heading or a rule
    r" {0,3}(?:#{1,6}(?:[ \t].*)?|=+|-{2,}|\*{3,}|_{3,})[ \t]*\n"
)
_BEFORE_FENCE = re.compile(r"[ \t]*(?:>[ \t]*)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*")
_LONGEST_BEFORE_FENCE = 200
_FENCE_LINE = re.compile(r"^([ \t]*(?:>[ \t]*)*)(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_NOT_QUOTED = re.compile(r"^(?![ \t]*>)", re.MULTILINE)
_BACKTICKS = re.compile(r"`+")
_BLOCK_END = re.compile(  # where a paragraph, list item, table row or heading has ended
    r"\n(?=[ \t]*(?:\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~|>))"
)
_DOLLAR = re.compile(r"(?<!\\)\$")
_TAG_NAME = re.compile(r"<([A-Za-z][\w-]*)")
_VERBATIM_TAGS = frozenset(("script", "style", "pre", "code", "textarea", "svg", "math", "kbd"))
_INLINE_CODE_TAGS = frozenset(("code", "kbd"))
_MERMAID = re.compile(r"class\s*=\s*[\"']?[^\"'>]*\bmermaid\b")
_CONTAINER = re.compile(  # an item or block whose indented lines belong to it and are not code
    r"^(?:(?P<indent>[ \t]*)"
    r"(?:(?P<item>[-*+]|\d{1,9}[.)])(?:[ \t]|$)(?P<space> {0,3}(?=\S))?"
    r"|(?:!!!|\?\?\?\+?|\[\^[^\]\n]+\]:|:)(?=[ \t\n])|===[ \t]*\")"
    r"|(?P<heading>#{1,6}[ \t])|(?=\S))",
    re.MULTILINE,
)
_NOT_NEWLINE = re.compile(r"[^\n]")


def protected(text: str) -> list[Span]:
    """Where nothing is rewritten: sorted, disjoint (start, end) spans.

    Fenced and indented code, inline code, HTML comments, `%%…%%` comments, math between `$` or
    `$$`, HTML tags, and all that stands in <script>, <style>, <pre>, <code> and the like.
    """
    return [(start, end) for start, end, _ in regions(text)]


@lru_cache(maxsize=8)  # a page's links, headings and sentences are asked for one after another
def regions(text: str) -> tuple[Region, ...]:
    """The protected spans of `text` with what each of them is."""
    return tuple(_Scan(text).run())


def masked(text: str) -> str:
    """`text` with every protected character but line ends replaced by a space: offsets stay."""
    return blanked(text, protected(text))


def uncommented(text: str) -> str:
    """`text` without its comments, which nobody is to see who reads the page."""
    if "%%" not in text and "<!--" not in text:
        return text
    parts: list[str] = []
    done = 0
    for part in regions(text):
        if part.kind == "comment":
            parts.append(text[done : part.start])
            done = part.end
    return "".join([*parts, text[done:]])


def blanked(text: str, spans: Iterable[Span]) -> str:
    """`text` with every character but line ends of `spans` (sorted, disjoint) made a space."""
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts += text[done:start], _NOT_NEWLINE.sub(" ", text[start:end])
        done = end
    return "".join([*parts, text[done:]]) if parts else text


class _Scan:
    """One pass over one text. Methods that look for a region's end return 0 when it has none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Region] = []
        self.missing: dict[str, int] = {}  # closer → position before which there is none
        self.runs: dict[int, list[int]] | None = None  # length of backtick runs → their starts
        self.fences: list[tuple[int, int, str, int]] | None = None  # start, end, marks, indent
        self.block_end = -1
        self.quote_end = -1
        self.code_column = 4  # from which on lines of the innermost open item are code
        self.container_seen = 0  # how far items were looked for

    def run(self) -> list[Region]:
        position = self.indented_code(0) if self.text[:1] in (" ", "\t") else 0
        while match := _OPENER.search(self.text, position):
            position = self.enter(match[0], *match.span())
        return self.found

    def enter(self, opener: str, start: int, end: int) -> int:
        """Note the region that opens here, if one does; returns where to go on."""
        kind: Kind = "inline code"
        region_end = 0
        if opener == "\n" and not self.is_block_end(start):
            return end
        if opener[0] == "\n":
            return self.indented_code(end)
        if opener[:3] in ("```", "~~~"):
            region_end, kind = self.fence(opener, start, end), "code"
        if opener[0] == "`" and not region_end:
            closed = len(opener) > 2 and opener[1] != "`"
            region_end, kind = end if closed else self.code_span(len(opener), end), "inline code"
        elif opener[0] == "<":
            region_end, kind = self.markup(opener, start, end)
        elif opener == "$":
            region_end, kind = self.inline_math(start, end), "math"
        elif opener == "$$":
            region_end, kind = self.pair(opener, start, end), "math"
        elif opener == "%%":
            region_end, kind = self.pair(opener, start, end), "comment"
        if region_end:
            self.found.append(Region(start, region_end, kind))
        return region_end or end

    def fence(self, fence: str, start: int, end: int) -> int:
        line = self.line_start(start)
        if line < 0 or not (before := _BEFORE_FENCE.fullmatch(self.text, line, start)):
            return 0
        line_end = self.text.find("\n", end)
        line_end = line_end if line_end >= 0 else len(self.text)
        if fence[0] in self.text[end:line_end]:
            return 0
        quoted = ">" in before[0]
        limit = self.end_of_quote(line_end) if quoted else len(self.text)
        columns = _columns(before[0])
        closed = self.closing_fence(fence, columns, line_end, limit)
        if not closed and columns >= 4 and before[0].isspace():
            return 0  # indented code that shows a fence
        return closed or limit

    def closing_fence(self, fence: str, columns: int, position: int, limit: int) -> int:
        if self.fences is None:
            self.fences = [
                (match.start(), match.end(), match[2], _columns(match[1]))
                for match in _FENCE_LINE.finditer(self.text, position)
            ]
        kind = f"{fence}{columns}"
        if self.missing.get(kind, -1) >= limit:
            return 0
        for index in range(bisect_left(self.fences, (position,)), len(self.fences)):
            start, end, marks, own_columns = self.fences[index]
            if start >= limit:
                break
            if marks.startswith(fence) and own_columns < columns + 4:
                return end
        self.missing[kind] = limit
        return 0

    def indented_code(self, line: int) -> int:
        """Note the indented code that begins with the line at `line`; where to go on."""
        self.follow_items(line)
        match = _indented_by(self.code_column).match(self.text, line)
        if not match or not match[0].strip():
            return line
        end = line + len(match[0].rstrip())
        self.found.append(Region(line, end, "code"))
        self.container_seen = end
        return end

    def follow_items(self, until: int) -> None:
        """Note the innermost list item, admonition or footnote that is open before `until`."""
        for match in _CONTAINER.finditer(self.text, self.container_seen, until):
            line = match.start()
            if self.is_inside(line):
                continue
            if match["item"]:  # four columns past its text
                marks = match["indent"] + match["item"] + " " + (match["space"] or "")
                self.code_column = _columns(marks) + 4
            elif match["indent"] is not None:
                self.code_column = _columns(match["indent"]) + 8
            elif match["heading"] or not self.line_before(line).strip():
                self.code_column = 4
        self.container_seen = until

    def code_span(self, length: int, end: int) -> int:
        if self.runs is None:
            self.runs = {}
            for run in _BACKTICKS.finditer(self.text, end):
                self.runs.setdefault(len(run[0]), []).append(run.start())
        starts = self.runs.get(length, [])
        index = bisect_left(starts, end)
        if index == len(starts) or starts[index] >= self.end_of_block(end):
            return 0
        return starts[index] + length

    def markup(self, opener: str, start: int, end: int) -> tuple[int, Kind]:
        if opener == "<!--":
            unclosed = len(self.text) if self.opens_line(start) else 0
            return self.closed_by("-->", end) or unclosed, "comment"
        if opener == "<?":
            return self.closed_by("?>", end), "verbatim"
        name = _TAG_NAME.match(opener)
        if name and not opener.endswith("/>"):
            tag = name[1].lower()
            if (tag in _VERBATIM_TAGS or _MERMAID.search(opener)) and (
                closed := self.closed_by(f"</{tag}>", end)
            ):
                return closed, "inline code" if tag in _INLINE_CODE_TAGS else "verbatim"
        return end, "tag"

    def inline_math(self, start: int, end: int) -> int:
        closing = _DOLLAR.search(self.text, end, self.end_of_block(end))
        if (
            not closing
            or self.text[max(0, start - 1) : start].isalnum()  # "5$ or 6$"
            or self.text[end].isspace()
            or self.text[closing.end() - 2].isspace()  # "$5 and $6"
            or self.text[closing.end() : closing.end() + 1].isdigit()  # "$5-$10"
        ):
            return 0
        return closing.end()

    def pair(self, mark: str, start: int, end: int) -> int:
        """The end of a region between two equal marks.

        It spans blocks when the first mark opens its line; in a quote, up to the quote's end.
        """
        limit = len(self.text) if self.opens_line(start) else self.end_of_block(end)
        if mark == "$$" and self.opens_quoted_line(start):
            limit = self.end_of_quote(self.line_start(start))
        if self.missing.get(mark, -1) >= limit:
            return 0
        closing = self.text.find(mark, end, limit)
        if closing < 0:
            self.missing[mark] = limit
            return 0
        return closing + len(mark)

    def closed_by(self, closer: str, position: int) -> int:
        """The end of the next `closer`, which is a tag in any case, or a mark."""
        if closer not in self.missing:
            if match := _closer(closer).search(self.text, position):
                return match.end()
            self.missing[closer] = len(self.text)
        return 0

    def end_of_block(self, position: int) -> int:
        if self.block_end < position:
            match = _BLOCK_END.search(self.text, position)
            self.block_end = match.start() if match else len(self.text)
        return self.block_end

    def end_of_quote(self, position: int) -> int:
        if self.quote_end < position:
            match = _NOT_QUOTED.search(self.text, position + 1)
            self.quote_end = match.start() if match else len(self.text)
        return self.quote_end

    def is_inside(self, position: int) -> bool:
        """Whether a region found so far spans `position`."""
        index = bisect_left(self.found, (position,)) - 1
        return index >= 0 and position < self.found[index].end

    def is_block_end(self, newline: int) -> bool:
        """Whether the line that ends at `newline` lets no paragraph go on after it."""
        if self.found and self.found[-1].end == newline and self.found[-1].kind == "code":
            return True
        return bool(_ENDS_ITS_BLOCK.fullmatch(self.line_before(newline + 1)))

    def line_start(self, position: int) -> int:
        """Start of the line; -1 when it is further away than anything that precedes a fence."""
        nearest = max(0, position - _LONGEST_BEFORE_FENCE)
        found = self.text.rfind("\n", nearest, position)
        return found + 1 if found >= 0 or nearest == 0 else -1

    def opens_line(self, position: int) -> bool:
        line = self.line_start(position)
        return line >= 0 and not self.text[line:position].strip()

    def opens_quoted_line(self, position: int) -> bool:
        """Whether nothing but the marks of quotes stands before `position` in its line."""
        line = self.line_start(position)
        before = self.text[line:position] if line >= 0 else ""
        return ">" in before and not before.strip("> \t")

    def line_before(self, line: int) -> str:
        """The line above the one that starts at `line`."""
        return self.text[self.text.rfind("\n", 0, max(0, line - 1)) + 1 : line]


@lru_cache(maxsize=64)
def _indented_by(columns: int) -> re.Pattern[str]:
    indent = rf"(?: {{{columns}}}|\t{{{-(-columns // 4)}}})"
    return re.compile(rf"(?:{indent}.*(?:\n|\Z)|[ \t]*\n)*")


@lru_cache(maxsize=64)
def _closer(closer: str) -> re.Pattern[str]:
    return re.compile(re.escape(closer[:-1]) + r"\s*" + closer[-1], re.IGNORECASE)


def _columns(indent: str) -> int:
    return len(indent.expandtabs(4))
