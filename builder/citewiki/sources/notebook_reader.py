"""Jupyter notebooks (nbformat 3 and 4): cells in order, outputs as text, pictures left out."""

from __future__ import annotations

import re
from typing import Any

from citewiki.model import Problem, Source
from citewiki.sources.about import About, about
from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import clean
from citewiki.sources.markdown_reader import source
from citewiki.sources.marks import mark, placed
from citewiki.sources.tables import table_markdown

MEDIA_TYPE = "application/x-ipynb+json"

LONGEST_OUTPUT = 4_000
"""Characters that are kept of one output; logs and printed tables may have millions."""

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")  # colours of terminals
_PICTURE = "[picture left out]"
_HEADING = re.compile(r"#{1,6}[ \t][^\n]*(?:\n+|\Z)")


def read(data: Any, name: str) -> Source | None:
    """The sections of a notebook; None for other JSON."""
    if not isinstance(data, dict) or not isinstance(data.get("nbformat"), int):
        return None
    language = _language(data)
    body = ""
    pictures = 0
    cells = [cell for cell in _cells(data) if isinstance(cell, dict)]
    for number, cell in enumerate(cells, start=1):
        text, left_out = _cell(cell, language)
        pictures += left_out
        if text:
            # A heading opens the section that the cell is in: the mark has to come after it.
            opening = _HEADING.match(text)
            cut = opening.end() if opening else 0
            body += f"{text[:cut]}\n\n" if cut else ""
            body += f"{mark(number)}{text[cut:]}\n\n"
    found = source(
        _about(data, name, pictures), body, name, reader="notebook", media_type=MEDIA_TYPE
    )
    return placed(found, ["", *(f"cell {number}" for number in range(1, len(cells) + 1))])


def _cells(data: dict[str, Any]) -> list[Any]:
    if isinstance(data.get("cells"), list):
        return list(data["cells"])
    sheets = data.get("worksheets")  # nbformat 3
    sheets = [sheet for sheet in sheets if isinstance(sheet, dict)] if sheets else []
    return [cell for sheet in sheets for cell in sheet.get("cells") or ()]


def _cell(cell: dict[str, Any], language: str) -> tuple[str, int]:
    """The cell as Markdown, and how many pictures were left out."""
    kind = cell.get("cell_type")
    said = clean(_joined(cell.get("source", cell.get("input")))).strip()
    if kind == "markdown":
        return clean_markdown(said), 0
    if kind == "heading":  # nbformat 3
        level = cell.get("level")
        return f"{'#' * (level if isinstance(level, int) and 0 < level < 7 else 1)} {said}", 0
    if kind != "code":
        return said, 0
    outputs = [o for o in cell.get("outputs") or () if isinstance(o, dict)]
    shown = [text for output in outputs if (text := _output(output))]
    blocks = [_fenced(said, language)] if said else []
    blocks += [text if text.startswith("|") else _fenced(text, "text") for text in shown]
    return "\n\n".join(blocks), sum(text.endswith(_PICTURE) for text in shown)


def _output(output: dict[str, Any]) -> str:
    """An output as text; of several forms the plainest one that holds words."""
    if "ename" in output:
        return clean(f"{output['ename']}: {output.get('evalue', '')}")
    data = output.get("data", output)
    if not isinstance(data, dict):
        return ""
    picture = any(str(key).startswith(("image/", "png", "jpeg", "svg")) for key in data)
    html = _joined(data.get("text/html", data.get("html")))
    if "<table" in html and len(html) <= 10 * LONGEST_OUTPUT and (rows := table_markdown(html)):
        return clean(rows)
    text = _joined(data.get("text/markdown") or data.get("text/plain", data.get("text")))
    text = clean(_ESCAPES.sub("", text)).strip()
    if len(text) > LONGEST_OUTPUT:
        text = f"{text[:LONGEST_OUTPUT]}\n[the rest is left out]"
    return f"{text}\n{_PICTURE}".strip() if picture else text


def _about(data: dict[str, Any], name: str, pictures: int) -> About:
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    authors = metadata.get("authors")
    count = "a picture" if pictures == 1 else f"{pictures} pictures"
    problem = Problem(name, f"{count} in its outputs left out", severity="warning", code="picture")
    problems = (problem,) if pictures else ()
    return about({"title": metadata.get("title"), "authors": authors}, problems)


def _language(data: dict[str, Any]) -> str:
    """The language of the code cells, for their fences."""
    metadata = data.get("metadata")
    for key in ("language_info", "kernelspec"):
        info = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(info, dict):
            found = info.get("name" if key == "language_info" else "language")
            if isinstance(found, str) and re.fullmatch(r"[\w+#.-]{1,20}", found):
                return found
    return ""


def _joined(value: Any) -> str:
    """Text that is one string, or a list of lines."""
    if isinstance(value, list):
        return "".join(item for item in value if isinstance(item, str))
    return value if isinstance(value, str) else ""


def _fenced(text: str, language: str) -> str:
    fence = "```" if "```" not in text else "~~~~"
    return f"{fence}{language}\n{text}\n{fence}"
