"""The words of a question, weighed by how rare they are in the wiki."""

from __future__ import annotations

import math
from dataclasses import dataclass

from citewiki.index.index import Index
from citewiki.text.language import language
from citewiki.text.tokens import neighbours, query_terms

FIELD_WEIGHTS = {
    "aliases": 1.5,
    "tags": 0.5,
    "summary": 0.5,
    "headings": 0.5,
    "body": 1.0,
}
"""What BM25 of a field counts (bench/README.md, "Retrieval: what was tried")."""

_MOST_TERMS = 48  # the rarest ones of a longer question; two queries of 24 tell who has which
_MOST_TEXT = 20_000  # characters of a question that are looked at


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question that at least one page holds."""

    text: str  # as the index holds it
    word: str  # of the question, as written
    weight: float  # 0..1: 1 for the word itself, less for its variants
    frequencies: dict[str, int]  # field → number of pages
    frequency: int  # in how many pages, at least
    idf: float  # ln(1 + (N - df + 0.5) / (df + 0.5)), times the weight; Robertson/Zaragoza 2009


@dataclass(frozen=True, slots=True)
class Weighed:
    """A question as retrieval sees it."""

    terms: tuple[Term, ...]
    missing: tuple[str, ...]  # words of the question that no page holds in any form
    pairs: tuple[tuple[str, str], ...]  # terms side by side
    language: str  # ISO 639-1; "" unknown, or the only one in the wiki

    @property
    def mass(self) -> float:
        """The weights of all terms together."""
        return sum(term.idf for term in self.terms)


def weigh(index: Index, text: str) -> Weighed:
    """The terms of `text` that the wiki holds, rarest first when there are too many."""
    text = text[:_MOST_TEXT]
    words = index.words
    terms: list[Term] = []
    missing: dict[str, None] = {}
    known: set[str] = set()
    for wanted in query_terms(text):
        frequencies = words.frequencies(wanted.text)
        if not frequencies:
            missing[wanted.words] = None
            continue
        known.add(wanted.words)
        df = max(frequencies.values())
        idf = wanted.weight * math.log(1 + (words.count - df + 0.5) / (df + 0.5))
        terms.append(Term(wanted.text, wanted.words, wanted.weight, frequencies, df, idf))
    if len(terms) > _MOST_TERMS:
        terms = sorted(terms, key=lambda term: -term.idf)[:_MOST_TERMS]
    held = {term.text for term in terms}
    pairs = tuple(pair for pair in neighbours(text) if held.issuperset(pair))
    lacking = tuple(word for word in missing if word not in known)
    return Weighed(tuple(terms), lacking, pairs, language(text) if index.multilingual else "")
