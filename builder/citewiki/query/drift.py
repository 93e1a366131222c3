"""Drift: sentences of different pages that say the same of the same, with another value.

Every page is looked through roughly once, for sentences that share their rarest words with one of
another page; only those are read as Markdown (`sentences`) and compared word by word (`disagree`).
So the work is linear in the text, and most of it is splitting strings.
"""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise, product
from operator import attrgetter
from typing import NamedTuple

from citewiki.markdown.plain import plain
from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Drift, Page
from citewiki.query.blocking import Blocking
from citewiki.text.disagree import Difference, difference
from citewiki.text.folding import fold
from citewiki.text.statements import Statement, read_clauses
from citewiki.text.subjects import kinds, with_subject
from citewiki.text.tokens import content_words, is_unspaced
from citewiki.text.words import COMMON_WORDS, STOP_WORDS

FEWEST_WORDS, MOST_WORDS = 2, 40  # of a statement; more is a list or a tale
RAREST = 4  # words of a sentence that others share; it is found by pairs of them
LARGEST_BLOCK = 40  # sentences that share a pair of words
SHARED = 0.5  # share of the shorter sentence's words that the other has, if they state the same
UNSHARED = 6  # words that each may have alone: a value and what goes with it
MOST_PLACES = 3  # where such words stand together: a value, a circumstance, another clause

