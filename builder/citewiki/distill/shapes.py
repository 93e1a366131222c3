"""What models are asked for when sections are distilled: the forms of their replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class WrittenClaim:
    """One statement of a page."""

    text: str  # a sentence; may link a page that was listed as [[Title]] or [[Title|words]]
    quotes: tuple[str, ...]  # the section's own words that say it, copied character by character


@dataclass(frozen=True, slots=True)
class WrittenPart:
    """A paragraph."""

    claims: tuple[WrittenClaim, ...]  # in reading order
    heading: str = ""  # that the paragraph opens; "" when it goes on under the one before
    copied: str = ""  # code, a table or a formula of the section that follows, copied; "" for none


@dataclass(frozen=True, slots=True)
class WrittenPage:
    """Pass 1: what a model makes of a section."""

    title: str
    summary: str  # one or two sentences
    parts: tuple[WrittenPart, ...]
    kind: Literal["new", "addition", "contradiction", "supersession"] = "new"
    target: str = ""  # title of the listed page that it adds to, contradicts or replaces
    why: str = ""  # for the person who reviews it
    domain: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[WrittenClaim, ...]:
        """All statements, in reading order."""
        return tuple(claim for part in self.parts for claim in part.claims)


@dataclass(frozen=True, slots=True)
class Objection:
    """Pass 2: one thing that is wrong with a draft, and how it is put right."""

    where: Literal["claim", "summary", "title"]
    fault: Literal["unsupported", "qualifier", "summary", "title", "link"]
    claim: int = 0  # number of the claim; 0 when it is about the summary or the title
    words: str = ""  # of the draft, that are wrong
    better: str = ""  # what should stand there instead of the whole; "" to take it out


@dataclass(frozen=True, slots=True)
class Findings:
    """Pass 2: all that is wrong with a draft."""

    objections: tuple[Objection, ...]
