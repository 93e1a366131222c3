"""The judge: for every claim, whether the pages that it cites say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from citewiki.model import Check, Citation, Claim, Page, Verdict


class Proposed(Protocol):
    """A claim that nobody has judged yet."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The pages that should say it."""


def judge(
    claims: Sequence[Proposed], pages: Mapping[str, Page], *, strict: bool = False
) -> tuple[Claim, ...]:
    """The claims in their order, each with its verdict and the checks it turned on."""
    judged: list[Claim] = []
    for claim in claims:
        quoted = all(
            cited.slug in pages and cited.quote in pages[cited.slug].body
            for cited in claim.citations
        )
        check = Check("quote", quoted and bool(claim.citations))
        verdict = Verdict.SUPPORTED if check.passed else Verdict.NOT_SUPPORTED
        judged.append(Claim(claim.text, verdict, claim.citations, (check,)))
    return tuple(judged)
