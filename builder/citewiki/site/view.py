"""What the templates are given: every fact ready to print, every address relative to its page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from citewiki.model import Page
from citewiki.site.anchors import Anchor, anchor, day, to
from citewiki.site.banner import Banner, Disagreement, banners, disagreement
from citewiki.site.evidence import Evidence, evidence
from citewiki.site.graph import GraphData
from citewiki.site.history import Row, page_history
from citewiki.site.model import SiteModel
from citewiki.site.urls import DRIFT, GRAPH, TAGS, domain_url, relative, up
from citewiki.store.catalog import LogLine

SENTENCE = 320  # characters of a linking sentence that are shown
FEW_BACKLINKS = 20  # shown open; the rest unfolds


@dataclass(frozen=True, slots=True)
class Mention:
    """A page that links here, with the sentences that do."""

    page: Anchor
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageView:
    """All that stands around a page's text."""

    title: str
    path: str  # wiki/…
    domain: Anchor | None
    tags: tuple[Anchor, ...]
    verified: str  # "12 May 2026"; "" not said
    verified_iso: str
    confidence: int | None  # percent
    reasons: tuple[str, ...]  # for that confidence
    authority: str  # "" when a reason names it, or when it is unknown
    banners: tuple[Banner, ...]
    related: tuple[Anchor, ...]  # what its front matter links to
    sources: tuple[Evidence, ...]
    history: tuple[Row, ...]  # oldest first
    mentions: tuple[Mention, ...]
    more_mentions: tuple[Mention, ...]
    graph: str  # JSON for assets/graph.js; "" when the page has no neighbours
    neighbours: int  # in that graph
    slug: str
    base: str  # the way up to the site's root


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a list of pages."""

    page: Anchor
    summary: str
    day: str = ""  # "12 May 2026"
    day_iso: str = ""


@dataclass(frozen=True, slots=True)
class ListView:
    """A page that the site makes of lists: home, a domain, all domains, all tags."""

    title: str
    base: str
    pages: int  # of the whole site
    links: int
    domains: tuple[Anchor, ...] = ()
    entries: tuple[Entry, ...] = ()
    linked: tuple[Anchor, ...] = ()
    tags: tuple[tuple[str, str, tuple[Anchor, ...]], ...] = ()  # (name, id, pages)
    drifts: tuple[Disagreement, ...] = ()
    has_graph: bool = False


def page_view(
    model: SiteModel,
    page: Page,
    graph: GraphData | None,
    log: Mapping[str, Sequence[LogLine]],
) -> PageView:
    """The view of one page; `graph` is its neighbourhood, `log` the log's lines by slug."""
    url = model.urls[page.path]
    mentions = tuple(
        Mention(
            Anchor(link.page.title, to(model.urls[link.page.path], url)),
            tuple(_clip(sentence) for sentence in link.sentences),
        )
        for link in model.backlinks(page.path)
    )
    trusted = model.confidence(page)
    tells = trusted is not None and not trusted.by_hand  # what kind of source it has, as a reason
    sources = evidence(page, model.originals, publish_raw=model.config.site.publish_raw)
    return PageView(
        title=page.title,
        path=f"wiki/{page.path}",
        domain=_domain(model, page.domain, url) if page.domain else None,
        tags=tuple(Anchor(tag, to(TAGS, url, tag_id(tag))) for tag in page.tags),
        verified=day(page.last_verified_at),
        verified_iso=page.last_verified_at.isoformat() if page.last_verified_at else "",
        confidence=round(trusted.value * 100) if trusted else None,
        reasons=trusted.reasons if trusted else (),
        authority="" if tells or page.source_authority == "unknown" else page.source_authority,
        banners=banners(model, page),
        related=tuple(anchor(model, other, url) for other in model.related(page)),
        sources=tuple(
            Evidence(item.title, item.locator, relative(item.href, url)) for item in sources
        ),
        history=page_history(model, page, log),
        mentions=mentions[:FEW_BACKLINKS],
        more_mentions=mentions[FEW_BACKLINKS:],
        graph=compact(graph) if graph else "",
        neighbours=len(graph.nodes) - 1 if graph else 0,
        slug=page.slug,
        base=up(url),
    )


