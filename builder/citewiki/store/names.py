"""Which page a name means, by Obsidian's rules, in constant time."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass

from citewiki.model import ANYONE, Page, Viewer
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
    Among several: the linking page's own folder, then the shortest path.

    A name without a slash is looked up among the pages of the linking page's owner first, and
    only where none of them goes by it among all: two people may each have a page of one title.
    """

    def __init__(self, pages: Iterable[Page], reader: Viewer = None) -> None:
        """`reader`: who asks where a name stands on no page; their own pages go first."""
        self._reader = "" if reader in (None, ANYONE) else str(reader)
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
            for name in (*page.aliases, *former_names(page)):
                _put_both(self._alias, nfc(name), path)

    def resolve(self, name: str, from_path: str = "", owner: str | None = None) -> Resolved:
        """The page that `name` means on the page at `from_path`.

        `name` is what stands before "#" and "|" in a wikilink; "" means the page itself.
        """
        name = nfc(name.strip()).removesuffix(".md")
        if not name:
            return Resolved(from_path or None)
        if "\\" in name and name_key(name) not in self._called[1]:
            name = name.replace("\\", "/")  # a path as Windows writes it
        folder = from_path.rpartition("/")[0]
        if owner is None:
            owner = self._owner.get(from_path, "") if from_path else self._reader
        top = "/" not in name
        if not top:
            by_path = self._by_path(name, folder)
            if by_path:
                return by_path
            name = name.lstrip("./")
        mine = self._among(name, folder, top, owner) if owner else None
        return mine or self._among(name, folder, top) or Resolved(None)

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
                return self._choose(self._path_folded[name_key(path)], folder)
        ending = "/" + name_key(bare)
        stem = ending.rpartition("/")[2]
        found = [
            p
            for p in self._called[1].get(stem, ())
            if name_key(p.removesuffix(".md")).endswith(ending)
        ]
        return self._choose(found, folder) if found else None

    def _among(self, name: str, folder: str, top: bool, owner: str = "") -> Resolved | None:
        """What a name without a slash means among all pages, or among those of `owner`.

        `top`: whether it may be the path of a page that lies in no folder.
        """

        def meant(paths: Iterable[str]) -> list[str]:
            return [path for path in paths if not owner or self._owner[path] == owner]

        if top and (exact_path := meant([path] if (path := self._path_exact.get(name)) else [])):
            called = meant(self._called[0].get(name, ()))
            return Resolved(exact_path[0], tuple(path for path in called if path != exact_path[0]))
        for exact, folded in (self._called, self._alias):
            found = meant(exact.get(name, ())) or meant(folded.get(name_key(name), ()))
            if found:
                return self._choose(found, folder)
        return None

    def _choose(self, found: list[str], folder: str) -> Resolved:
        if len(found) == 1:
            return Resolved(found[0])
        best = min(
            found,
            key=lambda path: (
                path.rpartition("/")[0] != folder,
                path.count("/"),
                len(path),
                path,
            ),
        )
        return Resolved(best, tuple(path for path in found if path != best))


def former_names(page: Page) -> list[str]:
    """What `page` was called by before: the paths and slugs of its `redirect_from`."""
    found = [address.strip("/ ").removesuffix(".html") for address in page.redirect_from]
    return [name for old in found if old for name in dict.fromkeys((old, old.rpartition("/")[2]))]


def _put(table: dict[str, list[str]], key: str, path: str) -> None:
    paths = table.setdefault(key, [])
    if path not in paths:
        paths.append(path)


def _put_both(
    tables: tuple[dict[str, list[str]], dict[str, list[str]]], name: str, path: str
) -> None:
    _put(tables[0], name, path)
    _put(tables[1], name_key(name), path)
