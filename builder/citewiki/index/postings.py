"""Which pages hold a term, as sets to be asked page by page.

The word index ranks pages; whether one certain page holds a term it can only tell by a query. When
links are followed that is asked of hundreds of pages, and a set answers within 50 ns.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citewiki.index.analysis import Analysed

SCHEMA = """
CREATE TABLE IF NOT EXISTS postings (term TEXT PRIMARY KEY, pids BLOB) WITHOUT ROWID;
"""
_TITLE = "="  # before a term that stands in the title; no term starts with it
_CALLED = "~"  # before a whole title or alias


def in_title(term: str) -> str:
    """The key of the pages that have `term` in their title."""
    return _TITLE + term


def called(name: str) -> str:
    """The key of the pages that have the title or alias `name`."""
    return _CALLED + name


class Postings:
    """Changes to which pages hold which terms, gathered and then written at once."""

    def __init__(self) -> None:
        self._more: dict[str, array[int]] = {}
        self._less: dict[str, set[int]] = {}

    def change(self, pid: int, before: Iterable[str], after: Iterable[str]) -> None:
        """Page `pid` held the keys `before`, and holds `after` now."""
        before, after = set(before), set(after)
        for key in after - before:
            self._more.setdefault(key, array("I")).append(pid)
        for key in before - after:
            self._less.setdefault(key, set()).add(pid)

    def write(self, database: sqlite3.Connection) -> None:
        """Put the changes into the table."""
        fresh = not database.execute("SELECT 1 FROM postings LIMIT 1").fetchone()
        for key in sorted(self._more.keys() | self._less.keys()):
            pids = array("I") if fresh else _read(database, key)
            if less := self._less.get(key):
                pids = array("I", [pid for pid in pids if pid not in less])
            pids += self._more.get(key, array("I"))
            if pids:
                row = (key, pids.tobytes())
                database.execute("INSERT OR REPLACE INTO postings VALUES (?, ?)", row)
            else:
                database.execute("DELETE FROM postings WHERE term = ?", (key,))


def keys_of(page: Analysed) -> list[str]:
    """All keys that a page is found under."""
    return [
        *page.terms.split(),
        *map(in_title, page.title.split()),
        *map(called, page.called),
    ]


def holding(database: sqlite3.Connection, keys: Sequence[str]) -> dict[str, frozenset[int]]:
    """The pages that hold each of `keys`; keys that no page holds are left out."""
    marks = ",".join("?" * len(keys))
    rows = database.execute(f"SELECT term, pids FROM postings WHERE term IN ({marks})", keys)
    return {term: frozenset(array("I", pids)) for term, pids in rows}


def _read(database: sqlite3.Connection, key: str) -> array[int]:
    row = database.execute("SELECT pids FROM postings WHERE term = ?", (key,)).fetchone()
    return array("I", row[0]) if row else array("I")
