"""Spellings made comparable."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.folding import fold, name_key, nfc, quote_key, strip_marks


def test_names_in_both_unicode_forms_have_one_key() -> None:
    name = "Đường phố"
    assert name_key(unicodedata.normalize("NFD", name)) == name_key(name) == "đường phố"
    assert nfc(unicodedata.normalize("NFD", name)) == name


@pytest.mark.parametrize(
    ("one", "other"), [("  Two   words\n", "two words"), ("STRASSE", "straße"), ("A\u00a0b", "a b")]
)
def test_names_that_differ_in_case_and_space_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_names_that_differ_in_marks_or_underscores_have_different_keys() -> None:
    assert len({name_key(name) for name in ("Đa", "Da", "Dạ", "D_a", "D a")}) == 5


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Nguyễn Văn Đức", "Nguyen Van Duc"),
        ("crème brûlée", "creme brulee"),
        ("Łódź Øre", "Lodz Ore"),
        ("データベース", "データベース"),
        ("หนังสือที่", "หนังสือที่"),
        ("한국어", "한국어"),
        ("plain", "plain"),
    ],
)
def test_marks_go_from_latin_letters_only(text: str, bare: str) -> None:
    assert strip_marks(text) == bare
    assert strip_marks(unicodedata.normalize("NFD", text)) == bare


def test_compatibility_forms_and_case_fold() -> None:
    assert fold("ＢＭ２５ ﬁne İ") == fold("bm25 fine i̇")


def test_quotes_are_compared_without_layout_and_typography() -> None:
    assert quote_key("“Soft\u00adware”\n  isn’t — ﬁne") == quote_key('"Software" isn\'t - fine')


@given(st.text())
def test_every_key_is_its_own_key(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)
    assert quote_key(quote_key(text)) == quote_key(text)
    assert strip_marks(strip_marks(text)) == strip_marks(text)
    assert unicodedata.is_normalized("NFC", name_key(text))
