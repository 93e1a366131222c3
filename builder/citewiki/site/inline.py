"""Python-Markdown's stages without the work that comes to nothing.

Every stretch of text runs through every inline pattern, and most hold no mark of any. What
characters a match of a pattern must hold is read from the pattern itself, whoever registered it;
a text without them is not searched. Most blocks are paragraphs, and each kind of other block is
told by how a line begins: what begins no line so is not asked about one by one. The result is the
same.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterable, Iterator
from re import _parser  # type: ignore[attr-defined]  # the one reader of regular expressions
from typing import Any

from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.treeprocessors import InlineProcessor
from markdown.util import AtomicString, Registry

from markdown import Markdown

_MARKED = re.compile(r"\A(?:[ \n]|\Z)|^ *(?:[#>=*+_-]|\d|!!!|\?\?\?)|\||\]:", re.MULTILINE)
"""Found in every block that some processor of `_TOLD` takes, but that for paragraphs."""
_TOLD = (
    "markdown.blockprocessors", "markdown.extensions.admonition", "markdown.extensions.footnotes",
    "markdown.extensions.sane_lists", "markdown.extensions.tables", "pymdownx.details",
    "pymdownx.superfences",
)  # fmt: skip
_REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")


class QuickExtension(Extension):
    """Comes before all others, so that they find this inline stage as the parser's own."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Take the place of the stage that is registered."""
        md.treeprocessors.register(_QuickInline(md), "inline", 20)


class _QuickInline(InlineProcessor):
    """Asks a pattern only of texts in which it could match."""

    inlinePatterns: Registry[Any]
    _patterns: list[tuple[Any, str]] | None = None  # each with `marks`; "" looks at every text

    def _InlineProcessor__handleInline(self, data: str, patternIndex: int = 0) -> str:
        if isinstance(data, AtomicString):
            return data
        if self._patterns is None:  # all extensions have registered theirs by now
            self._patterns = [
                (each, marks(each.getCompiledRegExp())) for each in self.inlinePatterns
            ]
        start = 0
        for number in range(patternIndex, len(self._patterns)):
            pattern, needed = self._patterns[number]
            if needed and not any(map(data.__contains__, needed)):
                continue
            matched = True
            while matched:
                data, matched, start = self._InlineProcessor__applyPattern(  # type: ignore[attr-defined]
                    pattern, data, number, start
                )
        return data


def marks(pattern: re.Pattern[str]) -> str:
    """Characters of which any text that `pattern` matches in holds one; "" when none is known."""
    if pattern.flags & re.IGNORECASE:
        return ""
    return "".join(sorted(_needed(_parser.parse(pattern.pattern, pattern.flags)) or ""))


def _needed(parts: Iterable[tuple[Any, Any]]) -> frozenset[str] | None:
    """The smallest such set, of letters only where there is no other; None: there is none."""
    found = [need for operation, value in parts if (need := _of_part(str(operation), value))]
    return min(found, key=lambda need: (any(c.isalnum() or c == " " for c in need), len(need)),
               default=None)  # fmt: skip


def _of_part(operation: str, value: Any) -> frozenset[str] | None:
    if operation == "LITERAL":
        return frozenset(chr(value))
    if operation == "IN":
        if all(str(kind) == "LITERAL" for kind, _ in value):
            return frozenset(chr(code) for _, code in value)
    elif operation == "SUBPATTERN":
        return None if value[1] else _needed(value[-1])  # flags of its own
    elif operation == "BRANCH":
        each = [_needed(branch) for branch in value[1]]
        return frozenset().union(*filter(None, each)) if all(each) else None
    elif operation in _REPEATS and value[0] > 0:
        return _needed(value[2])
    return None


class _Settled(Registry[Any]):
    """A registry that nobody changes any more; the parser walks through it for every block."""

    def __init__(self, full: Registry[Any]) -> None:
        super().__init__()
        self._every = list(full)
        vars(self).update(vars(full))

    def __iter__(self) -> Iterator[Any]:
        return iter(self._every)


def settle(md: Markdown) -> None:
    """Leave out what comes to nothing, now that all extensions are there.

    The table of contents is made as HTML only where the text has a place for it; its data,
    `toc_tokens`, are made all the same. Blocks of code are put in their places in one go:
    superfences copies all lines for each.
    """
    md.parser.blockprocessors = _Settled(md.parser.blockprocessors)
    if all(type(each).__module__ in _TOLD for each in md.parser.blockprocessors):
        _paragraphs_first(md.parser)
    parser: Any = md  # has the lines of the text that it reads
    stage: Any = md.treeprocessors["toc"]
    whole = stage.build_toc_div

    def build(tokens: list[Any]) -> etree.Element:
        wanted = stage.marker and any(stage.marker in line for line in parser.lines)
        return whole(tokens) if wanted else etree.Element("div")

    stage.build_toc_div = build
    fences: Any = md.preprocessors["fenced_code_block"]
    fences.reassemble = lambda lines: _reassembled(lines, fences.stack)


def _paragraphs_first(parser: BlockParser) -> None:
    every = tuple(parser.blockprocessors)
    paragraph = parser.blockprocessors["paragraph"]

    def parse(parent: etree.Element, blocks: list[str]) -> None:
        while blocks:
            if not _MARKED.search(blocks[0]):
                paragraph.run(parent, blocks)
                continue
            for each in every:  # as the parser does it
                if each.test(parent, blocks[0]) and each.run(parent, blocks) is not False:
                    break

    parser.parseBlocks = parse  # type: ignore[method-assign]


def _reassembled(lines: list[str], blocks: Iterable[tuple[str, int, int]]) -> list[str]:
    """`lines` with each of `blocks` in the place of those from its start to its end."""
    found: list[str] = []
    done = 0
    for block, start, end in blocks:
        found += [*lines[done:start], block]
        done = end
    return found + lines[done:]
