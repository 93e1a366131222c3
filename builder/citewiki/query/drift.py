"""Drift: sentences of different pages that say the same of the same, with another value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations

from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Drift, Page
from citewiki.text.folding import fold
from citewiki.text.tokens import content_words

SAME_FRAME = 0.75
"""Jaccard similarity of two sentences' words, values left out, from which they say the same of the
same. On the handbook in raw/ its three known disagreements have 1.0, the next pair 0.5."""

FEWEST_WORDS = 3
LARGEST_BLOCK = 40  # sentences that share a rare pair of words; more share a phrase, not a subject

_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])\d[\d,.]*(?:\s?%)?")
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)(?!\d)")
MOST_VALUES = 2  # a sentence with more is a list or a table, not a statement of one value

_STATES = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|takes?|costs?|lasts?|counts?|contains?|holds?|needs?|"
    r"uses?|equals?|stands?|là|có|gồm|mất|cần|dùng|dài|ist|sind|war|hat|est|sont)\b|"
    r"是|为|有|需|用|等于|达|="
)
"""A verb that gives a subject its value; captions and lists have none."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|none|neither|nor|without|không|chưa|chẳng)\b|n't\b|不|没|沒|无|無|非"
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence, taken apart into what it speaks of and the values it gives."""

    page: Page
    sentence: Sentence
    frame: frozenset[str]  # index terms without numbers
    values: frozenset[str]  # numbers, without years
    years: frozenset[str]
    negated: bool


def drift_pairs(pages: Iterable[Page]) -> list[Drift]:
    """All pairs of pages that disagree, each with one pair of sentences; by titles.

    Only sentences that share a rare pair of words are compared, so the work is linear in the
    text. Pages whose times do not overlap do not disagree.
    """
    statements = [each for page in pages for each in _statements(page)]
    seen: dict[tuple[str, ...], Drift] = {}
    for one, other in _candidates(statements):
        key = tuple(sorted((one.page.path, other.page.path)))
        if key not in seen and _disagree(one, other):
            seen[key] = _drift(one, other)
    return sorted(seen.values(), key=lambda drift: drift.titles)


def disagreements(quotes: Sequence[tuple[Page, str]], pages: Iterable[Page]) -> list[Drift]:
    """Where what `quotes` say (page, words of its body) is said otherwise on one of `pages`."""
    said = [
        each for page, quote in quotes for each in _statements(page) if each.sentence.quote == quote
    ]
    others = [each for page in pages for each in _statements(page)]
    found: dict[tuple[str, ...], Drift] = {}
    for one in said:
        for other in others:
            key = tuple(sorted((one.page.path, other.page.path)))
            if key not in found and other.page.path != one.page.path and _disagree(one, other):
                found[key] = _drift(one, other)
    return list(found.values())


def _statements(page: Page) -> Iterator[_Statement]:
    for sentence in sentences(page.body):
        text = _stated(fold(sentence.text))
        years = frozenset(_YEAR.findall(text))
        values = frozenset(number.rstrip(".,").replace(",", "") for number in _NUMBER.findall(text))
        values -= years
        negated = bool(_NEGATION.search(text))
        if len(values) > MOST_VALUES or not _STATES.search(text):
            continue
        words = (word for word in content_words(text) if not word[0].isdigit())
        frame = frozenset(word for word in words if not _NEGATION.fullmatch(word))
        if len(frame) >= FEWEST_WORDS:
            yield _Statement(page, sentence, frame, values, years, negated)


def _stated(text: str) -> str:
    """What a sentence states, without who says it or when: "Ann: decided today: k is 20"."""
    tail = text.rpartition(": ")[2]
    return tail if _STATES.search(tail) else text


def _candidates(statements: Sequence[_Statement]) -> Iterator[tuple[_Statement, _Statement]]:
    """Pairs of statements of different pages that share the two rarest words of one of them."""
    spread: dict[str, int] = {}
    for each in statements:
        for word in each.frame:
            spread[word] = spread.get(word, 0) + 1
    blocks: dict[tuple[str, ...], list[_Statement]] = {}
    for each in statements:
        shared = sorted((w for w in each.frame if spread[w] > 1), key=lambda w: (spread[w], w))
        for pair in combinations(shared[:4], 2):
            blocks.setdefault(tuple(sorted(pair)), []).append(each)
    for block in blocks.values():
        if len(block) <= LARGEST_BLOCK:
            for one, other in combinations(block, 2):
                if one.page.path != other.page.path:
                    yield one, other


def _disagree(one: _Statement, other: _Statement) -> bool:
    """Whether two statements are of one frame and differ in a number, or in a negation."""
    shared = len(one.frame & other.frame)
    if shared < SAME_FRAME * len(one.frame | other.frame) or not _overlap(one.page, other.page):
        return False
    if one.years and other.years and one.years != other.years:
        return False  # the same of another year
    if one.values and other.values:
        return not one.values & other.values
    return not one.values and not other.values and one.negated != other.negated


def _overlap(one: Page, other: Page) -> bool:
    """Whether there is a moment at which both hold; half-open intervals, missing bounds open."""
    if one.superseded_by == other.slug or other.superseded_by == one.slug:
        return False
    ends = [page.valid_until for page in (one, other) if page.valid_until]
    starts = [page.valid_from for page in (one, other) if page.valid_from]
    return not (ends and starts) or max(starts) < min(ends)


def _drift(one: _Statement, other: _Statement) -> Drift:
    newer, older = sorted((one, other), key=lambda each: _since(each.page), reverse=True)
    values = (_value(newer), _value(older))
    return Drift(
        pages=(newer.page.slug, older.page.slug),
        titles=(newer.page.title, older.page.title),
        quotes=(newer.sentence.quote, older.sentence.quote),
        message=f"“{newer.page.title}” says {values[0]}, “{older.page.title}” says {values[1]}",
    )


def _value(statement: _Statement) -> str:
    if statement.values:
        return ", ".join(sorted(statement.values))
    return "that it is not so" if statement.negated else "that it is so"


def _since(page: Page) -> datetime:
    return page.valid_from or page.ingested_at or datetime.min.replace(tzinfo=UTC)
