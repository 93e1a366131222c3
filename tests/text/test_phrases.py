"""Key phrases, and titles that say too little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.folding import fold
from citewiki.text.phrases import common_word, generic_heading, key_phrases
from citewiki.text.words import STOP_WORDS

ENGLISH = """\
Hybrid search combines BM25 with dense retrieval. A vector database stores embeddings; the vector
database answers nearest neighbour queries. BM25 is a ranking function written by Stephen
Robertson. In PostgreSQL, vector databases are extensions. Hybrid search merges both lists by
reciprocal rank fusion. Reciprocal rank fusion needs no tuning.
"""


def test_repeated_runs_of_words_are_key_phrases() -> None:
    assert key_phrases(ENGLISH, "Hybrid search", limit=4) == [
        "hybrid search",
        "vector database",
        "reciprocal rank fusion",
        "BM25",
    ]


def test_vietnamese_phrases_are_runs_of_syllables() -> None:
    text = (
        "Tìm kiếm lai kết hợp BM25 với truy hồi ngữ nghĩa. Cơ sở dữ liệu vectơ lưu các nhúng. "
        "Cơ sở dữ liệu vectơ trả lời các truy vấn. Ông Trần Hưng viết rằng tìm kiếm lai là tốt."
    )
    found = key_phrases(text)
    assert found[:2] == ["cơ sở dữ liệu vectơ", "tìm kiếm lai"]
    assert "Ông Trần Hưng" in found


def test_chinese_phrases_are_runs_of_characters() -> None:
    text = (
        "向量数据库存储文本的嵌入。使用向量数据库可以回答最近邻查询。倒排索引是搜索引擎的核心，"
        "倒排索引记录了每个词出现的位置。搜索引擎和 PostgreSQL 都使用倒排索引。"
    )
    assert key_phrases(text, limit=3) == ["倒排索引", "向量数据库", "搜索引擎"]
    assert "PostgreSQL" in key_phrases(text)


def test_names_keep_their_case_and_words_do_not() -> None:
    found = key_phrases("Search engines use Apache Lucene. Search engines love Apache Lucene.")
    assert found == ["Apache Lucene", "search engines"]


def test_what_stands_in_title_or_headings_comes_first() -> None:
    text = "alpha beta, gamma delta, alpha beta, gamma delta, epsilon zeta, epsilon zeta"
    assert key_phrases(text, "Gamma Delta", limit=1) == ["gamma delta"]
    assert key_phrases(text, headings=["Epsilon zeta"], limit=1) == ["epsilon zeta"]


def test_a_part_of_a_phrase_stands_beside_it_only_when_much_more_frequent() -> None:
    nested = "A vector database, the vector database. A vector."
    assert key_phrases(nested) == ["vector database"]
    assert set(key_phrases(nested + " The vector." * 4)) == {"vector", "vector database"}


def test_numbers_stop_words_and_everyday_words_are_no_phrases() -> None:
    assert key_phrases("2024 and 2025. The 10 of them. Systems and data. It is what it is.") == []


def test_a_page_of_nothing_has_its_title() -> None:
    assert key_phrases("", "Foo Bar") == ["Foo Bar"]
    assert key_phrases("") == []


@given(st.text(alphabet="aBc dÉ中文的索 .,\n1", max_size=200), st.integers(0, 8))
def test_phrases_are_few_distinct_and_no_stop_words(text: str, limit: int) -> None:
    found = key_phrases(text, limit=limit)
    assert len(found) <= limit
    assert len(set(map(fold, found))) == len(found)
    assert not set(map(fold, found)) & STOP_WORDS
    assert all(any(map(str.isalpha, phrase)) for phrase in found)


@pytest.mark.parametrize(
    "title",
    ["Go", "The System", "systems", "Máy tính", "数据", "Của", "the", "C", "时", "2024", "Summary"],
)
def test_an_everyday_word_is_common(title: str) -> None:
    assert common_word(title)


@pytest.mark.parametrize(
    "title",
    [
        "C++",
        "BM25",
        "Swift",
        "Vector database",
        "Data model",
        "Cơ sở dữ liệu",
        "倒排索引",
        "Hà Nội",
    ],
)
def test_a_name_is_not_common(title: str) -> None:
    assert not common_word(title)


@pytest.mark.parametrize(
    "heading",
    [
        "Introduction", "1.2 Overview", "IV. Results", "Part 3", "**Summary:**", "See also", "3",
        "Kết luận", "Phần 2", "1) Tổng quan", "总结", "第3章 总结", "一、背景", "参考文献", "はじめに", "",
    ],
)  # fmt: skip
def test_a_heading_that_names_only_a_part_is_generic(heading: str) -> None:
    assert generic_heading(heading)


@pytest.mark.parametrize(
    "heading",
    [
        "Chapter 2: Neural nets",
        "Vitamin C",
        "B-tree",
        "C basics",
        "Introduction to BM25",
        "第3章 索引",
        "Phần mềm",
    ],
)
def test_a_heading_that_names_a_subject_is_not_generic(heading: str) -> None:
    assert not generic_heading(heading)
