"""The judge's core: what passages say, deny, or do not speak of."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.judge.core import check_claim
from citewiki.judge.doubts import states

ENGLISH = (
    "The server keeps sessions for 30 minutes. Sessions are not shared between nodes. "
    "Caching reduces latency by 40 percent. All requests are logged. Most users prefer the dark "
    "theme. The project may move to Rust in 2027. Maria Lopez wrote the parser."
)
VIETNAMESE = (
    "Máy chủ giữ phiên trong 30 phút. Các phiên không được chia sẻ giữa các nút. "
    "Bộ nhớ đệm làm giảm độ trễ 40%."
)
CHINESE = "服务器保留会话30分钟。会话不在节点之间共享。缓存将延迟降低40%。所有请求都会被记录。"


def failed(claim: str, passage: str, *, strict: bool = False) -> dict[str, tuple[str, ...]]:
    judged = check_claim(claim, [passage], strict=strict)
    assert not judged.supported
    return {check.name: check.words for check in judged.checks if not check.passed}


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The server keeps sessions for 30 minutes.", ENGLISH),
        ("Sessions last 30 minutes on the server.", ENGLISH),
        ("Latency falls by 40 % with caching.", ENGLISH),
        ("Maria Lopez wrote the parser [1].", ENGLISH),
        ("Bộ nhớ đệm giảm độ trễ 40%.", VIETNAMESE),
        ("缓存降低延迟40%。", CHINESE),
        ("会话不在节点间共享。", CHINESE),
    ],
)
def test_what_a_passage_says_in_its_own_or_other_words_is_supported(
    claim: str, passage: str
) -> None:
    assert check_claim(claim, [passage]).supported


@pytest.mark.parametrize(
    ("claim", "passage", "check", "word"),
    [
        ("The server keeps sessions for 45 minutes.", ENGLISH, "numbers", "45"),
        ("The project may move to Rust in 2028.", ENGLISH, "dates", "2028"),
        ("Sessions are shared between nodes.", ENGLISH, "negation", "not"),
        ("Caching increases latency by 40 percent.", ENGLISH, "direction", "increases"),
        ("All users prefer the dark theme.", ENGLISH, "quantities", "All"),
        ("Most users prefer the light theme.", ENGLISH, "opposites", "light"),
        ("Máy chủ giữ phiên trong 45 phút.", VIETNAMESE, "numbers", "45"),
        ("Các phiên được chia sẻ giữa các nút.", VIETNAMESE, "negation", "không"),
        ("Bộ nhớ đệm làm tăng độ trễ 40%.", VIETNAMESE, "direction", "tăng"),
        ("会话在节点之间共享。", CHINESE, "negation", "不"),
        ("缓存将延迟提高40%。", CHINESE, "direction", "提高"),
    ],
)
def test_a_contradiction_is_not_supported_and_names_its_words(
    claim: str, passage: str, check: str, word: str
) -> None:
    assert word in failed(claim, passage)[check]


def test_another_name_in_the_same_place_is_a_contradiction() -> None:
    passage = "The parser was written by Maria Lopez in Madrid."
    words = failed("The parser was written by Maria Garcia in Madrid.", passage)["other_names"]
    assert words == ("Garcia", "Lopez")


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Bob Miller designed the Kern bridge.",
         "The Kern bridge was designed by Anna Kern and painted by Bob Miller."),
        ("The Kern bridge was designed by Bob Miller.",
         "Anna Kern designed the Kern bridge. Bob Miller painted it."),
        ("The Orlo lighthouse opened in 1934.",
         "The Orlo lighthouse opened in 1931. In 1934 it was closed for a year."),
        ("青山大桥由王强设计。", "青山大桥由李明设计。王强住在青山。"),
    ],
)  # fmt: skip
def test_words_that_stand_there_for_something_else_are_a_contradiction(
    claim: str, passage: str
) -> None:
    assert failed(claim, passage)["otherwise"]


def test_a_passage_that_says_both_says_each() -> None:
    passage = "The bridge opened in 1931. Other books say: The bridge opened in 1934."
    for year in (1931, 1934):
        assert check_claim(f"The bridge opened in {year}.", [passage]).supported


def test_a_claim_on_another_matter_is_not_even_covered() -> None:
    judged = check_claim("Berlin is the capital of Germany.", [ENGLISH])
    assert (judged.supported, judged.covered) == (False, False)


def test_strict_mode_keeps_the_doubt_that_the_passage_has() -> None:
    claim = "The project moves to Rust in 2027."
    assert check_claim(claim, [ENGLISH]).supported
    assert failed(claim, ENGLISH, strict=True)["hedges"] == ("may",)


def test_every_sentence_of_a_claim_has_to_stand() -> None:
    both = "All requests are logged. Sessions are shared between nodes."
    assert not check_claim(both, [ENGLISH]).supported


def test_a_reference_to_literature_states_nothing() -> None:
    words = failed("Retrieved 3 May 2021 from https://example.org/sessions", ENGLISH)["statement"]
    assert words


def test_nothing_supports_a_claim_without_passages() -> None:
    assert not check_claim("All requests are logged.", []).supported


@given(st.lists(st.sampled_from(ENGLISH.split(". ")), min_size=1, max_size=4, unique=True))
def test_a_sentence_of_the_passage_is_always_supported(sentences: list[str]) -> None:
    passage = ". ".join(sentences)
    for sentence in sentences:
        assert check_claim(sentence, [passage]).supported
        assert check_claim(sentence, [passage], strict=True).supported == states(sentence)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_judged(claim: str, passage: str) -> None:
    judged = check_claim(claim, [passage])
    assert 0 <= judged.score <= 1
    assert judged.supported == (judged.score >= 0.5)
