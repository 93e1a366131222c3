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
    return sorted(page_files(wiki, archived=archived))


def page_files(wiki: Path, *, archived: bool = False) -> dict[str, os.DirEntry[str]]:
    """The files of all pages by path (see `page_paths`), in no order; they may be gone since."""
    return {path: file for path, file in _walk(wiki, archived) if is_text(path)}


def unnamed_paths(wiki: Path, *, archived: bool = False) -> list[str]:
    """Paths of the files that would be pages if their name were UTF-8, shown with "�"."""
    bad = (path for path, _ in _walk(wiki, archived) if not is_text(path))
    return sorted(os.fsencode(path).decode("utf-8", errors="replace") for path in bad)


def is_put_away(path: str) -> bool:
    """Whether the page at `path` lies in the archive."""
    return path.startswith(f"{ARCHIVE}/")


def is_text(name: str) -> bool:
    """Whether the bytes of a file's name were UTF-8: the others stand in it as surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _walk(wiki: Path, archived: bool) -> Iterator[tuple[str, os.DirEntry[str]]]:
    inside = wiki.resolve()
    left = [""]
    while left:
        prefix = left.pop()
        try:
            entries = list(os.scandir(wiki / prefix))
        except OSError:  # a folder that may not be read, or is gone
            continue
        for entry in entries:
            name = entry.name
            if name.startswith(".") or (not prefix and name in RESERVED):
                continue
            if entry.is_dir(follow_symlinks=False):
                if archived or prefix or name != ARCHIVE:
                    left.append(f"{prefix}{name}/")
            elif name.endswith(".md") and (not entry.is_symlink() or _leads(entry.path, inside)):
                yield prefix + name, entry


def _leads(link: str, inside: Path) -> bool:
    """Whether a symlink leads to something in the folder `inside` that is no folder."""
    target = os.path.realpath(link)  # Path.resolve would raise for one that leads to itself
    return Path(target).is_relative_to(inside) and not os.path.isdir(target)
