"""A question in, an answer whose every claim stands, or a refusal, out."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from citewiki.config import AskConfig
from citewiki.index.index import Index
from citewiki.judge.doubts import doubts, states
from citewiki.judge.judge import judge
from citewiki.markdown.plain import plain
from citewiki.model import Answer, Caution, Claim, Drift, Hit, Page, Refusal, Verdict
from citewiki.query.answer import ProposedClaim, introduce
from citewiki.query.answer import answer as propose
from citewiki.query.drift import disagreements
from citewiki.query.evidence import evidence
from citewiki.query.explain import explanation
from citewiki.query.freshness import Freshness, with_stale
from citewiki.query.pack import PackedPage, pack
from citewiki.query.parts import joined, parts
from citewiki.query.question import Question, question
from citewiki.query.quotes import cite
from citewiki.query.refusal import (
    answers,
    concerns,
    refuse,
    refuse_conflict,
    refuse_empty,
    refuse_stale,
    refuse_unstated,
    signs,
)
from citewiki.query.retrieve import Retrieval, retrieve, search
from citewiki.query.times import Moment, holds, known

if TYPE_CHECKING:
    from citewiki.llm.port import Engine


Report = Callable[[str, tuple[str, ...]], None]
"""Told of a stage when it is reached: "searching", "reading" (titles), "judged" (claims kept)."""


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
    allow_stale: bool = False,
    explain: bool = False,
    report: Report | None = None,
) -> Answer:
    """Question, retrieval, packing, proposed claims, judgement; `Wiki.ask` says what each means.

    Without `engine` the answer is made of the pages' own sentences. With one, a model writes the
    claims, or finds its pages itself (`agentic`), and a second model judges them after the
    deterministic judge. Where pages disagree on what is answered, the answer is a refusal that
    names both, or with `newest_wins` what the page says that holds since later. Where only pages
    say it that may no longer hold, it is a refusal too, or with `allow_stale` an answer that warns.
    `report` is told how far it is. Raises QuestionError; with an engine also EngineError.
    """
    started = time.perf_counter()
    scope = scope or Scope()
    tell = report or (lambda stage, what: None)
    if engine is None and len(several := parts(text, partial(_titles, index))) > 1:
        again = partial(
            ask,
            index,
            settings=settings,
            now=now,
            depth=depth,
            strict=strict,
            scope=scope,
            newest_wins=newest_wins,
            allow_stale=allow_stale,
            explain=explain,
            report=report,
        )
        return joined(text, several, [again(each) for each in several])
    asked = question(text)
    tell("searching", ())
    found = retrieve(
        index,
        asked,
        depth=depth,
        domain=scope.domain or None,
        as_of=scope.as_of,
        known_at=scope.known_at,
    )
    moment = Moment(now, scope.as_of, scope.known_at)
    freshness = Freshness(index, moment, asked, settings.stale_days, scope.domain)
    fresh_hits, stale_hits = freshness.sorted(found.hits)

    def packed(hits: Sequence[Hit]) -> tuple[PackedPage, ...]:
        chars, budget = settings.page_chars, settings.budget_chars
        return pack(index, hits, asked, page_chars=chars, budget=budget, weighed=found.weighed)

    def judged_from(pages: Sequence[PackedPage], *, stale: bool) -> _Judged:
        if engine is None:
            return _from_sentences(asked, found, pages, strict)
        if agentic:
            return _from_research(freshness, scope, strict, engine, settings, stale=stale)
        return _from_model(asked, pages, strict, engine)

    fresh = packed(fresh_hits)
    tell("reading", tuple(item.page.title for item in fresh))
    judged = judged_from(fresh, stale=False)
    stale = () if judged.kept else packed(stale_hits)
    if stale and allow_stale:
        fresh, stale = stale, ()
        judged = judged_from(fresh, stale=True)
    kept = judged.kept
    tell("judged", tuple(claim.text for claim in kept))
    pages = {**judged.pages, **_by_slug(fresh)}
    differing = disagreements(_cited(kept, pages), pages.values()) if kept else []
    drift = [each for each in differing if not each.scope and concerns(asked, each, pages)]
    refusal = None
    if not kept and not index.words.count:
        refusal = refuse_empty()
    elif not kept:
        refusal = _refusal(freshness, found, fresh, stale, strict)
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
        warnings=_warnings(freshness, kept, pages, differing),
        retrieved=with_stale(found.hits, fresh_hits),
        engine="extractive" if engine is None else "anthropic",
        usage=judged.usage or {},
        elapsed_ms=round((time.perf_counter() - started) * 1000, 1),
        explain=explanation(index, found, judged.claims, judged.steps) if explain else None,
    )


def _titles(index: Index, text: str) -> list[str]:
    """What the pages are called that the words of a text find."""
    return [hit.title for hit in search(index, text)]


def _warnings(
    freshness: Freshness,
    claims: Sequence[Claim],
    pages: Mapping[str, Page],
    differing: Sequence[Drift],
) -> tuple[Caution, ...]:
    """What has to be said of the pages that claims cite: of their time, and of conditions."""
    cited = {page.slug: page for page, _ in _cited(claims, pages)}
    found = [freshness.warning(page) for page in cited.values()]
    for each in differing if claims else ():
        if each.scope:
            slug, title = next(
                both for both in zip(each.pages, each.titles, strict=True) if both[0] in cited
            )
            message = f"{each.message}; both hold: {each.scope}"
            found.append(Caution(title, slug, "condition", message))
    return tuple(filter(None, found))


def _from_sentences(
    asked: Question, found: Retrieval, packed: Sequence[PackedPage], strict: bool
) -> _Judged:
    """The pages' own sentences, judged; nothing when they are not enough."""
    granted = frozenset(doubts(asked.text))
    claims = introduce(asked, [item.page for item in packed])
    if not claims:
        sentences = evidence(asked, found.weighed, packed)
        if strict:  # a sentence that is cut later must not hide that the others say nothing
            sentences = [each for each in sentences if states(each.sentence.text, granted)]
        if not answers(asked, signs(asked, found.weighed, packed, sentences)):
            return _Judged()
        claims = propose(asked, sentences)
    pages = _by_slug(packed)
    return _Judged(judge(claims, pages, strict=strict, granted=granted), pages)


