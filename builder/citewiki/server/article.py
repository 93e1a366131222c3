"""A page made HTML at once from its file, without a built site: what /p/ shows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from citewiki.index.graph import link_graph
from citewiki.site.anchors import Anchor, anchor, day
from citewiki.site.banner import Banner, banners
from citewiki.site.evidence import Evidence, evidence, read_manifest
from citewiki.site.files import Files
from citewiki.site.harmless import harmless
from citewiki.site.media import Media, media_paths
from citewiki.site.model import SiteModel
from citewiki.site.render import Renderer
from citewiki.site.urls import relative
from citewiki.store.paths import page_paths

if TYPE_CHECKING:
    from citewiki.index.index import Index
    from citewiki.model import Page
    from citewiki.wiki import Wiki

MENTIONS = 20
"""Pages linking here that are shown, with their sentences; the others are counted."""


@dataclass(frozen=True, slots=True)
class Article:
    """A page ready to be put into a template."""

    page: Page
    heading: str  # the text's own <h1>, harmless; "" when it has none
    body: str  # harmless HTML
    banners: tuple[Banner, ...]
    verified: str  # "12 May 2026"; "" not said
    confidence: int | None  # percent
    reasons: tuple[str, ...]  # for that confidence
    sources: tuple[Evidence, ...]
    related: tuple[Anchor, ...]
    mentions: tuple[tuple[Anchor, tuple[str, ...]], ...]
    more_mentions: int


class _Pages(Mapping[str, "Page"]):
    """The pages of an index by path, each read when it is asked for, and kept if so wished."""

    def __init__(self, index: Index, *, keep: bool = True) -> None:
        self._index, self._keep = index, keep
        self._read: dict[str, Page | None] = {}

    def __getitem__(self, path: str) -> Page:
        page = self._read[path] if path in self._read else self._index.page(path)
        if self._keep:
            self._read[path] = page
        if page is None:
            raise KeyError(path)
        return page

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.get(path) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._index.paths())

    def __len__(self) -> int:
        return self._index.count


class _Addresses(Mapping[str, str]):
    """Where pages stand: at /p/<slug>. Looked up and never listed, which would read every page."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        self._pages = pages

    def __getitem__(self, path: str) -> str:
        return f"p/{self._pages[path].slug}"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


class _OnePage(SiteModel):
    """The model of one page: there are no lists of pages around it, so none is made."""

    @property
    def domains(self) -> dict[str, tuple[Page, ...]]:
        """None has an address here."""
        return {}


def article(wiki: Wiki, slug: str, now: datetime, quote: str = "") -> Article | None:
    """The page that goes by `slug`, with its first `quote` marked; None when there is none."""
    with wiki.index as index:
        page = index.by_slug(slug)
        if page is None:
            return None
        linking = index.linking(page.path)
        pages, names = _Pages(index), index.names()
        near = [page, *(pages[path] for path in linking[:MENTIONS] if path in pages)]
        model = _OnePage(
            root=wiki.root,
            wiki=wiki.folder,
            config=wiki.config,
            now=now,
            pages=pages,
            names=names,
            away=(),
            graph=link_graph(near, names),
            urls=_Addresses(pages),
            files=_files(wiki, index, page.body),
            unpublished=(),
        )
        return _drawn(model, page, quote, max(0, len(linking) - MENTIONS))


def _drawn(model: SiteModel, page: Page, quote: str, more: int) -> Article:
    drawn = Renderer(model, _EXTENSIONS).draw(page.path)
    body = drawn.body
    if quote:
        from citewiki.server.marking import marked

        body = marked(body, quote)
    url = model.urls[page.path]
    trusted = model.confidence(page)
    originals = model.files.originals_of(page)
    sources = evidence(page, originals, publish_raw=model.config.site.publish_raw)
    return Article(
        page=page,
        heading=harmless(drawn.heading),
        body=harmless(body),
        banners=banners(model, page),
        verified=day(page.last_verified_at),
        confidence=round(trusted.value * 100) if trusted else None,
        reasons=trusted.reasons if trusted else (),
        sources=tuple(
            Evidence(each.title, each.locator, relative(each.href, url)) for each in sources
        ),
        related=tuple(anchor(model, other, url) for other in model.related(page)),
        mentions=tuple(
            (anchor(model, link.page, url), link.sentences) for link in model.backlinks(page.path)
        ),
        more_mentions=more,
    )


def _files(wiki: Wiki, index: Index, body: str) -> Files:
    """What pages may show of other files; these are looked for only where `body` may name some.

    It is kept while nothing changes: to know it, hidden pages may have to be read as well.
    """
    manifest = wiki.root / "raw" / "manifest.jsonl"
    named = bool(_MAY_NAME_A_FILE.search(body))
    media = tuple(media_paths(wiki.folder)) if named else ()

    def made() -> Files:
        every = page_paths(wiki.folder, archived=True) if media else ()
        hidden = frozenset(every) - frozenset(index.paths())
        pages = _Pages(index, keep=False)
        return Files(wiki.folder, Media(media), pages, hidden, read_manifest(manifest))

    try:
        status = manifest.stat()
    except OSError:
        return index.kept(("files", media), made)
    return index.kept(("files", status.st_mtime_ns, status.st_size, media), made)


_MAY_NAME_A_FILE = re.compile(r"!\[|\.\w{2,5}[\]|)>\"'#]")
_EXTENSIONS = ("admonition", "pymdownx.details", "pymdownx.mark", "pymdownx.tasklist")
"""Those of a new wiki's mkdocs.yml that change what text means."""
