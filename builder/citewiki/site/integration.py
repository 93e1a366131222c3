"""The one place where the site meets MkDocs: what hooks/citewiki_hooks.py calls."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from jinja2 import Environment
from mkdocs import utils
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc
from pathspec.gitignore import GitIgnoreSpec

from citewiki.config import Config
from citewiki.model import Page, iso
from citewiki.site import ask_index, exports, extras, search, urls
from citewiki.site import head as heads
from citewiki.site import view as views
from citewiki.site.anchors import day
from citewiki.site.cache import Made, pickled, unpickled
from citewiki.site.compact import compact
from citewiki.site.diagrams import MERMAID, mermaid_file
from citewiki.site.drawing import graph_svg
from citewiki.site.frames import Frames
from citewiki.site.graph import GraphData, graph_data
from citewiki.site.home import home_text
from citewiki.site.incremental import FindDrifts, Incremental
from citewiki.site.lists import AnyList, all_lists, ask_view
from citewiki.site.log import Log, published_log
from citewiki.site.model import build_model
from citewiki.site.neighbourhood import Neighbourhoods
from citewiki.site.opening import AlwaysModified, watched
from citewiki.site.render import Renderer
from citewiki.site.shown import copy_shown
from citewiki.site.site_page import SitePage
from citewiki.site.snapshot import snapshot_moment
from citewiki.site.theme import is_used, templates_of

log = logging.getLogger("mkdocs.citewiki")

HERE = Path(__file__).parent
GRAPHS = (
    "graph.css",
    "graph.js",
    *(f"graph-{part}.js" for part in ("around", "data", "near", "tools")),
)
ASSETS = (*ask_index.ASSETS, "citewiki.css", "diagrams.js", *GRAPHS, "preview.js", "search.js")
MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")  # what MkDocs takes for pages
CREDIT = (
    'Made with citewiki and <a href="https://squidfunk.github.io/mkdocs-material/">'
    "Material for MkDocs</a>"
)
GENERATED = ".lists/"  # before the source paths of pages that are made here
OPTIONAL = (
    ("Ask", urls.ASK),
    ("Timeline", urls.TIMELINE),
    ("Sources", urls.SOURCES),
    ("Coverage", urls.COVERAGE),
    ("Disagreements", urls.DRIFT),
)
"""Lists that stand in the navigation where there is anything to list."""
MANY_DOMAINS = 24  # more than this are not listed in every page's navigation


class Site:
    """One build of the site; see `open_site`.

    A served site holds nothing that acts, as several people write its pages and log in to it.
    """

    def __init__(
        self,
        config: MkDocsConfig,
        settings: Config,
        now: datetime,
        last: Incremental,
        as_of: str,
        find_drifts: FindDrifts,
        rules: Callable[[], Mapping[str, Any]] | None,
        *,
        is_served: bool,
    ) -> None:
        self.config, self.last, wiki = config, last, Path(config.docs_dir)
        self.rules = None if is_served else rules  # `citewiki serve` has an Ask page of its own
        self.root = wiki.parent
        self.is_served = is_served
        self.told: list[tuple[str, str]] = []  # problems: path, words
        then = snapshot_moment(as_of, now)
        model = build_model(
            self.root, settings, now, wiki, as_of=then, links_of=last.links_of, known=last.pages
        )
        self.model = replace(model, drifts=tuple(find_drifts(model.current(), last.stretches)))
        last.narrow(self.model.pages, self.model.graph, self.model.drifts)
        self.made: dict[str, Made] = {}  # of the pages that are drawn, by path
        self.drawn: list[SitePage] = []
        self.custom = config.theme.custom_dir is not None  # templates that we do not know
        self.shown_files: set[str] = set()  # paths under wiki/ that some page shows or links
        found = [(problem.path, str(problem)) for problem in self.model.problems]
        self._tell(dict.fromkeys((*found, *last.problems)))

    def _tell(self, problems: Iterable[tuple[str, str]]) -> None:
        for path, words in problems:
            log.warning(words)
            self.told.append((path, words))

    @cached_property
    def renderer(self) -> Renderer:
        """Made late, when every plugin has named its Markdown extensions."""
        return Renderer(self.model, self.config.markdown_extensions, self.config.mdx_configs)

    @cached_property
    def graph(self) -> GraphData:
        """The whole graph; its layout is kept under .citewiki/."""
        name = "layout-then.json" if self.model.is_snapshot else "layout.json"
        cache = self.root / ".citewiki" / "site" / name
        return graph_data(self.model.graph, self.model.urls, cache, self.model.state)

    @cached_property
    def around(self) -> views.Surroundings:
        """What pages have in common."""
        site = heads.Site(
            self.config.site_name,
            f"{self.config.site_url.rstrip('/')}/" if self.config.site_url else "",
            str(self.config.theme.get("language") or ""),
        )
        return views.Surroundings(self.model, site)

    @cached_property
    def lists(self) -> list[tuple[str, AnyList]]:
        """The pages made of lists, with the kind of their template."""
        found = all_lists(self.model, self.config.site_name, self.around.shelf)
        return [*found, ("ask", ask_view(self.model))] if self.rules else found

    @cached_property
    def in_parts(self) -> bool:
        """Whether the search box looks words up in the index of the Ask page."""
        return self.rules is not None and len(self.model.pages) > search.LARGE

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
        if self.last.changed is not None:  # what is there stays
            self.last.outputs.set_aside()
        config.use_directory_urls = True
        theme = [number for number, folder in enumerate(config.theme.dirs) if "material" in folder]
        config.theme.dirs.insert(theme[0] if theme else 0, str(HERE / "templates"))
        config.theme.get_env = partial(templates_of, config.theme.get_env)  # type: ignore[method-assign]
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
        made = {view.url for _, view in self.lists}
        nav += [{name: _source(url)} for name, url in OPTIONAL if url in made]
        if self.is_served:
            nav.append({"Ask": "/ask"})
        return nav

    def files(self, found: Files) -> Files:
        """The files of the site: the model's pages, the pages made of lists, and media.

        Of pages only those that are to be made anew.
        """
        if self.last.changed is not None:
            self.last.outputs.put_back()
            self.config.theme.static_templates.clear()
            self.config.extra_templates = []
        wiki = self.config.docs_dir
        media = self.model.files.media.paths
        files = Files(
            file
            for file in found
            if (
                file.src_uri in media
                if file.src_dir == wiki
                else self.custom or is_used(file.src_uri)
            )
        )
        for name in ASSETS:
            content = compact((HERE / "assets" / name).read_text(encoding="utf-8"))
            files.append(File.generated(self.config, f"assets/{name}", content=content))
        if mermaid := mermaid_file():
            files.append(File.generated(self.config, MERMAID, abs_src_path=str(mermaid)))
        for page in self._drawn_pages():
            file = self._file(page.path, self.model.urls[page.path])
            SitePage(self, page.title, file, page.body, page)
            files.append(file)
        for made in self._lists():
            files.append(made.file)
        return files

    def _drawn_pages(self) -> list[Page]:
        changed = self.last.changed
        return [p for p in self.model.pages.values() if changed is None or p.path in changed]

    def _lists(self) -> Iterator[SitePage]:
        for kind, lists in self.lists:
            url = lists.url
            text = "" if url else home_text(self.model)
            title = lists.title if url else "Home"
            page = SitePage(self, title, self._file(_source(url), url), text, None)
            page.lists, page.lists_template = lists, f"citewiki-{kind}.html"
            page.has_graph = lists.has_graph
            yield page
        if text := self.log.markdown:
            yield SitePage(self, "Log", self._file(_source("log/"), "log/"), text, None)

    def _file(self, path: str, url: str) -> File:
        file = AlwaysModified(
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
        self._tell((problem.path, str(problem)) for problem in self.renderer.problems)
        templates.filters["own_worker"] = search.own_worker
        self._spare_search()
        Frames(templates)
        if self.last.then or self.in_parts:  # compiled templates; a small site's are made as soon
            templates.bytecode_cache = self.last.compiled()
        self._drop_unused(files)

    def _spare_search(self) -> None:
        """Ask the search plugin no more of each page: all are left out of its index."""
        plugin = self.config.plugins.get("search") or self.config.plugins.get("material/search")
        asked = self.config.plugins.events["page_context"]
        asked[:] = [each for each in asked if getattr(each, "__self__", self) is not plugin]

    def _drop_unused(self, files: Files) -> None:
        """Leave out files that no visible page shows: they may belong to a hidden one."""
        named = {*self.config.extra_css, *map(str, self.config.extra_javascript)}
        named |= {str(self.config.theme.get(key) or "") for key in ("logo", "favicon")}
        if self.last.changed is not None:
            for path, made in self.last.made.items():
                self.shown_files |= made.files if path not in self.last.changed else set()
            for file in files:  # the navigation has been drawn up; what it leads to is the same
                if isinstance(file.page, SitePage) and not file.page.wiki_page:
                    file.inclusion = InclusionLevel.EXCLUDED
        for file in files:
            path, is_media = file.src_uri, file.src_uri in self.model.files.media.paths
            is_shown = path in self.shown_files or path in named
            if is_shown and is_media and not os.access(file.abs_src_path or "", os.R_OK):
                self._tell([(path, f"{path}: error: cannot be read and is left out")])
            elif is_shown or not (is_media or path == MERMAID):
                continue
            file.inclusion = InclusionLevel.EXCLUDED

    def look_at(self, page: MkDocsPage) -> None:
        """Give a page its head and foot, just before it is written."""
        if not isinstance(page, SitePage) or not page.wiki_page:
            return
        path = page.wiki_page.path
        if self.last.changed is None:
            near = self.neighbourhoods.of(page.wiki_page.slug)
            page.view = views.page_view(self.around, page.wiki_page, near, self.log.about)
            view = pickled(page.view)
        else:  # its text has changed, and nothing of what stands around it
            view = self.last.made[path].view
            page.view = unpickled(view)
        page.has_graph = bool(page.view and page.view.graph)
        self.made[path] = Made(view, page.entries, page.files_shown)
        self.drawn.append(page)

    def finish(self) -> None:
        """Write what is not a page: search index, Markdown, lists for programs, pictures."""
        site = Path(self.config.site_dir)

        def write(address: str, text: str) -> None:
            path, data = os.path.join(site, address), text.encode("utf-8")
            try:  # nearly always beside a page that is there
                with open(path, "wb") as file:
                    file.write(data)
            except FileNotFoundError:
                utils.write_file(data, path)

        for page in self.drawn:  # written: what follows needs the room
            page.content, page.toc, page.view = "", get_toc([]), None
        model = self.model
        title, summary = self.config.site_name, self.config.site_description or ""
        base = (self.config.site_url or "/").rstrip("/") + "/"
        if self.last.changed is not None:
            exports.write_texts(model, self._drawn_pages(), title, summary, base, write)
        extras.write_all(model, self.around.site, summary, write)
        if (site / "search" / "search_index.json").is_file():
            made = {**self.last.made, **self.made} if self.last.changed else self.made
            entries = (made[path].entries for path in model.pages if not self.in_parts)
            asks = self.rules is not None
            found = search.search_index(entries, asks=asks, in_parts=self.in_parts)
            write("search/search_index.json", found)
        if self.last.changed is None:
            exports.write_all(model, self.graph, title, summary, base, write)
            robots = exports.robots_txt(model, base)
            if robots and not (site / "robots.txt").exists():  # the owner's own goes before it
                write("robots.txt", robots)
            write("graph.svg", graph_svg(self.graph, by_graphviz=150))
            for path in self._originals():
                (site / path).parent.mkdir(parents=True, exist_ok=True)
                copy_shown(self.root / path, site / path)
        self.last.keep(model.pages.values(), self.made)
        self.made.clear()
        if self.rules:
            edited = self.last.changed is not None
            if not (edited and ask_index.write_edits(model, self.last.before, site)):
                ask_index.write_all(model, self.rules(), site)
        self.last.seal(self.told, model.drifts)

    def watch(self, watch: Callable[[str], None]) -> None:
        """Hand on what `mkdocs serve` has to watch beside wiki/ and mkdocs.yml."""
        watched(self.root, watch)

    def _originals(self) -> list[str]:
        """Originals that visible pages rest on, when they are to be published."""
        if not self.model.config.site.publish_raw:
            return []
        paths = sorted(self.model.files.published)
        return [path for path in paths if (self.root / path).is_file()]


def _source(url: str) -> str:
    """The path that MkDocs knows a page of lists by; the dot keeps it apart from wiki pages."""
    return f"{GENERATED}{url}index.md" if url else "index.md"
