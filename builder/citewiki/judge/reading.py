"""A text as the judge reads it: words with what they weigh, turn, name and count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from citewiki.judge.lexicon import HAN_TURN, Turn, han_turn, turn
from citewiki.text.numbers import Value, values
from citewiki.text.sentences import sentence_spans
from citewiki.text.tokens import is_stop, tokens
from citewiki.text.words import COMMON_WORDS

_UNSPACED = "\u3041-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e01-\u0e4e\u1780-\u17d3"
_WORD = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}](?:[^\W{_UNSPACED}]|['’]|[-.](?=[^\W_]))*")
_IS_UNSPACED = re.compile(f"[{_UNSPACED}]")
_GREEK = str.maketrans(
    {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "κ": "kappa", "λ": "lambda",
     "μ": "mu", "ω": "omega"}
)  # fmt: skip

# What English words of one family differ in, longest first: inhibits, inhibitor, inhibition.
_ENDINGS = tuple(
    sorted(
        """ations ation itions ition ions ion ments ment ness ity ities ive ives ically ical ic al
        ally ous ously er ers or ors ance ances ence ences able ible ism ist ists ize izes ized
        izing ise ises ised ising ate ates ated ating ative ant ants ent ents ency ancy ed ing s es
        ly y e sis tic th ry ary ory ator ators
        """.split(),
        key=len,
        reverse=True,
    )
)
_STEM = 4  # letters that must remain of a word

NAME_WEIGHT, WORD_WEIGHT, COMMON_WEIGHT = 1.5, 1.0, 0.6
"""What a name, a word and an everyday word count. Decisions; of little influence on the figures."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text, or a pair of letters of a script that writes no spaces."""

    text: str  # as written
    keys: frozenset[str]  # by any of which it is the same as another word
    turn: Turn
    weight: float  # 0: carries no meaning of its own
    is_name: bool = False
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with its words and the numbers in it."""

    text: str
    words: tuple[Word, ...]
    keys: frozenset[str]
    values: tuple[Value, ...]

    @property
    def content(self) -> list[Word]:
        """The words that carry meaning."""
        return [word for word in self.words if word.weight]


@dataclass(frozen=True, slots=True)
class Passage:
    """A text to hold claims against: its sentences, and the short forms that it explains."""

    sentences: tuple[Sentence, ...]
    keys: frozenset[str]


def read_passage(text: str) -> Passage:
    """The passage that `text` is. Reading is cached by callers, not here."""
    spans = sentence_spans(text)
    return passage([text[start:end] for start, end in spans])


def passage(sentences: Sequence[str]) -> Passage:
    """The passage that these sentences make."""
    short = short_forms(" ".join(sentences))
    read = tuple(read_sentence(sentence, short) for sentence in sentences)
    return Passage(read, frozenset().union(*(sentence.keys for sentence in read)))


def read_sentence(text: str, short: Mapping[str, frozenset[str]] | None = None) -> Sentence:
    """The words of one sentence; `short` adds the long forms of short ones to their keys."""
    plain = unicodedata.normalize("NFKC", text).translate(_GREEK)
    words = tuple(_words(plain, short or {}))
    keys = frozenset().union(*(word.keys for word in words))
    return Sentence(text, words, keys, tuple(values(plain)))


def _words(text: str, short: Mapping[str, frozenset[str]]) -> Iterator[Word]:
    first = True
    for match in _WORD.finditer(text):
        if _IS_UNSPACED.match(match[0]):
            yield from _unspaced(match[0])
        else:
            yield _spaced(match[0], first, short)
        first = False


def _spaced(text: str, first: bool, short: Mapping[str, frozenset[str]]) -> Word:
    keys, turned, weight = _known(text)
    if text.lower() in short:
        keys |= short[text.lower()]
    is_number = text[0].isdigit()
    capital = not text.islower() and any(map(str.isupper, text[1:] if first else text))
    is_name = capital and not is_number and weight > 0
    if is_name:
        weight = NAME_WEIGHT
        turned = "" if not first and text[0].isupper() else turned  # Fallon, Gainesville
    return Word(text, keys, turned, weight, is_name, is_number)


@lru_cache(maxsize=1 << 16)
def _known(text: str) -> tuple[frozenset[str], Turn, float]:
    terms = tokens(text)
    turned = turn(text)
    if not terms:
        return frozenset((text.lower(),)), turned, 0.0
    keys = frozenset((*terms, *map(root, terms)))
    if turned == "not" or is_stop(text) or is_stop(terms[0]):
        return keys, turned, 0.0
    common = text.lower() in COMMON_WORDS or terms[0] in COMMON_WORDS
    return keys, turned, COMMON_WEIGHT if common else WORD_WEIGHT


def _unspaced(run: str) -> Iterator[Word]:
    """The words that turn something as they are, the rest in overlapping pairs."""
    start = 0
    for match in HAN_TURN.finditer(run):
        turned = han_turn(match[0])
        if turned:
            yield from _pairs(run[start : match.start()])
            weight = 0.0 if turned == "not" else WORD_WEIGHT
            yield Word(match[0], frozenset((match[0],)), turned, weight)
            start = match.end()
    yield from _pairs(run[start:])


def _pairs(run: str) -> Iterator[Word]:
    for term in tokens(run):
        weight = 0.0 if is_stop(term) or len(term) == 1 else COMMON_WEIGHT
        yield Word(term, frozenset((term,)), "", weight)


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """An English word without the ending of its family, British spellings as American ones."""
    if not (word.isascii() and word.isalpha()):
        return word
    word = word.lower()
    if len(word) > 5:
        word = word.replace("ae", "e").replace("oe", "e").replace("our", "or")
    for ending in _ENDINGS:
        if len(word) - len(ending) >= _STEM and word.endswith(ending):
            return word[: -len(ending)]
    return word


_SHORT = re.compile(r"\(([A-Z][A-Za-z0-9-]{1,9}?)s?\)")
_LETTERS = re.compile(r"[^\W_]+")


def short_forms(text: str) -> dict[str, frozenset[str]]:
    """Short forms that `text` explains, "long form (LF)", with the keys of their long forms.

    The capitals must begin words before the bracket, in order, as in Schwartz & Hearst (2003).
    """
    found: dict[str, frozenset[str]] = {}
    for match in _SHORT.finditer(text):
        short = match[1]
        initials = [letter.lower() for letter in short if letter.isupper()]
        before = _LETTERS.findall(text[max(0, match.start() - 120) : match.start()])
        before = before[-2 * len(initials) - 2 :]
        long: list[str] = []
        for word in reversed(before):
            if initials and word[0].lower() == initials[-1]:
                initials.pop()
                long.append(word)
        if not initials:
            keys = frozenset(key for word in long for key in _known(word)[0])
            for form in (short.lower(), short.lower() + "s"):
                found[form] = keys
    return found
