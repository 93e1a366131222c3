"""Sources become pages: what is new or changed, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.crosslinks import Linker
from citewiki.distill.domains import Domains
from citewiki.distill.extractive import Taken, distill
from citewiki.errors import DataError, SourceError
from citewiki.model import Page, Problem, Section, SectionRecord, Source, SourceRecord
from citewiki.sources.ingest import section_records, sha256_of
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.sources.read import read_source
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import write_atomic
from citewiki.store.pages import body_sha256, edited_by_hand, load_pages, render_page
from citewiki.store.paths import ARCHIVE
from citewiki.text.folding import name_key

Report = Callable[[int, int, str], None]

BATCH = 100
"""Pages made before they are written: a killed run does at most this much again."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a run of `compile` did."""

    made: tuple[str, ...] = ()  # slugs of new pages
    updated: tuple[str, ...] = ()  # slugs of pages whose section changed
    linked: tuple[str, ...] = ()  # slugs of pages that only got new links
    sections: dict[str, int] = field(default_factory=dict)  # number of sections by status
    problems: tuple[Problem, ...] = ()


def compile_sources(
    root: Path,
    config: Config,
    *,
    now: datetime,
    version: str,
    only: Collection[str] = (),
    password: str = "",
    report: Report = lambda done, total, what: None,
) -> Compiled:
    """Make pages of every section that is new or changed, then link all pages.

    Pages are written in batches, each after the manifest that names them: a run that was killed
    finds pages named but missing, makes those again, and goes on; a second run changes nothing.
    The caller holds the wiki's lock. `only` names sources
    by id or path. Raises DataError for a source that is not in the manifest.
    """
    run = _Run(root, config, now, version, password)
    chosen = run.chosen(only)
    for done, record in enumerate(chosen):
        report(done, len(chosen), record.path)
        run.compile(record)
    run.flush()
    run.link()
    pages = [page for page in run.pages.values() if not page.path.startswith(f"{ARCHIVE}/")]
    write_index(root / "wiki", pages)
    append_log(root / "wiki", now, config.owner, run.log)
    counts: dict[str, int] = {}
    for record in run.records.values():
        for section in record.sections:
            counts[section.status] = counts.get(section.status, 0) + 1
    return Compiled(
        tuple(run.made), tuple(run.updated), tuple(run.linked), counts, tuple(run.problems)
    )


