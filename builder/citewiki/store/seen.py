"""The pages that somebody sees: the few that an action needs, without reading the others."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from citewiki.model import Page, Viewer
from citewiki.store.ledger import ALIAS, FILE_NAME, NEWER, OLDER, SLUG, TITLE, Ledger, file_name
from citewiki.store.pages import unique_slugs
from citewiki.store.visibility import visible
from citewiki.text.folding import name_key, nfc


class Seen(Mapping[str, Page]):
    """The pages that `viewer` sees, by slug, archived ones too, and without their bodies.

    They are what `load_pages` gives: each with a slug of its own.
    """

    def __init__(self, ledger: Ledger, viewer: Viewer) -> None:
        self._ledger, self._viewer = ledger, viewer

    @cached_property
    def all(self) -> list[Page]:
        """All of them, by path. Takes as long as there are many."""
        return unique_slugs(self._seen(self._ledger.pages(archived=True)))

    def called(self, name: str) -> list[Page]:
        """At least those that `name` could mean, by the rules of `Names`."""
        bare = nfc(name.strip()).removesuffix(".md")
        words = {bare, bare.lstrip("./"), file_name(posixpath.normpath(bare))}
        return self._found(words, TITLE, SLUG, ALIAS, FILE_NAME)

    def holds(self, path: str) -> bool:
        """Whether one lies at that path, in any spelling."""
        found = self._found([file_name(path)], FILE_NAME)
        return any(name_key(page.path) == name_key(path) for page in found)

    def superseded_by(self, slugs: Iterable[str]) -> list[Page]:
        """Those that say that a page of these slugs supersedes them."""
        wanted = set(slugs)
        return [page for page in self._found(wanted, NEWER) if page.superseded_by in wanted]

    def superseding(self, slugs: Iterable[str]) -> list[Page]:
        """Those that say that they supersede a page of these slugs."""
        wanted = set(slugs)
        return [
            page for page in self._found(wanted, OLDER) if not wanted.isdisjoint(page.supersedes)
        ]

    def __getitem__(self, slug: str) -> Page:
        for page in self._found([slug], SLUG):
            if page.slug == slug:
                return page
        raise KeyError(slug)

    def __iter__(self) -> Iterator[str]:
        return (page.slug for page in self.all)

    def __len__(self) -> int:
        return len(self.all)

    def _found(self, names: Iterable[str], *kinds: int) -> list[Page]:
        """Those to which one of the names is of these kinds, by path; where slugs clash also all
        that go by another one than their file says.
        """
        found = {page.path: page for name in names for page in self._ledger.named(name, *kinds)}
        known = {page.path: page for page in self._seen(found.values())} | self._renamed
        return [known[path] for path in sorted(known)]

    @cached_property
    def _renamed(self) -> dict[str, Page]:
        if not self._ledger.slugs_clash():
            return {}
        clash = (p for p in self.all if any(each.code == "duplicate-slug" for each in p.problems))
        return {page.path: page for page in clash}

    def _seen(self, pages: Iterable[Page]) -> list[Page]:
        return [page for page in pages if visible(page, self._viewer)]
