"""What a source is, what became of it, and the pages that are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from citewiki.model.page import Page, Problem

ProposalKind = Literal["new", "update", "addition", "contradiction", "supersession"]
SectionStatus = Literal["compiled", "pending", "no_text", "encrypted", "unreadable", "skipped"]


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
    date: datetime | None = None  # when its own latest words were written; UTC; else the source's
    aliases: tuple[str, ...] = ()  # other names that the section itself states
    tags: tuple[str, ...] = ()  # its own, beside the source's


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
class Version:
    """An earlier version of a source, which is kept."""

    path: str  # "raw/…", relative to the wiki's root
    sha256: str
    fetched_at: datetime


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
    versions: tuple[Version, ...] = ()  # earlier ones, the oldest first
    owner: str = ""  # the user who took it in, and whose its pages are; "": the wiki's own


@dataclass(frozen=True, slots=True)
class Draft:
    """A page not yet written, and the section it came from."""

    page: Page
    source: str  # SourceRecord.id
    section: str  # Section.id


@dataclass(frozen=True, slots=True)
class Proposal:
    """What an engine, a person or a program would have written; nothing of it is on disk yet."""

    draft: Draft
    kind: ProposalKind
    target: str = ""  # slug of the page that it touches; "" for a new page
    why: str = ""  # for a person: what changes, and why
    quotes: tuple[str, ...] = ()  # the evidence, verbatim in the section
    problems: tuple[str, ...] = ()  # why it should not be written without a person's consent
    by: str = ""  # engine or model
