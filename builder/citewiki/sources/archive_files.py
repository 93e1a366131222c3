"""The files of a zip and of the zips inside it; those that cannot be had are accounted for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from citewiki.errors import SourceError
from citewiki.sources.archive import Archive
from citewiki.sources.entries import Entry

_DEEPEST = 3  # zips inside zips
_HIDDEN = frozenset(("__MACOSX", "Thumbs.db", "desktop.ini", "node_modules"))


@dataclass(frozen=True, slots=True)
class File:
    """One member; its bytes are unpacked when they are asked for."""

    path: str  # with "/" between its parts
    archive: Archive
    name: str  # in `archive`

    @property
    def suffix(self) -> str:
        """ ".md": the end of the name, in lower case."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def stem(self) -> str:
        """The name without folders and suffix."""
        return PurePosixPath(self.path).stem

    @property
    def folder(self) -> str:
        """The folders above the file; "" at the top."""
        return self.path.rpartition("/")[0]

    def data(self) -> bytes:
        """The member's bytes; raises SourceError when they cannot be had."""
        return self.archive.read(self.name)


def files(archive: Archive, depth: int = 0) -> tuple[list[File], list[Entry]]:
    """The files, less what systems leave behind, and an entry for each zip that does not open."""
    found: list[File] = []
    closed: list[Entry] = []
    for name in archive.names:
        parts = name.split("/")
        if any(part in _HIDDEN or part.startswith(".") for part in parts):
            continue
        if not name.lower().endswith(".zip") or depth >= _DEEPEST:
            found.append(File(name, archive, name))
            continue
        try:
            inner, unopened = files(archive.inner(name), depth + 1)
            found += inner
            closed += unopened
        except SourceError as error:
            closed.append(unreadable(name, error.reason))
    return found, closed


def unreadable(path: str, reason: str) -> Entry:
    """The entry of a file that cannot be read."""
    stem = PurePosixPath(path).stem
    return Entry(stem, "", path, key=path, status="unreadable", reason=reason)
