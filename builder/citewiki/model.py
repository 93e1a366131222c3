"""The values that pass between rooms: frozen, explained, free of behaviour that needs a disk.

`as_json` turns any of them into what `--json` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

Viewer = str | None
"""On whose behalf something is read: a user name, "*" (anyone), or None (the operator)."""

ANYONE = "*"

SectionStatus = Literal["compiled", "pending", "no_text", "encrypted", "unreadable", "skipped"]
Via = Literal["index", "backlink", "wikilink"]
RefusalKind = Literal["no_relevant_page", "not_stated", "conflict", "stale"]

PAGE_TYPES = ("concept", "entity", "source", "overview", "synthesis", "memory")
AUTHORITIES = ("paper", "book", "docs", "article", "blog", "chat", "note", "unknown")


class Verdict(StrEnum):
    """What the judge says of one claim."""

    SUPPORTED = "supported"
    NOT_SUPPORTED = "not_supported"  # the cited page does not say it
    OUTSIDE_WIKI = "outside_wiki"  # no page says it


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
    valid_from: datetime | None = None  # decision time: [valid_from, valid_until)
    valid_until: datetime | None = None
    superseded_by: str = ""  # a slug
    supersedes: tuple[str, ...] = ()
    archived_at: datetime | None = None
    generated_by: str = ""  # "citewiki/0.1.0+extractive"; "" when a person wrote it
    generated_at: datetime | None = None
    generated_sha256: str = ""  # of the body as the program wrote it; differs once a person edits
    related: tuple[str, ...] = ()  # names that wikilinks in its front matter call
    body_line: int = 1  # 1-based line of the file on which the body starts
    problems: tuple[Problem, ...] = ()  # what the tolerant reader met


@dataclass(frozen=True, slots=True)
class Place:
    """From `offset` (characters into a section's text) on, text stands at `label`."""

    offset: int
    label: str  # "p. 4" or "§ Hybrid search": what a person looks up in the original


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a source, found from the source's own structure."""

    id: str  # unique in its source and stable while its heading path is: "hybrid-search"
    title: str  # as in the source's outline; "" for text before the first heading
    locator: str  # for a person: "pp. 3-7 › 2.1 Hybrid"
    text: str = ""  # Markdown, in the source's words
    level: int = 1  # depth in the outline, from 1
    places: tuple[Place, ...] = ()  # ascending offsets; empty: locator says it all
    status: SectionStatus = "pending"
    reason: str = ""  # why it is not (to be) compiled, for a person; "" when pending
    parents: tuple[str, ...] = ()  # titles above it in the outline, outermost first


@dataclass(frozen=True, slots=True)
class Source:
    """What a reader found in one original."""

    title: str
    reader: str  # "markdown" | "text" | "html" | "pdf" | …
    media_type: str
    sections: tuple[Section, ...]  # in the source's order; never empty
    authority: str = "unknown"  # one of AUTHORITIES
    language: str = ""  # ISO 639-1, "" unknown
    author: str = ""
    date: datetime | None = None  # when the source says it was written; UTC
    url: str = ""  # where it came from, when it says so
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""  # a description that the source itself gives
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """What became of one section: a line's part of raw/manifest.jsonl."""

    id: str
    title: str
    locator: str
    chars: int
    status: SectionStatus
    pages: tuple[str, ...] = ()  # slugs
    reason: str = ""
    sha256: str = ""  # of the section's text; tells whether it has to be compiled again


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One line of raw/manifest.jsonl: a source and what became of every section."""

    id: str  # unique in the manifest: slug of the file's name
    path: str  # "raw/…", relative to the wiki's root
    origin: str  # original path's name, or URL
    sha256: str
    media_type: str
    bytes: int
    fetched_at: datetime
    reader: str
    title: str
    sections: tuple[SectionRecord, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A page not yet written, and the section it came from."""

    page: Page
    source: str  # SourceRecord.id
    section: str  # Section.id


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that retrieval brought, and how it came in."""

    path: str
    slug: str
    title: str
    score: float  # unbounded, higher is better; comparable within one question only
    via: Via = "index"
    depth: int = 0  # 0 from the index, else the number of links followed
    through: str = ""  # slug of the page whose link brought it; "" from the index


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


@dataclass(frozen=True, slots=True)
class Answer:
    """What `ask` returns: claims that all stand, or a refusal."""

    question: str
    answer: str  # the claims' texts in reading order; "" when refused
    claims: tuple[Claim, ...] = ()
    refusal: Refusal | None = None
    drift: tuple[Drift, ...] = ()
    retrieved: tuple[Hit, ...] = ()
    engine: str = "extractive"
    usage: dict[str, float] = field(default_factory=dict)  # tokens and USD; empty: no model
    elapsed_ms: float = 0.0
    explain: dict[str, Any] | None = None  # what `--explain` prints

    @property
    def status(self) -> Literal["answered", "refused"]:
        """`refused` exactly when there is a refusal."""
        return "refused" if self.refusal else "answered"


def as_json(value: Any) -> Any:
    """A value of this module as plain JSON types: times in ISO 8601 UTC, `Answer` with status."""
    if is_dataclass(value) and not isinstance(value, type):
        plain = {f.name: as_json(getattr(value, f.name)) for f in fields(value)}
        if isinstance(value, Answer):
            plain = {"status": value.status, **plain}
            if value.explain is None:
                del plain["explain"]
        return plain
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(item) for item in value]
    return value


def iso(moment: datetime) -> str:
    """A UTC time as the wiki writes it: 2026-05-12T14:00:00Z, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
