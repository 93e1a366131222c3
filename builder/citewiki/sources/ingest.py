"""Taking sources in: which files, under which ids, and what the manifest says of them.

Planning is pure; what writes is `keep`, and `copy_in` through it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path, PurePath
from typing import Literal

from citewiki.errors import SourceError, WriteError
from citewiki.model import Section, SectionRecord, Source, SourceRecord, Version
from citewiki.text.folding import nfc
from citewiki.text.slugs import owned_slug

USERS = "users"
"""Folder of raw/ in which every user has one for what they take in."""

_SKIPPED_FOLDERS = frozenset(("node_modules", "__pycache__", "__MACOSX"))
_SKIPPED_FILES = frozenset(("manifest.jsonl", "Thumbs.db", "desktop.ini"))


@dataclass(frozen=True, slots=True)
class Match:
    """What the manifest already knows of a file that comes in."""

    kind: Literal["new", "same", "changed"]
    record: SourceRecord | None = None  # of the same bytes, or of the earlier version


def find_sources(path: Path) -> list[Path]:
    """The files to take in: the file itself, or all below a folder, sorted.

    Hidden files and folders, caches, the manifest, and links that lead out of the folder or to a
    folder are left out. Raises SourceError when there is no such file or folder.
    """
    if not path.exists():
        raise SourceError(str(path), "there is no such file or folder")
    if not path.is_dir():
        return [path]
    return sorted(_files_below(path, path.resolve()))


def _files_below(folder: Path, top: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):  # follows no links to folders
        folders[:] = [name for name in folders if not _is_skipped(name, _SKIPPED_FOLDERS)]
        for name in names:
            path = Path(parent, name)
            if _is_skipped(name, _SKIPPED_FILES):
                continue
            if path.is_file() and path.resolve().is_relative_to(top):
                yield path


def left_out(path: Path) -> Iterator[tuple[Path, str]]:
    """What `find_sources` leaves out of a folder though a person may expect it, and why."""
    top = path.resolve()
    for parent, folders, names in os.walk(path) if path.is_dir() else ():
        folders[:] = sorted(name for name in folders if not _is_skipped(name, _SKIPPED_FOLDERS))
        for name in sorted((*folders, *names)):
            file = Path(parent, name)
            if _is_skipped(name, _SKIPPED_FILES) or not file.is_symlink():
                continue
            if not file.exists():
                yield file, "is left out: a link to nothing"
            elif not file.resolve().is_relative_to(top):
                yield file, "is left out: a link to another place; name that place itself"


def readable(name: str) -> str:
    """A file's name or path as text: bytes that are no UTF-8 are shown as "�"."""
    return os.fsencode(name).decode("utf-8", errors="replace")


def _is_skipped(name: str, listed: Container[str]) -> bool:
    return name.startswith((".", "~$")) or name in listed


def sha256_of(data: bytes) -> str:
    """The hash by which sources and sections are compared; hex."""
    return hashlib.sha256(data).hexdigest()


def match(records: Mapping[str, SourceRecord], sha256: str, origin: str) -> Match:
    """Whether a file is known: by its bytes, else as another version of what `origin` names."""
    for record in records.values():
        if record.sha256 == sha256:
            return Match("same", record)
    for record in records.values():
        if record.origin == origin:
            return Match("changed", record)
    return Match("new")


def source_id(name: str, taken: Container[str] = (), owner: str = "") -> str:
    """An id from a file's name or URL, unique among `taken`: "rag-paper" of "rag paper.pdf".

    That of a user's source ends in "~" and their name.
    """
    stem = PurePath(name.rstrip("/")).name
    bare = PurePath(stem).stem if PurePath(stem).suffix[1:].isalnum() else stem
    return owned_slug(bare or name, owner, taken)


def original_name(record: SourceRecord) -> str:
    """The name that the original came under: that of its copy in raw/ may say its version."""
    copy, origin = PurePath(record.path), PurePath(record.origin)
    return origin.name if origin.suffix and origin.suffix == copy.suffix else copy.name


