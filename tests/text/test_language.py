"""The language of questions and pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.language import language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("who wrote BM25", "en"),
        ("What is the capital of Việt Nam?", "en"),
        ("vector database", "en"),
        ("Ai là người viết BM25?", "vi"),
        ("Hà Nội", "vi"),
        ("thu do cua Viet Nam la gi", "vi"),
        ("什么是 BM25", "zh"),
        ("為什麼使用 PostgreSQL 資料庫", "zh"),
        ("BM25とは何ですか", "ja"),
        ("東京の人口はいくつ", "ja"),
        (
            "中文维基提到了电影《となりのトトロ》，但是这一整段文字是用中文写的，讲的是动画电影的历史和影响。",
            "zh",
        ),
        ("수도는 어디입니까", "ko"),
        ("เมืองหลวงของไทยคืออะไร", "th"),
        ("Кто написал «Войну и мир»", "ru"),
        ("Що таке Київ і де він є", "uk"),
        ("ما هي عاصمة مصر", "ar"),
        ("मराठी और हिन्दी", "hi"),
        ("Wer hat das geschrieben?", "de"),
        ("Was ist eine Vektordatenbank und wie wird sie benutzt", "de"),
        ("Qu'est-ce que la recherche hybride", "fr"),
        ("Où est la gare", "fr"),
        ("¿Quién escribió el Quijote?", "es"),
        ("cuál es la capital de Perú", "es"),
    ],
)
def test_a_language_is_told_by_script_letters_and_function_words(text: str, code: str) -> None:
    assert language(text) == code


@pytest.mark.parametrize("text", ["", "2024", "!?", "😀", "BM25"])
def test_nothing_tells_no_language(text: str) -> None:
    assert language(text) == ""


@given(st.text(max_size=200))
def test_any_text_has_a_code_of_two_letters_or_none(text: str) -> None:
    assert len(language(text)) in (0, 2)
