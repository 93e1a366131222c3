"""Values as YAML text."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from citewiki.markdown.yamltext import as_read, entry_text, scalar


@pytest.mark.parametrize(
    "text",
    ["RAG Hybrid Search", "raw/a b.pdf", "it's", "a:b", "https://a.b", "3 bodies", "中文：一"],
)
def test_a_text_that_no_reader_mistakes_stays_plain(text: str) -> None:
    assert scalar(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "no", "Y", "null", "~", "1.10", "0x1F", "1e3", "12:30", "2024-01-01", "a: b", "a #b", "- a",
     "*a", "[a]", "a:", " a", "@a", "---", "a\nb", "\u2028"],
)  # fmt: skip
def test_a_text_that_a_reader_might_mistake_is_quoted(text: str) -> None:
    assert scalar(text).startswith('"')


def test_brackets_and_colons_are_quoted_inside_a_list() -> None:
    assert entry_text("a", ["b, c", "d:e", "f"]) == 'a: ["b, c", "d:e", f]\n'


def test_values_have_one_spelling() -> None:
    moment = datetime(2026, 5, 12, 14, 0, 0, 5, tzinfo=UTC)
    assert [scalar(value) for value in (None, True, 3, 0.85, 1e-05, moment)] == [
        "null", "true", "3", "0.85", "0.00001", "2026-05-12T14:00:00Z",
    ]  # fmt: skip
    assert as_read({"a": (1, None, moment)}) == {"a": ["1", None, "2026-05-12T14:00:00Z"]}
