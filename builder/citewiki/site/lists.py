"""The pages that the site makes of lists: home, domains, tags, disagreements, the graph.

A list that is too long for one page goes on at its address with a number: domains/ml/2/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from citewiki.model import Page
from citewiki.site.anchors import Anchor, anchor, day, to
from citewiki.site.banner import Disagreement, disagreement
from citewiki.site.coverage import coverage_views
from citewiki.site.model import SiteModel
from citewiki.site.sources_pages import Shelf
from citewiki.site.timeline import timeline_views
from citewiki.site.urls import (
    ASK,
    COVERAGE,
    DOMAINS,
    DRIFT,
    GRAPH,
    SOURCES,
    TAGS,
    TIMELINE,
    domain_url,
    part_url,
    up,
)  # fmt: skip
from citewiki.store.decay import checked

PER_PAGE = 400  # entries with a summary: some 120 kB of HTML
TAG_ROWS = 800  # tags and pages: as much, where addresses are of many bytes
CLOUD = 200  # tags in the cloud: the most used; the list has them all
SMALL = 60  # a cloud of more tags leaves out those of a single page
SHOWN = 8  # lines of each list on the home page


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list of pages."""

    page: Anchor
    summary: str
    day: str = ""  # "12 May 2026"
    day_iso: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag and its pages."""

    name: str
    id: str
    pages: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class ListView:
    """A page that is made of lists."""

    title: str
    url: str
    base: str  # the way up to the site's root
    pages: int  # of the whole list
    links: int
    domains: tuple[Anchor, ...] = ()
    entries: tuple[Entry, ...] = ()
    linked: tuple[Anchor, ...] = ()
    stale: tuple[Entry, ...] = ()
    more_stale: int = 0
    also: tuple[Anchor, ...] = ()  # other lists
    cloud: tuple[Anchor, ...] = ()  # tags, with the number of their pages
    tags: tuple[Tag, ...] = ()
    drifts: tuple[Disagreement, ...] = ()
    newer: Anchor | None = None  # the part before, when the list stands on several pages
    older: Anchor | None = None  # the part after
    has_graph: bool = False


class AnyList(Protocol):
    """What every view of a page made of lists has."""

    @property
    def title(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def has_graph(self) -> bool: ...


def all_lists(model: SiteModel, title: str, shelf: Shelf) -> list[tuple[str, AnyList]]:
    """Every such page of the site with the kind of its template, the home page first."""
    made: list[tuple[str, Sequence[AnyList]]] = [
        ("list", domains_views(model)),
        ("tags", tags_views(model)),
        ("graph", [graph_view()]),
        *(("list", domain_views(model, domain)) for domain in model.domains),
        ("timeline", timeline_views(model)),
        ("sources", shelf.views()),
        ("coverage", coverage_views(model, shelf)),
        ("drift", [drift_view(model)] if model.drifts else []),
    ]
    rest = [(kind, view) for kind, views in made for view in views]
    return [("home", home_view(model, title, {view.url for _, view in rest})), *rest]


def home_view(model: SiteModel, title: str, lists: Iterable[str] = ()) -> ListView:
    """What is new, the domains, what most pages link to, and what may no longer hold.

    `lists` are the addresses of the other lists.
    """
    stale = list(stale_pages(model))
    named = ((SOURCES, "Sources"), (COVERAGE, "Coverage"), (TIMELINE, "Timeline"), (TAGS, "Tags"))
    there = set(lists)
    return ListView(
        title=title,
        url="",
        base=up(""),
        pages=len(model.pages),
        links=sum(model.in_links.values()),
        domains=_domains(model, ""),
        entries=tuple(
            Entry(anchor(model, page, ""), page.summary, day(moment), moment.isoformat())
            for page, moment in model.newest(SHOWN)
        ),
        linked=tuple(anchor(model, page, "", count) for page, count in model.most_linked(SHOWN)),
        stale=tuple(
            Entry(anchor(model, page, ""), "", day(moment), moment.isoformat())
            for page, moment in stale[:SHOWN]
        ),
        more_stale=max(0, len(stale) - SHOWN),
        also=tuple(Anchor(words, to(url, "")) for url, words in named if url in there),
        has_graph=any(edge.target for edge in model.graph.edges),
    )


def stale_pages(model: SiteModel) -> Iterator[tuple[Page, datetime]]:
    """The pages that hold and were last checked too long ago, the longest first."""
    allowed = timedelta(days=model.config.ask.stale_days)
    dated = ((page, checked(page)) for page in model.current())
    found = [(page, moment) for page, moment in dated if moment and model.now - moment > allowed]
    yield from sorted(found, key=lambda item: (item[1], item[0].title.casefold(), item[0].path))


def domain_views(model: SiteModel, domain: str, per_page: int = PER_PAGE) -> list[ListView]:
    """Every page of one domain."""
    pages = model.domains[domain]
    view = ListView(
        title=domain,
        url=domain_url(domain),
        base="",
        pages=len(pages),
        links=sum(model.in_links[page.path] for page in pages),
    )
    return _parts(model, view, pages, per_page)


def domains_views(model: SiteModel, per_page: int = PER_PAGE) -> list[ListView]:
    """Every domain, and the pages that are in none."""
    loose = [page for page in model.pages.values() if not page.domain]
    view = ListView(
        title="Domains",
        url=DOMAINS,
        base="",
        pages=len(model.pages),
        links=sum(model.in_links.values()),
        domains=_domains(model, DOMAINS),
    )
    return _parts(model, view, sorted(loose, key=_by_title), per_page)


def tags_views(model: SiteModel, rows: int = TAG_ROWS) -> list[ListView]:
    """Every tag with its pages; a page a tag would cost a page's frame each time."""
    parts = list(_tag_parts(model, rows))
    url_of = _tag_urls(parts)
    least = 2 if len(model.tags) > SMALL else 1
    used = [tag for tag in model.tags if len(model.tags[tag]) >= least]
    used = sorted(used, key=lambda tag: -len(model.tags[tag]))[:CLOUD]
    views = []
    for number, part in enumerate(parts or [[]]):
        url = part_url(TAGS, number)
        cloud = sorted(used, key=lambda tag: (tag.casefold(), tag)) if not number else ()
        view = ListView(
            title="Tags" if not number else f"Tags, part {number + 1}",
            url=url,
            base=up(url),
            pages=len(model.tags),
            links=0,
            cloud=tuple(
                Anchor(tag, to(url_of[tag], url, tag_id(tag)), count=len(model.tags[tag]))
                for tag in cloud
            ),
            tags=tuple(
                Tag(
                    tag,
                    tag_id(tag),
                    tuple(anchor(model, page, url) for page in model.tags[tag]),
                )
                for tag in part
            ),
            newer=_tag_way(parts, number - 1, url),
            older=_tag_way(parts, number + 1, url),
        )
        views.append(view)
    return views


