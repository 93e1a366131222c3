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
    written_terms,
)

TEXTS = st.text(max_size=200) | st.text(
    alphabet="aB-_.'’/+#1,đễ 黑猫カ한ไ\u0301\n\t()[]:*^~\\\"", max_size=200
)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Two films", ["two", "film"]),
        ("HTTP-403", ["http-403", "http403", "http", "403"]),
        ("HTTP403", ["http403", "http", "403"]),
        ("snake_case", ["snake_case", "snakecas", "snak", "case"]),
        ("__init__", ["init"]),
        ("C++ and C#, not C", ["c++", "c", "and", "c#", "not"]),
        (".NET", [".net", "net"]),
        ("C++17 or C/C++", ["c++17", "c++", "17", "or", "c/c++"]),
        ("ASP.NET", ["asp.net", "aspnet", "asp", "net"]),
        ("node.js", ["node.js", "nodej", "node", "js"]),
        ("v1.2.3.", ["v1.2.3", ".1.2.3", "1.2.3", "1", "2", "3"]),
        ("Python3.11", ["python3.11", "python", "3.11", ".3.11"]),
        ("192.168.0.1:80", ["192.168.0.1", ".192.168.0.1", "192", "168", "0", "1", "80"]),
        ("--data-dir=x", ["data-dir", "data", "dir", "x"]),
        ("src/bar.py", ["src/bar.py", "src", "bar.py", "barpi", "bar", "py"]),
        ("ESP32-S3", ["esp32-s3", "esp32s3", "esp32", "esp", "32", "s3"]),
        ("e.g. AT&T", ["e.g", "eg", "at&t", "att", "at"]),
        ("fieldNorms", ["fieldnorm", "field", "norm"]),
        ("iOS, e-mail, H2O", ["ios", "os", "e-mail", "email", "e", "mail", "h2o"]),
        ("state-of-the-art", ["state-of-the-art", "stat", "of", "the", "art"]),
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
        ("使用GPT-4模型", ["使用", "gpt-4", "gpt4", "gpt", "4", "模型"]),
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


@pytest.mark.parametrize(
    "spellings",
    [
        ("1.2.3", "v1.2.3", "V1.2.3"),
        ("3.11", "v3.11", "Python3.11"),
        ("HTTP-403", "HTTP403", "http 403", "http_403"),
        ("snake_case", "snake case", "snake-case", "snakeCase"),
        ("node.js", "nodejs", "Node JS"),
        ("GPT-4", "GPT4", "gpt 4"),
        ("--data-dir", "data_dir", "dataDir", "data dir"),
        ("utf-8", "UTF8"),
        ("e.g.", "eg"),
    ],
)
def test_one_spelling_of_an_identifier_finds_the_others_and_itself_first(
    spellings: tuple[str, ...],
) -> None:
    for asked in spellings:
        weights = {term.text: term.weight for term in query_terms(asked)}
        worth = {
            text: sum(weights.get(term, 0.0) for term in set(tokens(text))) for text in spellings
        }
        assert worth[asked] == max(worth.values())
        if asked not in ("nodejs", "Node JS"):  # that js is a word of its own nothing tells
            assert min(worth.values()) > 0


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


def test_written_terms_are_those_of_words_and_parts_and_of_no_other_spelling() -> None:
    assert written_terms("Node.js v2.0") == ["node.js", "node", "js", "v2.0", "2.0"]
    assert written_terms("使用GPT-4") == ["使用", "gpt-4", "gpt", "4"]


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
