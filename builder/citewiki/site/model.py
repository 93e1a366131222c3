"""The site before it is drawn: visible pages, their addresses, links and lists. Pure values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from citewiki.config import Config
from citewiki.index.graph import Link, LinkGraph, links, resolve_links
from citewiki.model import Drift, Page, Problem
from citewiki.site.evidence import read_manifest
from citewiki.site.files import Files
from citewiki.site.graph import State, domain_colours
from citewiki.site.media import Media, media_paths
from citewiki.site.snapshot import Snapshot, snapshot
from citewiki.site.urls import page_urls
from citewiki.store.confidence import Confidence, confidence
from citewiki.store.decay import checked
from citewiki.store.names import Names
from citewiki.store.pages import is_archived, load_pages
from citewiki.store.paths import page_paths
from citewiki.store.succession import chain, resolve_chain


@dataclass(frozen=True, slots=True)
class Backlink:
    """A page that links here, and what it says where it does."""

    page: Page
    sentences: tuple[str, ...]  # plain, each once, in reading order; none for front matter


@dataclass(frozen=True)
class SiteModel:
    """Everything that the site shows, as one viewer may see it."""

    root: Path  # holds raw/
    wiki: Path  # holds the pages
    config: Config
    now: datetime  # what has ended, and what is overdue, is told by it; of a snapshot its moment
    pages: Mapping[str, Page]  # by path: what the viewer may see, without the archive
    names: Names  # of `pages`
    away: tuple[Page, ...]  # archived pages that the viewer may see
    graph: LinkGraph  # of `pages`
    urls: Mapping[str, str]  # by path; see urls.page_urls
    files: Files  # what of them pages may show
    unpublished: tuple[Page, ...]  # those that the viewer may see and that are not in `pages`
    hides_pages: bool = False  # whether the wiki holds pages that the viewer may not see
    problems: tuple[Problem, ...] = ()  # errors for which a file, or a part of it, is not read
    is_snapshot: bool = False  # whether it shows a moment that has passed
    rewritten: Mapping[str, datetime] = field(default_factory=dict)  # see Snapshot
    put_away: Mapping[str, datetime] = field(default_factory=dict)  # see Snapshot
    drifts: tuple[Drift, ...] = ()  # pages that disagree at `now`

    @cached_property
    def archived(self) -> Names:
        """What archived pages are called."""
        return Names(self.away)

    @cached_property
    def _chained(self) -> dict[str, Page]:
        """Pages by slug, also archived ones: a chain may lead through them."""
        return {page.slug: page for page in (*self.away, *self.pages.values())}

    @cached_property
    def by_slug(self) -> dict[str, Page]:
        """Pages by slug."""
        return {page.slug: page for page in self.pages.values()}

    @cached_property
    def domains(self) -> dict[str, tuple[Page, ...]]:
        """Pages by domain, both by name; pages without a domain are in none."""
        return _lists((page.domain, page) for page in self.pages.values() if page.domain)

    @cached_property
    def domain_colours(self) -> dict[str, int]:
        """Each domain's colour, on cards as in the graph."""
        return domain_colours(self.domains)

    @cached_property
    def tags(self) -> dict[str, tuple[Page, ...]]:
        """Pages by tag, both by name."""
        return _lists((tag, page) for page in self.pages.values() for tag in page.tags)

    @cached_property
    def in_links(self) -> Counter[str]:
        """How many pages link to each, by path."""
        return Counter(
            {path: len({edge.source for edge in edges}) for path, edges in self.graph.back.items()}
        )

    @cached_property
    def drifts_of(self) -> dict[str, tuple[Drift, ...]]:
        """Where a page disagrees with others, by its slug."""
        found: dict[str, list[Drift]] = {}
        for drift in self.drifts:
            for slug in drift.pages:
                found.setdefault(slug, []).append(drift)
        return {slug: tuple(every) for slug, every in found.items()}

    def is_superseded(self, page: Page) -> bool:
        """Whether another page has taken the place of `page`; not while its end is still ahead."""
        return bool(page.superseded_by) and not (page.valid_until and page.valid_until > self.now)

    def state(self, page: Page) -> State:
        """What a reader must know of `page` before all else, in one word."""
        if self.is_superseded(page):
            return "superseded"
        if page.valid_until and page.valid_until <= self.now:
            return "ended"
        last, days = checked(page), self.config.ask.stale_days
        return "stale" if last and self.now - last > timedelta(days=days) else "current"

    def current(self) -> list[Page]:
        """The pages that hold at `now` and that nothing has taken the place of."""
        return [
            page
            for page in self.pages.values()
            if not self.is_superseded(page)
            and not (page.valid_until and page.valid_until <= self.now)
            and not (page.valid_from and page.valid_from > self.now)
        ]

    def newest_of(self, page: Page) -> Page | None:
        """The last published page of the chain that takes the place of `page`.

        None when no such page is published, or when the chain is a circle.
        """
        if resolve_chain(self._chained, page.slug) == page.slug:
            return None
        later = reversed(chain(self._chained, page.slug)[1:])
        return next((self.by_slug[slug] for slug in later if slug in self.by_slug), None)

    def confidence(self, page: Page) -> Confidence | None:
        """How far `page` may be trusted at `now`, with the reasons."""
        return confidence(
            page,
            now=self.now,
            drifts=len(self.drifts_of.get(page.slug, ())),
            days=self.config.ask.stale_days,
        )

    def backlinks(self, path: str) -> tuple[Backlink, ...]:
        """The pages that link to the one at `path`, by title, each with its sentences."""
        sentences: dict[str, dict[str, None]] = {}
        for edge in self.graph.back.get(path, ()):
            said = sentences.setdefault(edge.source, {})
            if edge.link.sentence:
                said[edge.link.sentence] = None
        found = (Backlink(self.pages[source], tuple(every)) for source, every in sentences.items())
        return tuple(sorted(found, key=lambda link: (link.page.title.casefold(), link.page.path)))

    def related(self, page: Page) -> list[Page]:
        """The pages that the front matter of `page` links to."""
        found = (self.names.resolve(name, page.path).path for name in page.related)
        return [self.pages[path] for path in dict.fromkeys(found) if path and path != page.path]

    def newest(self, limit: int) -> list[tuple[Page, datetime]]:
        """The pages last written or verified, the newest first; undated pages are left out."""
        dated = ((page, last_change(page)) for page in self.pages.values())
        known = [(page, moment) for page, moment in dated if moment]
        known.sort(key=lambda item: (-item[1].timestamp(), item[0].path))
        return known[:limit]

    def most_linked(self, limit: int) -> list[tuple[Page, int]]:
        """The pages that most others link to, with how many do."""
        ranked = sorted(self.in_links.items(), key=lambda item: (-item[1], item[0]))
        return [(self.pages[path], count) for path, count in ranked[:limit]]

    def neighbours(self, path: str) -> list[str]:
        """Paths of the pages that link to the one at `path` or are linked from it."""
        there = (edge.target for edge in self.graph.out.get(path, ()) if edge.target != path)
        back = (edge.source for edge in self.graph.back.get(path, ()))
        return [near for near in dict.fromkeys((*there, *back)) if near]