_ENDS = re.compile(  # the set at its beginning is what the engine can look for quickly
    r"[.!?。！？；\n](?:(?<=[.!?])\s+|(?<=[。！？；])|(?<=\n)\s*(?=\n|[-*+>|#]|\d+[.)]))"
)
_ASCII_LETTERS = {code: chr(code) if chr(code).isalpha() else " " for code in range(128)}
_WORD = re.compile(r"[^\W\d_]+")
_POINTS = re.compile(r"\s*(?:the|it|s?he|they|nó|ông|bà|[它他她其])(?![a-z])", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_LAST_SPACED = "\u0e00"  # from Thai on, scripts may write no spaces; asked first, as it is quick

_BLOCKING = Blocking(
    STOP_WORDS,
    fewest=FEWEST_WORDS,
    most=MOST_WORDS,
    rarest=RAREST,
    largest=LARGEST_BLOCK,
    shared=SHARED,
    unshared=UNSHARED,
)


class _Rough(NamedTuple):
    """A stretch of a body that may be a sentence."""

    page: Page
    start: int
    end: int
    words: frozenset[str] = frozenset()  # that count; left out where they have been compared

    @property
    def text(self) -> str:
        return self.page.body[self.start : self.end]


class Stretches(NamedTuple):
    """What may be sentences of a body and is to be compared, in its order."""

    starts: array[int]
    ends: array[int]
    words: tuple[str, ...]  # of each those that count, parted by tabs


def drift_pairs(
    pages: Iterable[Page], known: MutableMapping[str, Stretches] | None = None
) -> list[Drift]:
    """All pairs of pages that disagree, each with one pair of sentences; by titles.

    Pages whose times do not overlap do not disagree, nor do those that say under what condition
    both hold. `known` are stretches of pages by path, as they were found before; those of other
    pages are put there.
    """
    every = list(pages)
    found = _first_of_each(_candidates(every, {} if known is None else known), _names(every))
    return sorted((each for each in found if not each.scope), key=lambda drift: drift.titles)


def disagreements(quotes: Sequence[tuple[Page, str]], pages: Iterable[Page]) -> list[Drift]:
    """Where what `quotes` say (page, words of its body) is said otherwise on one of `pages`.

    Those that a page has settled are among them, with their `scope`.
    """
    every = list(pages)
    said: list[_Rough] = []
    for page, quote in quotes:
        start = page.body.find(quote)
        if start >= 0:
            said.append(_Rough(page, start, start + len(quote), _words(quote, page)))
    others = [each for page in every for each in _roughly(page)]
    pairs = ((one, other) for one in said for other in others if _near(one, other))
    return _first_of_each(pairs, _names(every))


def _first_of_each(pairs: Iterable[tuple[_Rough, _Rough]], names: Mapping[str, str]) -> list[Drift]:
    """The first open drift of each pair of pages, or else the first that is settled."""
    opened: dict[tuple[str, ...], Drift] = {}
    settled: dict[tuple[str, ...], Drift] = {}
    reader = _Reader(names)
    for one, other in pairs:
        key = tuple(sorted((one.page.path, other.page.path)))
        if key not in opened and _overlap(one.page, other.page) and reader.may_differ(one, other):
            for drift in reader.drifts(one, other):
                (settled if drift.scope else opened).setdefault(key, drift)
    return [*opened.values(), *(drift for key, drift in settled.items() if key not in opened)]


class _Reader:
    """Reads stretches of pages, and whole pages only where two stretches seem to differ."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names  # name of a page → the page
        self._stretches: dict[tuple[str, int], list[tuple[Statement, ...]]] = {}
        self._pages: dict[str, list[Sentence]] = {}

    def may_differ(self, one: _Rough, other: _Rough) -> bool:
        """Whether two stretches disagree, each read as if it were a page."""
        pairs = product(self._alone(one), self._alone(other))
        return any(_contrast(one.page, a, other.page, b, self._names) for a, b in pairs)

    def drifts(self, one: _Rough, other: _Rough) -> Iterator[Drift]:
        """How the sentences of two stretches disagree, as they stand on their pages."""
        for first, second in product(self._within(one), self._within(other)):
            said = _statements(one.page, first), _statements(other.page, second)
            differs = _contrast(one.page, said[0], other.page, said[1], self._names)
            if differs:
                yield _drift((one.page, first, differs.one), (other.page, second, differs.other))

    def _alone(self, rough: _Rough) -> list[tuple[Statement, ...]]:
        key = (rough.page.path, rough.start)
        if key not in self._stretches:
            self._stretches[key] = [
                _statements(rough.page, sentence) for sentence in sentences(rough.text)
            ]
        return self._stretches[key]

    def _within(self, rough: _Rough) -> list[Sentence]:
        """The sentences that a stretch has a part of."""
        every = self._pages.get(rough.page.path)
        if every is None:
            every = self._pages[rough.page.path] = sentences(rough.page.body)
        first = bisect_right(every, rough.start, key=attrgetter("end"))
        last = bisect_left(every, rough.end, key=attrgetter("start"))
        return every[first:last]


def _stretches(page: Page) -> Iterator[tuple[int, int, Iterable[str]]]:
    """Start, end and words of what may be sentences; words may come twice, or say nothing."""
    body = page.body
    ascii = body.lower().translate(_ASCII_LETTERS) if body.isascii() else ""
    start = 0
    for match in [*_ENDS.finditer(body), None]:
        end = match.start() if match else len(body)
        if end - start < 12 * MOST_WORDS:
            if ascii and not _POINTS.match(body, start, end):
                yield start, end, ascii[start:end].split()
            else:
                yield start, end, _words(body[start:end], page)
        start = match.end() if match else end


def _roughly(page: Page) -> Iterator[_Rough]:
    for start, end, words in _stretches(page):
        if counted := _BLOCKING.counted(words):
            yield _Rough(page, start, end, counted)


def _looked_through(page: Page) -> Stretches:
    rough = list(_roughly(page))
    return Stretches(
        array("i", [each.start for each in rough]),
        array("i", [each.end for each in rough]),
        tuple(["\t".join(each.words) for each in rough]),
    )


def _words(text: str, page: Page) -> frozenset[str]:
    """The words of a stretch of Markdown; of scripts without spaces pairs of letters."""
    if not text.isascii() or _POINTS.match(text):
        text = with_subject(text.lstrip(), page.title, kinds(page.title, page.body))
    words = _WORD.findall(text.lower())
    if text.isascii():
        return frozenset(words) - STOP_WORDS
    found: set[str] = set()
    for word in words:
        if word[0] > _LAST_SPACED and is_unspaced(word):
            found.update(map("".join, pairwise(word)))
        else:
            found.add(fold(word))
    return frozenset(found) - STOP_WORDS


def _candidates(
    pages: Sequence[Page], known: MutableMapping[str, Stretches]
) -> Iterator[tuple[_Rough, _Rough]]:
    """Pairs of stretches of different pages that share two of the rarest words of both."""
    numbers, starts, ends = array("i"), array("i"), array("i")  # of the page; in it

    def texts() -> Iterator[list[str]]:
        for number, page in enumerate(pages):
            found = known.get(page.path)
            if found is None:
                found = known[page.path] = _looked_through(page)
            numbers.extend([number] * len(found.starts))
            starts.extend(found.starts)
            ends.extend(found.ends)
            for words in found.words:
                yield words.split("\t")

    for pair in _BLOCKING.neighbours(texts()):
        one, other = (_Rough(pages[numbers[at]], starts[at], ends[at]) for at in pair)
        if _apart(one, other) and not _scattered(one, other):
            yield one, other


def _near(one: _Rough, other: _Rough) -> bool:
    """Whether two stretches of two pages have words enough in common to state the same."""
    return _BLOCKING.alike(one.words, other.words) and _apart(one, other)


def _apart(one: _Rough, other: _Rough) -> bool:
    """Whether two stretches are of two pages, and not word for word the same."""
    return one.page.path != other.page.path and one.text != other.text


def _scattered(one: _Rough, other: _Rough) -> bool:
    """Whether words that only one stretch has stand in more places than a value and the like take.

    Only of plain English letters, where it is told without reading; a quick look before that.
    """
    if not (one.text.isascii() and other.text.isascii()):
        return False
    first, second = (each.text.lower().translate(_ASCII_LETTERS).split() for each in (one, other))
    return max(_places(first, second), _places(second, first)) > MOST_PLACES


def _places(words: Sequence[str], others: Sequence[str]) -> int:
    """In how many places words stand that are not among `others`; function words do not count."""
    alone = [word not in others for word in words if word not in STOP_WORDS]
    return sum(here and not before for before, here in pairwise((False, *alone)))


def _contrast(
    page: Page,
    said: Sequence[Statement],
    other_page: Page,
    others: Sequence[Statement],
    names: Mapping[str, str],
) -> Difference | None:
    """The first difference of what two sentences state."""
    if _editions(page.title, other_page.title):
        return None
    pairs = product(said, others)
    found = (_excluded(page, first, other_page, second, names) for first, second in pairs)
    return next(filter(None, found), None)


def _statements(page: Page, sentence: Sentence) -> tuple[Statement, ...]:
    return read_clauses(sentence.text, page.title, kinds(page.title, page.body))


def _excluded(
    page: Page, first: Statement, other_page: Page, second: Statement, names: Mapping[str, str]
) -> Difference | None:
    """The difference of two statements, where both speak of one thing for certain."""
    found = difference(first, second, names)
    if found is None or found.subject == "named":
        return found
    shared = frozenset(first.keys) & frozenset(second.keys)
    if found.subject == "described":
        things = [_named(each, shared) for each in (page, other_page)]
        return found if not all(things) or _nested(*things) else None
    if _titled(page, shared) and _titled(other_page, shared):
        return found  # “the pier” on “Pier” and on “Pier survey”
    titles = [frozenset(content_words(each.title)) - shared for each in (page, other_page)]
    return found if all(titles) and _nested(*titles) else None


def _titled(page: Page, shared: frozenset[str]) -> bool:
    """Whether a page is called by words that are `shared`, and beside them by no name."""
    words = [(word, frozenset(content_words(word))) for word in _WORD.findall(page.title)]
    told = [bool(terms & shared) for _, terms in words]
    return any(told) and all(
        tells or word.islower() or not terms
        for (word, terms), tells in zip(words, told, strict=True)
    )


def _nested(one: frozenset[str], other: frozenset[str]) -> bool:
    return one <= other or other <= one


def _editions(one: str, other: str) -> bool:
    """Whether two titles differ in nothing but a number: of two years, versions or parts."""
    return one != other and _DIGITS.sub("#", one) == _DIGITS.sub("#", other)


def _named(page: Page, shared: frozenset[str]) -> frozenset[str]:
    """The names in a title, beside words that are `shared`: those its body never writes small."""
    words = frozenset(word for word in _WORD.findall(page.title) if word[0].isupper())
    return frozenset(
        word.lower()
        for word in words
        if word in page.body
        and word.lower() not in page.body
        and word.lower() not in COMMON_WORDS
        and not shared & frozenset(content_words(word))
    )


def _names(pages: Iterable[Page]) -> dict[str, str]:
    """Every name of a page → the page: two names of one page are no two values."""
    return {fold(name): page.path for page in pages for name in (page.title, *page.aliases)}


def _overlap(one: Page, other: Page) -> bool:
    """Whether there is a moment at which both hold; half-open intervals, missing bounds open."""
    if one.superseded_by == other.slug or other.superseded_by == one.slug:
        return False
    ends = [page.valid_until for page in (one, other) if page.valid_until]
    starts = [page.valid_from for page in (one, other) if page.valid_from]
    return not (ends and starts) or max(starts) < min(ends)


def _drift(*told: tuple[Page, Sentence, str]) -> Drift:
    """The drift of two pages, each with what it says; the newer page comes first."""
    (new, said, value), (old, said_before, before) = sorted(
        told, key=lambda each: _since(each[0]), reverse=True
    )
    if not (value or before):  # one says "not"
        value, before = f"“{said.text}”", f"“{said_before.text}”"
    key = _key(said.quote, said_before.quote)
    return Drift(
        pages=(new.slug, old.slug),
        titles=(new.title, old.title),
        quotes=(said.quote, said_before.quote),
        message=f"“{new.title}” says {value}, “{old.title}” says {before}",
        key=key,
        scope=_scope(new, old, key) or _scope(old, new, key),
    )


def _key(*quotes: str) -> str:
    """What two sentences go by, in either order; markup and spaces do not count."""
    plainly = sorted(" ".join(plain(quote).split()) for quote in quotes)
    return hashlib.sha256("\n".join(plainly).encode()).hexdigest()[:12]


def _scope(page: Page, other: Page, key: str) -> str:
    """The condition under which `page` holds beside `other`, as it says; "" when it does not."""
    said = (each for each in page.scopes if each.beside == other.slug and each.of in ("", key))
    return next((each.note or "as it says" for each in said), "")


def _since(page: Page) -> datetime:
    return page.valid_from or page.ingested_at or datetime.min.replace(tzinfo=UTC)
