"""What is to be compiled: sections that are new or changed, and what became of every one."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from citewiki.config import PrivacyConfig
from citewiki.distill.private import hidden
from citewiki.distill.shelf import Shelf
from citewiki.errors import DataError, SourceError
from citewiki.model import Problem, Section, SectionRecord, Source, SourceRecord
from citewiki.sources.ingest import original_name, section_records, sha256_of
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.sources.read import AS_IT_IS, PRIVACY, read_source
from citewiki.store.files import write_atomic

WAITS = "waits for review ("
REJECTED = "rejected by "
"""How the reasons begin of pending sections whose draft waits, and of those that were rejected."""


@dataclass(slots=True)
class Opened:
    """A source that is being compiled."""

    record: SourceRecord
    source: Source
    items: dict[str, SectionRecord]  # by section id
    titles: dict[str, str] = field(default_factory=dict)  # of a section → of its page


@dataclass(frozen=True, slots=True)
class Job:
    """One section that has to become a page."""

    opened: Opened
    section: Section
    before: SectionRecord

    @property
    def record(self) -> SourceRecord:
        """Of its source."""
        return self.opened.record

    @property
    def source(self) -> Source:
        """As it was read."""
        return self.opened.source

    @property
    def rejection(self) -> str:
        """Why a person turned its last draft down; "" when nobody did."""
        return self.before.reason if self.before.reason.startswith(REJECTED) else ""

    @property
    def up(self) -> str:
        """The title of the page above it in its source; "" when there is none."""
        above = (*reversed(self.section.parents), "")
        titles = self.opened.titles
        return next((titles[title] for title in above if title in titles), "")


class Worklist:
    """The manifest while it is worked off."""

    def __init__(
        self,
        root: Path,
        shelf: Shelf,
        *,
        password: str = "",
        privacy: PrivacyConfig = PRIVACY,
        waiting: Mapping[str, str] | None = None,
        takes_advice: bool = False,
        owner: str = "",
    ) -> None:
        """`waiting`: ids of review items → hash of the section each was made of.

        `owner`: whose sources are worked off, and known at all; "": those of the wiki itself.

        `takes_advice`: whether the engine can do otherwise where a person rejected its draft.
        """
        self._root, self._shelf, self._password = root, shelf, password
        self._privacy = privacy
        self._waiting = waiting or {}
        self._takes_advice = takes_advice
        self._owner = owner
        self.records, self._others = _parted(load_manifest(root), owner)
        self.problems: list[Problem] = []
        self._lines: dict[str, str] = {}
        self._changed: dict[str, Opened] = {}

    def chosen(self, only: Collection[str] = ()) -> list[SourceRecord]:
        """The sources named by id or path; all when none is named. Raises DataError."""
        by_name = {record.path: record for record in self.records.values()} | self.records
        others = {name: each for each in self._others for name in (each.id, each.path)}
        for name in only:
            if name in others and not self._owner:
                owner = others[name].owner
                raise DataError(
                    name, f"belongs to {owner}", hint="it is compiled when they hand it in again"
                )
            if name not in by_name:
                raise DataError(
                    MANIFEST, f"no source is called “{name}”", hint="list them: citewiki coverage"
                )
        wanted = [by_name[name] for name in dict.fromkeys(only)] if only else self.records.values()
        return sorted(wanted, key=lambda record: record.path)

    def jobs(self, record: SourceRecord) -> Iterator[Job]:
        """The sections of one source that have to become pages, in its order.

        Each is yielded when the one before it may be settled already.
        """
        opened = self._opened(record)
        if opened is None:
            return
        for section in opened.source.sections:
            item = opened.items[section.id]
            if item.status in ("pending", "compiled") and not self._settled(item):
                yield Job(opened, section, item)
            self._entitle(opened, section)

    def settle(self, job: Job, item: SectionRecord) -> None:
        """Note what became of a section; `write` puts it into the manifest."""
        job.opened.items[item.id] = item
        self._changed[job.record.id] = job.opened
        self._entitle(job.opened, job.section)

    def write(self, unwritten: Collection[str] = ()) -> None:
        """Bring the manifest up to date on disk.

        A section whose page is still `unwritten` (slugs) is named with it and stays pending.
        """
        for opened in self._changed.values():
            sections = (_until(item, unwritten) for item in opened.items.values())
            record = replace(opened.record, sections=tuple(sections))
            self.records[record.id] = record
            self._lines[record.id] = render_manifest([record])
        if not unwritten:
            self._changed.clear()
        ordered = sorted(
            (*self.records.values(), *self._others), key=lambda record: (record.path, record.id)
        )
        for record in ordered:
            if record.id not in self._lines:
                self._lines[record.id] = render_manifest([record])
        if ordered:
            write_atomic(self._root / MANIFEST, "".join(self._lines[r.id] for r in ordered))

    def _opened(self, record: SourceRecord) -> Opened | None:
        """The source as it is now; None when it cannot be read or nothing is to be done."""
        path = self._root / record.path
        try:
            data = path.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"the source cannot be read ({reason}); its pages stay as they are"
            self.problems.append(Problem(record.path, message, 0, "error", "missing-source"))
            return None
        sha256 = sha256_of(data)
        if sha256 == record.sha256 and all(map(self._settled, record.sections)):
            return None
        try:
            source = self._read(path, original_name(record))
        except SourceError as error:
            self.problems.append(Problem(record.path, error.reason, 0, "error", "source"))
            return None
        self.problems += (replace(problem, path=record.path) for problem in source.problems)
        before = {item.id: item for item in record.sections}
        items = {
            item.id: _with_reason(item, before.get(item.id))
            for item in section_records(source.sections, record.sections)
        }
        record = replace(record, sha256=sha256, bytes=len(data), title=source.title)
        opened = Opened(record, source, items)
        self._changed[record.id] = opened
        self._report_gone(before, items, record.path)
        return opened

    def _read(self, path: Path, name: str) -> Source:
        source = read_source(path, name=name, password=self._password, privacy=AS_IT_IS)
        return hidden(source, self._privacy)

    def _settled(self, item: SectionRecord) -> bool:
        """Whether nothing has to be done for a section whose text has not changed."""
        if item.status == "compiled":
            return all(slug in self._shelf for slug in item.pages)
        if item.status == "pending" and item.reason.startswith(WAITS):
            waits = item.reason.removeprefix(WAITS).rstrip(")")
            return self._waiting.get(waits) == item.sha256
        if item.status == "pending" and item.reason.startswith(REJECTED):
            return not self._takes_advice
        return item.status != "pending" and not (item.status == "encrypted" and self._password)

    def _entitle(self, opened: Opened, section: Section) -> None:
        item = opened.items[section.id]
        if item.pages and item.pages[0] in self._shelf:
            opened.titles[section.title] = self._shelf[item.pages[0]].title

    def _report_gone(
        self, before: Mapping[str, SectionRecord], items: Mapping[str, SectionRecord], path: str
    ) -> None:
        for gone in before.values():
            now = items.get(gone.id, gone)
            if now.status == "skipped" and gone.status != "skipped" and now.pages:
                message = f"section “{gone.title}” is no longer in it; page {now.pages[0]} stays"
                self.problems.append(Problem(path, message, 0, "warning", "section-gone"))


def _parted(
    records: Mapping[str, SourceRecord], owner: str
) -> tuple[dict[str, SourceRecord], list[SourceRecord]]:
    """The records of one owner by id, and all others."""
    own = {id: record for id, record in records.items() if record.owner == owner}
    return own, [record for id, record in records.items() if id not in own]


def _until(item: SectionRecord, unwritten: Collection[str]) -> SectionRecord:
    waits = item.status == "compiled" and any(slug in unwritten for slug in item.pages)
    return replace(item, status="pending") if waits else item


def _with_reason(item: SectionRecord, before: SectionRecord | None) -> SectionRecord:
    """A pending section keeps the reason why it is, as long as its text is the same."""
    same = before is not None and before.sha256 == item.sha256 and before.status == "pending"
    return replace(item, reason=before.reason) if same and before and not item.reason else item
