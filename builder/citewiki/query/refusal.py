"""Whether the pages answer a question, and what to say when they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp

from citewiki.model import Page, Refusal
from citewiki.query.asked import asked_words
from citewiki.query.evidence import Evidence
from citewiki.query.pack import PackedPage
from citewiki.query.question import Kind, Question
from citewiki.query.terms import Weighed
from citewiki.query.times import why_stale


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks for a question being answered; shares are 0..1."""

    own: float  # share of the question, by idf, that one sentence of the best page holds
    page: float  # … that this page holds
    rarest: float  # share of the question's two rarest words that this page holds
    score: float  # retrieval score of the first page, per idf of the question

    @property
    def probability(self) -> float:
        """That the pages answer it: logistic regression, fitted as bench/README.md says."""
        weighed = sum(WEIGHTS[name] * getattr(self, name) for name in WEIGHTS)
        return 1 / (1 + exp(-(weighed + BIAS)))


WEIGHTS = {"own": 1.96, "page": 0.98, "rarest": 0.83, "score": 0.29}
BIAS = -2.52
ENOUGH = 0.5
"""Probability from which a question is answered."""

UNRELATED = 0.3
"""A page that holds a smaller share of the question is not about it."""


def signs(
    weighed: Weighed, packed: Sequence[PackedPage], found: Sequence[Evidence]
) -> Signs | None:
    """The signs for the best evidence; None when there is none."""
    if not found or not packed:
        return None
    best = found[0]
    return Signs(
        own=max(each.own for each in found if each.page.path == best.page.path),
        page=best.page_share,
        rarest=best.rarest,
        score=packed[0].hit.score / weighed.mass if weighed.mass else 0.0,
    )


def answers(question: Question, sign: Signs | None, found: Sequence[Evidence]) -> bool:
    """Whether the evidence is enough, and of the kind that is asked for."""
    if sign is None or sign.probability < ENOUGH:
        return False
    formed = question.kind in (Kind.HOW_MANY, Kind.WHEN)
    return not formed or any(each.typed for each in found[:5])


def refuse(question: Question, weighed: Weighed, packed: Sequence[PackedPage]) -> Refusal:
    """The refusal for a question that no page at hand answers."""
    words = asked_words(question.text, weighed)
    near = [
        item.page.title
        for item in packed
        if words.share(words.held_in(f"{item.page.title} {item.page.body}")) >= UNRELATED
    ][:4]
    topic = ", ".join(words.rarest[:3]) or question.text
    if not near:
        return Refusal(
            "no_relevant_page",
            f"No page is about this ({topic}).",
            (),
            "Take in a source about it: citewiki ingest PATH; or ask with other words.",
        )
    return Refusal(
        "not_stated",
        "There are pages about this, but none of them says it.",
        tuple(near),
        "Ask with other words, or take in a source that says it: citewiki ingest PATH.",
    )


def refuse_stale(stale: Sequence[Page], now: datetime, days: int) -> Refusal:
    """The refusal when only pages that may no longer hold answer the question."""
    first = stale[0]
    return Refusal(
        "stale",
        f"The page that says it may no longer hold: {why_stale(first, now, days)}.",
        tuple(page.title for page in stale[:4]),
        f"Reverify it: check wiki/{first.path} against its source and set last_verified_at; "
        "or ask about the time it held for, with --as-of DATE.",
    )
