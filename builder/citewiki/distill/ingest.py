"""Sources come in: copied to raw/, read, and recorded section by section."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath

from citewiki.config import PrivacyConfig
from citewiki.distill.private import hidden
from citewiki.distill.running import Report
from citewiki.errors import SourceError, WriteError
from citewiki.model import Problem, Source, SourceRecord
from citewiki.sources.ingest import (
    USERS,
    copy_in,
    find_sources,
    keep,
    left_out,
    match,
    readable,
    record_of,
    section_records,
    sha256_of,
    source_id,
)
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.sources.privacy import masked_name, masked_path
from citewiki.sources.read import AS_IT_IS, LARGEST, PRIVACY, read_bytes
from citewiki.sources.web import Snapshot, is_url, snapshot
from citewiki.store.files import write_atomic
from citewiki.text.folding import name_key, nfc
from citewiki.text.slugs import slugify

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


@dataclass(frozen=True, slots=True)
class _Arrival:
    """An original that comes in."""

    data: bytes
    name: str  # its file's
    origin: str  # by which it is known again: path or URL
    keep: Callable[[], Path]  # writes it below raw/; gives where
    named: bool = True  # whether the origin is its own: what is masked is the same for many


@dataclass(frozen=True, slots=True)
class _Step:
    """One original that was named."""

    name: str  # for a person
    open: Callable[[], _Arrival]


def take_in(
    root: Path,
    paths: Iterable[Path],
    *,
    now: datetime,
    urls: Iterable[str] = (),
    password: str = "",
    privacy: PrivacyConfig = PRIVACY,
    report: Report = lambda done, total, what: None,
    fetched: Callable[[str], Snapshot] = snapshot,
) -> Taken:
    """Copy files and folders into raw/ of the wiki at `root`, and record them in the manifest.

    What is at the `urls` is kept as `fetched` gives it, a snapshot of this moment.

    A folder keeps its inner order. One file that cannot be read, or that holds no text that can
    be, is a problem; the others go on.
    The manifest is written at the end, also when the run is broken off. The caller holds the
    wiki's lock.
    """
    records = load_manifest(root)
    others = [record for record in records.values() if record.owner]
    records = {id: record for id, record in records.items() if not record.owner}
    added: list[str] = []
    known: list[str] = []
    problems: list[Problem] = []
    steps = [
        *(
            _Step(origin, partial(_of_file, file, sub, root, origin, privacy))
            for file, sub, origin in _files(paths, problems)
        ),
        *(_Step(url, partial(_of_url, url, fetched, root, privacy)) for url in dict.fromkeys(urls)),
    ]
    try:
        for done, step in enumerate(steps):
            report(done, len(steps), step.name)
            try:
                record = _take(root, step.open(), records, now, password, privacy)
            except (SourceError, WriteError) as error:
                problems.append(Problem(error.path, error.reason, 0, "error", "source"))
                continue
            new = records.get(record.id) != record
            if new or not password:  # a known file may be opened by the password later on
                problems += _unreadable(record)
            problems += _tells(record, privacy)
            (added if new else known).append(record.id)
            records[record.id] = record
    finally:
        if added:
            write_atomic(root / MANIFEST, render_manifest((*records.values(), *others)))
    ids = tuple(dict.fromkeys((*added, *known)))
    return Taken(ids, tuple(added), tuple(known), tuple(dict.fromkeys(problems)))


def take_text(
    root: Path,
    data: bytes,
    name: str,
    *,
    now: datetime,
    owner: str = "",
    privacy: PrivacyConfig = PRIVACY,
) -> Taken:
    """Keep a text as a file `name` below raw/, and record it in the manifest.

    That of an `owner`, who is a user, lies in a folder of theirs, and is compared with their own
    sources only: those of others are not known to it. The caller holds the wiki's lock. Raises
    SourceError, WriteError.
    """
    records = load_manifest(root)
    own = {id: record for id, record in records.items() if record.owner == owner}
    folder = PurePosixPath(USERS, slugify(owner)) if owner else PurePosixPath()
    name = masked_path(name, privacy)
    coming = _Arrival(
        data, name, f"{folder / name}", lambda: keep(data, root / "raw" / folder / name)
    )
    record = _take(root, coming, own, now, "", privacy, owner)
    known = own.get(record.id) == record
    if not known:
        records[record.id] = record
        write_atomic(root / MANIFEST, render_manifest(records.values()))
    ids = (record.id,)
    return Taken(ids, () if known else ids, ids if known else (), tuple(_unreadable(record)))


def register(
    root: Path,
    records: Mapping[str, SourceRecord],
    now: datetime,
    *,
    privacy: PrivacyConfig = PRIVACY,
) -> Taken:
    """Take in the files that a person put into raw/ by hand."""
    if not (root / "raw").is_dir():
        return Taken()
    listed = {nfc(record.path) for record in records.values()}
    listed |= {older for path in listed for older in _versions_before(path)}
    listed |= {nfc(older.path) for record in records.values() for older in record.versions}
    loose = [
        path
        for path in find_sources(root / "raw")
        if nfc(path.relative_to(root).as_posix()) not in listed
    ]
    users = [path for path in loose if path.relative_to(root / "raw").parts[0] == USERS]
    loose = [path for path in loose if path not in users]
    taken = take_in(root, loose, now=now, privacy=privacy) if loose else Taken()
    return replace(taken, problems=(*taken.problems, *map(partial(_users, root), users)))


def _users(root: Path, path: Path) -> Problem:
    """The line for a file that a run of a user's left: nobody else may have pages of it."""
    message = "lies in a user's folder and is in no record; they can hand it in again"
    return Problem(path.relative_to(root).as_posix(), message, 0, "warning", "source")


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


