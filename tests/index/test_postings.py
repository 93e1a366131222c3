"""Postings: sets of pages by term that follow every change."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.postings import SCHEMA, Bitmap, Postings, holding

TERMS = st.frozensets(st.sampled_from("abcdef"))
PIDS = st.integers(1, 6) | st.sampled_from((7, 8, 64, 200, 5000))  # near together and far apart
STATES = st.lists(st.dictionaries(PIDS, TERMS), min_size=1, max_size=5)


@given(STATES)
def test_after_any_changes_each_term_is_held_by_the_pages_that_hold_it_now(
    states: list[dict[int, frozenset[str]]],
) -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    before: dict[int, frozenset[str]] = {}
    for state in states:
        changes = Postings()
        for pid in before.keys() | state.keys():
            changes.change(pid, before.get(pid, ()), state.get(pid, ()))
        changes.write(database)
        before = state
        expected = {
            term: frozenset(pid for pid, terms in state.items() if term in terms)
            for term in frozenset().union(*state.values())
        }
        assert holding(database, list("abcdef")) == expected


def test_a_term_of_many_pages_is_kept_as_bits_and_one_of_few_as_numbers() -> None:
    database = sqlite3.connect(":memory:")
    database.executescript(SCHEMA)
    changes = Postings()
    for pid in range(1, 1001):
        changes.change(pid, (), ("often", "seldom") if pid % 500 == 0 else ("often",))
    changes.write(database)
    pages = holding(database, ["often", "seldom"])
    assert isinstance(pages["often"], Bitmap)
    assert len(pages["often"]) == 1000
    assert {0, 1, 1000, 1001, 90_000} & pages["often"] == [1, 1000]
    assert pages["seldom"] == frozenset((500, 1000))
