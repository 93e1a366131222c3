"""Dates of chats written as text: which of day and month comes first is told by the whole chat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

from citewiki.sources.about import moment

DATE = (
    r"(?:\d{4}년 ?\d{1,2}월 ?\d{1,2}일|\d{4}年\d{1,2}月\d{1,2}日"
    r"|\d{1,4}(?:[./-]|\. )\d{1,2}(?:[./-]|\. )\d{1,4}\.?)"
)
"""A date in numbers, as messengers write it in some locale."""

_FIELDS = re.compile(r"(\d{1,4})[-/.年년][ ]?(\d{1,2})[-/.月월][ ]?(\d{1,4})")
_AMERICAN = re.compile(r"[AP]\.?M", re.I)
_ORDERS = ((2, 1, 0), (2, 0, 1))  # day first, month first: places of year, month, day


def day_of(stamp: str) -> str:
    """The day that a time stamp names, as written; "" for a time of day alone."""
    found = re.search(DATE, stamp)
    return found[0].rstrip(".") if found else ""


def stamp_dates(stamps: Sequence[str]) -> list[datetime | None]:
    """When each stamp is, at least to the day; None for what names no day.

    Stamps that begin with the year say it themselves. For the others, a number above 12 in any of
    them decides, else the order in which time does not run backwards, else the look of the time.
    """
    fields = [_fields(stamp) for stamp in stamps]
    short = [numbers for numbers in fields if numbers and numbers[0] <= 31]
    order = _order(short, any(map(_AMERICAN.search, stamps)))
    return [
        moment(stamp) or (_date(numbers, order) if numbers else None)
        for stamp, numbers in zip(stamps, fields, strict=True)
    ]


def _fields(stamp: str) -> tuple[int, int, int] | None:
    found = _FIELDS.search(stamp)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _order(fields: Sequence[tuple[int, int, int]], american: bool) -> tuple[int, int, int]:
    if any(first > 12 for first, _, _ in fields):
        return _ORDERS[0]
    if any(second > 12 for _, second, _ in fields):
        return _ORDERS[1]
    backwards = [_backwards(fields, order) for order in _ORDERS]
    if backwards[0] != backwards[1]:
        return _ORDERS[backwards.index(min(backwards))]
    return _ORDERS[american]


def _backwards(fields: Sequence[tuple[int, int, int]], order: tuple[int, int, int]) -> int:
    """How often time would run backwards in this order."""
    ordered = [tuple(numbers[place] for place in order) for numbers in fields]
    return sum(later < earlier for earlier, later in pairwise(ordered))


def _date(numbers: tuple[int, int, int], order: tuple[int, int, int]) -> datetime | None:
    year, month, day = numbers if numbers[0] > 31 else (numbers[place] for place in order)
    try:
        return datetime(year if year > 99 else 2000 + year, month, day, tzinfo=UTC)
    except ValueError:  # no such day
        return None
