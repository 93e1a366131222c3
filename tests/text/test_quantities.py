"""Times and measured numbers, read in every spelling and compared by value."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.quantities import Measure, Time, quantities


def only(text: str) -> Measure | Time:
    (placed,) = quantities(text)
    return placed.quantity


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 hours", "120 minutes"),
        ("3.2 km", "3,200 metres"),
        ("1 month", "30 days"),
        ("at least 10 kg", "14 kg"),
        ("up to 10 days", "4 days"),
        ("1.5 million people", "1,500,000 people"),
        ("on 3 May 1921", "in May 1921"),
        ("3 May 1921", "1921-05-03"),
        ("ngày 3 tháng 5 năm 1921", "1921年5月3日"),
        ("9:00", "09:00"),
        ("Tuesday", "thứ ba"),
    ],
)
def test_what_may_both_be_so_does_not_exclude(one: str, other: str) -> None:
    assert not only(one).excludes(only(other))  # type: ignore[arg-type]
    assert not only(other).excludes(only(one))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2 hours", "3 hours"),
        ("at least 10 kg", "8 kg"),
        ("5 %", "7 %"),
        ("on 3 May 1921", "on 9 May 1921"),
        ("in 1921", "in 1922"),
        ("星期一", "周三"),
        ("40米", "55米"),
    ],
)
def test_what_cannot_both_be_so_excludes(one: str, other: str) -> None:
    assert only(one).excludes(only(other))  # type: ignore[arg-type]
    assert only(other).excludes(only(one))  # type: ignore[arg-type]


def test_decades_and_names_with_digits_are_no_quantities() -> None:
    assert quantities("films of the 1960s, vitamin B12") == []


@given(st.text(max_size=80))
def test_quantities_stand_in_order_and_apart(text: str) -> None:
    found = quantities(text)
    assert all(one.end <= two.start for one, two in pairwise(found))
