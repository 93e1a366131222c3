"""A text that somebody hands in: kept as a source of theirs, and made into pages of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from citewiki.config import Config
from citewiki.distill.compile import compile_sources, draft_sources
from citewiki.distill.ingest import take_text
from citewiki.distill.running import Report
from citewiki.distill.wish import MOST_TITLE, one_line, text
from citewiki.markdown import frontmatter
from citewiki.model import Problem, SourceRecord, Viewer
from citewiki.sources.manifest import load_manifest
from citewiki.store.files import lock
from citewiki.store.journal import finish
from citewiki.text.slugs import slugify

if TYPE_CHECKING:
    from citewiki.distill.checks import Judge
    from citewiki.llm.port import Engine

MOST_TEXT = 2_000_000  # characters, some 300,000 words: a long book (a decision)

_SUFFIXES = (".md", ".txt", ".html", ".htm", ".srt", ".vtt")
"""Of names that are kept, as they say how the text is to be read; others become .md."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of a text that was handed in."""

    source_id: str  # of the source that it is now, in raw/manifest.jsonl
    path: str  # of its file: "raw/…"
    pages: tuple[str, ...] = ()  # slugs of all pages that hold its sections
    made: tuple[str, ...] = ()  # those of them that are new
    drafts: tuple[str, ...] = ()  # ids of drafts that wait for review
    problems: tuple[Problem, ...] = ()  # sections that are no page, and why
    known: bool = False  # whether the same text was handed in before
    stopped: str = ""  # why the run ended before its end; the same text goes on from there


def ingest_text(
    root: Path,
    cache: Path,
    config: Config,
    viewer: Viewer,
    given: str,
    *,
    now: datetime,
    version: str,
    title: str = "",
    name: str = "",
    engine: Engine | None = None,
    judge: Judge | None = None,
    review: bool = False,
    report: Report = lambda done, total, what: None,
) -> Ingested:
    """Keep the text `given` by `viewer`, and compile it; see `Wiki.ingest_text`."""
    title = one_line("title", title, MOST_TITLE)
    name = one_line("name", name, MOST_TITLE)
    data = _titled(text("text", given, MOST_TEXT), title).encode()
    file = _file_name(name, title, given)
    with lock(cache):
        finish(root, viewer)
        taken = take_text(root, data, file, now=now, owner=viewer or "", privacy=config.privacy)
        make = partial(
            compile_sources,
            root,
            config,
            now=now,
            version=version,
            only=taken.ids,
            engine=engine,
            review=review,
            viewer=viewer,
            cache=cache,
        )
        if engine is None:
            done = make(report=report)
    if engine is not None:  # others write while models think
        drafts = draft_sources(
            root,
            config,
            now=now,
            version=version,
            only=taken.ids,
            engine=engine,
            judge=judge,
            viewer=viewer,
            cache=cache,
            report=report,
        )
        with lock(cache):
            done = make(drafts=drafts)
        if drafts.broken:
            raise drafts.broken
    (id,) = taken.ids
    record = load_manifest(root)[id]
    return Ingested(
        id,
        record.path,
        _pages(record),
        done.made,
        done.waiting,
        tuple(dict.fromkeys((*taken.problems, *done.problems))),
        bool(taken.known),
        done.stopped,
    )


def _pages(record: SourceRecord) -> tuple[str, ...]:
    slugs = (slug for item in record.sections if item.status == "compiled" for slug in item.pages)
    return tuple(dict.fromkeys(slugs))


def _titled(given: str, title: str) -> str:
    """The text with its title, said where every reader of Markdown finds it."""
    if not title:
        return given
    block, body, _ = frontmatter.split(given)
    front = frontmatter.update(frontmatter.parse(block or ""), {"title": title})
    lines = frontmatter.render(front).strip("\r\n")
    return f"---\n{lines}\n---\n{body}"


def _file_name(name: str, title: str, given: str) -> str:
    """What the text is called in raw/: after its name, its title, or its first line."""
    path = PurePosixPath(name.replace("\\", "/"))
    suffix = path.suffix.lower() if path.suffix.lower() in _SUFFIXES else ""
    stem = path.name.removesuffix(path.suffix) if suffix else path.name
    first = next((line for line in given.splitlines() if line.strip("#-*> \t")), "")
    if title and suffix not in ("", ".md"):
        suffix = ""  # its title stands in front matter, which is Markdown's
    return slugify(stem or title or first[:MOST_TITLE]) + (suffix or ".md")
