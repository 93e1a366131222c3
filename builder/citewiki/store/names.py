"""Which page a name means, by Obsidian's rules, in constant time."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from citewiki.model import Page
from citewiki.text.folding import name_key, nfc


@dataclass(frozen=True, slots=True)
class Resolved:
    """What a name came to."""

    path: str | None  # of the page meant; None: no page goes by that name
    others: tuple[str, ...] = ()  # pages that the name could have meant as well

    @property
    def ambiguous(self) -> bool:
        """Whether a person should write a longer name."""
        return bool(self.others)


class Names:
    """The names of a set of pages: path, file name, slug, title, alias.

    A name means, in this order: the page at exactly that path; a page with that file name, slug
    or title; a page with that alias. Exact spelling goes before the folded one (NFC, case).
    Among several: the linking page's own folder, then its owner's pages, then the shortest path.
    """

    def __init__(self, pages: Iterable[Page]) -> None:
        self._owner: dict[str, str] = {}
        self._title: dict[str, str] = {}
        self._path_exact: dict[str, str] = {}
        self._path_folded: dict[str, list[str]] = {}
        self._called: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        self._alias: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
        for page in pages:
            path = page.path
            self._owner[path] = page.owner
            self._title[path] = page.title
            bare = nfc(path.removesuffix(".md"))
            self._path_exact[bare] = path
            _put(self._path_folded, name_key(bare), path)
            for name in {bare.rpartition("/")[2], page.slug, nfc(page.title)}:
                _put_both(self._called, name, path)
            for name in page.aliases:
                _put_both(self._alias, nfc(name), path)

    def resolve(self, name: str, from_path: str = "", owner: str | None = None) -> Resolved:
        """The page that `name` means on the page at `from_path`.

        `name` is what stands before "#" and "|" in a wikilink; "" means the page itself.
        """
        name = nfc(name.strip()).removesuffix(".md")
        if not name:
            return Resolved(from_path or None)
        folder = from_path.rpartition("/")[0]
        if "/" in name:
            by_path = self._by_path(name, folder)
            if by_path:
                return by_path
            name = name.lstrip("./")
        elif name in self._path_exact:
            exact_path = self._path_exact[name]
            called = self._called[0].get(name, ())
            return Resolved(exact_path, tuple(path for path in called if path != exact_path))
        for exact, folded in (self._called, self._alias):
            found = exact.get(name) or folded.get(name_key(name))
            if found:
                return self._choose(
                    found, folder, self._owner.get(from_path, "") if owner is None else owner
                )
        return Resolved(None)

    def nearest(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """Titles of pages whose names come close to `name`, the closest first."""
        import difflib

        keys = {**self._alias[1], **self._called[1]}
        wanted = name_key(name)
        close = difflib.get_close_matches(wanted, keys, limit * 2, cutoff=0.6)
        close += [key for key in keys if wanted and wanted in key and key not in close]
        titles = dict.fromkeys(self._title[path] for key in close for path in keys[key][:1])
        return tuple(titles)[:limit]

    def title(self, path: str) -> str:
        """The title of the page at `path`."""
        return self._title[path]

    def _by_path(self, name: str, folder: str) -> Resolved | None:
        """A name with a slash: from the page's folder, from the top, or the end of a path."""
        relative = posixpath.normpath(posixpath.join(folder, name))
        bare = posixpath.normpath(name.lstrip("/"))
        tries = (relative, bare) if name.startswith(".") else (bare, relative)
        for path in tries:
            if path in self._path_exact:
                return Resolved(self._path_exact[path])
        for path in tries:
            if name_key(path) in self._path_folded:
                return self._choose(self._path_folded[name_key(path)], folder, "")
        ending = "/" + name_key(bare)
        stem = ending.rpartition("/")[2]
        found = [
            p
            for p in self._called[1].get(stem, ())
            if name_key(p.removesuffix(".md")).endswith(ending)
        ]
        return self._choose(found, folder, "") if found else None

    def _choose(self, found: list[str], folder: str, owner: str) -> Resolved:
        if len(found) == 1:
            return Resolved(found[0])
        best = min(
            found,
            key=lambda path: (
                path.rpartition("/")[0] != folder,
                not (owner and self._owner.get(path) == owner),
                path.count("/"),
                len(path),
                path,
            ),
        )
        return Resolved(best, tuple(path for path in found if path != best))


def _put(table: dict[str, list[str]], key: str, path: str) -> None:
    paths = table.setdefault(key, [])
    if path not in paths:
        paths.append(path)


def _put_both(
    tables: tuple[dict[str, list[str]], dict[str, list[str]]], name: str, path: str
) -> None:
    _put(tables[0], name, path)
    _put(tables[1], name_key(name), path)
