"""An audit with its drafts: what was found, and what waits for review because of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.checks import Judge
from citewiki.distill.composing import body as composed
from citewiki.distill.composing import whole
from citewiki.distill.ground import Ground
from citewiki.distill.maintain.audit import Finding, audit
from citewiki.distill.maintain.measures import shown
from citewiki.distill.maintain.passages import Originals, page_passages, written_by
from citewiki.distill.maintain.queueing import Wanted, merge_wanted, queued, split_wanted
from citewiki.distill.related import Related, may_mention
from citewiki.distill.shelf import Shelf
from citewiki.distill.written import Known, write
from citewiki.errors import (
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnusable,
    SourceError,
)
from citewiki.llm.port import Engine
from citewiki.markdown.footnotes import footnotes
from citewiki.model import Page, Problem, Section, Source, SourceRecord
from citewiki.sources.read import read_source
from citewiki.sources.words import count_words
from citewiki.store.catalog import append_log
from citewiki.store.labels import evidence
from citewiki.store.pages import body_sha256

Report = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Audited:
    """What an audit found and queued."""

    findings: tuple[Finding, ...] = ()
    waiting: tuple[str, ...] = ()  # ids of drafts that were queued
    problems: tuple[Problem, ...] = ()  # pages that a model did not manage
    stopped: str = ""  # why the drafts ended early; "" when they did not


def run_audit(
    root: Path,
    cache: Path,
    pages: Sequence[Page],
    records: Mapping[str, SourceRecord],
    config: Config,
    *,
    now: datetime,
    version: str,
    engine: Engine | None = None,
    judge: Judge | None = None,
    report: Report = lambda done, total, what: None,
) -> Audited:
    """Look at all `pages` (with bodies), queue drafts of what can be put right, and log it.

    By rules, copies are merged and bloated pages split, both word for word. With `engine`, thin
    pages are written anew from their sections, and copies into one text; splits stay word for
    word. Moves and links are proposed only. The caller holds the wiki's lock.
    """
    findings = audit(pages, records)
    run = _Drafts(root, cache, pages, records, config, now, version, engine, judge)
    told: list[Finding] = []
    for done, finding in enumerate(findings):
        report(done, len(findings), finding.title)
        ids = run.of(finding) if not run.stopped else []
        told.append(replace(finding, draft=ids[-1] if ids else ""))
    counts = {kind: sum(f.kind == kind for f in findings) for kind in _KINDS}
    words = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    line = f"audited {len(pages)} pages: {words or 'nothing found'}"
    append_log(root / "wiki", now, config.owner, [line])
    return Audited(tuple(told), tuple(run.waiting), tuple(run.problems), run.stopped)


_KINDS = ("thin", "bloated", "duplicate", "off-topic", "orphaned")


class _Drafts:
    """Drafts of one audit, in the order of its findings."""

    def __init__(
        self,
        root: Path,
        cache: Path,
        pages: Iterable[Page],
        records: Mapping[str, SourceRecord],
        config: Config,
        now: datetime,
        version: str,
        engine: Engine | None,
        judge: Judge | None,
    ) -> None:
        self._root, self._cache, self._config, self._now = root, cache, config, now
        self._pages = {page.slug: page for page in pages}
        self._records = records
        self._engine, self._judge = engine, judge
        self._model = config.engine.distill_model or config.engine.answer_model
        self._by = f"citewiki/{version}+{self._model}"
        self._shelf = Shelf(root / "wiki")
        self._originals = Originals(root, config)
        self._seen = [page for page in self._pages.values() if may_mention(page, config)]
        self._related = Related(self._seen) if engine else None
        self._touched: set[str] = set()  # slugs that a draft is about: one draft a page
        self.waiting: list[str] = []
        self.problems: list[Problem] = []
        self.stopped = ""

    def of(self, finding: Finding) -> list[str]:
        """Queue what can be drafted for a finding; the ids."""
        slugs = {finding.slug, *(finding.others if finding.kind == "duplicate" else ())}
        if slugs & self._touched:
            return []
        try:
            wanted = self._wanted(finding)
        except (EngineRefused, EngineTruncated, EngineUnusable, SourceError) as error:
            text = getattr(error, "message", "") or str(error)
            self.problems.append(Problem(f"wiki/{finding.path}", text, 0, "warning", "engine"))
            return []
        except EngineError as error:
            self.stopped = str(error)
            return []
        items = queued(self._root, self._cache, self._shelf, wanted, self._now)
        if wanted:
            self._touched |= slugs
        ids = [item.id for item in items]
        self.waiting += ids
        return ids

    def _wanted(self, finding: Finding) -> list[Wanted]:
        page, why = self._pages[finding.slug], "; ".join(finding.evidence)
        if finding.kind == "duplicate":
            stays = self._pages[finding.others[0]]
            made = merge_wanted(stays, page, why, self._cache, self._now)
            if made and self._engine:
                made = self._merged(made, stays, page) or made
            return [made] if made else []
        if finding.kind == "bloated":
            return split_wanted(page, why, self._shelf, self._cache, self._now)
        if finding.kind == "thin" and self._engine:
            made = self._rewritten(page, why)
            return [made] if made else []
        return []

    def _merged(self, made: Wanted, stays: Page, goes: Page) -> Wanted | None:
        """The two pages as one text by a model; None when it leaves out a source of theirs."""
        assert self._engine
        found = [
            passage for page in (stays, goes) for passage in page_passages(page, self._originals)
        ]
        if not found:
            return None
        known = self._known(stays, goes)
        written, body = written_by(stays.title, found, known, self._engine, self._judge)
        wanted = {evidence(note)[0] for note in footnotes(made.page.body).values()}
        if not wanted <= {evidence(note)[0] for note in footnotes(body).values()}:
            return None
        page = self._made(made.page, body, written.draft.summary)
        return replace(made, page=page, problems=written.problems, by=self._model)

    def _rewritten(self, page: Page, why: str) -> Wanted | None:
        """A thin page written from its section; None when the model says no more of it."""
        assert self._engine
        found = self._section(page)
        if found is None:
            return None
        record, source, section = found
        written = write(Ground(section, source), self._known(page), self._engine, judge=self._judge)
        text, notes = composed(
            written.draft.paragraphs, section, source=record.id, path=record.path
        )
        new = self._made(page, whole(text, notes), written.draft.summary)
        if count_words(shown(new)) <= count_words(shown(page)):
            return None
        return Wanted(
            new, f"written anew from its section: {why}", "update", page.slug,
            problems=written.problems, by=self._model,
        )  # fmt: skip

    def _section(self, page: Page) -> tuple[SourceRecord, Source, Section] | None:
        for record in self._records.values():
            for each in record.sections:
                if each.pages[:1] == (page.slug,):
                    path = self._root / record.path
                    source = read_source(path, privacy=self._config.privacy)
                    found = next((s for s in source.sections if s.id == each.id), None)
                    return (record, source, found) if found else None
        return None

    def _known(self, *pages: Page) -> Known:
        """What a model is told of the wiki beside these pages."""
        assert self._related
        text = " ".join(f"{page.title} {page.summary}" for page in pages)
        own = {page.slug for page in pages}
        near = [slug for slug in self._related.nearest(text) if slug not in own]
        domains = tuple(sorted({page.domain for page in self._seen if page.domain}))
        told = tuple((self._pages[slug].title, self._pages[slug].summary) for slug in near)
        return Known(domains, told)

    def _made(self, page: Page, body: str, summary: str) -> Page:
        return replace(
            page,
            body=body,
            summary=summary or page.summary,
            generated_by=self._by,
            generated_at=self._now,
            generated_sha256=body_sha256(body),
        )
