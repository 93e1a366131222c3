"""Jupyter notebooks."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from citewiki.model import Source
from citewiki.sources.read import read_bytes


def read(*cells: Any, **metadata: Any) -> Source:
    book = new_notebook(cells=list(cells), metadata=metadata)
    return read_bytes(nbformat.writes(book).encode(), "study.ipynb")


def test_cells_become_sections_by_their_headings_with_their_numbers() -> None:
    source = read(
        new_markdown_cell("# A study\n\nWhat was done."),
        new_markdown_cell("## Method\n\nWe rank."),
        new_code_cell("k = 60\nk", outputs=[new_output("execute_result", {"text/plain": "60"})]),
        language_info={"name": "python"},
    )
    opening, method = source.sections

    assert source.title == "A study"
    assert opening.text == "What was done."
    assert method.text == "We rank.\n\n```python\nk = 60\nk\n```\n\n```text\n60\n```"
    assert [(p.offset, p.label) for p in method.places] == [(0, "cell 2"), (10, "cell 3")]


def test_pictures_are_left_out_with_a_note() -> None:
    shown = new_output("display_data", {"image/png": "aGk=", "text/plain": "<Figure>"})
    source = read(new_code_cell("plot()", outputs=[shown]))

    assert "<Figure>\n[picture left out]" in source.sections[0].text
    assert [p.message for p in source.problems] == ["a picture in its outputs left out"]


def test_tables_errors_and_coloured_logs_are_read_as_text() -> None:
    html = "<table><tr><th>k</th></tr><tr><td>60</td></tr></table>"
    source = read(
        new_code_cell(
            "a", outputs=[new_output("execute_result", {"text/html": html, "text/plain": "x"})]
        ),
        new_code_cell("b", outputs=[new_output("stream", text="\x1b[31mred\x1b[0m")]),
        new_code_cell(
            "c", outputs=[new_output("error", ename="KeyError", evalue="'k'", traceback=[])]
        ),
    )
    text = source.sections[0].text

    assert "| k |\n| --- |\n| 60 |" in text
    assert "```text\nred\n```" in text
    assert "KeyError: 'k'" in text


def test_a_long_output_is_cut_and_says_so() -> None:
    text = (
        read(new_code_cell("a", outputs=[new_output("stream", text="x" * 50_000)])).sections[0].text
    )

    assert "[the rest is left out]" in text
    assert len(text) < 5_000


def test_notebooks_of_version_3_are_read() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Method"},
        {"cell_type": "code", "input": ["k = 60"], "outputs": []},
    ]
    data = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": cells}]}

    (section,) = read_bytes(json.dumps(data).encode(), "old").sections
    assert (section.title, section.text) == ("Method", "```\nk = 60\n```")


@pytest.mark.parametrize(
    "data",
    [
        {"nbformat": 4},
        {"nbformat": 4, "cells": [None, 1, {"cell_type": "code", "outputs": [None, {"data": 3}]}]},
        {"nbformat": 4, "cells": [{"cell_type": "markdown", "source": {}}], "metadata": []},
        {"nbformat": 3, "worksheets": [None, {"cells": [{"cell_type": "heading", "level": "x"}]}]},
    ],
)
def test_a_malformed_notebook_does_not_crash(data: dict[str, Any]) -> None:
    assert read_bytes(json.dumps(data).encode(), "a.ipynb").sections
