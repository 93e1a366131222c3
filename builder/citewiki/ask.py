"""A question in, an answer whose every claim stands, or a refusal, out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from citewiki.config import AskConfig
from citewiki.index.index import Index
from citewiki.judge.judge import judge
from citewiki.markdown.plain import plain
from citewiki.model import Answer, Claim, Drift, Page, Refusal, Verdict
from citewiki.query.answer import ProposedClaim
from citewiki.query.answer import answer as propose
from citewiki.query.drift import disagreements
from citewiki.query.evidence import evidence
from citewiki.query.explain import explanation
from citewiki.query.pack import PackedPage, pack
from citewiki.query.question import Question, question
from citewiki.query.quotes import cite
from citewiki.query.refusal import answers, refuse, refuse_conflict, refuse_stale, signs
from citewiki.query.retrieve import Retrieval, retrieve
from citewiki.query.times import holds, is_stale

if TYPE_CHECKING:
    from citewiki.llm.port import Engine


@dataclass(frozen=True, slots=True)
class Scope:
    """Which pages may take part."""

    domain: str = ""
    as_of: datetime | None = None  # they have to hold on that day
    known_at: datetime | None = None  # the wiki had to know them by then


@dataclass(frozen=True, slots=True)
class _Judged:
    """Claims with their verdicts, and what they cost."""

    claims: tuple[Claim, ...] = ()
    pages: Mapping[str, Page] = field(default_factory=dict)  # that the claims cite, by slug
    usage: dict[str, float] | None = None
    steps: tuple[Any, ...] = ()  # of an agentic run

    @property
    def kept(self) -> tuple[Claim, ...]:
        return tuple(claim for claim in self.claims if claim.verdict is Verdict.SUPPORTED)


def ask(
    index: Index,
    text: str,
    *,
    settings: AskConfig,
    now: datetime,
    depth: int = 2,
    strict: bool = False,
    scope: Scope | None = None,
    engine: Engine | None = None,
    agentic: bool = False,
    newest_wins: bool = False,
    explain: bool = False,
) -> Answer:
    """Question, retrieval, packing, proposed claims, judgement; `Wiki.ask` says what each means.

    Without `engine` the answer is made of the pages' own sentences. With one, a model writes the
    claims, or finds its pages itself (`agentic`), and a second model judges them after the
    deterministic judge. Where pages disagree on what is answered, the answer is a refusal that
    names both, or with `newest_wins` what the page says that holds since later. Raises
    QuestionError; with an engine also EngineError.
    """
    started = time.perf_counter()
    scope = scope or Scope()
    asked = question(text)
    found = retrieve(
        index,
        asked,
        depth=depth,
        domain=scope.domain or None,
        as_of=scope.as_of,
        known_at=scope.known_at,
    )
    packed = pack(
        index, found.hits, asked, page_chars=settings.page_chars, budget=settings.budget_chars
    )
    fresh, stale = _by_freshness(packed, asked, scope.as_of, now, settings.stale_days)
    if engine is None:
        judged = _from_sentences(asked, found, fresh, strict)
    elif agentic:
        judged = _from_research(index, asked, scope, strict, engine, settings)
    else:
        judged = _from_model(asked, fresh, strict, engine)
    kept = judged.kept
    pages = {**judged.pages, **_by_slug(fresh)}
    drift = disagreements(_cited(kept, pages), pages.values()) if kept else []
    refusal = None
    if not kept:
        refusal = _refusal(asked, found, fresh, stale, strict, now, settings)
    elif drift and newest_wins:
        kept = _newest(kept, drift, pages)
    elif drift:
        kept, refusal = (), refuse_conflict(drift)
    return Answer(
        question=asked.text,
        answer=" ".join(claim.text for claim in kept),
        claims=kept,
        refusal=refusal,
        drift=tuple(drift),
        retrieved=found.hits,
        engine="extractive" if engine is None else "anthropic",
        usage=judged.usage or {},
        elapsed_ms=round((time.perf_counter() - started) * 1000, 1),
        explain=explanation(index, found, judged.claims, judged.steps) if explain else None,
    )


def _by_freshness(
    packed: Sequence[PackedPage],
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
    outdated = [
        is_stale(item.page, now, days, wants_current=asked.wants_current) for item in packed
    ]
    fresh = [item for item, old in zip(packed, outdated, strict=True) if not old]
    return fresh, [item for item, old in zip(packed, outdated, strict=True) if old]


def _from_sentences(
    asked: Question, found: Retrieval, packed: Sequence[PackedPage], strict: bool
) -> _Judged:
    """The pages' own sentences, judged; nothing when they are not enough."""
    sentences = evidence(asked, found.weighed, packed)
    sign = signs(found.weighed, packed, sentences)
    if not answers(asked, sign):
        return _Judged()
    pages = _by_slug(packed)
    return _Judged(judge(propose(asked, sentences), pages, strict=strict), pages)


