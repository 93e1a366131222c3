"""The analyzer: what pages are indexed by and questions ask for, in every script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.folding import strip_marks
from citewiki.text.tokens import (
    content_words,
    is_stop,
    neighbours,
    own_terms,
    query_terms,
    stem,
    tokens,
)

TEXTS = st.text(max_size=200) | st.text(
    alphabet="aB-_.'’/+#1,đễ 黑猫カ한ไ\u0301\n\t()[]:*^~\\\"", max_size=200
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Two films", ["two", "film"]),
        ("HTTP-403", ["http-403", "http", "403"]),
        ("snake_case", ["snake_case", "snak", "case"]),
        ("C++ and C#, not C", ["c++", "c", "and", "c#", "not"]),
        (".NET", [".net", "net"]),
        ("v1.2.3.", ["v1.2.3", "1", "2", "3"]),
        ("fieldNorms", ["fieldnorm", "field", "norm"]),
        ("the U.S. army", ["the", "u.s", "us", "armi"]),
        ("Grace’s 1,000,000 fans", ["grac", "1000000", "fan"]),
        ("Bundesverfassungsgericht", ["bundesverfassungsgericht"]),
        ("Đức", ["đức", "duc"]),
        ("东京塔", ["东京", "京塔"]),
        ("猫", ["猫"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("한국어 문서", ["한국", "국어", "문서"]),
        ("ไทย", ["ไท", "ทย"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("使用GPT-4模型", ["使用", "gpt-4", "gpt", "4", "模型"]),
        ("ＨＴＴＰ　ﾀﾜｰ", ["http", "タワ", "ワー"]),
        ("", []),
        ("?!… —", []),
    ],
)
def test_every_script_is_cut_into_what_people_search_for(text: str, terms: list[str]) -> None:
    found = tokens(text)
    assert [term for term in terms if term not in found] == []
    assert [term for term in found if term not in {*terms, "c", "http"}] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("movie", "movies"),
        ("study", "studies"),
        ("study", "studied"),
        ("house", "houses"),
        ("class", "classes"),
        ("direct", "directed"),
        ("stop", "stopping"),
        ("locate", "located"),
        ("city", "cities"),
    ],
)
def test_english_forms_of_a_word_are_one_term(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["red", "king", "bus", "glass", "đức", "c++", "sing"])
def test_words_that_only_look_inflected_keep_their_end(word: str) -> None:
    assert stem(word) == word


def test_an_unaccented_question_finds_accented_text() -> None:
    held = set(tokens("Nguyễn Văn Đức sống ở Hà Nội"))
    assert {term.text for term in query_terms("nguyen van duc ha noi")} <= held


def test_the_exact_spelling_weighs_more_than_its_variants() -> None:
    weights = {term.text: term.weight for term in query_terms("Đức HTTP-403")}
    assert weights["đức"] == weights["http-403"] == 1
    assert max(weights["duc"], weights["http"], weights["403"]) < 1


def test_stop_words_ask_for_nothing_unless_there_is_nothing_else() -> None:
    assert [term.text for term in query_terms("what is the capital of it")] == ["capital"]
    assert [term.text for term in query_terms("to be or not to be")] == ["to", "be", "or", "not"]
    assert [is_stop(word) for word in ("The", "của", "capital")] == [True, True, False]


def test_neighbours_stand_side_by_side_in_one_clause() -> None:
    assert neighbours("Who wrote the Harry Potter books, Rowling?") == [
        ("harri", "potter"),
        ("potter", "book"),
    ]
    assert neighbours("黑豹队的防守") == []


def test_own_terms_keep_stop_words_and_whole_runs() -> None:
    assert own_terms("Don't Come Around Here") == ["don't", "come", "around", "here"]
    assert own_terms("黑豹队 wins") == ["黑豹队", "win"]


def test_content_words_are_distinct_and_say_something() -> None:
    assert content_words("The film and the films of Đức") == ["film", "đức", "duc"]


@given(TEXTS)
def test_any_text_is_cut_without_spaces_in_its_terms(text: str) -> None:
    for term in tokens(text):
        assert term.split() == [term]


@given(TEXTS)
def test_what_a_text_asks_for_is_what_it_holds(text: str) -> None:
    assert {term.text for term in query_terms(text)} <= set(tokens(text))
    assert {term for pair in neighbours(text) for term in pair} <= set(tokens(text))


@given(st.text(alphabet="aăâđêôơưáàảãạéèẻẽẹ bcd", max_size=60))
def test_text_without_its_accents_still_matches_itself(text: str) -> None:
    assert {term.text for term in query_terms(strip_marks(text))} <= set(tokens(text))
