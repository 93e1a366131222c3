"""What the templates are given: every fact ready to print, every address relative to its page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from citewiki.markdown.footnotes import footnotes
from citewiki.model import Page
from citewiki.site.anchors import Anchor, anchor, day, to
from citewiki.site.banner import Banner, banners
from citewiki.site.evidence import Panel, Quoted, panels
from citewiki.site.graph import GraphData
from citewiki.site.head import Head, Site, head
from citewiki.site.history import Row, page_history
from citewiki.site.kinship import Kinship
from citewiki.site.lists import domain_anchor, tag_id, tag_urls
from citewiki.site.mentions import Named, clipped, sentence_of, unlinked
from citewiki.site.model import SiteModel
from citewiki.site.sources_pages import Shelf
from citewiki.site.urls import relative
from citewiki.site.urls import up as way_up
from citewiki.store.catalog import LogLine
from citewiki.text.folding import name_key
from citewiki.text.language import language

QUOTE = 320  # characters of a quote that are shown
FEW_BACKLINKS = 10  # shown open; the rest unfolds
FEW_MENTIONS = 10  # pages that only mention this one; of more, how many
FEW_QUOTES = 12  # of one source
RELATED = 6  # beside those that the front matter names
_ENOUGH = 300  # characters that tell the language of a page


@dataclass(frozen=True)  # no slots: it is pickled for every page
class Mention:
    """A page that links here or mentions this one, with the sentences that do."""

    page: Anchor
    sentences: tuple[str, ...]


@dataclass(frozen=True)  # no slots: it is pickled for every page
class PageView:
    """All that stands around a page's text."""

    title: str
    path: str  # wiki/…
    language: str  # of the text, ISO 639-1, where it is not the site's; else ""
    head: Head
    domain: Anchor | None
    tags: tuple[Anchor, ...]
    verified: str  # "12 May 2026"; "" not said
    verified_iso: str
    changed: str  # when the text was last written; "" not said, or on the same day
    changed_iso: str
    confidence: int | None  # percent
    reasons: tuple[str, ...]  # for that confidence
    authority: str  # "" when a reason names it, or when it is unknown
    banners: tuple[Banner, ...]
    related: tuple[Anchor, ...]  # what its front matter links to, then its kin
    missing: tuple[str, ...]  # names that it links and no page has
    sources: tuple[Panel, ...]
    history: tuple[Row, ...]  # oldest first
    mentions: tuple[Mention, ...]
    more_mentions: tuple[Mention, ...]
    unlinked: tuple[Mention, ...]  # pages that name this one without a link
    more_unlinked: int
    graph: str  # JSON for assets/graph.js; "" when the page has no neighbours
    neighbours: int  # in that graph
    slug: str
    base: str  # the way up to the site's root


class Surroundings:
    """What is worked out once for the pages of one site: each thing when it is first asked for."""

    def __init__(self, model: SiteModel, site: Site | None = None) -> None:
        self.model = model
        self.site = site or Site("")

    @cached_property
    def shelf(self) -> Shelf:
        """The sources on which pages rest."""
        return Shelf(self.model)

    @cached_property
    def unlinked(self) -> Mapping[str, tuple[Named, ...]]:
        """Where each page is named without a link."""
        return unlinked(self.model.pages, self.model.graph)

    @cached_property
    def kinship(self) -> Kinship:
        """Which pages have much in common."""
        return Kinship(self.model.pages, self.model.graph, self.model.tags)

    @cached_property
    def tag_urls(self) -> Mapping[str, str]:
        """On which page each tag is listed."""
        return tag_urls(self.model)


