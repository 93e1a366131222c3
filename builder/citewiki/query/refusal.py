"""Whether the pages answer a question, and what to say when they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import exp

from citewiki.model import Drift, Page, Refusal
from citewiki.query.asked import asked_words
from citewiki.query.evidence import Evidence
from citewiki.query.kinds import FORMED, asks_for_passing
from citewiki.query.pack import PackedPage
from citewiki.query.question import Kind, Question
from citewiki.query.terms import Weighed
from citewiki.query.times import why_stale
from citewiki.text.tokens import is_unspaced, tokens


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks in the pages for an answer; shares are of the question, by idf."""

    best: float  # share that one sentence of the best page holds
    two_best: float  # shares that the two best sentences of the best page hold, added; 0..2
    page: float  # share that this page holds
    relation: float  # share of what the question's verb asks of which that page speaks
    focus: float  # 1 when that page says the rarest word that its title does not; 0.5 none is left
    others: float  # mean score of the next four pages, relative to the first
    titled: bool  # the question is a title
    formed: bool  # one of the five best sentences has the form that is asked for, if there is one


WEIGHTS = {
    "two_best": 1.64,
    "page": 2.57,
    "relation": 0.74,
    "focus": 0.26,
    "others": -3.08,
    "asks": 2.74,
    "number": -0.63,
    "place": 0.51,
    "passing": -1.47,
    "formless": -1.34,
}
BIAS = -4.04
"""Logistic regression, fitted by `python -m bench.fit_refusal`; bench/README.md has the figures."""

ENOUGH = 0.5
"""Probability from which a question is answered."""

WHOLE = 0.9
"""Share of the question from which one sentence answers it, if the form is right: in a small wiki
the other signs mean little (a decision)."""

UNRELATED = 0.3
"""A page that holds a smaller share of the question is not about it, and answers nothing."""


def signs(
    weighed: Weighed, packed: Sequence[PackedPage], found: Sequence[Evidence]
) -> Signs | None:
    """The signs for the best evidence; None when there is none."""
    if not found or not packed:
        return None
    best = found[0]
    of_page = [each for each in found if each.rank == best.rank]
    first, *rest = sorted((item.hit.score for item in packed), reverse=True)
    title = set(tokens(best.page.title))
    shares = sorted((each.own for each in of_page), reverse=True)
    return Signs(
        best=shares[0],
        two_best=sum(shares[:2]),
        page=best.asked.share(best.on_page),
        relation=max(each.relation for each in of_page),
        focus=best.focus,
        others=sum(rest[:4]) / 4 / first if first > 0 else 0.0,
        titled={term.text for term in weighed.terms} == title and not weighed.missing,
        formed=any(each.typed for each in found[:5]),
    )


def features(question: Question, sign: Signs) -> dict[str, float]:
    """What `WEIGHTS` weighs: the signs, and what is known of the question itself."""
    return {
        "two_best": sign.two_best,
        "page": sign.page,
        "relation": sign.relation,
        "focus": sign.focus,
        "others": sign.others,
        "asks": float(question.kind is not Kind.OTHER or sign.titled),
        "number": float(question.kind is Kind.HOW_MANY),
        "place": float(question.kind is Kind.WHERE),
        "passing": float(asks_for_passing(question.text)),
        "formless": float(question.kind in FORMED and not sign.formed),
    }


def probability(question: Question, sign: Signs) -> float:
    """That the pages answer the question."""
    weighed = sum(WEIGHTS[name] * value for name, value in features(question, sign).items())
    return 1 / (1 + exp(-(weighed + BIAS)))


def answers(question: Question, sign: Signs | None) -> bool:
    """Whether the evidence is enough."""
    if sign is None or sign.page < UNRELATED:
        return False
    if sign.best >= WHOLE and sign.formed and question.kind is not Kind.OTHER:
        return True
    return probability(question, sign) >= ENOUGH


def refuse(question: Question, weighed: Weighed, packed: Sequence[PackedPage]) -> Refusal:
    """The refusal for a question that no page at hand answers."""
    words = asked_words(question.text, weighed)
    near = [
        item.page.title
        for item in packed
        if words.share(words.held_in(f"{item.page.title} {item.page.body}")) >= UNRELATED
    ][:4]
    named = [word for word in words.rarest[:3] if not is_unspaced(word)]
    topic = ", ".join(named) or question.text
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


def refuse_conflict(drift: Sequence[Drift]) -> Refusal:
    """The refusal when pages contradict each other on what is asked."""
    first = drift[0]
    titles = dict.fromkeys(title for each in drift for title in each.titles)
    return Refusal(
        "conflict",
        f"Pages contradict each other: {first.message}.",
        tuple(titles),
        f"Resolve it: say in the older page ({first.pages[1]}) that {first.pages[0]} supersedes it "
        "(superseded_by), or when each holds; or ask with --drift auto, where the newest wins.",
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