def record_of(
    source: Source,
    *,
    id: str,
    path: str,
    origin: str,
    data: bytes,
    now: datetime,
    previous: SourceRecord | None = None,
    owner: str = "",
) -> SourceRecord:
    """The manifest's record of a source that was read from `data` and lies at `path` (raw/…).

    With its `previous` version, sections whose text is the same stay compiled.
    """
    return SourceRecord(
        id=id,
        path=path,
        origin=origin,
        sha256=sha256_of(data),
        media_type=source.media_type,
        bytes=len(data),
        fetched_at=now,
        reader=source.reader,
        title=source.title,
        sections=section_records(source.sections, previous.sections if previous else ()),
        versions=_versions(previous, path, sha256_of(data)) if previous else (),
        owner=owner,
    )


def _versions(previous: SourceRecord, path: str, sha256: str) -> tuple[Version, ...]:
    """The versions before the one that lies at `path` now; a file that only moved is none."""
    last = Version(previous.path, previous.sha256, previous.fetched_at)
    before = (*previous.versions, last)
    return tuple(each for each in before if each.path != path and each.sha256 != sha256)


def section_records(
    sections: Iterable[Section], previous: Iterable[SectionRecord] = ()
) -> tuple[SectionRecord, ...]:
    """The records of a source's sections, given those of its version before.

    A section with the same id and text keeps its status and pages; one with another text keeps
    its pages and is pending; one that is gone stays, skipped, if a page was made of it.
    """
    before = {record.id: record for record in previous}
    records = [_section_record(section, before.pop(section.id, None)) for section in sections]
    gone = "no longer in the source; its page stays"
    kept = [
        replace(record, status="skipped", reason=gone) for record in before.values() if record.pages
    ]
    return (*records, *kept)


def _section_record(section: Section, before: SectionRecord | None) -> SectionRecord:
    sha256 = sha256_of(section.text.encode("utf-8"))
    compiled = before is not None and before.sha256 == sha256 and before.status == "compiled"
    return SectionRecord(
        id=section.id,
        title=section.title,
        locator=section.locator,
        chars=len(section.text),
        status="compiled" if compiled and section.status == "pending" else section.status,
        pages=before.pages if before else (),
        reason=section.reason,
        sha256=sha256,
    )


def copy_in(file: Path, raw: Path, sub: str = "", name: str = "") -> Path:
    """A copy of `file` in the folder `raw`, below `sub` (the folders it lay in); its path.

    It is called `name`, or as it was.

    What lies there already is never overwritten: the same bytes are left as they are, other ones
    get a name of their own, `name.v2.md`. A file that is below `raw` already is not copied.
    A name that is no text is made one. Raises SourceError when the file cannot be read, or lies
    below `raw` under a name that is no text; WriteError when the copy cannot be written.
    """
    if file.resolve().is_relative_to(raw.resolve()):
        if readable(str(file)) != str(file):
            raise SourceError(readable(str(file)), "its name is not UTF-8; rename it")
        return file
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SourceError(str(file), error.strerror or "cannot be read") from error
    folder = raw.joinpath(*(nfc(part) for part in PurePath(sub).parts if part not in ("..", "/")))
    return keep(data, folder / nfc(name or readable(file.name)))


def keep(data: bytes, path: Path) -> Path:
    """Write an original at `path`, or under the next name where another one lies; its path.

    Raises WriteError when it cannot be written; then nothing of it is left.
    """
    target = free_path(path, data)
    if target.exists():
        return target
    folder = target.parent
    partial = target.with_name(f".{sha256_of(data)[:16]}.partial")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        partial.replace(target)
    except OSError as error:
        if folder.is_dir():
            partial.unlink(missing_ok=True)
        raise WriteError(str(target), error.strerror or "cannot be written") from error
    return target


def free_path(path: Path, data: bytes) -> Path:
    """The first of `name.md`, `name.v2.md`, … that is free, or that holds `data` already."""
    candidate, version = path, 1
    while candidate.exists() and not (candidate.is_file() and candidate.read_bytes() == data):
        version += 1
        candidate = path.with_name(f"{path.stem}.v{version}{path.suffix}")
    return candidate