def _tells(record: SourceRecord, privacy: PrivacyConfig) -> Iterator[Problem]:
    """A line for a file of raw/ whose own name says what is to be masked."""
    if masked_path(record.path, privacy) != record.path:
        message = "its name says what is to be masked, and pages name it; rename the file"
        yield Problem(record.path, message, 0, "warning", "private")


def _of_file(file: Path, sub: str, root: Path, origin: str, privacy: PrivacyConfig) -> _Arrival:
    """A file as it comes in. Raises SourceError when it cannot be read."""
    try:
        if (size := file.stat().st_size) > LARGEST:
            reason = f"has {size >> 20:,} MB, more than {LARGEST >> 20:,}; split it"
            raise SourceError(readable(str(file)), reason)
        data = file.read_bytes()
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise SourceError(readable(str(file)), reason) from error
    if file.resolve().is_relative_to((root / "raw").resolve()):  # put there by hand
        origin = readable(file.resolve().relative_to(root.resolve()).as_posix())
    folders, _, name = masked_path(f"{sub}/{readable(file.name)}", privacy).rpartition("/")
    hidden = masked_path(origin, privacy)
    return _Arrival(
        data,
        name,
        nfc(hidden),
        lambda: copy_in(file, root / "raw", folders, name),
        named=hidden == origin,
    )


def _of_url(
    url: str, fetched: Callable[[str], Snapshot], root: Path, privacy: PrivacyConfig
) -> _Arrival:
    """A page of the web as it comes in. Raises SourceError when it cannot be had."""
    found = fetched(url)
    name, hidden = masked_path(found.name, privacy), masked_name(found.url, privacy)
    return _Arrival(
        found.data,
        name,
        hidden,
        lambda: keep(found.data, root / "raw" / name),
        named=hidden == found.url,
    )


def _take(
    root: Path,
    coming: _Arrival,
    records: Mapping[str, SourceRecord],
    now: datetime,
    password: str,
    privacy: PrivacyConfig,
    owner: str = "",
) -> SourceRecord:
    """The record of one original, which is kept unless its bytes are there.

    A page of the web whose words have not changed since its last snapshot is known.
    """
    found = match(records, sha256_of(coming.data), coming.origin)
    if found.kind == "same" and found.record and (root / found.record.path).exists():
        return found.record
    source = hidden(
        read_bytes(coming.data, coming.name, password=password, privacy=AS_IT_IS), privacy
    )
    previous = found.record
    if previous and found.kind == "changed" and is_url(coming.origin):
        if _says_the_same(previous, source):
            return previous
    elif (
        previous and found.kind == "changed" and not (coming.named and _continues(previous, source))
    ):
        previous = None
    path = coming.keep()
    return record_of(
        source,
        id=previous.id if previous else source_id(coming.name, records, owner),
        path=nfc(path.resolve().relative_to(root.resolve()).as_posix()),
        origin=coming.origin,
        data=coming.data,
        now=now,
        previous=previous,
        owner=owner,
    )


def _says_the_same(before: SourceRecord, now: Source) -> bool:
    """Whether the sections are those of the last version, word for word."""
    sections = section_records(now.sections, before.sections)
    said = [(section.id, section.sha256) for section in sections]
    return said == [(section.id, section.sha256) for section in before.sections]


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
