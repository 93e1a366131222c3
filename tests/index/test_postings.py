"""Postings: sets of pages by term that follow every change."""

from __future__ import annotations

import sqlite3

from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.postings import SCHEMA, Postings, holding

TERMS = st.frozensets(st.sampled_from("abcdef"))
STATES = st.lists(st.dictionaries(st.integers(1, 6), TERMS), min_size=1, max_size=5)


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
