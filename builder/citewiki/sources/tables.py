"""Tables as Markdown tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def table_markdown(html: str) -> str:
    """The rows of the tables in `html` as one Markdown table; the first row is its head.

    Cells are one line each; "" when no cell holds text.
    """
    from lxml import etree  # type: ignore[import-untyped]

    root = etree.fromstring(html, etree.HTMLParser(huge_tree=True, remove_comments=True))
    return rows_markdown(element_rows(root)) if root is not None else ""


def element_rows(table: Any) -> list[list[str]]:
    """The texts of the cells of an element of lxml, row by row; rows without text left out."""
    rows = [[_text(cell) for cell in row if cell.tag in ("td", "th")] for row in table.iter("tr")]
    return [row for row in rows if any(row)]


def rows_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells as a Markdown table; the first row is its head. "" for no rows."""
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [f"| {' | '.join([*map(_cell, row), *[''] * (width - len(row))])} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _text(cell: Any) -> str:
    return " ".join("".join(cell.itertext()).split())


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
