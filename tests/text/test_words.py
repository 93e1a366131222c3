"""The word lists."""

from __future__ import annotations

import pytest

from citewiki.text.folding import fold
from citewiki.text.words import COMMON_WORDS, FUNCTION_WORDS, GENERIC_HEADINGS, STOP_WORDS


@pytest.mark.parametrize(
    "words", [STOP_WORDS, COMMON_WORDS, GENERIC_HEADINGS, *FUNCTION_WORDS.values()]
)
def test_lists_hold_folded_forms(words: frozenset[str]) -> None:
    assert words
    assert {fold(word) for word in words} == words


def test_what_carries_meaning_in_english_is_no_stop_word() -> None:
    assert not STOP_WORDS & {"ai", "car", "comment", "die", "man", "war"}


def test_question_words_are_stop_words() -> None:
    assert {"who", "what", "gì", "nào", "什么", "谁", "誰", "wer", "qui", "quién"} <= STOP_WORDS
