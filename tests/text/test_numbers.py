"""Numbers: read in every spelling, compared by value."""

from __future__ import annotations

import pytest

from citewiki.text.numbers import Value, values


def said(text: str) -> list[float]:
    return [value.number for value in values(text)]


def only(text: str) -> Value:
    (value,) = values(text)
    return value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234.50 and 19 999", [1234.5, 19999]),
        ("5.5 million, 1.2亿 and 90 triệu", [5.5e6, 1.2e8, 9e7]),
        ("twenty-one of three", [21, 3]),
        ("on 27 July 1953", [27, 1953, 7]),
        ("vitamin B12, IL-10 and CD4", []),
        ("一", []),
    ],
)
def test_numbers_are_read_from_digits_words_and_scales(text: str, expected: list[float]) -> None:
    assert said(text) == expected


def test_a_number_agrees_with_the_one_that_it_is_rounded_from_unless_strict() -> None:
    rounded, exact = only("5.5 million"), only("5,520,000")
    assert rounded.agrees(exact)
    assert not rounded.agrees(exact, strict=True)
    assert not exact.agrees(rounded)


def test_years_and_counts_have_to_be_equal() -> None:
    assert not only("1900").agrees(only("1920"))
    assert only("about 100").agrees(only("103"))


def test_percents_are_no_plain_numbers() -> None:
    assert only("40 %").agrees(only("40 percent"))
    assert only("40 %").unit == "%"
