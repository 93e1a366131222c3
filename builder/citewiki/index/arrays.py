"""What following links needs of all pages, as arrays: read at once, asked within nanoseconds.

They are made again at every refresh, as one new link changes how specific many others are.
"""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any

from citewiki.index.epoch import OPEN_END, OPEN_START, Bounds

SCHEMA = """
CREATE TABLE IF NOT EXISTS arrays (name TEXT PRIMARY KEY, numbers BLOB) WITHOUT ROWID;
"""
LINKS = 8
"""Links of a page that are followed in one direction at most: the most specific ones."""

LEAST_SPECIFIC = 0.25  # links less specific than this are not followed: hubs do not flood


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The pages that links lead to in one direction, of each page the most specific ones first.

    Compressed sparse rows: what belongs to page p stands at starts[p] … starts[p + 1] - 1.
    """

    starts: array[int]
    pages: array[int]
    specific: array[float]  # 0..1, see `specificity`
    links: array[int]  # numbers of the links in the page table

    def of(self, pid: int) -> Iterator[tuple[int, float, int]]:
        """Page, specificity and number of each link of page `pid`."""
        first, end = self.starts[pid], self.starts[pid + 1]
        return zip(
            self.pages[first:end], self.specific[first:end], self.links[first:end], strict=True
        )


class Arrays:
    """The arrays as the last refresh left them, each read when it is first asked for."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    @cached_property
    def lengths(self) -> array[int]:
        """Terms in a page's body, by page number."""
        return self._read("I", "lengths")

    @cached_property
    def title_lengths(self) -> array[int]:
        """Terms in a page's title as `table.Known` has them, by page number."""
        return self._read("I", "title_lengths")

    @cached_property
    def languages(self) -> array[int]:
        """Languages as `language_number` gives them, by page number."""
        return self._read("I", "languages")

    @cached_property
    def bounds(self) -> Bounds:
        """When pages hold, and when the wiki had them."""
        return Bounds(*(self._read("q", name) for name in _BOUNDS))

    @cached_property
    def outward(self) -> Neighbours:
        """The pages that a page links."""
        return self._neighbours("outward")

    @cached_property
    def inward(self) -> Neighbours:
        """The pages that link a page."""
        return self._neighbours("inward")

    def _neighbours(self, direction: str) -> Neighbours:
        names = (f"{direction}.{part}" for part in _PARTS)
        return Neighbours(*map(self._read, _PARTS.values(), names))

    def _read(self, kind: str, name: str) -> array[Any]:
        numbers: array[Any] = array(kind)
        found = self._database.execute("SELECT numbers FROM arrays WHERE name = ?", (name,))
        for (blob,) in found:  # none where there never was a page
            numbers.frombytes(blob)
        return numbers


_BOUNDS = {
    "starts": OPEN_START,
    "ends": OPEN_END,
    "known": OPEN_START,
    "away": OPEN_END,
    "settled": OPEN_START,
}
"""Times of a page, with what stands for one that is not stated."""
_PARTS = {"starts": "I", "pages": "I", "specific": "f", "links": "q"}


def specificity(pages: int, count: int) -> float:
    """1 for what leads to one of `count` pages, 0 for what leads to all: 1 - ln(pages) / ln(N)."""
    return max(0.0, 1 - math.log(pages) / math.log(max(count, 2)))


def language_number(language: str) -> int:
    """An ISO 639-1 code as a number; 0 for none."""
    return int.from_bytes(language.encode()[:4])


def write_arrays(database: sqlite3.Connection, *, links: bool = True) -> None:
    """Make the arrays of what stands in the tables of pages, facts and links.

    Without `links` only those of facts: neither a link nor the number of pages has changed.
    """
    count, last = database.execute("SELECT count(*), coalesce(max(pid), 0) FROM pages").fetchone()
    named = _facts(database, last) | (_neighbours(database, count, last) if links else {})
    database.executemany(
        "INSERT OR REPLACE INTO arrays VALUES (?, ?)",
        [(name, numbers.tobytes()) for name, numbers in named.items()],
    )


def _facts(database: sqlite3.Connection, last: int) -> dict[str, array[Any]]:
    lengths, title_lengths, languages = (_zeros(last + 1) for _ in range(3))
    bounds = {name: array("q", [open]) * (last + 1) for name, open in _BOUNDS.items()}
    rows = database.execute(
        f"SELECT pid, length, title_length, language, {', '.join(_BOUNDS)} FROM facts"
    )
    for pid, length, title_length, language, *times in rows:
        lengths[pid] = length
        title_lengths[pid] = title_length
        languages[pid] = language_number(language)
        for seconds, moment in zip(bounds.values(), times, strict=True):
            seconds[pid] = moment
    return {
        "lengths": lengths, "title_lengths": title_lengths, "languages": languages, **bounds
    }  # fmt: skip


def _neighbours(database: sqlite3.Connection, count: int, last: int) -> dict[str, array[Any]]:
    """Both directions. A link is as specific as the larger of its two fans is small.

    Its fans: how many pages its source links, and from how many pages its target is linked.
    """
    sources, targets, links = array("I"), array("I"), array("q")
    fan_out, fan_in = _zeros(last + 1), _zeros(last + 1)
    before = (0, 0)
    for source, target, link in database.execute(
        "SELECT source, target, link FROM links WHERE target IS NOT NULL AND target <> source "
        "ORDER BY source, target, link"
    ):
        sources.append(source)
        targets.append(target)
        links.append(link)
        if before != (source, target):
            before = (source, target)
            fan_out[source] += 1
            fan_in[target] += 1
    fans = array("I", [max(fan_out[s], fan_in[t]) for s, t in zip(sources, targets, strict=True)])
    largest = int(count ** (1 - LEAST_SPECIFIC)) + 1
    followed = [place for place, fan in enumerate(fans) if fan <= largest]
    specific = {fan: specificity(fan, count) for fan in set(fans)}

    def rows(direction: str, ends: array[int], others: array[int]) -> dict[str, array[Any]]:
        sizes, best = _zeros(last + 1), array("I")
        followed.sort(key=ends.__getitem__)
        for end, group in groupby(followed, key=ends.__getitem__):
            kept = sorted(group, key=fans.__getitem__)[:LINKS]
            sizes[end] = len(kept)
            best.extend(kept)
        return {
            f"{direction}.starts": array("I", accumulate(sizes, initial=0)),
            f"{direction}.pages": array("I", [others[place] for place in best]),
            f"{direction}.specific": array("f", [specific[fans[place]] for place in best]),
            f"{direction}.links": array("q", [links[place] for place in best]),
        }

    return rows("outward", sources, targets) | rows("inward", targets, sources)


def _zeros(count: int) -> array[int]:
    return array("I", bytes(4 * count))