def build_model(
    root: Path,
    config: Config,
    now: datetime,
    wiki: Path | None = None,
    *,
    as_of: datetime | None = None,
    links_of: Callable[[Page], list[Link]] = links,
    known: Mapping[str, Page] = MappingProxyType({}),
) -> SiteModel:
    """The site of the wiki at `root`, as the viewer that `config` names may see it.

    `wiki` is the folder of its pages, when that is not root/wiki. With `as_of` it is the wiki as
    it held at that moment. `links_of` reads the links of a page; `known` pages are not read again.

    What the viewer may not see, and what was not there at that moment, is dropped here, before
    names, links and counts are made, so that nothing later can tell of it.
    """
    wiki = wiki or root / "wiki"
    viewer = config.site.viewer
    shown, problems = load_pages(wiki, archived=True, viewer=viewer, known=known)
    told = {*(page.path for page in shown), *(problem.path for problem in problems)}
    hidden = frozenset(page_paths(wiki, archived=True)) - told
    then = snapshot(shown, as_of) if as_of else _as_it_is(shown)
    pages = {page.path: page for page in then.pages}
    slugs = {page.slug for page in then.pages}
    names = Names(pages.values())
    return SiteModel(
        root=root,
        wiki=wiki,
        config=config,
        now=as_of or now,
        pages=pages,
        names=names,
        away=then.archived,
        graph=_link_graph(pages, names, links_of),
        urls=page_urls(pages.values()),
        files=Files(
            wiki,
            Media(media_paths(wiki)),
            pages,
            hidden,
            read_manifest(root / "raw" / "manifest.jsonl"),
        ),
        unpublished=tuple(page for page in shown if page.slug not in slugs),
        hides_pages=bool(hidden),
        problems=(*problems, *_errors(pages.values())),
        is_snapshot=as_of is not None,
        rewritten=then.rewritten,
        put_away=then.put_away,
    )


def _errors(pages: Iterable[Page]) -> Iterator[Problem]:
    return (each for page in pages for each in page.problems if each.severity == "error")


def _link_graph(
    pages: Mapping[str, Page], names: Names, links_of: Callable[[Page], list[Link]]
) -> LinkGraph:
    edges = (edge for page in pages.values() for edge in resolve_links(page, links_of(page), names))
    return LinkGraph(pages, tuple(edges))


def _as_it_is(pages: Iterable[Page]) -> Snapshot:
    """The present, for which nothing is taken back."""
    apart: tuple[list[Page], list[Page]] = [], []
    for page in pages:
        apart[is_archived(page)].append(page)
    return Snapshot(tuple(apart[False]), tuple(apart[True]), {}, {})


def last_change(page: Page) -> datetime | None:
    """When the page was last written or verified, as far as it says so."""
    moments = (page.last_verified_at, page.generated_at, page.ingested_at, page.valid_from)
    return max((moment for moment in moments if moment), default=None)


def _lists(items: Iterable[tuple[str, Page]]) -> dict[str, tuple[Page, ...]]:
    lists: dict[str, list[Page]] = {}
    for name, page in items:
        lists.setdefault(name, []).append(page)
    return {
        name: tuple(sorted(lists[name], key=lambda page: (page.title.casefold(), page.path)))
        for name in sorted(lists, key=lambda name: (name.casefold(), name))
    }
