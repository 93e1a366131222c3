"""Sources come in: copied to raw/, read, and recorded section by section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from citewiki.distill.compile import Report
from citewiki.errors import SourceError, WriteError
from citewiki.model import Problem, Source, SourceRecord
from citewiki.sources.ingest import (
    copy_in,
    find_sources,
    left_out,
    match,
    readable,
    record_of,
    sha256_of,
    source_id,
)
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.sources.read import read_source
from citewiki.store.files import write_atomic
from citewiki.text.folding import name_key, nfc

_VERSION = re.compile(r"\.v(\d+)(?=\.[^./]+$|$)")
_WITHOUT_TEXT = frozenset(("no_text", "encrypted", "unreadable"))
SAME_SOURCE = 1 / 3
"""Share of its sections that a file of another title must share to be a new version: a decision."""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a run of `ingest` took in."""

    ids: tuple[str, ...] = ()  # of all sources that were named, new or known
    added: tuple[str, ...] = ()  # ids that are new, or new versions
    known: tuple[str, ...] = ()  # for each file whose bytes were there already: their id
    problems: tuple[Problem, ...] = ()


def take_in(
    root: Path,
    paths: Iterable[Path],
    *,
    now: datetime,
    password: str = "",
    report: Report = lambda done, total, what: None,
) -> Taken:
    """Copy files and folders into raw/ of the wiki at `root`, and record them in the manifest.

    A folder keeps its inner order. One file that cannot be read, or that holds no text that can
    be, is a problem; the others go on.
    The manifest is written at the end, also when the run is broken off. The caller holds the
    wiki's lock.
    """
    records = load_manifest(root)
    added: list[str] = []
    known: list[str] = []
    problems: list[Problem] = []
    files = list(_files(paths, problems))
    try:
        for done, (path, sub, origin) in enumerate(files):
            report(done, len(files), readable(path.name))
            try:
                record = _take(root, path, sub, origin, records, now, password)
            except (SourceError, WriteError) as error:
                problems.append(Problem(error.path, error.reason, 0, "error", "source"))
                continue
            new = records.get(record.id) != record
            if new or not password:  # a known file may be opened by the password later on
                problems += _unreadable(record)
            (added if new else known).append(record.id)
            records[record.id] = record
    finally:
        if added:
            write_atomic(root / MANIFEST, render_manifest(records.values()))
    ids = tuple(dict.fromkeys((*added, *known)))
    return Taken(ids, tuple(added), tuple(known), tuple(dict.fromkeys(problems)))


def register(root: Path, records: Mapping[str, SourceRecord], now: datetime) -> Taken:
    """Take in the files that a person put into raw/ by hand."""
    if not (root / "raw").is_dir():
        return Taken()
    listed = {nfc(record.path) for record in records.values()}
    listed |= {older for path in listed for older in _versions_before(path)}
    loose = [
        path
        for path in find_sources(root / "raw")
        if nfc(path.relative_to(root).as_posix()) not in listed
    ]
    return take_in(root, loose, now=now) if loose else Taken()


def _files(paths: Iterable[Path], problems: list[Problem]) -> Iterator[tuple[Path, str, str]]:
    """(file, folders below raw/, origin) of all that was named."""
    for path in paths:
        try:
            found = find_sources(path)
        except SourceError as error:
            problems.append(Problem(error.path, error.reason, 0, "error", "source"))
            continue
        if path.is_dir() and not found:
            problems.append(Problem(str(path), "holds no files to take in", 0, "warning", "source"))
        for link, why in left_out(path):
            problems.append(Problem(readable(str(link)), why, 0, "warning", "source"))
        top = path.resolve()
        for file in found:
            if path.is_dir():
                name = "" if top.name == "raw" else top.name  # the raw/ of another wiki
                inside = PurePosixPath(name) / file.relative_to(path).as_posix()
                yield file, readable(inside.parent.as_posix()), readable(inside.as_posix())
            else:
                yield file, "", readable("/".join(top.parts[-2:]).lstrip("/"))


def _unreadable(record: SourceRecord) -> Iterator[Problem]:
    """The one line for a source of which nothing can be read."""
    first = record.sections[0]
    if {section.status for section in record.sections} <= _WITHOUT_TEXT:
        yield Problem(record.path, first.reason, 0, "error", first.status)


def _take(
    root: Path,
    file: Path,
    sub: str,
    origin: str,
    records: Mapping[str, SourceRecord],
    now: datetime,
    password: str,
) -> SourceRecord:
    """The record of one file, which is copied unless its bytes are there."""
    try:
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise SourceError(readable(str(file)), reason) from error
    found = match(records, sha256_of(data), nfc(origin))
    if found.kind == "same" and found.record and (root / found.record.path).exists():
        return found.record
    name = readable(file.name)
    source = read_source(file, name=name, password=password)
    previous = found.record
    if previous and found.kind == "changed" and not _continues(previous, source):
        previous = None
    copy = copy_in(file, root / "raw", sub)
    return record_of(
        source,
        id=previous.id if previous else source_id(name, records),
        path=nfc(copy.resolve().relative_to(root.resolve()).as_posix()),
        origin=nfc(origin),
        data=data,
        now=now,
        previous=previous,
    )


def _continues(before: SourceRecord, now: Source) -> bool:
    """Whether a file of the same name is the same source, changed, and not another one."""
    if name_key(before.title) == name_key(now.title):
        return True
    ids = {section.id for section in before.sections}
    kept = sum(section.id in ids for section in now.sections)
    return kept >= SAME_SOURCE * len(now.sections)


def _versions_before(path: str) -> Iterator[str]:
    """Paths of the earlier versions of a source that lies at raw/…/name.v3.md."""
    found = _VERSION.search(path)
    for version in range(1, int(found[1])) if found else ():
        yield _VERSION.sub(f".v{version}" if version > 1 else "", path)
