"""Markdown as readable text."""

from __future__ import annotations

import re

from citewiki.markdown.blocks import Block, blocks
from citewiki.markdown.inline import shown

_FENCE = re.compile(r"\s*(?:```+|~~~+)")


def plain(markdown: str) -> str:
    """The text that a reader sees, without markup, footnotes and comments; code is kept.

    Paragraphs are parted by a blank line; list items and table rows have a line each, cells
    parted by ", ".
    """
    return plain_and_headings(markdown)[0]


def plain_and_headings(markdown: str) -> tuple[str, list[str]]:
    """What `plain` gives, and the texts of the headings."""
    parts: list[str] = []
    headings: list[str] = []
    before = ""
    for block in blocks(markdown):
        text = _text(markdown, block)
        if text:
            tight = block.kind == before and block.kind in ("item", "row")
            parts += ["\n" if tight else "\n\n"] if parts else []
            parts.append(text)
            before = block.kind
            if before == "heading":
                headings.append(text)
    return "".join(parts), headings


def _text(markdown: str, block: Block) -> str:
    if block.kind == "code":
        lines = markdown[block.start : block.end].split("\n")
        if _FENCE.match(lines[0]):
            lines = lines[1:-1] if len(lines) > 1 and _FENCE.match(lines[-1]) else lines[1:]
        return "\n".join(lines).strip("\n")
    if block.kind == "row":
        cells = (shown(markdown, [cell]).text.strip() for cell in block.cells)
        return ", ".join(cell for cell in cells if cell)
    return " ".join(shown(markdown, block.lines).text.split())
