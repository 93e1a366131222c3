"""The one place where the site meets MkDocs: what hooks/citewiki_hooks.py calls."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

from jinja2 import Environment
from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc
from pathspec.gitignore import GitIgnoreSpec

from citewiki.config import load_config
from citewiki.errors import CitewikiError
from citewiki.model import Drift, Page, iso
from citewiki.site import exports, search, urls
from citewiki.site import view as views
from citewiki.site.anchors import day
from citewiki.site.graph import GraphData, graph_data, graph_svg
from citewiki.site.home import home_text
from citewiki.site.log import Log, published_log
from citewiki.site.model import build_model
from citewiki.site.neighbourhood import Neighbourhoods
from citewiki.site.render import Renderer
from citewiki.site.shown import copy_shown
from citewiki.site.snapshot import snapshot_moment
from citewiki.site.timeline import TimelineView, timeline_views

log = logging.getLogger("mkdocs.citewiki")

HERE = Path(__file__).parent
ASSETS = ("citewiki.css", "graph.js", "graph-tools.js", "search.js")
_INDENT = re.compile(r"\s*\n\s*")
MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")  # what MkDocs takes for pages
CREDIT = (
    'Made with citewiki and <a href="https://squidfunk.github.io/mkdocs-material/">'
    "Material for MkDocs</a>"
)
GENERATED = ".lists/"  # before the source paths of pages that are made here
MANY_DOMAINS = 24  # more than this are not listed in every page's navigation


class SitePage(MkDocsPage):
    """A page whose text and HTML come from the model, not from MkDocs' own readers."""

    view: views.PageView | None = None  # a wiki page's head and foot
    lists: views.ListView | TimelineView | None = None  # what a page made of lists shows
    lists_template = ""
    heading = ""  # the text's own <h1>
    has_graph = False

    def __init__(self, site: Site, title: str, file: File, text: str, page: Page | None) -> None:
        # The theme prints titles and descriptions as HTML.
        super().__init__(escape(title), file, site.config)
        self.site, self.text, self.wiki_page = site, text, page

    @cached_property
    def _frame(self) -> str:
        """The same for all pages around whose text the theme puts the same frame.

        Links in it go up and down again, so pages of one depth share it; not the pages that
        stand in the navigation, which is drawn open where they are, nor those in a folder
        to which the frame links by a shorter way.
        """
        url = urls.up(unquote(self.url))
        in_frame = not self.wiki_page or self.url.partition("/")[0] in urls.OWN_FOLDERS
        return self.url if in_frame or self.site.custom else url

    @property
    def nobody(self) -> SimpleNamespace:
        """Stands in for the page in what is kept, with a mark for its title."""
        return SimpleNamespace(title="\x02title\x03", meta={}, url=self.url)

    def kept(self, part: str) -> str:
        """A part of the frame that another page has rendered; "" when none has."""
        return self.site.frames.get((self._frame, part), "")

    def keep(self, part: str, html: str) -> str:
        """Remember `html`, without its indentation, as that part of the frame; returns it."""
        return self.site.frames.setdefault((self._frame, part), _INDENT.sub("\n", html.strip()))

    def read_source(self, config: MkDocsConfig) -> None:
        """The body and our own few facts; MkDocs never sees a page's front matter."""
        self.markdown = self.text
        self.meta = {"search": {"exclude": True}}
        if self.url not in ("", "./"):
            self.meta["title"] = self.title
        if self.wiki_page and self.wiki_page.summary:
            self.meta["description"] = escape(self.wiki_page.summary)
        if not self.wiki_page:
            self.meta["hide"] = ["toc"]
        if self.lists_template == "citewiki-graph.html":
            self.meta["template"] = self.lists_template
            self.meta["hide"] = ["toc", "navigation"]

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """The HTML, the table of contents, and the search entries."""
        self.present_anchor_ids, self.links_to_anchors = set(), None
        self.content, self.toc = "", get_toc([])
        path = self.wiki_page.path if self.wiki_page else self.file.src_uri
        if self.markdown and self.markdown.strip():
            url = "" if self.url == "./" else unquote(self.url)
            drawn = self.site.renderer.draw(path, self.markdown, url)
            self.heading, self.content = drawn.heading, drawn.body
            self.toc = get_toc(_one_top(drawn.headings))
            self.site.shown_files |= drawn.files
        if page := self.wiki_page:
            self.site.entries += search.documents(self.url, page.title, self.content, page.tags)


