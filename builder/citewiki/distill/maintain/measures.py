"""What of a page is measured when the whole wiki is looked at."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import log, sqrt

from citewiki.distill.duplicates import SAME_TEXT, Called, resemblance, twin
from citewiki.markdown.notes import parted
from citewiki.markdown.plain import plain
from citewiki.model import Page
from citewiki.text.folding import name_key
from citewiki.text.tokens import content_words, tokens

CONTAINED = 0.8
"""Share of the shorter text's shingles in the other from which it says nothing of its own: Broder
1997 calls this containment. A page that quotes another's definition stays well below."""

SAME_FORM = 0.95
"""Resemblance from which parts of one name of two documents ("get: Options", "set: Options") are
one text: such parts are alike in form and differ in what they are about."""

LEAST_PHRASES = 15
"""Shingles that a text needs for its phrases to tell: two sentences. One opening sentence may well
be the same on pages about two things."""

_SHINGLE = 4  # words, as in `duplicates`
_ONE_IN = 8  # shingles by whose hash candidates are found: Broder's sketch by modulus
_COMMON = 12  # pages that share a shingle from which it is a phrase of the house, not a copy
_TITLE = 3  # what a word of the title counts, beside one of the text


@dataclass(frozen=True, slots=True)
class Copy:
    """Two pages that say the same."""

    one: str  # slug
    other: str
    why: str


def shown(page: Page) -> str:
    """What a page says, as plain text without its footnotes."""
    return plain(parted(page.body)[0])


# -- copies -------------------------------------------------------------------------------------


def copies(pages: Iterable[Page]) -> list[Copy]:
    """Pairs of pages that say nearly the same, or that share a name and speak of it.

    Only pages of one owner and the same readers are compared: one cannot stand for the other else.
    """
    by_slug = {page.slug: page for page in pages}
    shingles = {slug: _shingles(shown(page)) for slug, page in by_slug.items()}
    found: list[Copy] = []
    for one, other in _candidates(by_slug.values(), shingles):
        first, second = by_slug[one], by_slug[other]
        if (first.owner, set(first.shared_with)) != (second.owner, set(second.shared_with)):
            continue
        why = _same(first, second, shingles)
        if why:
            found.append(Copy(one, other, why))
    return found


def _candidates(
    pages: Iterable[Page], shingles: dict[str, frozenset[tuple[str, ...]]]
) -> list[tuple[str, str]]:
    """Pairs (by slug, ascending) that share a name or a shingle of their sketches."""
    pages = list(pages)
    pairs: set[tuple[str, str]] = set()
    called = Called(pages)
    for page in pages:
        same = called.by((page.title, *page.aliases))
        pairs |= {(min(page.slug, slug), max(page.slug, slug)) for slug in same}
    holding: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for slug, found in shingles.items():
        for shingle in _sketch(found):
            holding[shingle].append(slug)
    for slugs in holding.values():
        if len(slugs) <= _COMMON:
            pairs |= set(combinations(sorted(slugs), 2))
    return sorted(pair for pair in pairs if pair[0] != pair[1])


def _same(one: Page, other: Page, shingles: dict[str, frozenset[tuple[str, ...]]]) -> str:
    """Why two pages are one; "" when they are not."""
    ours, theirs = shingles[one.slug], shingles[other.slug]
    alike = resemblance(ours, theirs)
    if _parallel(one.title, other.title):
        return f"{alike:.0%} of their phrases are the same" if alike >= SAME_FORM else ""
    if min(len(ours), len(theirs)) < LEAST_PHRASES:
        alike = 0.0
    if alike >= SAME_TEXT:
        return f"{alike:.0%} of their phrases are the same"
    shorter, longer = sorted((one, other), key=lambda page: len(shingles[page.slug]))
    inside = len(ours & theirs) / (len(shingles[shorter.slug]) or 1)
    if inside >= CONTAINED and len(shingles[shorter.slug]) >= LEAST_PHRASES:
        return f"{inside:.0%} of the phrases of “{shorter.title}” stand in “{longer.title}”"
    if set(Called([one]).by((other.title, *other.aliases))):
        found = twin(one, other, named=True)
        if found and found.sure:
            return "they go by one name, and speak of the same"
    return ""