def tag_urls(model: SiteModel, rows: int = TAG_ROWS) -> dict[str, str]:
    """On which page each tag is listed."""
    return _tag_urls(list(_tag_parts(model, rows)))


def tag_id(tag: str) -> str:
    """The id of a tag on its page."""
    return f"tag:{'-'.join(tag.split())}"


def drift_view(model: SiteModel) -> ListView:
    """Every pair of pages that disagree."""
    return ListView(
        title="Disagreements",
        url=DRIFT,
        base=up(DRIFT),
        pages=len(model.drifts_of),
        links=0,
        drifts=tuple(disagreement(model, drift, DRIFT) for drift in model.drifts),
    )


def graph_view() -> ListView:
    """The page of the whole graph; its data come from graph/data.json."""
    return ListView("Graph", GRAPH, up(GRAPH), pages=0, links=0)


def ask_view(model: SiteModel) -> ListView:
    """The page that answers questions in the browser; its data come from ask/."""
    return ListView("Ask", ASK, up(ASK), pages=len(model.pages), links=0)


def domain_anchor(model: SiteModel, domain: str, at: str) -> Anchor:
    """A link to a domain's list on the page at the address `at`."""
    return Anchor(domain, to(domain_url(domain), at), colour=model.domain_colours[domain])


def _parts(
    model: SiteModel, view: ListView, pages: Sequence[Page], per_page: int
) -> list[ListView]:
    """`view` with `pages` as its entries, on as many pages as they need."""
    last = max(0, (len(pages) - 1) // per_page)
    views = []
    for number in range(last + 1):
        url = part_url(view.url, number)

        def way(other: int, at: str = url) -> Anchor | None:
            if not 0 <= other <= last:
                return None
            return Anchor(f"Part {other + 1}", to(part_url(view.url, other), at))

        entries = tuple(
            Entry(anchor(model, page, url, model.in_links[page.path]), page.summary)
            for page in pages[number * per_page : (number + 1) * per_page]
        )
        part = replace(
            view, url=url, base=up(url), entries=entries, newer=way(number - 1),
            older=way(number + 1),
        )  # fmt: skip
        if number:
            part = replace(part, title=f"{view.title}, part {number + 1}", domains=())
        views.append(part)
    return views


def _tag_parts(model: SiteModel, rows: int) -> Iterator[list[str]]:
    part: list[str] = []
    held = 0
    for tag, pages in model.tags.items():
        if part and held + len(pages) + 1 > rows:
            yield part
            part, held = [], 0
        part.append(tag)
        held += len(pages) + 1
    if part:
        yield part


def _tag_urls(parts: Sequence[Sequence[str]]) -> dict[str, str]:
    return {tag: part_url(TAGS, number) for number, part in enumerate(parts) for tag in part}


def _tag_way(parts: Sequence[Sequence[str]], number: int, at: str) -> Anchor | None:
    if not 0 <= number < len(parts):
        return None
    words = " – ".join(dict.fromkeys((parts[number][0], parts[number][-1])))
    return Anchor(words, to(part_url(TAGS, number), at))


def _domains(model: SiteModel, at: str) -> tuple[Anchor, ...]:
    """All domains; the note names the pages of each that most others link to."""
    found = []
    for domain, pages in model.domains.items():
        known = sorted(pages, key=lambda page: (-model.in_links[page.path], page.path))
        note = ", ".join(page.title for page in known[:4])
        link = domain_anchor(model, domain, at)
        found.append(replace(link, note=note, count=len(pages)))
    return tuple(found)


def _by_title(page: Page) -> tuple[str, str]:
    return page.title.casefold(), page.path
