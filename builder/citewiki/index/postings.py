"""Which pages hold a term, as sets to be asked page by page.

The word index ranks pages; whether one certain page holds a term it can only tell by a query. When
links are followed that is asked of hundreds of pages, and a set answers within 50 ns. A term that
many pages hold is kept as a bit for each page instead: that is read at once, whereas a set of
10,000 numbers takes longer to make than the whole question takes otherwise.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewiki.index.analysis import Analysed

SCHEMA = """
CREATE TABLE IF NOT EXISTS postings (
    term TEXT PRIMARY KEY,
    pids BLOB,  -- page numbers of 32 bits each …
    bits BLOB   -- … or, when they take more room than this, a bit for each page, lowest first
) WITHOUT ROWID;
"""
_NUMBER = 32  # bits of a page number
_TITLE = "="  # before a term that stands in the title; no term starts with it
_CALLED = "~"  # before a whole title or alias


def in_title(term: str) -> str:
    """The key of the pages that have `term` in their title."""
    return _TITLE + term


def called(name: str) -> str:
    """The key of the pages that have the title or alias `name`."""
    return _CALLED + name


class Bitmap(Set[int]):
    """Page numbers, a bit for each."""

    __slots__ = ("bits",)

    def __init__(self, bits: bytes) -> None:
        self.bits = bits

    def __contains__(self, pid: object) -> bool:
        return isinstance(pid, int) and bool(self & {pid})

    def __iter__(self) -> Iterator[int]:
        return iter(self & range(8 * len(self.bits)))

    def __len__(self) -> int:
        return int.from_bytes(self.bits).bit_count()

    def shared(self, other: Bitmap) -> int:
        """How many pages are in both."""
        both = int.from_bytes(self.bits, "little") & int.from_bytes(other.bits, "little")
        return both.bit_count()

    def __and__(self, pids: Iterable[Any]) -> list[int]:  # type: ignore[override]
        """Those of `pids` that are in it."""
        bits = self.bits
        end = 8 * len(bits)
        return [pid for pid in pids if pid < end and bits[pid >> 3] >> (pid & 7) & 1]

    __rand__ = __and__


Pages = frozenset[int] | Bitmap
"""Page numbers: few of them, or many."""


def count_without(pages: Pages, outside: Bitmap) -> int:
    """How many of `pages` are not in `outside`."""
    if not outside.bits:
        return len(pages)
    if isinstance(pages, Bitmap):
        return len(pages) - pages.shared(outside)
    return len(pages) - len(outside & pages)


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
            pids, bits = (array("I"), b"") if fresh else _read(database, key)
            more, less = self._more.get(key, array("I")), self._less.get(key, set())
            if bits:
                bits = marked(bits, more, less)
            else:
                pids = array("I", [pid for pid in pids if pid not in less]) + more
                if pids and _NUMBER * len(pids) > max(pids):
                    pids, bits = array("I"), marked(b"", pids, ())
            if pids or any(bits):
                row = (key, pids.tobytes(), bits)
                database.execute("INSERT OR REPLACE INTO postings VALUES (?, ?, ?)", row)
            else:
                database.execute("DELETE FROM postings WHERE term = ?", (key,))


def marked(bits: bytes, more: Sequence[int], less: Iterable[int]) -> bytes:
    """The bits of a `Bitmap` with some pages put in and others taken out."""
    last = max(more, default=0) >> 3
    found = bytearray(bits.ljust(last + 1, b"\0"))
    for pid in less:
        found[pid >> 3] &= ~(1 << (pid & 7))
    for pid in more:
        found[pid >> 3] |= 1 << (pid & 7)
    return bytes(found)


def keys_of(page: Analysed) -> list[str]:
    """All keys that a page is found under."""
    return [
        *page.terms.split(),
        *map(in_title, page.title.split()),
        *map(called, page.called),
    ]


def holding(database: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Pages]:
    """The pages that hold each of `keys`; keys that no page holds are left out."""
    marks = ",".join("?" * len(keys))
    rows = database.execute(f"SELECT term, pids, bits FROM postings WHERE term IN ({marks})", keys)
    return {
        term: Bitmap(bits) if bits else frozenset(array("I", pids)) for term, pids, bits in rows
    }


def _read(database: sqlite3.Connection, key: str) -> tuple[array[int], bytes]:
    row = database.execute("SELECT pids, bits FROM postings WHERE term = ?", (key,)).fetchone()
    return (array("I", row[0]), row[1]) if row else (array("I"), b"")