class _Run:
    """The state of one run: what exists, and what was done."""

    def __init__(
        self, root: Path, config: Config, now: datetime, version: str, password: str
    ) -> None:
        self.root, self.config, self.now = root, config, now
        self.version, self.password = version, password
        self.records = load_manifest(root)
        found, problems = load_pages(root / "wiki", archived=True)
        self.problems: list[Problem] = problems
        self.pages = {page.slug: page for page in found}
        self.titles = {name_key(page.title) for page in found}
        self.domains = Domains(found)
        self.made: list[str] = []
        self.updated: list[str] = []
        self.linked: list[str] = []
        self.log: list[str] = []
        self._lines = {key: render_manifest([record]) for key, record in self.records.items()}
        self._unwritten: list[Page] = []

    def chosen(self, only: Collection[str]) -> list[SourceRecord]:
        """The sources named by id or path; all when none is named."""
        by_name = {record.path: record for record in self.records.values()} | self.records
        for name in only:
            if name not in by_name:
                raise DataError(
                    MANIFEST, f"no source is called “{name}”", hint="list them: citewiki coverage"
                )
        wanted = [by_name[name] for name in dict.fromkeys(only)] if only else self.records.values()
        return sorted(wanted, key=lambda record: record.path)

    def compile(self, record: SourceRecord) -> None:
        """One source: read, compare with what was compiled before, write what differs."""
        path = self.root / record.path
        try:
            data = path.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"the source cannot be read ({reason}); its pages stay as they are"
            self.problems.append(Problem(record.path, message, 0, "error", "missing-source"))
            return
        sha256 = sha256_of(data)
        if sha256 == record.sha256 and all(map(self._settled, record.sections)):
            return
        try:
            source = read_source(path, password=self.password)
        except SourceError as error:
            self.problems.append(Problem(record.path, error.reason, 0, "error", "source"))
            return
        self.problems += (replace(problem, path=record.path) for problem in source.problems)
        record = replace(record, sha256=sha256, bytes=len(data), title=source.title)
        self._write(record, source)

    def _settled(self, section: SectionRecord) -> bool:
        """Whether nothing has to be done for a section whose text has not changed."""
        if section.status == "compiled":
            return all(slug in self.pages for slug in section.pages)
        return section.status != "pending" and not (section.status == "encrypted" and self.password)

    def _write(self, record: SourceRecord, source: Source) -> None:
        records = {item.id: item for item in section_records(source.sections, record.sections)}
        made, updated = len(self.made), len(self.updated)
        titles: dict[str, str] = {}  # title of a section → title of its page
        for section in source.sections:
            item = records[section.id]
            if item.status == "pending" or (item.status == "compiled" and not self._settled(item)):
                item = records[section.id] = self._section(section, source, record, item, titles)
            if item.pages and item.pages[0] in self.pages:
                titles[section.title] = self.pages[item.pages[0]].title
        for gone in record.sections:
            now = records.get(gone.id, gone)
            if now.status == "skipped" and gone.status != "skipped" and now.pages:
                message = f"section “{gone.title}” is no longer in it; page {now.pages[0]} stays"
                self.problems.append(Problem(record.path, message, 0, "warning", "section-gone"))
        self.records[record.id] = record = replace(record, sections=tuple(records.values()))
        self._lines[record.id] = render_manifest([record])
        made, updated = len(self.made) - made, len(self.updated) - updated
        if made or updated:
            self.log.append(f"compiled {record.path}: {made} new pages, {updated} updated")
        if len(self._unwritten) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the manifest, then the pages that it names."""
        ordered = sorted(self.records.values(), key=lambda record: (record.path, record.id))
        lines = "".join(self._lines[record.id] for record in ordered)
        if lines:
            write_atomic(self.root / MANIFEST, lines)
        for page in self._unwritten:
            self._write_page(page)
        self._unwritten.clear()

    def _section(
        self,
        section: Section,
        source: Source,
        record: SourceRecord,
        before: SectionRecord,
        titles: dict[str, str],
    ) -> SectionRecord:
        """Write the page of one section that is new or changed; its record afterwards."""
        old = next((self.pages[slug] for slug in before.pages if slug in self.pages), None)
        if old and edited_by_hand(old):
            message = "was edited by hand; the changed section of its source was not taken in"
            self.problems.append(Problem(f"wiki/{old.path}", message, 0, "warning", "edited"))
            return before
        folder = record.path.removeprefix("raw/").rpartition("/")[0].partition("/")[0]
        above = (*reversed(section.parents), "")
        draft = distill(
            section,
            source,
            record,
            domain=old.domain if old else self.domains.choose(folder, section.text),
            taken=Taken(self.titles, self.pages),
            now=self.now,
            version=self.version,
            up=next((titles[title] for title in above if title in titles), ""),
        )
        page = replace(draft.page, owner=self.config.owner, shared_with=self.config.shared_with)
        if old:
            page = _renewed(old, page)
            self.updated.append(page.slug)
        else:
            self.made.append(page.slug)
        self.pages[page.slug] = page
        self._unwritten.append(page)
        self.titles.add(name_key(page.title))
        return replace(before, status="compiled", pages=(page.slug,), reason="")

    def link(self) -> None:
        """Link the first mentions on every page that is still as the program wrote it."""
        if not self.config.link_titles:
            return
        linker = Linker(p for p in self.pages.values() if not p.path.startswith(f"{ARCHIVE}/"))
        fresh = {*self.made, *self.updated}
        for page in list(self.pages.values()):
            if edited_by_hand(page) or page.path.startswith(f"{ARCHIVE}/"):
                continue
            linked = linker.link(page)
            if linked is page:
                continue
            linked = replace(linked, generated_sha256=body_sha256(linked.body))
            self._write_page(linked)
            self.pages[page.slug] = linked
            if page.slug not in fresh:
                self.linked.append(page.slug)

    def _write_page(self, page: Page) -> None:
        path = self.root / "wiki" / page.path
        previous = path.read_text(encoding="utf-8-sig") if path.exists() else ""
        write_atomic(path, render_page(page, previous))


def _renewed(old: Page, new: Page) -> Page:
    """The page of a section that changed: its identity and its past stay, its text is new."""
    return replace(
        new,
        path=old.path,
        slug=old.slug,
        title=old.title,
        aliases=_merged(old.aliases, new.aliases),
        tags=_merged(old.tags, new.tags),
        domain=old.domain,
        owner=old.owner,
        shared_with=old.shared_with,
        ingested_at=old.ingested_at,
        valid_until=old.valid_until,
        superseded_by=old.superseded_by,
        supersedes=old.supersedes,
        archived_at=old.archived_at,
    )


def _merged(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple({name_key(text): text for text in (*second, *first)}.values())
