"""A page of the site, as MkDocs knows pages."""

from __future__ import annotations

from functools import cached_property
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc

from citewiki.model import Page, iso
from citewiki.site import search, urls
from citewiki.site import view as views
from citewiki.site.frames import FILLED, one_top
from citewiki.site.harmless import harmless
from citewiki.site.lists import AnyList
from citewiki.site.model import last_change

if TYPE_CHECKING:
    from citewiki.site.integration import Site


class SitePage(MkDocsPage):
    """A page whose text and HTML come from the model, not from MkDocs' own readers."""

    view: views.PageView | None = None  # a wiki page's head and foot
    lists: AnyList | None = None  # what a page made of lists shows
    lists_template = ""
    heading = ""  # the text's own <h1>
    entries = ""  # of the search index; see search.entries
    files_shown: frozenset[str] = frozenset()  # paths under wiki/
    has_graph = False

    def __init__(self, site: Site, title: str, file: File, text: str, page: Page | None) -> None:
        # The theme prints titles and descriptions as HTML.
        super().__init__(escape(title), file, site.config)
        self.site, self.text, self.wiki_page = site, text, page
        changed = last_change(page) if page else None
        self.changed = iso(changed) if changed else ""  # for sitemap.xml

    @cached_property
    def frame(self) -> str:
        """Names the frame that the page shares with others of its depth; "" when it shares none.

        A page of the site's own is drawn in the navigation, and below its folder links are shorter.
        """
        url = unquote(self.url)
        alone = not self.wiki_page or url.partition("/")[0] in urls.OWN_FOLDERS or self.site.custom
        return "" if alone else urls.up(url)

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
        if self.frame:
            self.meta["template"] = FILLED
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
            if self.site.is_served:
                self.heading, self.content = harmless(drawn.heading), harmless(drawn.body)
            self.toc = get_toc(one_top(drawn.headings))
            self.files_shown = drawn.files
            self.site.shown_files |= drawn.files
        page = self.wiki_page
        if page and not self.site.in_parts:
            found = search.documents(self.url, page.title, self.content, page.tags, page.domain)
            self.entries = search.entries(found)
