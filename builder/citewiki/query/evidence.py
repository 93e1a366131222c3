"""The sentences that could answer a question, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Page
from citewiki.query.asked import AskedWords, asked_words
from citewiki.query.basis import Demand, demand, supports
from citewiki.query.kinds import FORMED, says_kind
from citewiki.query.pack import PackedPage
from citewiki.query.question import Question
from citewiki.query.relations import says_relation
from citewiki.query.terms import Weighed
from citewiki.text.tokens import tokens

_TITLED = 0.75  # what a word counts that only the title or a heading above the sentence holds

WEIGHTS = {
    "context": 6.49,
    "before": 2.68,
    "score": 9.99,
    "formed": 0.95,
    "relation": 0.91,
    "basis": 1.17,
}
"""What speaks for a sentence, fitted by `python -m bench.fit_evidence` as a conditional logit
(McFadden 1974) over the sentences of each question's pages; bench/README.md has the figures."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence of a page, measured against a question. Shares are 0..1, weighed by idf."""

    asked: AskedWords  # what it is measured against
    page: Page
    sentence: Sentence
    rank: int  # of its page among the packed ones, from 0
    covers: frozenset[str]  # words of the question that it holds
    about: frozenset[str]  # … that its title and the headings above it hold
    own: float  # share of the question that the sentence holds
    context: float  # … that it holds together with what it is about
    on_page: frozenset[str]  # words of the question that its page holds
    focus: float  # 1: its page says the rarest word that is not in its title; 0.5: all are in it
    basis: bool  # may be the basis of an answer: form, matter and subject are what is asked
    typed: bool  # holds what the kind of question asks for: a number, a date, a cause, …
    relation: float  # share of what the question's verb asks of which it speaks; 0.5 unknown
    measures: dict[str, float]  # what WEIGHTS weighs
    score: float  # all of it together; comparable within one question


def evidence(question: Question, weighed: Weighed, packed: Sequence[PackedPage]) -> list[Evidence]:
    """Every sentence of the packed passages, the best first."""
    words = asked_words(question.text, weighed)
    if not words.whole or not packed:
        return []
    best = max(item.hit.score for item in packed)
    wanted = demand(question, [item.page for item in packed])
    found = [
        each
        for rank, item in enumerate(packed)
        for each in _of_page(
            question, wanted, words, item, rank, item.hit.score / best if best else 0.0
        )
    ]
    return sorted(found, key=lambda each: -each.score)


def _of_page(
    question: Question,
    wanted: Demand,
    words: AskedWords,
    item: PackedPage,
    rank: int,
    score: float,
) -> Iterator[Evidence]:
    """The sentences of one page in reading order; `score` is the page's, 1 for the best page."""
    page = item.page
    titled = words.held_in(" ".join((page.title, *page.aliases)))
    held_by_page = titled | words.held_in(page.body)
    beyond = [word for word in words.rarest if word not in titled]
    focus = float(beyond[0] in held_by_page) if beyond else 0.5
    every = [
        (sentence, titled | words.held_in(" ".join(passage.path)))
        for passage in item.passages
        for sentence in sentences(page.body, passage.start, passage.end)
    ]
    before: frozenset[str] = frozenset()
    for sentence, above in every:
        terms = tokens(sentence.text)
        held = words.held(terms)
        own = words.share(held)
        typed = says_kind(question.kind, sentence.text, question.text, page.title)
        basis = supports(wanted, page, sentence.heading, sentence.text)
        relation = says_relation(question.text, sentence.text)
        context = own + _TITLED * words.share(above - held)
        measures = {
            "context": context,
            "before": words.share(before - held - above),
            "score": score,
            "formed": float(typed and question.kind in FORMED),
            "relation": relation,
            "basis": float(basis),
        }
        yield Evidence(
            words,
            page,
            sentence,
            rank,
            held,
            above,
            own,
            context,
            held_by_page,
            focus,
            basis,
            typed,
            relation,
            measures,
            sum(WEIGHTS[name] * value for name, value in measures.items()),
        )
        before = held
