"""The other files of a wiki, mostly pictures: which there are, and which a name means."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable
from pathlib import Path

from citewiki.store.paths import ARCHIVE, is_text
from citewiki.text.folding import name_key, nfc

IMAGES = frozenset({".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".avif", ".bmp", ".ico"})
SOUNDS = frozenset({".mp3", ".ogg", ".oga", ".wav", ".flac", ".m4a"})
FILMS = frozenset({".mp4", ".webm", ".ogv", ".mov", ".m4v"})


def media_paths(wiki: Path) -> list[str]:
    """Paths of all files under `wiki` that are no pages, with "/", sorted.

    Dot files, the archive and whatever a symlink brings in from outside or from a page are left
    out.
    """
    inside = wiki.resolve()
    found: list[str] = []
    for name_of_folder, folders, files in os.walk(wiki):
        folder = Path(name_of_folder)
        folders[:] = [
            name
            for name in folders
            if not name.startswith(".") and not (folder == wiki and name == ARCHIVE)
        ]
        for name in files:
            path = folder / name
            if name.startswith(".") or name.endswith(".md") or not is_text(str(path)):
                continue
            if path.is_symlink() and not _may_lead(path, inside):
                continue
            found.append(path.relative_to(wiki).as_posix())
    return sorted(found)


def _may_lead(link: Path, inside: Path) -> bool:
    """Whether a symlink leads to a file that may stand here itself: no page, nothing put away."""
    target = Path(os.path.realpath(link))  # Path.resolve would raise for one that leads to itself
    if not target.is_relative_to(inside) or not target.is_file() or target.suffix == ".md":
        return False
    steps = target.relative_to(inside).parts
    return steps[0] != ARCHIVE and not any(step.startswith(".") for step in steps)


class Media:
    """Files by path and by name, found in constant time."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths := list(paths))
        self._by_path: dict[str, str] = {}
        self._by_name: dict[str, list[str]] = {}
        for path in paths:
            self._by_path[name_key(path)] = path
            self._by_name.setdefault(name_key(posixpath.basename(path)), []).append(path)

    def resolve(self, name: str, from_path: str = "") -> str | None:
        """The file that `name` means on the page at `from_path`; None: there is none.

        A path from the page's folder or from the top; else, as in Obsidian, the file's name
        alone: in the page's own folder, then at the shortest path.
        """
        folder = posixpath.dirname(from_path)
        name = nfc(name.strip())
        tries = [name.lstrip("/")] if name.startswith("/") else [posixpath.join(folder, name), name]
        for path in tries:
            found = self._by_path.get(name_key(posixpath.normpath(path)))
            if found:
                return found
        named = self._by_name.get(name_key(posixpath.basename(name)), [])
        ending = name_key("/" + name.lstrip("./"))
        named = [path for path in named if name_key("/" + path).endswith(ending)]
        return min(
            named,
            key=lambda path: (posixpath.dirname(path) != folder, path.count("/"), path),
            default=None,
        )
