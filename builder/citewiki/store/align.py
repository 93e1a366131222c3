"""Which part of one text is which part of another: sections, and units inside a section."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from citewiki.store.parts import Section, Unit

ALIKE = 0.5
"""Share of words (for sections: of units) from which two texts are one text, edited: a decision."""

_MOST_COMPARED = 10_000
"""Pairs of units that are compared word by word; beyond that, only equal units are the same."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """What became of a base's units on one side."""

    became: tuple[Unit | None, ...]  # of every unit of the base; None: taken out
    added: tuple[tuple[Unit, ...], ...]  # before every unit of the base, and at the end


def aligned(base: Sequence[Unit], side: Sequence[Unit]) -> Aligned:
    """The units of a `base` in the units of one `side`: kept, edited, taken out, or added."""
    became: list[Unit | None] = [None] * len(base)
    added: list[list[Unit]] = [[] for _ in range(len(base) + 1)]
    # Of long texts, units that come again and again are no anchors: else the time is quadratic.
    matcher = SequenceMatcher(None, [unit.words for unit in base], [unit.words for unit in side])
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            became[first:last] = side[start:end]
            continue
        place, done = first, start
        for old, new in (*_edited(base[first:last], side[start:end]), (last - first, end - start)):
            added[place] += side[done : start + new]
            if first + old < last:
                became[first + old] = side[start + new]
            place, done = first + old + 1, start + new + 1
    return Aligned(tuple(became), tuple(map(tuple, added)))


def _edited(base: Sequence[Unit], side: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    """Pairs of units (ascending on both sides) of which the second is the first one, edited."""
    pairs = [*_alike(base, side), (len(base), len(side))]
    old = new = 0
    for last, end in pairs:
        if last - old == end - new:  # as many units between: each took the place of one
            yield from zip(range(old, last), range(new, end), strict=True)
        if last < len(base):
            yield last, end
        old, new = last + 1, end + 1


def _alike(base: Sequence[Unit], side: Sequence[Unit]) -> Iterator[tuple[int, int]]:
    if len(base) * len(side) > _MOST_COMPARED:
        return
    counts = [Counter(unit.words.split()) for unit in side]
    start = 0
    for old, unit in enumerate(base):
        words = Counter(unit.words.split())
        for new in range(start, len(side)):
            longer = max(words.total(), counts[new].total(), 1)
            if (words & counts[new]).total() >= ALIKE * longer:
                yield old, new
                start = new + 1
                break


def same_sections(base: Sequence[Section], side: Sequence[Section]) -> dict[int, int]:
    """For sections of one side, by index: which section of the base each of them is.

    One with the same headings above it; else the only one with that heading; else one that holds
    the same text under a new heading. The parts before the first heading are always the same.
    """
    found = {0: 0}
    by_path = {section.path: place for place, section in enumerate(base)}
    for place, section in enumerate(side[1:], start=1):
        if section.path in by_path:
            found[place] = by_path[section.path]
    for pairs in (_by_heading, _by_text):
        left = _left(base, found.values()), _left(side, found)
        found |= {new: old for old, new in pairs(base, side, *left)}
    return found


def _left(among: Sequence[Section], found: Iterable[int]) -> list[int]:
    return sorted(set(range(len(among))) - set(found))


def _by_heading(
    base: Sequence[Section], side: Sequence[Section], old: list[int], new: list[int]
) -> Iterator[tuple[int, int]]:
    places: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for which, (among, left) in enumerate(((base, old), (side, new))):
        for place in left:
            places[among[place].path[-2]][which].append(place)
    for before, after in places.values():
        if len(before) == len(after) == 1:
            yield before[0], after[0]


def _by_text(
    base: Sequence[Section], side: Sequence[Section], old: list[int], new: list[int]
) -> Iterator[tuple[int, int]]:
    holders: dict[str, list[int]] = defaultdict(list)
    for place in old:
        for words in {unit.words for unit in base[place].units}:
            holders[words].append(place)
    free = set(old)
    for place in new:
        units = {unit.words for unit in side[place].units}
        votes = Counter(each for words in units for each in holders.get(words, ()) if each in free)
        best = max(votes, key=lambda each: (votes[each], -each), default=None)
        if best is not None and votes[best] >= ALIKE * max(len(units), len(base[best].units)):
            free.remove(best)
            yield best, place
