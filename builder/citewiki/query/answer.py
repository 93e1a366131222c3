"""The built-in answerer: sentences of the pages, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Citation, Page
from citewiki.query.evidence import Evidence
from citewiki.query.frames import leading, page_called, sides, topic
from citewiki.query.question import Kind, Question
from citewiki.query.quotes import cite
from citewiki.text.folding import name_key

MOST = {Kind.LIST: 5, Kind.COMPARISON: 4, Kind.HOW: 4, Kind.WHY: 3}
"""Sentences of an answer, by kind of question; three for the others. Decisions."""

NEAR = {Kind.LIST: 1.5, Kind.COMPARISON: 1.5, Kind.HOW: 1.5, Kind.WHY: 1.5}
"""How far a further sentence may score below the best one, by kind; 0.6 for the others. Up to 0.8
and 1.5 CLAPNQ's figures are the same; beyond, fewer sentences support the answer."""

ADDS = 0.06  # share of the question that a further page must add to what the chosen pages say
NAMED = 0.2  # share of the question that a title holds which is asked about
PAGES = 4
LOOKED_AT = 80  # best sentences
FIRST = 3  # sentences of a page that introduce it
ITEMS = 9  # items of a list that a sentence before it announces

_ITEM = re.compile(r"\s*\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+")


@dataclass(frozen=True, slots=True)
class ProposedClaim:
    """A claim that nobody has judged yet."""

    text: str
    citations: tuple[Citation, ...]


def answer(question: Question, found: Sequence[Evidence]) -> tuple[ProposedClaim, ...]:
    """One to five sentences from one to four pages, best page first, each page in reading order.

    `found` is the evidence, best first. Without a sentence that may be the basis of an answer there
    are no claims.
    """
    chosen = _choose(question, found)
    pages = list(dict.fromkeys(each.page.path for each in chosen))
    chosen.sort(key=lambda each: (pages.index(each.page.path), each.sentence.start))
    return _claims((each.page, each.sentence) for each in chosen)


def introduce(question: Question, pages: Sequence[Page]) -> tuple[ProposedClaim, ...]:
    """What a page says first of itself, where the question asks for no more than that page.

    Of a comparison: what the pages of both sides say of themselves. No claims otherwise.
    """
    if question.kind is Kind.COMPARISON and (pair := sides(question.text)):
        first, second = (page_called(name, pages) for name in pair)
        if first is None or second is None or first is second:
            return ()
        return _claims((page, each) for page in (first, second) for each in leading(page, 1))
    page = page_called(topic(question.text), pages)
    return _claims((page, each) for each in leading(page, FIRST)) if page else ()


def _claims(told: Iterable[tuple[Page, Sentence]]) -> tuple[ProposedClaim, ...]:
    """A claim of each sentence; none of an item whose list a sentence before it told already."""
    claims: list[ProposedClaim] = []
    ends: dict[str, int] = {}
    for page, sentence in told:
        if sentence.start >= ends.get(page.path, 0):
            claim = _claim(page, sentence)
            claims.append(claim)
            ends[page.path] = sentence.start + len(claim.citations[0].quote)
    return tuple(claims)


def _claim(page: Page, sentence: Sentence) -> ProposedClaim:
    items = _items(page, sentence) if sentence.text.endswith((":", "：")) else []
    said = "; ".join(item.text.rstrip(";,；，") for item in items)
    end = items[-1].end if items else sentence.end
    return ProposedClaim(f"{sentence.text} {said}".rstrip(), (cite(page, sentence.start, end),))


def _items(page: Page, sentence: Sentence) -> list[Sentence]:
    """The items of the list right after a sentence: what “there are three kinds:” announces."""
    found: list[Sentence] = []
    end = sentence.end
    for each in sentences(page.body):
        if each.start < end:
            continue
        if len(found) == ITEMS or not _ITEM.fullmatch(page.body[end : each.start]):
            break
        found.append(each)
        end = each.end
    return found


def _choose(question: Question, found: Sequence[Evidence]) -> list[Evidence]:
    """The best basis, others nearly as good, and the best of further pages that add something.

    A page adds when it says words of the question that no chosen page says, and belongs to the
    matter: it names a chosen page, is named by one, or is named by the question.
    """
    best = next((each for each in found if each.basis), None)
    if best is None:
        return []
    chosen = [best]
    for each in found[:LOOKED_AT]:
        if len(chosen) == MOST.get(question.kind, 3):
            break
        if any(each.sentence.text == other.sentence.text for other in chosen):
            continue
        pages = {other.page.path: other for other in chosen}
        is_near = each.basis and best.score - each.score <= NEAR.get(question.kind, 0.6)
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
