"""Signs that a sentence answers a question of some kind."""

from __future__ import annotations

import pytest

from citewiki.query.kinds import asks_for_passing, says_kind
from citewiki.query.question import Kind


@pytest.mark.parametrize(
    ("kind", "text", "asked", "expected"),
    [
        (Kind.HOW_MANY, "It has nine parts.", "How many parts has it?", True),
        (Kind.HOW_MANY, "It has some parts.", "How many parts has it?", False),
        (Kind.HOW_MANY, "In 2019 it grew.", "How many were there in 2019?", False),
        (Kind.WHEN, "It began in 1984.", "When did it begin?", True),
        (Kind.WHEN, "它始于1984年。", "什么时候开始？", True),
        (Kind.WHEN, "It began slowly.", "When did it begin?", False),
        (Kind.WHO, "It was written by Ada Lovelace.", "Who wrote it?", True),
        (Kind.WHO, "It was written quickly.", "Who wrote it?", False),
        (Kind.YES_NO, "It was written quickly.", "Is it?", True),
    ],
)
def test_a_sentence_has_the_form_that_is_asked_for(
    kind: Kind, text: str, asked: str, expected: bool
) -> None:
    assert says_kind(kind, text, asked, "Title") is expected


def test_judgements_and_what_is_only_so_now_are_told_apart() -> None:
    assert asks_for_passing("What is the best restaurant near me?")
    assert not asks_for_passing("What is a restaurant?")
