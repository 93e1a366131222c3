"""The built-in answerer: sentences of the pages, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citewiki.model import Citation
from citewiki.query.evidence import Evidence
from citewiki.query.question import Kind, Question
from citewiki.query.quotes import cite

MOST = {Kind.LIST: 5, Kind.COMPARISON: 4, Kind.HOW: 4, Kind.WHY: 3}
"""Sentences of an answer, by kind of question; three for the others. Decisions."""

NEAR_BEST = 0.9  # share of what the best sentence covers that a further one needs
ADDS = 0.12  # … or the share of the question that it adds to what is covered
PAGES = 4


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """A claim that nobody has judged yet."""

    text: str
    citations: tuple[Citation, ...]


def answer(question: Question, found: Sequence[Evidence]) -> tuple[ProposedClaim, ...]:
    """One to five sentences from one to four pages, best page first, each page in reading order.

    `found` is the evidence, best first; nothing found gives no claims.
    """
    chosen = _choose(question, found)
    pages = list(dict.fromkeys(each.page.path for each in chosen))
    chosen.sort(key=lambda each: (pages.index(each.page.path), each.sentence.start))
    return tuple(
        ProposedClaim(
            each.sentence.text, (cite(each.page, each.sentence.start, each.sentence.end),)
        )
        for each in chosen
    )


def _choose(question: Question, found: Sequence[Evidence]) -> list[Evidence]:
    """The best sentence, then those that are nearly as good or add words that are not covered."""
    if not found:
        return []
    chosen = [found[0]]
    said = {found[0].sentence.text}
    covered = found[0].covers | found[0].about
    for each in found[1:40]:
        if len(chosen) >= MOST.get(question.kind, 3):
            break
        pages = {item.page.path for item in chosen}
        if each.sentence.text in said or (each.page.path not in pages and len(pages) >= PAGES):
            continue
        adds = each.own * len(each.covers - covered) / max(len(each.covers), 1)
        near = each.context >= NEAR_BEST * found[0].context and each.typed
        if near or adds >= ADDS:
            chosen.append(each)
            said.add(each.sentence.text)
            covered |= each.covers | each.about
    return chosen
