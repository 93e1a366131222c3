"""The built-in answerer: sentences of the pages, word for word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citewiki.model import Citation, Page
from citewiki.query.evidence import Evidence
from citewiki.query.question import Kind, Question
from citewiki.query.quotes import cite
from citewiki.text.folding import name_key

MOST = {Kind.LIST: 5, Kind.COMPARISON: 4, Kind.HOW: 4, Kind.WHY: 3}
"""Sentences of an answer, by kind of question; three for the others. Decisions."""

NEAR = {Kind.LIST: 2.0, Kind.COMPARISON: 2.0, Kind.HOW: 2.0, Kind.WHY: 2.0}
"""How far a further sentence may score below the best one, by kind; 0.6 for the others. From there
on, half as many sentences of CLAPNQ support the answer as before (bench/README.md)."""

ADDS = 0.06  # share of the question that a further page must add to what the chosen pages say
NAMED = 0.2  # share of the question that a title holds which is asked about
PAGES = 4
LOOKED_AT = 80  # best sentences


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
    """The best sentence, those nearly as good, and the best of further pages that add something.

    A page adds when it says words of the question that no chosen page says, and belongs to the
    matter: it names a chosen page, is named by one, or is named by the question.
    """
    chosen: list[Evidence] = []
    for each in found[:LOOKED_AT]:
        if len(chosen) == MOST.get(question.kind, 3):
            break
        if any(each.sentence.text == other.sentence.text for other in chosen):
            continue
        pages = {other.page.path: other for other in chosen}
        is_near = found[0].score - each.score <= NEAR.get(question.kind, 0.6)
        is_new = each.page.path not in pages
        if is_new and len(pages) == PAGES:
            continue
        if is_near or (is_new and _adds(each, list(pages.values()))):
            chosen.append(each)
    return chosen


def _adds(each: Evidence, chosen: Sequence[Evidence]) -> bool:
    said = {word for other in chosen for word in other.on_page}
    if each.asked.share(each.covers - said) < ADDS:
        return False
    return each.asked.share(each.about) >= NAMED or any(
        _names(each.page, other.page) or _names(other.page, each.page) for other in chosen
    )


def _names(page: Page, other: Page) -> bool:
    return name_key(other.title) in name_key(page.body)
