"""The words of a question, each with what it counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citewiki.query.terms import Weighed
from citewiki.text.folding import fold
from citewiki.text.tokens import is_unspaced, query_terms, tokens

_UNKNOWN_PAIR = 0.3
"""What a pair of characters that no page has counts, against a word: most cross its border."""

NAMES_THE_ANSWER = frozenset(
    "value number amount quantity figure year date day month name kind type sort reason cause "
    "place person way percentage share size length long many much giá trị số năm ngày tên loại "
    "lý do cách nơi".split()
)
"""Words that say what sort of answer is wanted: pages that give it need not use them."""


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a question; of scripts without spaces, its pairs of characters."""

    weights: dict[str, float]  # of every word that some page has: its idf
    forms: dict[str, tuple[str, ...]]  # index term → the words that it is a form of
    whole: float  # the weights together, with words that no page has as if they were the rarest
    missing: tuple[str, ...]  # words that no page has
    pairs: tuple[tuple[str, str], ...]  # terms that stand side by side

    def held(self, terms: Iterable[str]) -> frozenset[str]:
        """The words of which some form is among `terms`."""
        return frozenset(word for term in terms for word in self.forms.get(term, ()))

    def held_in(self, text: str) -> frozenset[str]:
        """The words that `text` holds in any form."""
        return self.held(tokens(text))

    def share(self, words: Iterable[str]) -> float:
        """What these words are of the whole question, 0..1."""
        return sum(self.weights[word] for word in words) / self.whole if self.whole else 0.0

    def side_by_side(self, terms: Sequence[str]) -> float:
        """Share of the question's neighbours that stand side by side, or one word apart, here."""
        if not self.pairs:
            return 0.0
        near = set(pairwise(terms)) | set(zip(terms, terms[2:], strict=False))
        return sum(pair in near for pair in self.pairs) / len(self.pairs)

    @property
    def rarest(self) -> list[str]:
        """The words, the rarest first; those that no page has come before all."""
        return [*self.missing, *sorted(self.weights, key=lambda word: -self.weights[word])]


def asked_words(text: str, weighed: Weighed) -> AskedWords:
    """The words of the question `text`, as `weigh` found them in the wiki."""
    weights: dict[str, float] = {}
    forms: dict[str, list[str]] = {}
    for term in weighed.terms:
        word = term.text if is_unspaced(term.word) else term.word
        weights[word] = max(weights.get(word, 0.0), term.idf)
        forms.setdefault(term.text, []).append(word)
    spaced = tuple(
        word
        for word in weighed.missing
        if not is_unspaced(word) and fold(word) not in NAMES_THE_ANSWER
    )
    unknown = _unknown_pairs(text, {term.text for term in weighed.terms})
    rarest = max(weights.values(), default=0.0)
    whole = sum(weights.values()) + rarest * (len(spaced) + _UNKNOWN_PAIR * len(unknown))
    return AskedWords(
        weights,
        {term: tuple(words) for term, words in forms.items()},
        whole,
        (*spaced, *unknown),
        weighed.pairs,
    )


def _unknown_pairs(text: str, known: Collection[str]) -> list[str]:
    return [
        term.text
        for term in query_terms(text)
        if is_unspaced(term.words) and term.text not in known
    ]