def home_view(model: SiteModel, title: str) -> ListView:
    """What is new, the domains with their sizes, and what most pages link to."""
    return ListView(
        title=title,
        base=up(""),
        pages=len(model.pages),
        links=sum(model.in_links.values()),
        domains=_domains(model, ""),
        entries=tuple(
            Entry(anchor(model, page, ""), page.summary, day(moment), moment.isoformat())
            for page, moment in model.newest(8)
        ),
        linked=tuple(anchor(model, page, "", count) for page, count in model.most_linked(8)),
        has_graph=any(edge.target for edge in model.graph.edges),
    )


def domain_view(model: SiteModel, domain: str) -> ListView:
    """Every page of one domain."""
    url = domain_url(domain)
    pages = model.domains[domain]
    return ListView(
        title=domain,
        base=up(url),
        pages=len(pages),
        links=sum(model.in_links[page.path] for page in pages),
        entries=tuple(
            Entry(anchor(model, page, url, model.in_links[page.path]), page.summary)
            for page in pages
        ),
    )


def domains_view(model: SiteModel, url: str) -> ListView:
    """Every domain, and the pages that are in none."""
    loose = [page for page in model.pages.values() if not page.domain]
    return ListView(
        title="Domains",
        base=up(url),
        pages=len(model.pages),
        links=sum(model.in_links.values()),
        domains=_domains(model, url),
        entries=tuple(
            Entry(anchor(model, page, url, model.in_links[page.path]), page.summary)
            for page in sorted(loose, key=lambda page: (page.title.casefold(), page.path))
        ),
    )


def tags_view(model: SiteModel) -> ListView:
    """Every tag with its pages, on one page: a list a tag costs a page's frame each time."""
    return ListView(
        title="Tags",
        base=up(TAGS),
        pages=len(model.pages),
        links=0,
        tags=tuple(
            (tag, tag_id(tag), tuple(anchor(model, page, TAGS) for page in pages))
            for tag, pages in model.tags.items()
        ),
    )


def drift_view(model: SiteModel) -> ListView:
    """Every pair of pages that disagree."""
    return ListView(
        title="Disagreements",
        base=up(DRIFT),
        pages=len(model.drifts_of),
        links=0,
        drifts=tuple(disagreement(model, drift, DRIFT) for drift in model.drifts),
    )


def graph_view() -> ListView:
    """The page of the whole graph; its data come from graph.json."""
    return ListView(title="Graph", base=up(GRAPH), pages=0, links=0, has_graph=True)


def compact(data: GraphData) -> str:
    """A graph as one line of JSON that may stand in a <script>."""
    text = json.dumps(data.as_json(), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def tag_id(tag: str) -> str:
    """The id of a tag on the page of tags."""
    return f"tag:{'-'.join(tag.split())}"


def _domain(model: SiteModel, domain: str, at: str) -> Anchor:
    colour = model.domain_colours[domain]
    return Anchor(domain, to(domain_url(domain), at), colour=colour)


def _domains(model: SiteModel, at: str) -> tuple[Anchor, ...]:
    """All domains; the note names the pages of each that most others link to."""
    found = []
    for domain, pages in model.domains.items():
        known = sorted(pages, key=lambda page: (-model.in_links[page.path], page.path))
        note = ", ".join(page.title for page in _first(known, 4))
        link = _domain(model, domain, at)
        found.append(replace(link, note=note, count=len(pages)))
    return tuple(found)


def _first(pages: Iterable[Page], count: int) -> list[Page]:
    return [page for page, _ in zip(pages, range(count), strict=False)]


def _clip(sentence: str) -> str:
    if len(sentence) <= SENTENCE:
        return sentence
    return sentence[:SENTENCE].rsplit(" ", 1)[0] + " …"