def _parallel(one: str, other: str) -> bool:
    """Whether two titles name the same part of two documents: "A: Options", "B: Options"."""
    document, _, part = one.rpartition(": ")
    second, _, same = other.rpartition(": ")
    apart = name_key(document) != name_key(second)
    return bool(document and second) and apart and name_key(part) == name_key(same)


def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    terms = tokens(text)
    count = max(1, len(terms) - _SHINGLE + 1)
    return frozenset(tuple(terms[at : at + _SHINGLE]) for at in range(count)) if terms else _NONE


_NONE: frozenset[tuple[str, ...]] = frozenset()


def _sketch(shingles: frozenset[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """Some of the shingles, the same ones in every text; all of a short text's."""
    if len(shingles) <= 8 * _ONE_IN:
        yield from shingles
        return
    for shingle in shingles:
        if hashlib.blake2b("\0".join(shingle).encode(), digest_size=2).digest()[0] % _ONE_IN == 0:
            yield shingle


# -- matters ------------------------------------------------------------------------------------


class Matters:
    """What domains are about: the words of their pages, each page weighing the same."""

    def __init__(self, pages: Iterable[Page]) -> None:
        bags = {page.slug: (page.domain, _bag(page)) for page in pages if page.domain}
        spread = Counter(word for _, bag in bags.values() for word in bag)
        self._idf = {word: log(len(bags) / seen) for word, seen in spread.items()}
        self._vectors = {slug: self._vector(bag) for slug, (_, bag) in bags.items()}
        self._domain = {slug: domain for slug, (domain, _) in bags.items()}
        self.sizes = Counter(self._domain.values())
        self._sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for slug, vector in self._vectors.items():
            for word, weight in vector.items():
                self._sums[self._domain[slug]][word] += weight
        self._squares = {
            domain: sum(weight * weight for weight in total.values())
            for domain, total in self._sums.items()
        }

    def nearness(self, slug: str) -> dict[str, float]:
        """The cosine of a page to each domain, 0..1; to its own as if it were not in there.

        Sub-linear counts times idf (Salton & Buckley 1988), domains as sums of unit vectors
        (Rocchio's centroids).
        """
        vector = self._vectors.get(slug, {})
        return {
            domain: self._cosine(vector, domain, own=domain == self._domain.get(slug))
            for domain in self._sums
        }

    def words(self, slug: str, domain: str, limit: int = 5) -> list[str]:
        """The words that speak most for a page's being of that domain."""
        vector, total = self._vectors[slug], self._sums[domain]
        shared = {word: vector[word] * total[word] for word in vector if word in total}
        return sorted(shared, key=lambda word: (-shared[word], word))[:limit]

    def _vector(self, bag: Counter[str]) -> dict[str, float]:
        weights = {word: (1 + log(count)) * self._idf[word] for word, count in bag.items()}
        norm = sqrt(sum(weight * weight for weight in weights.values())) or 1.0
        return {word: weight / norm for word, weight in weights.items() if weight}

    def _cosine(self, vector: dict[str, float], domain: str, *, own: bool) -> float:
        total = self._sums[domain]
        dot = sum(weight * total[word] for word, weight in vector.items() if word in total)
        square = self._squares[domain]
        if own:  # take the page out of the sum: its vector has length 1
            square += 1 - 2 * dot if vector else 0
            dot -= 1 if vector else 0
        return max(0.0, dot) / sqrt(square) if square > 1e-9 else 0.0


def _bag(page: Page) -> Counter[str]:
    bag = Counter(content_words(f"{page.summary}\n{' · '.join(page.tags)}\n{shown(page)}"))
    for word in content_words(page.title):
        bag[word] += _TITLE
    return bag
