"""What a wiki holds, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

PAGE_TYPES = ("concept", "entity", "source", "overview", "synthesis", "memory")
AUTHORITIES = ("paper", "book", "docs", "article", "blog", "chat", "note", "unknown")


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of `lint`, of a tolerant reader, or of a run's report."""

    path: str  # the file at fault, as the user would name it
    message: str  # what is wrong and what to do
    line: int = 0  # 1-based; 0: the whole file
    severity: Literal["error", "warning"] = "error"
    code: str = ""  # stable short name, such as "broken-link"

    def __str__(self) -> str:
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.severity}: {self.message}"


@dataclass(frozen=True, slots=True)
class SourceRef:
    """A page's pointer to the original it was distilled from."""

    id: str  # the source's id in the manifest; also the stem of its footnote labels
    resource: str = ""  # path of the original, such as raw/paper.pdf, or a URL
    sha256: str = ""  # of the original's bytes when the page was written; hex
    locator: str = ""  # where in it, for a person: "pp. 3-7 › 2.1 Hybrid"


@dataclass(frozen=True, slots=True)
class Verification:
    """Somebody, or some process, confirmed a page against its sources (OKF v0.2, 5.2)."""

    by: str  # "human:alice", "process:nightly", or a program with its version: "checker/1.2"
    at: datetime | None = None  # UTC
    previous: datetime | None = None  # when it had been verified last, until then


@dataclass(frozen=True, slots=True)
class ScopeNote:
    """Under what condition a page holds beside another one that says otherwise."""

    beside: str  # slug of the other page
    note: str  # the condition, for a person
    of: str = ""  # key of the drift that it settles; "": whatever the two pages say


@dataclass(frozen=True, slots=True)
class Page:
    """One Markdown file under wiki/: the unit that is found, read and cited."""

    path: str  # relative to wiki/, with "/" on every system; unique
    slug: str  # unique in the wiki, never changes, never empty, NFC
    title: str
    body: str  # Markdown after the front matter, "\n" line ends
    type: str = "concept"  # one of PAGE_TYPES, or a word of the user's own
    aliases: tuple[str, ...] = ()
    summary: str = ""  # one or two sentences
    domain: str = ""  # "" only for pages at the top of wiki/
    tags: tuple[str, ...] = ()
    owner: str = ""
    shared_with: tuple[str, ...] = ()  # user names, or "*"
    sources: tuple[SourceRef, ...] = ()
    source_authority: str = "unknown"  # one of AUTHORITIES
    confidence: float | None = None  # 0..1; None: not said
    ingested_at: datetime | None = None  # system time: when the wiki first held it; UTC
    last_verified_at: datetime | None = None
    verified: tuple[Verification, ...] = ()  # every time that it was verified, the oldest first
    valid_from: datetime | None = None  # decision time: [valid_from, valid_until)
    valid_until: datetime | None = None
    scopes: tuple[ScopeNote, ...] = ()  # why other pages may say otherwise
    superseded_by: str = ""  # a slug
    superseded_at: datetime | None = None  # system time: when the wiki recorded that
    valid_until_before: datetime | None = None  # the end that it had before; None: it had none
    supersedes: tuple[str, ...] = ()
    archived_at: datetime | None = None
    generated_by: str = ""  # "citewiki/0.1.0+extractive"; "" when a person wrote it
    generated_at: datetime | None = None
    generated_sha256: str = ""  # of the body as the program wrote it; differs once a person edits
    redirect_from: tuple[str, ...] = ()  # slugs and addresses that it had before
    related: tuple[str, ...] = ()  # names that wikilinks in its front matter call
    body_line: int = 1  # 1-based line of the file on which the body starts
    problems: tuple[Problem, ...] = ()  # what the tolerant reader met