def _from_model(
    asked: Question, packed: Sequence[PackedPage], strict: bool, engine: Engine
) -> _Judged:
    """What a model writes from the packed pages, judged twice."""
    from citewiki.query.llm_answer import write_answer

    draft = write_answer(asked.text, packed, engine, strict=strict)
    return _twice(asked, draft, _by_slug(packed), strict, engine)


def _from_research(
    freshness: Freshness,
    scope: Scope,
    strict: bool,
    engine: Engine,
    settings: AskConfig,
    *,
    stale: bool,
) -> _Judged:
    """What a model writes from pages that it looks up itself, judged twice.

    Unless `stale`, it finds what took the place of pages that may no longer hold, not those.
    """
    from citewiki.query.agentic import library, research

    index, asked = freshness.index, freshness.asked

    def find(words: str) -> Sequence[Hit]:
        hits = search(index, words, domain=scope.domain, as_of=scope.as_of, known_at=scope.known_at)
        return hits if stale else freshness.sorted(hits)[0]

    def allowed(page: Page) -> bool:
        then = known(page, scope.known_at) and holds(page, scope.as_of, scope.known_at)
        return then and scope.domain in ("", page.domain)

    books = library(
        index,
        find,
        None if scope == Scope() else allowed,
        (lambda page: page) if stale else freshness.current,
    )
    done = research(
        asked.text,
        books,
        engine,
        rounds=settings.rounds,
        token_cap=settings.token_cap,
        strict=strict,
    )
    return _twice(asked, done.draft, done.pages, strict, engine, done.steps)


def _twice(
    asked: Question,
    draft: Any,
    pages: Any,
    strict: bool,
    engine: Engine,
    steps: tuple[Any, ...] = (),
) -> _Judged:
    """The deterministic judge first, then another model; both have to agree."""
    from citewiki.errors import EngineError
    from citewiki.judge.llm_judge import agree
    from citewiki.llm.port import charged

    claims = judge(draft.claims, pages, strict=strict, granted=frozenset(doubts(asked.text)))
    try:
        agreed = agree(claims, pages, engine, strict=strict)
    except EngineError as error:
        raise charged(error, draft.usage) from None
    return _Judged(agreed.claims, pages, (draft.usage + agreed.usage).as_dict(), steps)


def _refusal(
    freshness: Freshness,
    found: Retrieval,
    fresh: Sequence[PackedPage],
    stale: Sequence[PackedPage],
    strict: bool,
) -> Refusal:
    """Why there is no answer: only outdated pages say it, none states it, or none says it."""
    asked = freshness.asked
    if stale and (said := _from_sentences(asked, found, stale, strict)).kept:
        first = [page for page, _ in _cited(said.kept, said.pages)]
        pages = list({page.slug: page for page in (*first, *said.pages.values())}.values())
        caution = freshness.caution(pages[0])
        if caution:
            return refuse_stale(pages, caution)
    if strict and (said := _from_sentences(asked, found, fresh, strict=False)).kept:
        return refuse_unstated(said.kept)
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
