"""Sentences as statements, in one order of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.disagree import difference, replaced
from citewiki.text.statements import read


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("In 1931 the bridge was opened.", "The bridge was opened in 1931."),
        ("Anna Kern designed the old bridge.", "The old bridge was designed by Anna Kern."),
        ("Lee Wong is the head of Hexon.", "Hexon's head is Lee Wong."),
        ("The Kern bridge, which is old, is red.", "The Kern bridge (Dorn) is red."),
        ("Cầu do Trần Bình thiết kế.", "Cầu được thiết kế bởi Trần Bình."),
        ("李明设计了青山大桥。", "青山大桥由李明设计。"),
    ],
)
def test_sentences_that_say_the_same_are_one_statement(one: str, other: str) -> None:
    first, second = read(one, ""), read(other, "")
    assert first
    assert second
    assert first.keys == second.keys


@pytest.mark.parametrize(
    "text", ["Is the bridge open?", "For example, a page has 3 links.", "如果下雨，桥就关闭。", ""]
)
def test_questions_examples_and_conditions_state_nothing(text: str) -> None:
    assert read(text, "") is None


def test_a_pronoun_at_the_beginning_stands_for_the_title() -> None:
    one, other = read("It is red.", "Kern bridge"), read("The Kern bridge is red.", "")
    assert one
    assert other
    assert one.keys == other.keys


def test_the_word_that_is_replaced_is_told() -> None:
    one, other = read("The door was painted crimson.", ""), read("The door was painted red.", "")
    assert one
    assert other
    assert replaced(one, other) == "crimson"


@given(st.text(max_size=80), st.text(max_size=20))
def test_a_statement_does_not_differ_from_itself(text: str, title: str) -> None:
    stated = read(text, title)
    assert stated is None or difference(stated, stated) is None
