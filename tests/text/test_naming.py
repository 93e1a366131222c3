"""Which names are looked for in texts, and where they stand as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.naming import is_whole, lowered, spelling


@pytest.mark.parametrize("name", ["", "x", "2024", "note", "a|b", "[x]", "--"])
def test_what_is_no_name_is_not_looked_for(name: str) -> None:
    assert spelling(name) is None


@pytest.mark.parametrize(
    ("name", "exact"), [("RAG", True), ("Vector DB", False), ("Tantivy", False), ("iOS", True)]
)
def test_the_case_has_to_match_only_of_acronyms(name: str, exact: bool) -> None:
    found = spelling(name)
    assert found is not None
    assert (found.key, found.exact) == (name.lower(), exact)


@pytest.mark.parametrize(
    ("text", "name", "whole"),
    [
        ("on Go.", "Go", True),
        ("on Google", "Go", False),
        ("C++ is", "C", False),
        ("C++ is", "C++", True),
        ("关于检索的笔记", "检索", True),
    ],
)
def test_a_name_stands_as_whole_words(text: str, name: str, whole: bool) -> None:
    start = text.index(name)
    assert is_whole(text, start, start + len(name)) is whole


@given(st.text())
def test_lower_case_keeps_every_place(text: str) -> None:
    assert len(lowered(text)) == len(text)
