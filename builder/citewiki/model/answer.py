"""What is said of a question: claims that a page supports, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from citewiki.model.hit import Hit

RefusalKind = Literal["no_relevant_page", "not_stated", "conflict", "stale"]


class Verdict(StrEnum):
    """What the judge says of one claim."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"  # the cited page does not say it
    OUTSIDE_WIKI = "outside_wiki"  # no page says it


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a claim is said."""

    page: str  # title
    slug: str
    heading: str  # the nearest heading above; "" when none
    quote: str  # verbatim in the page's body
    source: str = ""  # the evidence behind it: "raw/rag-paper.pdf, p. 4"; "" when the page has none


@dataclass(frozen=True, slots=True)
class Check:
    """One named test of the judge on one claim."""

    name: str  # "numbers", "negation", "coverage", …
    passed: bool
    words: tuple[str, ...] = ()  # the words it turned on


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement of an answer, with the pages it cites."""

    text: str
    verdict: Verdict
    citations: tuple[Citation, ...] = ()
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why there is no answer, and what to do next."""

    kind: RefusalKind
    message: str
    available: tuple[str, ...] = ()  # titles of the pages at hand
    next_action: str = ""


@dataclass(frozen=True, slots=True)
class Drift:
    """Two pages that disagree: same subject, other value."""

    pages: tuple[str, str]  # slugs, the newer first
    titles: tuple[str, str]
    quotes: tuple[str, str]  # verbatim in each page's body
    message: str
    key: str = ""  # of the two sentences: another one when one of them changes
    scope: str = ""  # under which both hold, as one of the pages says; "" while it is open


CautionKind = Literal[
    "superseded", "ended", "not_begun", "unverified", "rewritten", "condition", "unstated"
]


@dataclass(frozen=True, slots=True)
class Caution:
    """Why a page may not hold, or not any more, or not everywhere; or what no page says."""

    page: str  # title; "" when it is of no page
    slug: str
    kind: CautionKind
    message: str  # one clause, for a person
    newest: str = ""  # slug of the page that holds in its place; "" when none is known


@dataclass(frozen=True, slots=True)
class Answer:
    """What `ask` returns: claims that all stand, or a refusal."""

    question: str
    answer: str  # the claims' texts in reading order; "" when refused
    claims: tuple[Claim, ...] = ()
    refusal: Refusal | None = None
    drift: tuple[Drift, ...] = ()
    warnings: tuple[Caution, ...] = ()  # about pages that the claims cite
    retrieved: tuple[Hit, ...] = ()
    engine: str = "extractive"
    usage: dict[str, float] = field(default_factory=dict)  # tokens and USD; empty: no model
    elapsed_ms: float = 0.0
    explain: dict[str, Any] | None = None  # what `--explain` prints

    @property
    def status(self) -> Literal["answered", "refused"]:
        """`refused` exactly when there is a refusal."""
        return "refused" if self.refusal else "answered"

    def printed(self, plain: dict[str, Any]) -> dict[str, Any]:
        """What `as_json` makes of its fields, with the status.

        `explain` is there only if asked for, `warnings` only if there are any.
        """
        shown = {"status": self.status, **plain}
        if not self.warnings:
            del shown["warnings"]
        if self.explain is None:
            del shown["explain"]
        return shown
