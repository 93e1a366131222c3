"""Which of the wiki's other files and originals a page may show: not those of hidden pages.

A file has no owner. Whoever may write a page could name a picture or a source of pages that they
do not see, and be shown it, or learn that it is there. So a file that a hidden page shows is none
to others, until the operator or somebody who sees that page shows it, too.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote

from citewiki.errors import PageError
from citewiki.markdown.regions import blanked, regions
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.site.evidence import Original
from citewiki.site.media import Media
from citewiki.store.pages import load_page
from citewiki.store.visibility import visible
from citewiki.text.slugs import slugify

_ADDRESS = re.compile(
    r"\]\(\s*<(?P<a>[^<>\n]+)>|\]\(\s*(?P<b>[^\s()<>]+)|^ {0,3}\[[^\]\n]+\]:\s*<?(?P<c>[^\s<>]+)"
    r"|\b(?:src|href|poster|data)\s*=\s*[\"']?(?P<d>[^\"'\s<>]+)",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(frozen=True)
class Files:
    """What the pages of one site may show of what is no page."""

    wiki: Path
    media: Media  # all files under wiki/ that are no pages
    pages: Mapping[str, Page]  # by path: what the viewer sees
    hidden: frozenset[str]  # paths of pages that the viewer does not see
    originals: Mapping[str, Original]  # by path and by id

    def resolve(self, name: str, at: str) -> str | None:
        """The file that `name` means on the page at `at`, as `Media.resolve`; None: there is none.

        Files that only hidden pages show are looked at last.
        """
        found = self._open.resolve(name, at) or self.media.resolve(name, at)
        page = self.pages.get(at)
        return found if found and (page is None or self._may_show(page, found)) else None

    def shown(self, page: Page) -> list[str]:
        """The files that `page` names outside of code, and may show."""
        if not self.media.paths:
            return []
        found = {self.resolve(name, page.path) for name in _named(without_code(page.body))}
        return sorted(path for path in found if path)

    def originals_of(self, page: Page, *more: str) -> Mapping[str, Original]:
        """The originals that `page` means by paths or ids, in its front matter or as `more`.

        The operator's pages may rest on any; others on those that were compiled into them, that
        their owner sent in, or that the operator's pages rest on.
        """
        keys = {key for ref in page.sources for key in (ref.resource, ref.id)}
        known = {key: self.originals[key] for key in keys.union(more) if key in self.originals}
        if not page.owner:
            return known
        own = f"raw/users/{slugify(page.owner)}/"
        return {
            key: found
            for key, found in known.items()
            if page.slug in found.pages
            or found.path.startswith(own)
            or found.path in self._rested_on
        }

    @cached_property
    def published(self) -> frozenset[str]:
        """Paths of the originals that pages rest on."""
        return frozenset(
            original.path
            for page in self.pages.values()
            for original in self.originals_of(page).values()
        )

    def _may_show(self, page: Page, path: str) -> bool:
        """Whether the owner of `page` can have learned of the file from what they see."""
        if not page.owner or not (_is_sent(page) or self._shown_by_hidden.get(path)):
            return True
        hiding = self._shown_by_hidden.get(path, ())
        return any(
            not other.owner or all(visible(each, other.owner) for each in hiding)
            for other in self._shown_by.get(path, ())
            if not _is_sent(other) and visible(other, page.owner)
        )

    @cached_property
    def _open(self) -> Media:
        return Media(self.media.paths - self._shown_by_hidden.keys())

    @cached_property
    def _shown_by_hidden(self) -> dict[str, list[Page]]:
        return self._by_file(self._read_hidden()) if self.hidden and self.media.paths else {}

    @cached_property
    def _shown_by(self) -> dict[str, list[Page]]:
        return self._by_file(self.pages.values())

    @cached_property
    def _rested_on(self) -> set[str]:
        """Originals of the operator's pages, by path."""
        refs = (ref for page in self.pages.values() if not page.owner for ref in page.sources)
        found = (self.originals.get(ref.resource or ref.id) for ref in refs)
        return {original.path for original in found if original}

    def _read_hidden(self) -> Iterator[Page]:
        for path in sorted(self.hidden):
            try:
                page = load_page(self.wiki, path)
            except PageError:  # nobody can tell what it shows
                continue
            if not _is_sent(page):  # else a user could make others' files disappear
                yield page

    def _by_file(self, pages: Iterable[Page]) -> dict[str, list[Page]]:
        found: dict[str, list[Page]] = {}
        for page in pages:
            named = {self.media.resolve(name, page.path) for name in _named(page.body)}
            for path in named - {None}:
                found.setdefault(str(path), []).append(page)
        return found


def _is_sent(page: Page) -> bool:
    """Whether a user sent the page in through the server; see `slugs.owned_slug`."""
    return "~" in page.slug


def _named(body: str) -> Iterator[str]:
    """What in a page's text may name a file: rather too much than too little."""
    yield from (link.target for link in wikilinks(body) if posixpath.splitext(link.target)[1])
    yield from (address for address in addresses(body) if posixpath.splitext(address)[1])


def addresses(body: str) -> Iterator[str]:
    """What Markdown and HTML links and pictures of a text lead to, without "#…" and "?…"."""
    for match in _ADDRESS.finditer(body):
        yield unquote(match[match.lastgroup or 0].partition("#")[0].partition("?")[0])


def without_code(body: str) -> str:
    """`body` with blanks for its code and comments: all else stands where it stood."""
    kinds = ("code", "inline code", "comment")
    return blanked(body, [(start, end) for start, end, kind in regions(body) if kind in kinds])
