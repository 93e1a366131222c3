"""Questions: what is refused as input, and what kind of answer is wanted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import QuestionError
from citewiki.query.question import LONGEST, Kind, kind_of, question


@pytest.mark.parametrize("text", ["", "  \n\t ", "\x00\x1b\u200b", "a" * (LONGEST + 1)])
def test_what_is_no_question_says_what_to_do(text: str) -> None:
    with pytest.raises(QuestionError, match="citewiki"):
        question(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who wrote it?", Kind.WHO),
        ("Ai viết bài này?", Kind.WHO),
        ("谁写的？", Kind.WHO),
        ("When did it start?", Kind.WHEN),
        ("khi nao no bat dau", Kind.WHEN),
        ("什么时候开始？", Kind.WHEN),
        ("Where is it?", Kind.WHERE),
        ("在哪里？", Kind.WHERE),
        ("How many pages are there?", Kind.HOW_MANY),
        ("Có bao nhiêu trang?", Kind.HOW_MANY),
        ("有多少页？", Kind.HOW_MANY),
        ("Why does it fail?", Kind.WHY),
        ("Tại sao nó hỏng?", Kind.WHY),
        ("为什么失败？", Kind.WHY),
        ("What is BM25?", Kind.DEFINITION),
        ("BM25 meaning", Kind.DEFINITION),
        ("BM25 là gì?", Kind.DEFINITION),
        ("What is the difference between A and B?", Kind.COMPARISON),
        ("differentiate threads and processes", Kind.COMPARISON),
        ("A 和 B 有什么区别？", Kind.COMPARISON),
        ("List the commands", Kind.LIST),
        ("identify four problems of caching", Kind.LIST),
        ("How do I archive a page?", Kind.HOW),
        ("describe the process of ingesting", Kind.HOW),
        ("如何归档？", Kind.HOW),
        ("Is it fast?", Kind.YES_NO),
        ("快吗？", Kind.YES_NO),
        ("Which engine is used?", Kind.WHICH),
        ("hybrid retrieval", Kind.OTHER),
    ],
)
def test_the_kind_of_a_question_is_known_in_three_languages(text: str, kind: Kind) -> None:
    assert kind_of(text) is kind


@pytest.mark.parametrize(
    "text", ["What is the current version?", "phiên bản hiện nay?", "目前版本？"]
)
def test_a_question_about_now_wants_what_is_current(text: str) -> None:
    assert question(text).wants_current


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("What did it cost in 2024?", {2024}),
        ("2024年票价是多少？", {2024}),
        ("Giá vé năm 2019 và năm 2024?", {2019, 2024}),
        ("Is port 2024:80 or version 2024.1 used?", set()),
        ("How are 12024 pages, 2000,5 words or 1,999 links counted?", set()),
    ],
)
def test_the_years_that_a_question_names_are_known(text: str, years: set[int]) -> None:
    assert question(text).years == years


@given(st.text(min_size=1, max_size=50))
def test_any_text_is_a_question_or_a_clear_error(text: str) -> None:
    try:
        asked = question(text)
    except QuestionError:
        return
    assert asked.text == " ".join(asked.text.split())