def _from_model(
    asked: Question, packed: Sequence[PackedPage], strict: bool, engine: Engine
) -> _Judged:
    """What a model writes from the packed pages, judged twice."""
    from citewiki.query.llm_answer import write_answer

    draft = write_answer(asked.text, packed, engine, strict=strict)
    return _twice(draft, _by_slug(packed), strict, engine)


def _from_research(
    index: Index,
    asked: Question,
    scope: Scope,
    strict: bool,
    engine: Engine,
    settings: AskConfig,
) -> _Judged:
    """What a model writes from pages that it looks up itself, judged twice."""
    from citewiki.query.agentic import library, research
    from citewiki.query.retrieve import search

    books = library(
        index,
        lambda words: search(
            index, words, domain=scope.domain, as_of=scope.as_of, known_at=scope.known_at
        ),
        lambda page: holds(page, scope.as_of, scope.known_at) and scope.domain in ("", page.domain),
    )
    done = research(
        asked.text,
        books,
        engine,
        rounds=settings.rounds,
        token_cap=settings.token_cap,
        strict=strict,
    )
    return _twice(done.draft, done.pages, strict, engine, done.steps)


def _twice(
    draft: Any, pages: Any, strict: bool, engine: Engine, steps: tuple[Any, ...] = ()
) -> _Judged:
    """The deterministic judge first, then another model; both have to agree."""
    from citewiki.errors import EngineError
    from citewiki.judge.llm_judge import agree
    from citewiki.llm.port import charged

    claims = judge(draft.claims, pages, strict=strict)
    try:
        agreed = agree(claims, pages, engine, strict=strict)
    except EngineError as error:
        raise charged(error, draft.usage) from None
    return _Judged(agreed.claims, pages, (draft.usage + agreed.usage).as_dict(), steps)


def _refusal(
    asked: Question,
    found: Retrieval,
    fresh: Sequence[PackedPage],
    stale: Sequence[PackedPage],
    strict: bool,
    now: datetime,
    settings: AskConfig,
) -> Refusal:
    """Why there is no answer: only outdated pages say it, or none does."""
    if stale and _from_sentences(asked, found, stale, strict).kept:
        return refuse_stale([item.page for item in stale], now, settings.stale_days)
    return refuse(asked, found.weighed, fresh)


def _cited(claims: Sequence[Claim], pages: Mapping[str, Page]) -> list[tuple[Page, str]]:
    """Every page and quote that the claims cite."""
    return [
        (pages[cited.slug], cited.quote)
        for claim in claims
        for cited in claim.citations
        if cited.slug in pages
    ]


def _newest(
    claims: Sequence[Claim], drift: Sequence[Drift], pages: Mapping[str, Page]
) -> tuple[Claim, ...]:
    """The claims, where those of an older page give way to what the newer one says."""
    newer = {(each.pages[1], each.quotes[1]): (each.pages[0], each.quotes[0]) for each in drift}
    kept: dict[str, Claim] = {}
    for claim in claims:
        found = [newer.get((cited.slug, cited.quote)) for cited in claim.citations]
        for slug, quote in filter(None, found):
            start = pages[slug].body.index(quote)
            cited = cite(pages[slug], start, start + len(quote))
            instead = ProposedClaim(" ".join(plain(quote).split()), (cited,))
            for judged in judge((instead,), pages):
                kept.setdefault(judged.text, judged)
        if not any(found):
            kept.setdefault(claim.text, claim)
    return tuple(claim for claim in kept.values() if claim.verdict is Verdict.SUPPORTED)


def _by_slug(packed: Sequence[PackedPage]) -> dict[str, Page]:
    return {item.page.slug: item.page for item in packed}
