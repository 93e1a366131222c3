"""Questions that ask for a page, and comparisons of two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Page
from citewiki.query.frames import leading, page_called, sides, topic
from citewiki.store.pages import parse_page


def page(title: str, body: str, aliases: str = "[]") -> Page:
    return parse_page(f"---\ntitle: {title}\naliases: {aliases}\n---\n{body}", "p.md")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("What is a session?", "session"),
        ("Tell me about the sea wall", "sea wall"),
        ("explain compaction", "compaction"),
        ("How does a pipeline work?", "pipeline"),
        ("Who was Edith Calloway?", "edith calloway"),
        ("What happened in the great storm?", "great storm"),
        ("Men tro là gì?", "men tro"),
        ("Giới thiệu về làng gốm", "làng gốm"),
        ("什么是云溪茶？", "云溪茶"),
        ("云溪茶是什么？", "云溪茶"),
        ("3Q 大战是怎么回事？", "3q 大战"),
        ("介绍一下云湖", "云湖"),
        ("sea wall", "sea wall"),
    ],
)
def test_the_name_is_what_is_left_of_such_a_question(text: str, name: str) -> None:
    assert topic(text) == name


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("What is the difference between a snapshot and a journal?", ("snapshot", "journal")),
        ("MRR vs nDCG", ("mrr", "ndcg")),
        ("How is MRR different from nDCG?", ("mrr", "ndcg")),
        ("Compare MRR with nDCG", ("mrr", "ndcg")),
        ("Sự khác nhau giữa hồ và sông là gì?", ("hồ", "sông")),
        ("Hồ khác gì sông?", ("hồ", "sông")),
        ("Hồ và sông khác nhau thế nào?", ("hồ", "sông")),
        ("倒排索引和向量数据库有什么区别？", ("倒排索引", "向量数据库")),
        ("比较倒排索引与向量数据库", ("倒排索引", "向量数据库")),
    ],
)
def test_a_comparison_has_two_sides(text: str, pair: tuple[str, str]) -> None:
    assert sides(text) == pair


def test_other_questions_have_no_sides() -> None:
    assert sides("What is a session?") is None


def test_a_page_is_called_by_title_or_alias_in_any_case_number_and_accents() -> None:
    wall = page("Sea wall", "It stands.", "[Đê biển]")
    for name in ("SEA WALL", "sea walls", "đê biển", "de bien"):
        assert page_called(name, [wall]) is wall
    assert page_called("sea", [wall]) is None
    assert page_called("", [wall]) is None


def test_a_page_introduces_itself_by_the_sentence_that_defines_it() -> None:
    body = "Photo: A. Smith, all rights kept.\n\nThe sea wall is a wall of granite. It is two miles long.\n"
    assert [each.text for each in leading(page("Sea wall", body), 2)] == [
        "The sea wall is a wall of granite.",
        "It is two miles long.",
    ]


def test_a_first_sentence_with_the_whole_title_introduces_the_page() -> None:
    body = "An API key identifies a program. Keys are made on the settings page.\n"
    assert leading(page("API key", body), 1)[0].text == "An API key identifies a program."


def test_a_page_without_text_introduces_nothing() -> None:
    assert leading(page("Empty", ""), 3) == []


@given(st.text(max_size=60))
def test_any_text_has_a_topic_and_at_most_two_sides(text: str) -> None:
    assert isinstance(topic(text), str)
    pair = sides(text)
    assert pair is None or len(pair) == 2
