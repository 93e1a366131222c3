"""Answers written by a language model: claims with quotes, of which only what stands is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from citewiki.llm.port import NOTHING, Block, Engine, Request, Usage, filled
from citewiki.llm.prompt import block, prompt
from citewiki.model import Page
from citewiki.query.answer import ProposedClaim
from citewiki.query.pack import PackedPage
from citewiki.query.quotes import cite, locate

GAP = "\n\n[…]\n\n"
"""Between parts of a page that do not follow one another."""


@dataclass(frozen=True, slots=True)
class WrittenQuote:
    """A citation as the model writes it."""

    slug: str
    quote: str


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """A claim as the model writes it."""

    text: str
    citations: tuple[WrittenQuote, ...]


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """The form of a reply."""

    claims: tuple[WrittenClaim, ...]
    missing: str  # what the pages do not say of what was asked; "" when nothing


@dataclass(frozen=True, slots=True)
class LlmDraft:
    """What a model proposed, of which nothing is judged yet."""

    claims: tuple[ProposedClaim, ...]  # every citation's quote stands in its page
    missing: str = ""  # in the model's words; "" when the claims answer it all
    dropped: tuple[str, ...] = ()  # texts of the claims that cite nothing that stands
    usage: Usage = NOTHING


def write_answer(
    question: str, packed: Sequence[PackedPage], engine: Engine, *, strict: bool = False
) -> LlmDraft:
    """What the model answers from the packed pages; without pages it is not asked.

    Raises EngineError of the kind that fits.
    """
    if not packed:
        return LlmDraft((), "there is no page about it")
    pages = [
        block("page", _excerpt(each), slug=each.page.slug, title=each.page.title) for each in packed
    ]
    request = Request(
        "answer",
        prompt("answer", claims=claim_rules(strict)),
        (Block("\n\n".join(pages), cache=True), Block(block("question", question))),
        shape=WrittenAnswer,
    )
    reply = engine.reply(request)
    written = filled(reply, WrittenAnswer)
    return checked(written, {each.page.slug: each.page for each in packed}, reply.usage)


def claim_rules(strict: bool) -> str:
    """The part of a system prompt that says what claims are."""
    return prompt("claims", manner=prompt("states" if strict else "supports"))


def checked(written: WrittenAnswer, pages: Mapping[str, Page], usage: Usage) -> LlmDraft:
    """The claims whose quotes stand in `pages` (by slug), with the citations that do.

    A claim of which no quote stands is dropped: nothing the model says is taken on trust.
    """
    kept: list[ProposedClaim] = []
    dropped: list[str] = []
    for claim in written.claims:
        citations = []
        for each in claim.citations:
            page = pages.get(each.slug)
            place = locate(each.quote, page.body) if page else None
            if page and place:
                citations.append(cite(page, *place))
        text = " ".join(claim.text.split())
        if text and citations:
            kept.append(ProposedClaim(text, tuple(dict.fromkeys(citations))))
        else:
            dropped.append(text)
    return LlmDraft(tuple(kept), " ".join(written.missing.split()), tuple(dropped), usage)


def _excerpt(packed: PackedPage) -> str:
    """The packed passages, verbatim and in the page's order."""
    passages = sorted(packed.passages, key=lambda passage: passage.start)
    parts: list[str] = []
    end = 0
    for passage in passages:
        parts.append("" if passage.start == end else GAP)
        parts.append(packed.page.body[passage.start : passage.end])
        end = passage.end
    parts.append("" if end == len(packed.page.body) else GAP)
    return "".join(parts).strip()
