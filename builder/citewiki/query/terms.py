"""The words of a question, weighed by how rare they are in the wiki."""

from __future__ import annotations

import math
from dataclasses import dataclass

from citewiki.index.epoch import NOWHERE
from citewiki.index.index import Index
from citewiki.index.postings import Bitmap, called, count_without
from citewiki.text.tokens import neighbours, own_terms, query_terms

FIELD_WEIGHTS = {
    "title": 2.0,
    "aliases": 1.5,
    "tags": 0.5,
    "summary": 0.5,
    "headings": 0.5,
    "prefixes": 0.5,
    "body": 1.0,
}
"""What a word of the question counts in a field (bench/README.md, "Retrieval: what was tried")."""

_NAMING = frozenset(("title", "aliases", "tags"))  # fields of names; a title's qualifier is a tag
_MOST_TERMS = 48  # the rarest ones of a longer question
_LONGEST_NAME = 8  # words of a title or alias that is looked for whole
_MOST_WORDS = 64  # words of a question among which names are looked for
_MOST_TEXT = 20_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question that at least one page holds."""

    text: str  # as the index holds it
    word: str  # of the question, as written
    weight: float  # 0..1: 1 for the word itself, less for its variants
    frequencies: dict[str, int]  # field → number of pages, at whatever time
    frequency: int  # in how many pages that take part, in any field
    idf: float  # ln(1 + (N - df + 0.5) / (df + 0.5)), times the weight; Robertson/Zaragoza 2009


@dataclass(frozen=True, slots=True)
class Weighed:
    """A question as retrieval sees it."""

    terms: tuple[Term, ...]
    missing: tuple[str, ...]  # words of the question that no page holds in any form
    pairs: tuple[tuple[str, str], ...]  # terms side by side
    names: tuple[tuple[str, float], ...]  # titles and aliases of pages that it holds whole, and idf
    language: str  # ISO 639-1; "" unknown, or the only one in the wiki

    @property
    def mass(self) -> float:
        """The weights of all terms together."""
        return sum(term.idf for term in self.terms)


def weigh(
    index: Index, text: str, spoken: str | None = None, *, outside: Bitmap = NOWHERE
) -> Weighed:
    """The terms of `text` that the wiki holds, rarest first when there are too many.

    `spoken` is the language of the text, found out when it is not given. Pages `outside` do not
    count.
    """
    text = text[:_MOST_TEXT]
    words = index.words
    terms: list[Term] = []
    missing: dict[str, None] = {}
    known: set[str] = set()
    nameless: set[str] = set()  # terms that no page is called by
    asked = query_terms(text)
    pages = index.holding([wanted.text for wanted in asked])
    count = words.count - len(outside)
    for wanted in asked:
        df = count_without(pages[wanted.text], outside)
        frequencies = words.frequencies(wanted.text) if df else {}
        if _NAMING.isdisjoint(frequencies):
            nameless.add(wanted.text)
        if not df:
            missing[wanted.words] = None
            continue
        known.add(wanted.words)
        idf = wanted.weight * _idf(count, df)
        terms.append(Term(wanted.text, wanted.words, wanted.weight, frequencies, df, idf))
    if len(terms) > _MOST_TERMS:
        terms = sorted(terms, key=lambda term: -term.idf)[:_MOST_TERMS]
    held = {term.text for term in terms}
    pairs = tuple(pair for pair in neighbours(text) if held.issuperset(pair))
    lacking = tuple(word for word in missing if word not in known)
    if not index.multilingual:
        spoken = ""
    elif spoken is None:
        from citewiki.text.language import language

        spoken = language(text)
    titled = {
        term.text for term in terms if "title" in term.frequencies or "aliases" in term.frequencies
    }
    names = _names(index, text, titled, nameless, outside)
    return Weighed(tuple(terms), lacking, pairs, names, spoken)


def _names(
    index: Index, text: str, titled: set[str], nameless: set[str], outside: Bitmap
) -> tuple[tuple[str, float], ...]:
    """Whole titles and aliases of several words in `text`, the longest ones, with their idf.

    `titled` are the terms that stand in titles or aliases, `nameless` those that no page is
    called by: a name holds at least one of the former and none of the latter.
    """
    asked = own_terms(text)[:_MOST_WORDS]
    found: dict[str, float] = {}
    end = 0
    for start in range(len(asked) - 1):
        longest = start
        while longest < min(len(asked), start + _LONGEST_NAME) and asked[longest] not in nameless:
            longest += 1
        for stop in range(longest, max(start + 1, end), -1):
            part = asked[start:stop]
            if titled.isdisjoint(part) or not index.words.called_frequency(name := "_".join(part)):
                continue
            key = called(name)
            if df := count_without(index.holding([key])[key], outside):
                found[name] = _idf(index.words.count - len(outside), df)
                end = stop
                break
    return tuple(found.items())


def _idf(pages: int, having: int) -> float:
    return math.log(1 + (pages - having + 0.5) / (having + 0.5))
