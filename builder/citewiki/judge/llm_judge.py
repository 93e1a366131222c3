"""The second judge: another model than the answerer reads the claims and the pages they cite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from citewiki.errors import EngineUnusable
from citewiki.llm.port import NOTHING, Block, Engine, Request, Usage, filled
from citewiki.llm.prompt import block, prompt
from citewiki.model import Check, Claim, Page, Verdict

AROUND = 4000
"""Characters of a page that are read before and after each quote."""

CHECK = "model"
"""The name of this judge's check on a claim."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What the model says of one claim."""

    claim: int  # its number
    verdict: Literal["supported", "not_supported", "outside_wiki"]
    words: tuple[str, ...]  # of the claim, that the pages do not bear out


@dataclass(frozen=True, slots=True)
class Findings:
    """The form of a reply."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """Claims with the verdicts on which both judges agree, and what that cost."""

    claims: tuple[Claim, ...]
    usage: Usage = NOTHING


def agree(
    claims: Sequence[Claim], pages: Mapping[str, Page], engine: Engine, *, strict: bool = False
) -> Judgement:
    """The claims, of which only those stay supported that the model finds supported too.

    Claims that are not supported as they come stay what they are and are not shown to the model.
    `pages` are by slug and hold every page that is cited. A reply that does not judge every claim
    once raises EngineUnusable: silence is no support. Raises EngineError of other kinds too.
    """
    shown = {
        number: claim
        for number, claim in enumerate(claims, 1)
        if claim.verdict is Verdict.SUPPORTED
    }
    if not shown:
        return Judgement(tuple(claims))
    request = Request(
        "judge",
        prompt("judge", manner=prompt("states" if strict else "supports")),
        (Block(_pages(shown.values(), pages)), Block(_claims(shown))),
        shape=Findings,
    )
    reply = engine.reply(request)
    findings = filled(reply, Findings).findings
    if sorted(finding.claim for finding in findings) != list(shown):
        raise EngineUnusable(
            "the judging model did not give one finding for every claim",
            usage=reply.usage.as_dict(),
        )
    by_number = {finding.claim: finding for finding in findings}
    judged = (
        _judged(claim, by_number[number]) if number in shown else claim
        for number, claim in enumerate(claims, 1)
    )
    return Judgement(tuple(judged), reply.usage)


def _judged(claim: Claim, finding: Finding) -> Claim:
    check = Check(CHECK, finding.verdict == "supported", finding.words)
    return replace(claim, verdict=Verdict(finding.verdict), checks=(*claim.checks, check))


def _claims(shown: Mapping[int, Claim]) -> str:
    return "\n".join(
        block(
            "claim",
            claim.text,
            number=str(number),
            cites=", ".join(dict.fromkeys(citation.slug for citation in claim.citations)),
        )
        for number, claim in shown.items()
    )


def _pages(claims: Iterable[Claim], pages: Mapping[str, Page]) -> str:
    quotes: dict[str, list[str]] = {}
    for claim in claims:
        for citation in claim.citations:
            quotes.setdefault(citation.slug, []).append(citation.quote)
    return "\n\n".join(
        block("page", _around(pages[slug].body, cited), slug=slug, title=pages[slug].title)
        for slug, cited in quotes.items()
    )


def _around(body: str, quotes: Iterable[str]) -> str:
    """The body, of a long one what stands around the quotes."""
    if len(body) <= 2 * AROUND:
        return body
    starts = sorted((body.find(quote), len(quote)) for quote in quotes)
    parts: list[str] = []
    read = 0  # up to here
    for start, length in starts:
        first, last = max(start - AROUND, read), min(start + length + AROUND, len(body))
        if first > read:
            parts.append("\n\n[…]\n\n")
        parts.append(body[first:last])
        read = max(read, last)
    if read < len(body):
        parts.append("\n\n[…]")
    return "".join(parts)
