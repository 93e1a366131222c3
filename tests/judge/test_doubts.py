"""What keeps a sentence from stating something."""

from __future__ import annotations

import pytest

from citewiki.judge.doubts import doubts, points_elsewhere, states


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The project may move to Rust in 2027.", "possible"),
        ("The bridge was probably designed by Anna Kern.", "possible"),
        ("Cầu Long Vân có thể được thiết kế bởi Nguyễn An.", "possible"),
        ("青山大桥可能由李明设计。", "possible"),
        ("Dark mode is planned for 2027.", "planned"),
        ("Hexon plans to open an office in Lyon.", "planned"),
        ("Bảo tàng dự kiến mở cửa năm 2027.", "planned"),
        ("青山大桥预计于2027年建成。", "planned"),
        ("According to rumours, the bridge was designed by Anna Kern.", "attributed"),
        ("The bridge is said to be haunted.", "attributed"),
        ("Critics claim that the bridge is unsafe.", "attributed"),
        ("“The bridge was designed by my father”, said Bob Miller.", "attributed"),
        ("Nghe nói cầu Long Vân do Nguyễn An thiết kế.", "attributed"),
        ("据说青山大桥由李明设计。", "attributed"),
    ],
)
def test_a_doubt_a_plan_and_anothers_word_are_told(text: str, kind: str) -> None:
    assert list(doubts(text)) == [kind]
    assert not states(text)
    assert states(text, frozenset((kind,)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "The bridge was designed by Anna Kern.",
        "The bridge opened in May 1931.",
        "The bridge opened on May 3.",
        "Guests may not upload files.",
        "According to the census of 2020, Dorn has 5,000 inhabitants.",
        "Nguyễn An thiết kế cầu Long Vân.",
        "青山大桥由李明设计。",
        "永动机不可能存在。",
        "The plan has 3 parts.",
    ],
)
def test_what_is_said_plainly_is_stated(text: str) -> None:
    assert doubts(text) == {}
    assert states(text)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("It was designed by Anna Kern.", "It"),
        ("This was decided in 2019.", "This"),
        ("However, they left in 2019.", "However, they"),
        ("Nó được thiết kế bởi Nguyễn An.", "Nó"),
        ("它由李明设计。", "它"),
        ("Italy won the cup.", ""),
        ("The bridge is old, and it is closed.", ""),
        ("其他城市也有桥。", ""),
    ],
)
def test_a_first_word_that_another_sentence_explains_points_elsewhere(text: str, word: str) -> None:
    assert points_elsewhere(text) == word
