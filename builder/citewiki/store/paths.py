"""Which files are pages."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

ARCHIVE = "_archive"
RESERVED = frozenset({"index.md", "log.md", "_index.md"})  # lists about pages, not pages


def page_paths(wiki: Path, *, archived: bool = False) -> list[str]:
    """Paths of all pages under `wiki`, relative, with "/", sorted.

    Reserved lists, dot files, symlinks that lead out of the folder and files whose name is no
    text are none; neither are archived pages, unless asked for.
    """
    return sorted(path for path in _walk(wiki, archived) if is_text(path))


def unnamed_paths(wiki: Path, *, archived: bool = False) -> list[str]:
    """Paths of the files that would be pages if their name were UTF-8, shown with "�"."""
    bad = (path for path in _walk(wiki, archived) if not is_text(path))
    return sorted(os.fsencode(path).decode("utf-8", errors="replace") for path in bad)


def is_text(name: str) -> bool:
    """Whether the bytes of a file's name were UTF-8: the others stand in it as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _walk(wiki: Path, archived: bool) -> Iterator[str]:
    inside = wiki.resolve()
    for folder, folders, files in os.walk(wiki):
        within = Path(folder).relative_to(wiki).as_posix()
        top = within == "."
        prefix = "" if top else f"{within}/"
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and (archived or not (top and name == ARCHIVE))
        ]
        for name in files:
            if not name.endswith(".md") or name.startswith(".") or (top and name in RESERVED):
                continue
            file = os.path.join(folder, name)
            # realpath, as Path.resolve raises RuntimeError for a link that leads to itself.
            if os.path.islink(file) and not Path(os.path.realpath(file)).is_relative_to(inside):
                continue
            yield prefix + name