def page_view(
    around: Surroundings,
    page: Page,
    graph: GraphData | None,
    log: Mapping[str, Sequence[LogLine]],
) -> PageView:
    """The view of one page; `graph` is its neighbourhood, `log` the log's lines by slug."""
    model = around.model
    url = model.urls[page.path]
    mentions = tuple(
        Mention(
            Anchor(link.page.title, to(model.urls[link.page.path], url)),
            tuple(clipped(sentence, page.title) for sentence in link.sentences),
        )
        for link in model.backlinks(page.path)
    )
    named = around.unlinked.get(page.path, ())
    trusted = model.confidence(page)
    tells = trusted is not None and not trusted.by_hand  # what kind of source it has, as a reason
    sources = tuple(_panels(around, page, url))
    written = _written(page)
    return PageView(
        title=page.title,
        path=f"wiki/{page.path}",
        language=_other_language(page, around.site.language),
        head=head(model, page, around.site, sources),
        domain=domain_anchor(model, page.domain, url) if page.domain else None,
        tags=tuple(Anchor(tag, to(around.tag_urls[tag], url, tag_id(tag))) for tag in page.tags),
        verified=day(page.last_verified_at),
        verified_iso=page.last_verified_at.isoformat() if page.last_verified_at else "",
        changed=day(written),
        changed_iso=written.isoformat() if written else "",
        confidence=round(trusted.value * 100) if trusted else None,
        reasons=trusted.reasons if trusted else (),
        authority="" if tells or page.source_authority == "unknown" else page.source_authority,
        banners=banners(model, page),
        related=tuple(anchor(model, other, url) for other in _related(around, page)),
        missing=missing_names(model, page),
        sources=sources,
        history=page_history(model, page, log),
        mentions=mentions[:FEW_BACKLINKS],
        more_mentions=mentions[FEW_BACKLINKS:],
        unlinked=tuple(_unlinked(model, place, page, url) for place in named[:FEW_MENTIONS]),
        more_unlinked=max(0, len(named) - FEW_MENTIONS),
        graph=compact(graph) if graph else "",
        neighbours=len(graph.nodes) - 1 if graph else 0,
        slug=page.slug,
        base=way_up(url),
    )


def missing_names(model: SiteModel, page: Page) -> tuple[str, ...]:
    """The names that `page` links and no page or file goes by, each once, in reading order."""
    links = (edge.link for edge in model.graph.out.get(page.path, ()) if not edge.target)
    names: dict[str, str] = {}
    for link in links:
        if link.name:
            names.setdefault(name_key(link.name), link.name)
    return tuple(
        name
        for key, name in names.items()
        if key.removesuffix(".md") != "index"
        and not model.files.resolve(name, page.path)
        and not model.archived.resolve(name, page.path).path
    )


def compact(data: GraphData) -> str:
    """A graph as one line of JSON that may stand in a <script>."""
    text = json.dumps(data.columns(), ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _panels(around: Surroundings, page: Page, url: str) -> Iterator[Panel]:
    """The sources of `page`, with the quotes that its footnotes take from each."""
    model = around.model
    notes = [note for note in footnotes(page.body).values() if note.resource]
    if not (notes or page.sources):
        return
    known = model.files.originals_of(page, *(note.resource for note in notes))
    found = panels(page, known, notes, publish_raw=model.config.site.publish_raw)
    for original, panel in found:
        taken = original.taken if original else None
        if taken and taken > model.now:  # a snapshot shows what was there before
            taken = None
        about = (original.kind if original else "", f"taken in {day(taken)}" if taken else "")
        yield replace(
            panel,
            href=relative(panel.href, url),
            about=", ".join(filter(None, about)),
            quotes=tuple(_near(quote, url) for quote in panel.quotes[:FEW_QUOTES]),
            listed=around.shelf.entry(original, url) if original else "",
        )


def _near(quote: Quoted, url: str) -> Quoted:
    return replace(quote, words=clipped(quote.words, most=QUOTE), href=relative(quote.href, url))


def _related(around: Surroundings, page: Page) -> Iterable[Page]:
    named = around.model.related(page)
    kin = around.kinship.related(page, RELATED)
    return {other.path: other for other in (*named, *kin)}.values()


def _unlinked(model: SiteModel, place: Named, named: Page, url: str) -> Mention:
    page = model.pages[place.path]
    sentence = clipped(sentence_of(page, place), named.title)
    return Mention(Anchor(page.title, to(model.urls[page.path], url)), (sentence,))


def _written(page: Page) -> datetime | None:
    """When the text was last written; None when it was verified on that day, which says as much."""
    moment = max(filter(None, (page.generated_at, page.ingested_at)), default=None)
    verified = page.last_verified_at
    return None if moment and verified and moment.date() == verified.date() else moment


def _other_language(page: Page, site: str) -> str:
    """The language of the page's text where it is another than the site's."""
    start = page.body[:_ENOUGH]
    told = ("en" if start.strip() else "") if start.isascii() else language(start)
    return "" if told == (site or "en").partition("-")[0] else told
