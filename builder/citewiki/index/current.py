"""Whether the index still says what the pages on disk say."""

from __future__ import annotations

import hashlib
import sqlite3
import stat
from dataclasses import dataclass
from pathlib import Path

from citewiki.index import table, words
from citewiki.model import Viewer
from citewiki.store.paths import page_files
from citewiki.store.prefixes import FOLDER, prefix_file


@dataclass(frozen=True, slots=True)
class Shown:
    """What an index shows: which pages, and to whom."""

    wiki: Path  # the folder of the pages
    cache: Path  # where prefixes of passages are
    viewer: Viewer
    archived: bool  # whether pages that are put away are in it


def scan(shown: Shown) -> dict[str, tuple[int, int]]:
    """Size and time of change (ns) of every page's file, by path.

    Those of a page's prefixes are added, so that a change of either is seen.
    """
    found: dict[str, tuple[int, int]] = {}
    cache = shown.cache
    prefixed = (cache / FOLDER).is_dir()
    for path, file in page_files(shown.wiki, archived=shown.archived).items():
        try:
            status = file.stat()
        except OSError:  # gone since it was listed
            continue
        if stat.S_ISREG(status.st_mode):  # reading a named pipe would wait for ever
            found[path] = (status.st_size, status.st_mtime_ns)
            if prefixed:
                try:
                    told = prefix_file(cache, path).stat()
                except OSError:
                    continue
                found[path] = (
                    status.st_size + told.st_size,
                    status.st_mtime_ns + told.st_mtime_ns,
                )
    return found


def is_current(
    database: sqlite3.Connection, folder: Path, seen: dict[str, tuple[int, int]]
) -> bool:
    """Whether nothing has changed since the index in `folder` was written."""
    if table.get_meta(database, "commit") != words.commit_stamp(folder):
        return False
    return table.file_marks(database) == {(file_key(path), *mark) for path, mark in seen.items()}


def file_key(path: str) -> bytes:
    """What a page's file goes by in the table: a hash of its path."""
    return hashlib.blake2b(path.encode(), digest_size=16).digest()
