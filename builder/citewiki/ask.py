"""A question in, an answer whose every claim stands, or a refusal, out."""

from __future__ import annotations

import time
from datetime import datetime

from citewiki.config import AskConfig
from citewiki.index.index import Index
from citewiki.judge.judge import judge
from citewiki.model import Answer, Claim, Page, Verdict
from citewiki.query.answer import answer as propose
from citewiki.query.evidence import evidence
from citewiki.query.explain import explanation
from citewiki.query.pack import PackedPage, pack
from citewiki.query.question import Question, question
from citewiki.query.refusal import answers, is_stale, refuse, refuse_stale, signs
from citewiki.query.retrieve import retrieve
from citewiki.query.terms import Weighed


def ask(
    index: Index,
    text: str,
    *,
    settings: AskConfig,
    now: datetime,
    depth: int = 2,
    strict: bool = False,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    domain: str = "",
    explain: bool = False,
) -> Answer:
    """Question, retrieval, packing, proposed claims, judgement; `Wiki.ask` says what each means.

    Raises QuestionError when the question cannot be asked.
    """
    started = time.perf_counter()
    asked = question(text)
    found = retrieve(
        index, asked, depth=depth, domain=domain or None, as_of=as_of, known_at=known_at
    )
    packed = pack(
        index,
        found.hits,
        asked,
        page_chars=settings.page_chars,
        budget=settings.budget_chars,
    )
    fresh, stale = _by_freshness(packed, asked, as_of, now, settings.stale_days)
    claims = _claims(asked, found.weighed, fresh, strict)
    kept = tuple(claim for claim in claims if claim.verdict is Verdict.SUPPORTED)
    refusal = None
    if not kept:
        outdated = [item.page for item in stale]
        if outdated and _claims(asked, found.weighed, stale, strict):
            refusal = refuse_stale(outdated, now, settings.stale_days)
        else:
            refusal = refuse(asked, found.weighed, fresh)
    return Answer(
        question=asked.text,
        answer=" ".join(claim.text for claim in kept),
        claims=kept,
        refusal=refusal,
        retrieved=found.hits,
        elapsed_ms=round((time.perf_counter() - started) * 1000, 1),
        explain=explanation(index, found, claims) if explain else None,
    )


def _by_freshness(
    packed: tuple[PackedPage, ...],
    asked: Question,
    as_of: datetime | None,
    now: datetime,
    days: int,
) -> tuple[list[PackedPage], list[PackedPage]]:
    """Pages that may carry an answer, and those that may no longer hold.

    A question about a day in the past is answered by what held then, however old it is.
    """
    if as_of is not None:
        return list(packed), []
    stale = [
        item
        for item in packed
        if is_stale(item.page, now, days, wants_current=asked.wants_current)
    ]
    return [item for item in packed if item not in stale], stale


def _claims(
    asked: Question, weighed: Weighed, packed: list[PackedPage], strict: bool
) -> tuple[Claim, ...]:
    """The claims that the pages give, each with its verdict; none when they are not enough."""
    found = evidence(asked, weighed, packed)
    if not answers(asked, signs(weighed, packed, found), found):
        return ()
    pages: dict[str, Page] = {item.page.slug: item.page for item in packed}
    return judge(propose(asked, found), pages, strict=strict)
