"""Lists, tables and quotes as people write them for Obsidian and GitHub."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.site.commonmark import BETWEEN, block_edits
from tests.site.conftest import Html


def flat(html: str) -> str:
    return re.sub(r"\s+", "", html)


@pytest.mark.parametrize(
    ("text", "html_of_it"),
    [
        ("Text:\n- a\n- b", "<p>Text:</p><ul><li>a</li><li>b</li></ul>"),
        ("- a\n  - b\n    - c", "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li></ul>"),
        ("- a\n    - b", "<ul><li>a<ul><li>b</li></ul></li></ul>"),
        ("- a\n - b", "<ul><li>a</li><li>b</li></ul>"),
        ("1. a\n   - b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"),
        ("1) a\n2) b", "<ol><li>a</li><li>b</li></ol>"),
        ("- a\n\n  p", "<ul><li><p>a</p><p>p</p></li></ul>"),
        ("- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"),
        ("In\n2024. Year", "<p>In2024.Year</p>"),
        ("> a\n\n> b", "<blockquote><p>a</p></blockquote><blockquote><p>b</p></blockquote>"),
        ("- a\nlazy\n- b", "<ul><li>alazy</li><li>b</li></ul>"),
        ("***\n* * *", "<hr/><hr/>"),
    ],
)
def test_blocks_nest_as_in_commonmark(html: Html, text: str, html_of_it: str) -> None:
    assert flat(html(text)) == flat(html_of_it)


def test_a_table_may_follow_a_paragraph(html: Html) -> None:
    assert "<table>" in html("Words\n| a | b |\n|---|---|\n| 1 | 2 |")


def test_code_keeps_its_indentation(html: Html) -> None:
    shown = html("- a\n  ```text\n  - x\n      y\n  ```\n\n```text\n- k\n  - l\n```\n")
    assert "- x\n    y" in shown
    assert "- k\n  - l" in shown


LINES = st.lists(
    st.sampled_from(
        ["", "text", "- a", "  - b", "    c", "1. d", "2) e", "> f", "   g", "\t", "| h | i |",
         "|---|---|", "* * *", "# j", "      k", "+ l", "```"]
    )
)  # fmt: skip


@given(LINES)
def test_only_white_space_changes(lines: list[str]) -> None:
    text = "\n".join(lines)
    parts, done = [], 0
    for start, end, new in block_edits(text, []):
        assert done <= start <= end
        parts += [text[done:start], new]
        done = end
    edited = "".join([*parts, text[done:]])
    assert re.sub(rf"\s|{re.escape(BETWEEN)}", "", edited).replace(".", ")") == re.sub(
        r"\s", "", text
    ).replace(".", ")")
