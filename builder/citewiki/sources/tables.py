"""HTML tables as Markdown tables."""

from __future__ import annotations

from typing import Any


def table_markdown(html: str) -> str:
    """The rows of the tables in `html` as one Markdown table; the first row is its head.

    Cells are one line each; "" when no cell holds text.
    """
    from lxml import etree  # type: ignore[import-untyped]

    root = etree.fromstring(html, etree.HTMLParser(huge_tree=True, remove_comments=True))
    found = root.iter("tr") if root is not None else ()
    rows = [[_text(cell) for cell in row if cell.tag in ("td", "th")] for row in found]
    rows = [row for row in rows if any(row)]
    if not rows:
        return ""
    width = max(map(len, rows))
    lines = [f"| {' | '.join(row + [''] * (width - len(row)))} |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _text(cell: Any) -> str:
    words = " ".join("".join(cell.itertext()).split())
    return words.replace("|", "\\|")