class Site:
    """One build of the site.

    `as_of` names the moment of a snapshot; "" is the wiki as it is. `find_drifts` tells which of
    some pages disagree: it is handed in, as the rooms that can tell are none of this one's.
    """

    def __init__(
        self,
        config: MkDocsConfig,
        now: datetime,
        as_of: str = "",
        find_drifts: Callable[[Iterable[Page]], Sequence[Drift]] = lambda _: (),
    ) -> None:
        wiki = Path(config.docs_dir)
        self.root = wiki.parent
        try:
            then = snapshot_moment(as_of, now)
            model = build_model(self.root, load_config(self.root), now, wiki, as_of=then)
        except CitewikiError as error:
            raise PluginError(str(error)) from error
        self.model = replace(model, drifts=tuple(find_drifts(model.current())))
        self.config = config
        self.entries: list[dict[str, Any]] = []  # of the search index
        self.frames: dict[tuple[str, str], str] = {}
        self.custom = config.theme.custom_dir is not None  # templates that we do not know
        self.shown_files: set[str] = set()  # paths under wiki/ that some page shows or links
        for problem in self.model.problems:
            log.warning(str(problem))

    @cached_property
    def renderer(self) -> Renderer:
        """Made late, when every plugin has named its Markdown extensions."""
        return Renderer(self.model, self.config.markdown_extensions, self.config.mdx_configs)

    @cached_property
    def graph(self) -> GraphData:
        """The whole graph; its layout is kept under .citewiki/."""
        name = "layout-then.json" if self.model.is_snapshot else "layout.json"
        cache = self.root / ".citewiki" / "site" / name
        return graph_data(self.model.graph, self.model.urls, cache)

    @cached_property
    def timeline(self) -> list[TimelineView]:
        """The pages of /timeline/."""
        return timeline_views(self.model)

    @cached_property
    def log(self) -> Log:
        """What of wiki/log.md may be shown."""
        return published_log(self.model)

    @cached_property
    def neighbourhoods(self) -> Neighbourhoods:
        """What lies around each page."""
        return Neighbourhoods(self.graph)

    # -- one method for each event -----------------------------------------------------------

    def configure(self) -> None:
        """Settings that mkdocs.yml need not repeat: templates, style, navigation, exclusions."""
        config = self.config
        config.use_directory_urls = True
        theme = [number for number, folder in enumerate(config.theme.dirs) if "material" in folder]
        config.theme.dirs.insert(theme[0] if theme else 0, str(HERE / "templates"))
        config.extra_css.insert(0, "assets/citewiki.css")
        config.copyright = config.copyright or CREDIT
        own = config.exclude_docs or GitIgnoreSpec([])
        config.exclude_docs = own + GitIgnoreSpec.from_lines(f"*{end}" for end in MARKDOWN)
        if config.nav is None:
            config.nav = self._navigation()
        if self.model.is_snapshot:  # said on every page; see main.html
            config.extra["citewiki_as_of"] = {
                "day": day(self.model.now),
                "iso": iso(self.model.now),
            }

    def _navigation(self) -> list[Any]:
        domains = [{domain: _source(urls.domain_url(domain))} for domain in self.model.domains]
        nav: list[Any] = [{"Home": "index.md"}]
        if domains and len(domains) <= MANY_DOMAINS:
            nav.append({"Domains": [{"All": _source(urls.DOMAINS)}, *domains]})
        elif domains:
            nav.append({"Domains": _source(urls.DOMAINS)})
        nav += [{"Tags": _source(urls.TAGS)}, {"Graph": _source(urls.GRAPH)}]
        if self.timeline:
            nav.append({"Timeline": _source(urls.TIMELINE)})
        if self.model.drifts:
            nav.append({"Disagreements": _source(urls.DRIFT)})
        return nav

    def files(self, found: Files) -> Files:
        """The files of the site: the model's pages, the pages made of lists, and media."""
        wiki = self.config.docs_dir
        files = Files(file for file in found if file.src_dir != wiki or file.src_uri in self._media)
        for name in ASSETS:
            source = str(HERE / "assets" / name)
            files.append(File.generated(self.config, f"assets/{name}", abs_src_path=source))
        for page in self.model.pages.values():
            file = self._file(page.path, self.model.urls[page.path])
            SitePage(self, page.title, file, page.body, page)
            files.append(file)
        for made in self._lists():
            files.append(made.file)
        return files

    def _lists(self) -> Iterator[SitePage]:
        model = self.model
        shown: list[tuple[str, str, views.ListView | TimelineView]] = [
            ("", "home", views.home_view(model, self.config.site_name)),
            (urls.DOMAINS, "list", views.domains_view(model, urls.DOMAINS)),
            (urls.TAGS, "tags", views.tags_view(model)),
            (urls.GRAPH, "graph", views.graph_view()),
        ]
        shown += [
            (urls.domain_url(domain), "list", views.domain_view(model, domain))
            for domain in model.domains
        ]
        shown += [(view.url, "timeline", view) for view in self.timeline]
        if model.drifts:
            shown.append((urls.DRIFT, "drift", views.drift_view(model)))
        for url, kind, lists in shown:
            text = "" if url else home_text(model)
            title = lists.title if url else "Home"
            page = SitePage(self, title, self._file(_source(url), url), text, None)
            page.lists, page.lists_template = lists, f"citewiki-{kind}.html"
            page.has_graph = lists.has_graph
            yield page
        if text := self.log.markdown:
            yield SitePage(self, "Log", self._file(_source("log/"), "log/"), text, None)

    @cached_property
    def _media(self) -> frozenset[str]:
        return self.model.media.paths

    def _file(self, path: str, url: str) -> File:
        file = File(
            path,
            self.config.docs_dir,
            self.config.site_dir,
            use_directory_urls=True,
            dest_uri=f"{url}index.html",
            inclusion=InclusionLevel.NOT_IN_NAV,
        )
        if path.startswith(GENERATED):
            file.edit_uri = None
        return file

    def prepare(self, templates: Environment, files: Files) -> None:
        """All pages are rendered, none is written yet."""
        for problem in self.renderer.problems:
            log.warning(str(problem))
        templates.filters["own_worker"] = search.own_worker
        self._drop_unused(files)

    def _drop_unused(self, files: Files) -> None:
        """Leave out files that no visible page shows: they may belong to a hidden one."""
        named = {*self.config.extra_css, *map(str, self.config.extra_javascript)}
        named |= {str(self.config.theme.get(key) or "") for key in ("logo", "favicon")}
        for file in files:
            if file.src_uri in self._media and file.src_uri not in (self.shown_files | named):
                file.inclusion = InclusionLevel.EXCLUDED

    def look_at(self, page: MkDocsPage) -> None:
        """Give a page its head and foot, just before it is written."""
        if isinstance(page, SitePage) and page.wiki_page:
            near = self.neighbourhoods.of(page.wiki_page.slug)
            page.view = views.page_view(self.model, page.wiki_page, near, self.log.about)
            page.has_graph = near is not None

    def finish(self) -> None:
        """Write what is not a page: search index, Markdown, lists for programs, pictures."""
        site = Path(self.config.site_dir)

        def write(address: str, text: str) -> None:
            utils.write_file(text.encode("utf-8"), os.path.join(site, address))

        title, summary = self.config.site_name, self.config.site_description or ""
        base = (self.config.site_url or "/").rstrip("/") + "/"
        exports.write_all(self.model, self.graph, title, summary, base, write)
        write("graph.svg", graph_svg(self.graph, use_graphviz=False))
        if (site / "search" / "search_index.json").is_file():
            write("search/search_index.json", search.search_index(self.entries))
        for path in self._originals():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            copy_shown(self.root / path, site / path)

    def watch(self, watch: Callable[[str], None]) -> None:
        """Hand on what `mkdocs serve` has to watch beside wiki/ and mkdocs.yml."""
        for path in (self.root / "pyproject.toml", self.root / "raw" / "manifest.jsonl"):
            if path.exists():
                watch(str(path))

    def _originals(self) -> list[str]:
        """Originals that visible pages rest on, when they are to be published."""
        if not self.model.config.site.publish_raw:
            return []
        refs = (ref for page in self.model.pages.values() for ref in page.sources)
        known = (self.model.originals.get(ref.resource or ref.id) for ref in refs)
        paths = {original.path for original in known if original}
        return sorted(path for path in paths if (self.root / path).is_file())


def _source(url: str) -> str:
    """The path that MkDocs knows a page of lists by; the dot keeps it apart from wiki pages."""
    return f"{GENERATED}{url}index.md" if url else "index.md"


def _one_top(headings: Sequence[dict[str, Any]]) -> list[Any]:
    """Headings as the theme wants them: it shows what is under one first-level heading only.

    A page with several first-level headings gets all levels lowered by one.
    """
    tops = [item for item in headings if item["level"] == 1]
    if len(tops) < 2 and (not tops or len(headings) == 1):
        return list(headings)

    def lowered(item: dict[str, Any]) -> dict[str, Any]:
        return {**item, "level": item["level"] + 1, "children": [*map(lowered, item["children"])]}

    return [lowered(item) for item in headings]
