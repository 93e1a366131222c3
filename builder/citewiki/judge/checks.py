"""The named checks: what of a claim the passages do not say, or say otherwise, and on which words.

A check that fails here names words; whether the claim still stands is decided in `core`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain

from citewiki.judge.doubts import doubts
from citewiki.judge.lexicon import HEDGES, QUANTITIES
from citewiki.judge.measures import Aligned, Contrast
from citewiki.judge.reading import Passage, Sentence, Word
from citewiki.model import Check
from citewiki.text.disagree import difference, replaced
from citewiki.text.folding import fold
from citewiki.text.numbers import Value
from citewiki.text.opposites import OPPOSITES
from citewiki.text.statements import read

_REFERENCE = re.compile(
    r"https?://|www\.|\b(?:retrieved|accessed)\b[^.]*\d{4}|^\W*references?\b|\bavailable:|\bdoi:",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？]\W*$")
_JOINED = 0.4  # share of a claim that a further sentence says, if the claim is joined from it too
_ALL, _MOST, _SOME, _NONE, _ONLY = range(len(QUANTITIES))


def is_statement(claim: Sentence) -> Check:
    """A reference to literature, a question or a scrap states nothing that a page can bear."""
    found = _REFERENCE.search(claim.text) or _ASKS.search(claim.text)
    words = (found[0],) if found else ()
    return Check("statement", bool(claim.content) and not found, words)


def names(claim: Sentence, passages: Sequence[Passage]) -> Check:
    """Every name of the claim is in some passage."""
    missing = [word.text for word in claim.words if word.is_name and not _said(word, passages)]
    return Check("names", not missing, tuple(dict.fromkeys(missing)))


def other_names(claim: Sentence, beside: Aligned | None, passages: Sequence[Passage]) -> Check:
    """No name of the claim stands where the sentence that says most of it has another name."""
    found: list[str] = []
    for at, word in enumerate(claim.words):
        if beside is None or not _is_capital(word) or _said(word, passages):
            continue
        for step in (1, -1):
            beyond = _next(claim.words, at, step)
            for place in beside.places.get(beyond, ()):
                there = _next(beside.sentence.words, place, -step)
                other = beside.sentence.words[there] if there >= 0 else None
                if other and _is_capital(other) and not other.keys & claim.keys:
                    found += [word.text, other.text]
    return Check("other_names", not found, tuple(dict.fromkeys(found)))


def _is_capital(word: Word) -> bool:
    return word.weight > 0 and word.text[0].isupper()


def _next(words: Sequence[Word], at: int, step: int) -> int:
    """The index of the next word that carries meaning, in the direction of `step`; -1 none."""
    at += step
    while 0 <= at < len(words) and not words[at].weight:
        at += step
    return at if 0 <= at < len(words) else -1


def numbers(claim: Sentence, passages: Sequence[Passage], *, strict: bool) -> tuple[Check, Check]:
    """Every number, and every month and year of a date, is in some passage."""
    said = [value for each in passages for sentence in each.sentences for value in sentence.values]
    missing = [
        value
        for value in claim.values
        if not any(value.agrees(other, strict=strict) for other in said)
    ]
    dates = tuple(value.text for value in missing if _is_date(value))
    others = tuple(value.text for value in missing if not _is_date(value))
    return Check("numbers", not others, others), Check("dates", not dates, dates)


def unsaid_numbers(claim: Sentence, passage: Passage) -> frozenset[Value]:
    """The numbers of the claim that one passage does not have."""
    said = [value for sentence in passage.sentences for value in sentence.values]
    return frozenset(
        value for value in claim.values if not any(value.agrees(other) for other in said)
    )


def other_numbers(claim: Sentence, beside: Aligned | None, others: Sequence[Aligned] = ()) -> Check:
    """No number of the claim stands where the sentence that says most of it has another number.

    A claim may join two sentences: a number that one of `others` has, beside words of the claim, is
    said there.
    """
    here = beside.sentence.values if beside else ()
    joined = [value for each in others if each.share >= _JOINED for value in each.sentence.values]
    found = [
        value.text
        for value in claim.values
        if any(other.unit == value.unit for other in here)
        and not any(value.agrees(other) for other in (*here, *joined))
    ]
    return Check("other_numbers", not found, tuple(found))


def otherwise(claim: Sentence, passages: Sequence[Passage]) -> Check:
    """No sentence gives the subject of the claim, in the claim's frame, a value that excludes it.

    The names and numbers may all be there, but for something else: "designed by Kern, painted by
    Miller" says otherwise than "designed by Miller". A passage that says both says it too.
    """
    stated = read(claim.text, "")
    if stated is None:
        return Check("otherwise", True)
    found: dict[str, None] = {}
    for sentence in chain.from_iterable(each.sentences for each in passages):
        said = read(sentence.text, "")
        if said is None or not stated.shares(said):
            continue
        if said.keys == stated.keys and said.negated == stated.negated:
            return Check("otherwise", True)
        differs = difference(stated, said)
        if differs and (differs.one or differs.other):
            found.update(dict.fromkeys((differs.one, differs.other)))
    return Check("otherwise", not found, tuple(found))


def other_words(claim: Sentence, passages: Sequence[Passage]) -> Check:
    """No sentence is the claim but for one word, which no passage has: "crimson" is not "red"."""
    stated = read(claim.text, "")
    found: list[str] = []
    for sentence in chain.from_iterable(each.sentences for each in passages):
        said = read(sentence.text, "") if stated else None
        word = replaced(stated, said) if stated and said and stated.shares(said) else ""
        if word and not any(_said(each, passages) for each in claim.words if each.text == word):
            found.append(word)
    return Check("other_words", not found, tuple(dict.fromkeys(found)))


def negation(claim: Sentence, beside: Aligned | None, contrast: Contrast) -> Check:
    """The sentence that says most of the claim says "not" as often, even or odd; or others do."""
    own = _turning(claim.words, "not")
    said = _turning(_stretch(beside), "not")
    passed = beside is None or (len(own) - len(said)) % 2 == 0 or contrast.denied_alike == 1
    return Check("negation", passed, () if passed else tuple(own or said))


def direction(claim: Sentence, beside: Aligned | None) -> Check:
    """The sentence that says most of the claim does not go only up where the claim goes down."""
    own = {word.turn: word.text for word in claim.words if word.turn in ("up", "down")}
    said = {word.turn: word.text for word in _stretch(beside) if word.turn in ("up", "down")}
    passed = not own or not said or bool(own.keys() & said.keys())
    return Check("direction", passed, () if passed else (*own.values(), *said.values()))


def opposites(claim: Sentence, beside: Aligned | None) -> Check:
    """The sentence that says most of the claim has no opposite in the place of one of its words."""
    said = _folded(_stretch(beside))
    own = _folded(claim.words)  # who writes of black and white does not take one for the other
    found: list[str] = []
    for word in claim.words:
        key = fold(word.text)
        others = OPPOSITES.get(key, frozenset()) & said
        if others and key not in said and not others & own:
            found += [word.text, *sorted(others)]
        elif word.weight and beside is not None:
            found += _denied(word, beside)
    return Check("opposites", not found, tuple(found))


def _denied(word: Word, beside: Aligned) -> list[str]:
    """A word and its form with "in-", "un-" …, where the sentence has the one for the other."""
    key = fold(word.text)
    for prefix in ("non-", "non", "un", "in", "im", "ir", "il", "dis"):
        bare = key.removeprefix(prefix)
        if bare != key and len(bare) > 3 and not word.keys & beside.sentence.keys:
            for other in beside.sentence.words:
                if fold(other.text) == bare:
                    return [word.text, other.text]
        for other in beside.sentence.words:
            if len(key) > 3 and fold(other.text) == prefix + key:
                return [] if word.keys & beside.sentence.keys else [word.text, other.text]
    return []


def quantities(claim: Sentence, beside: Aligned | None, *, strict: bool) -> Check:
    """The claim does not hold of more than the sentence says: all where it says most or some."""
    own, said = _quantities(claim.words), _quantities(_stretch(beside))
    found: list[str] = []
    if _ALL in own and _ALL not in said and (strict or said.keys() & {_MOST, _SOME}):
        found.append(own[_ALL])
    if _MOST in own and not said.keys() & {_ALL, _MOST} and (strict or _SOME in said):
        found.append(own[_MOST])
    if strict and _ONLY in own and _ONLY not in said:
        found.append(own[_ONLY])
    return Check("quantities", not found, tuple(found))


def hedges(claim: Sentence, beside: Aligned | None) -> Check:
    """What the sentence says with a doubt, the claim does not say without one."""
    own = {fold(word.text) for word in claim.words} & HEDGES
    said = sorted(_folded(_stretch(beside)) & HEDGES)
    if beside is not None and not doubts(claim.text):
        said += [word for word in doubts(beside.sentence.text).values() if word not in said]
    passed = bool(own) or not said
    return Check("hedges", passed, () if passed else tuple(said))


def _said(word: Word, passages: Iterable[Passage]) -> bool:
    return any(word.keys & passage.keys for passage in passages)


def _is_date(value: Value) -> bool:
    year = 1000 <= value.number <= 2100 and value.text.isdigit()
    return value.unit == "month" or year


def _stretch(beside: Aligned | None) -> Sequence[Word]:
    """The part of the sentence that says what it shares with the claim."""
    if beside is None:
        return ()
    first, last = beside.stretch
    return beside.sentence.words[first:last]


def _turning(words: Iterable[Word], turned: str) -> list[str]:
    return [word.text for word in words if word.turn == turned]


def _folded(words: Iterable[Word]) -> set[str]:
    return {fold(word.text) for word in words}


def _quantities(words: Iterable[Word]) -> dict[int, str]:
    """Group of quantity words → the word that is of it."""
    return {
        group: word.text
        for word in words
        for group, listed in enumerate(QUANTITIES)
        if fold(word.text) in listed
    }
