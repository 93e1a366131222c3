"""A build in the light of the last one: what is the same, and what has to be made again.

Three cases. Nothing has changed: nothing is done. Only the texts of some pages have, in what
nobody sees but who reads them: those pages are made again, and what holds all texts. All else is
a whole build, which makes use of the links that were read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citewiki.site.cache import (
    Inputs,
    Made,
    Record,
    SiteCache,
    changed_texts,
    inputs,
)  # fmt: skip
from citewiki.site.outputs import Outputs
from citewiki.store.paths import page_paths

if TYPE_CHECKING:
    from citewiki.index.graph import Link, LinkGraph
    from citewiki.model import Drift, Page
    from citewiki.site.mentions import NameTable

FindDrifts = Callable[[Iterable["Page"], MutableMapping[str, Any]], Sequence["Drift"]]
"""Which of some pages disagree; handed on is what was found of pages before, and is added to."""

START = 300  # characters of a text by which its language is told


class Incremental:
    """What is known of the last build of one site, and what has changed since."""

    def __init__(
        self, root: Path, wiki: Path, site: Path, viewer: str, as_of: str, settings: str
    ) -> None:
        self.outputs = Outputs(site)
        self.folder = root / ".citewiki" / "site"
        self._templates = self.folder / "templates"
        self._cache = SiteCache(self.folder, str(site), viewer, as_of)
        then = self._cache.record()
        self.then: Record | None = then if then and then.settings == settings else None
        self._settings = settings
        paths = page_paths(wiki, archived=True)
        self.now: Inputs = inputs(root, wiki, paths, self.then)
        self.changed: frozenset[str] | None = None  # pages; None: a whole build
        if self.then and self.then.outputs == self.outputs.stamps():
            self.changed = changed_texts(self.now, self.then)
        self._read: dict[str, list[Link]] = {}
        self._kept = False
        self._is_snapshot = bool(as_of)

    @cached_property
    def _links(self) -> Mapping[str, list[Link]]:
        return self._cache.links() if self.then else {}

    @cached_property
    def _pages(self) -> Mapping[str, Page]:
        return self._cache.pages() if self.changed else {}

    @property
    def pages(self) -> Mapping[str, Page]:
        """Pages whose texts are the same as before, by path, as they are read from their files."""
        if self._is_snapshot:  # they are kept as they were then
            return {}
        return {
            path: page
            for path, page in self._pages.items()
            if self._is_same(path) and all(told.code != "duplicate-slug" for told in page.problems)
        }

    @property
    def before(self) -> Mapping[str, Page]:
        """Pages whose texts have changed, by path, as they were."""
        return {path: self._pages[path] for path in self.changed or () if path in self._pages}

    @cached_property
    def stretches(self) -> dict[str, Any]:
        """What is compared of pages when they are looked for drift; whoever looks adds to it."""
        known = self._cache.stretches() if self.then else {}
        return {path: found for path, found in known.items() if self._is_same(path)}

    @cached_property
    def made(self) -> Mapping[str, Made]:
        """What the last build made of each page."""
        return self._cache.made()

    def links_of(self, page: Page) -> list[Link]:
        """The links of `page`, read again only where its text is another."""
        from citewiki.index.graph import links

        known = self._links.get(page.path)
        if known is None or not self._is_same(page.path):
            known = links(page)
        self._read[page.path] = known
        return known

    def _is_same(self, path: str) -> bool:
        return self.then is not None and self.then.texts.get(path, "") == self.now.texts.get(path)

    def narrow(self, pages: Mapping[str, Page], graph: LinkGraph, drifts: Iterable[Drift]) -> None:
        """Make it a whole build where other pages see a part of what has changed."""
        if not self.changed or not self.then:
            return
        before = self.before
        embedded = {edge.target for edge in graph.edges if edge.link.embed}
        known = before.keys() == self.changed and pages.keys() == self.made.keys()
        if not known or tuple(drifts) != self.then.drifts or self.changed & embedded:
            self.changed = None
            return
        from citewiki.site.mentions import NameTable

        table = NameTable(pages.values())
        for path in self.changed & pages.keys():
            linked = frozenset((path, *(edge.target for edge in graph.out.get(path, ()))))
            if _seen(before[path], table, linked) != _seen(pages[path], table, linked):
                self.changed = None
                return
        if not self.changed <= pages.keys():  # a page that the viewer did not see, and now may
            self.changed = None

    @property
    def is_settled(self) -> bool:
        """Whether nothing is to be done, as nothing has changed."""
        return self.changed is not None and not self.changed

    @property
    def problems(self) -> list[tuple[str, str]]:
        """What the last build told of pages that have not changed: path, words."""
        told = self.then.problems if self.then and self.changed is not None else ()
        return [(path, words) for path, words in told if path not in (self.changed or ())]

    def compiled(self) -> Any:
        """Where Jinja keeps what it has compiled; None where it cannot."""
        from jinja2 import FileSystemBytecodeCache

        try:
            self._templates.mkdir(parents=True, exist_ok=True)
        except OSError:
            return None
        is_writable = os.access(self._templates, os.W_OK)
        return FileSystemBytecodeCache(str(self._templates)) if is_writable else None

    def keep(self, pages: Iterable[Page], made: Mapping[str, Made]) -> None:
        """Keep what this build has made of `pages`, all or those that have changed."""
        found = self.stretches
        rows = (
            (page, self._read.get(page.path, []), found.get(page.path), made[page.path])
            for page in pages
            if page.path in made
        )
        self._kept = self._cache.keep(rows, anew=self.changed is None)

    def seal(self, problems: Iterable[tuple[str, str]], drifts: Iterable[Drift]) -> None:
        """Keep what this build has read and written, now that it is done."""
        if self._kept:
            record = Record(
                self._settings, self.now.texts, self.now.stamps, self.outputs.stamps(),
                tuple(problems), tuple(drifts),
            )  # fmt: skip
            self._cache.seal(record)


def _seen(page: Page, table: NameTable, linked: frozenset[str]) -> tuple[object, ...]:
    """All of `page` that anything but its own text is made from."""
    from citewiki.index.graph import links
    from citewiki.markdown.anchors import named_anchors
    from citewiki.markdown.footnotes import footnotes
    from citewiki.markdown.wikilinks import wikilinks
    from citewiki.site.files import addresses
    from citewiki.site.mentions import sentence_of
    from citewiki.store.pages import edited_by_hand

    body = page.body
    named = [(path, sentence_of(page, place)) for path, place in table.found(page, linked)]
    return (
        replace(page, body="", generated_sha256=""),
        edited_by_hand(page),
        [replace(link, start=0) for link in links(page)],
        [(link.target, link.heading, link.block, link.embed) for link in wikilinks(body)],
        list(addresses(body)),
        named_anchors(body),
        [(n.label, n.resource, n.locator, n.quote, n.text) for n in footnotes(body).values()],
        named,
        body[:START],
    )
