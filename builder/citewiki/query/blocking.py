"""Which of many texts have their rare words in common, in time linear in their length.

Blocking, as record linkage has it (Christen 2012, ch. 4): texts are put into a block for each pair
of their rarest words, and only texts of one block are compared.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, count
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

Word = TypeVar("Word", str, int)


@dataclass(frozen=True, slots=True)
class Blocking:
    """Which texts are compared, and which of those are alike."""

    ignored: Collection[str]  # words that do not count
    fewest: int  # different words of a text that is looked at …
    most: int
    rarest: int  # words of a text by pairs of which it is found
    largest: int  # texts of a block; what more texts share is a phrase, not a subject
    shared: float  # share of the shorter text's words that the longer one has at least
    unshared: int  # words of the longer one that the shorter one may lack

    def counted(self, words: Iterable[str]) -> frozenset[str]:
        """The words of a text that count; none where they are too few or too many to look at."""
        found = frozenset(words).difference(self.ignored)
        return found if self.fewest <= len(found) <= self.most else frozenset()

    def neighbours(self, texts: Iterable[Collection[str]]) -> Iterator[tuple[int, int]]:
        """Places of texts that are alike, and share two of the rarest words of both.

        `texts` are words as `counted` gives them, in any order. A pair may come more than once;
        those that share the rarest words come first.
        """
        import numpy as np

        owners, words, vocabulary = self._words(texts)
        bounds = np.searchsorted(owners, np.arange(int(owners.max(initial=-1)) + 2)).tolist()

        @cache
        def said(at: int) -> frozenset[int]:
            return frozenset(words[bounds[at] : bounds[at + 1]].tolist())

        for one, other in self._in_one_block(owners, words, vocabulary):
            if self.alike(said(one), said(other)):
                yield one, other

    def alike(self, one: frozenset[Word], other: frozenset[Word]) -> bool:
        """Whether two sets of words have enough in common."""
        shared = len(one & other)
        shorter, longer = len(one), len(other)
        if shorter > longer:
            shorter, longer = longer, shorter
        return shared >= self.shared * shorter and longer - shared <= self.unshared

    def _words(self, texts: Iterable[Collection[str]]) -> tuple[Numbers, Numbers, list[str]]:
        """Places of texts and numbers of their words, in the order of the texts; and the words."""
        import numpy as np

        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        found, lengths = array("i"), array("i")
        for text in texts:
            found.extend(map(numbers.__getitem__, text))
            lengths.append(len(text))
        owners = np.repeat(np.arange(len(lengths)), np.array(lengths))
        return owners, np.array(found, np.int64), list(numbers)

    def _in_one_block(
        self, owners: Numbers, words: Numbers, vocabulary: list[str]
    ) -> Iterator[tuple[int, int]]:
        """Places of texts that share two of the rarest words of both."""
        import numpy as np

        spread = np.bincount(words, minlength=len(vocabulary))
        shared = np.flatnonzero(spread > 1).tolist()
        shared.sort(key=lambda number: (spread[number], vocabulary[number]))
        rank = np.full(len(vocabulary), -1)
        rank[shared] = np.arange(len(shared))
        keys, places = self._keys(owners, rank[words], max(len(shared), 1))
        order = np.lexsort((places, keys))
        keys, places = keys[order], places[order]
        starts = np.flatnonzero(np.diff(keys, prepend=-1))
        sizes = np.diff(starts, append=len(keys))
        several = (sizes > 1) & (sizes <= self.largest)
        for start, size in zip(starts[several].tolist(), sizes[several].tolist(), strict=True):
            yield from combinations(places[start : start + size].tolist(), 2)

    def _keys(self, owners: Numbers, ranks: Numbers, size: int) -> tuple[Numbers, Numbers]:
        """A key for each pair of the rarest words of each text, and the text's place.

        `ranks` are those of the words, below `size`, the rarest 0; -1: no other text has it.
        """
        import numpy as np

        known = ranks >= 0
        owners, ranks = np.divmod(np.sort(owners[known] * size + ranks[known]), size)
        first = np.flatnonzero(np.diff(owners, prepend=-1))
        text = np.repeat(np.arange(len(first)), np.diff(first, append=len(owners)))
        within = np.arange(len(owners)) - first[text]
        best = np.full((len(first), self.rarest), -1)
        kept = within < self.rarest
        best[text[kept], within[kept]] = ranks[kept]
        keys, places = [], []
        for one, other in combinations(range(self.rarest), 2):
            there = best[:, other] >= 0
            keys.append(best[there, one] * size + best[there, other])
            places.append(owners[first][there])
        return np.concatenate(keys), np.concatenate(places)
