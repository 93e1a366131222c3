"""Times as the index holds them, and which pages they leave outside."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from datetime import datetime

from citewiki.index.postings import Bitmap, marked

OPEN_START, OPEN_END = -(1 << 60), 1 << 60  # seconds; bounds that a page does not state


def seconds(moment: datetime | None, missing: int) -> int:
    """A time as seconds of the epoch."""
    return missing if moment is None else int(moment.timestamp() // 1)


NOWHERE = Bitmap(b"")
"""No page."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The times of all pages in seconds, by page number; half-open, missing bounds open."""

    starts: array[int]  # a page holds from here on …
    ends: array[int]  # … until before this
    known: array[int]  # the wiki has held it since …
    away: array[int]  # … and put it away then
    settled: array[int]  # when it recorded a successor, and with it the end

    def outside(self, as_of: int | None, known_at: int | None) -> Bitmap:
        """The pages that do not hold at `as_of`, or that the wiki did not have at `known_at`.

        Who stands at `known_at` does not know of an end that was recorded later.
        """
        pids: list[int] = []
        if as_of is not None:
            ends = self.ends
            if known_at is not None:
                known_later = zip(ends, self.settled, strict=True)
                ends = array("q", [OPEN_END if at > known_at else end for end, at in known_later])
            pids += _outside(self.starts, ends, as_of)
        if known_at is not None:
            pids += _outside(self.known, self.away, known_at)
        return Bitmap(marked(b"", pids, ())) if pids else NOWHERE


def _outside(starts: array[int], ends: array[int], at: int) -> list[int]:
    pairs = enumerate(zip(starts, ends, strict=True))
    return [pid for pid, (start, end) in pairs if not start <= at < end]
