"""What a link on a page leads to on the site. Knows nothing of MkDocs or of Markdown's parser."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal
from urllib.parse import quote, unquote

from citewiki.index.graph import resolve_name
from citewiki.markdown.anchors import find_anchor, named_anchors
from citewiki.markdown.wikilinks import Wikilink
from citewiki.model import Page
from citewiki.site.lists import tag_id, tag_urls
from citewiki.site.model import SiteModel
from citewiki.site.urls import (
    ASK,
    COVERAGE,
    DOMAINS,
    DRIFT,
    GRAPH,
    HOME,
    ROOT,
    SOURCES,
    TAGS,
    TIMELINE,
    domain_url,
    href,
)  # fmt: skip
from citewiki.text.folding import name_key

Kind = Literal["page", "file", "missing", "archived", "unpublished"]

_OUTSIDE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//|\x02)")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads, or why it leads nowhere."""

    kind: Kind
    href: str = ""  # with urls.ROOT, or "#…" within the page; "" when it leads nowhere
    path: str = ""  # of the page or file that is meant; "" when there is none
    anchor: str = ""  # within that page
    note: str = ""  # for a person: why it leads nowhere, or what to know before following it
    is_found: bool = True  # whether the page has the heading or block that is named


@dataclass(frozen=True)
class Resolver:
    """Links of one site, each looked up in constant time."""

    model: SiteModel

    def wikilink(self, link: Wikilink, at: str) -> Target:
        """What `link`, on the page at path `at`, leads to."""
        name = link.target
        if not name:
            if at in self.model.pages:
                return self._page(self.model.pages[at], _headings_of(link), link.block, at)
            return Target("page", _fragment(link.heading, link.block))
        meant, whole = resolve_name(self.model.names, name, link.written, at)
        if meant.path:
            heading, block = ("", "") if whole else (_headings_of(link), link.block)
            return self._page(self.model.pages[meant.path], heading, block, at)
        if media := self.model.files.resolve(name, at):
            return _file(media, link.heading)
        if name_key(name.removesuffix(".md")) == "index":
            return Target("page", href(HOME))
        if "://" in name:
            return Target("page", link.written)
        return self._nowhere(name, at)

    def tag(self, name: str) -> str:
        """Where the pages tagged `name` are listed; "" when there are none."""
        return self._tags.get(name_key(name), "")

    def address(self, address: str, at: str) -> Target | None:
        """What a Markdown or HTML link to `address` leads to; None: it is not ours to change.

        Ours are paths: from the page's folder, from the top of wiki/, or of a page of the site.
        """
        if not address or address[0] in "#?" or _OUTSIDE.match(address):
            return None
        raw_path, _, anchor = address.partition("#")
        path = unquote(raw_path.partition("?")[0]).replace("\\", "/")
        anchor = unquote(anchor)
        folder = posixpath.dirname(at)
        joined = posixpath.normpath(path.lstrip("/") if path[0] == "/" else f"{folder}/{path}")
        joined = joined.lstrip("/")
        if path.endswith(".md"):
            resolved = self.model.names.resolve(path if "/" in path else f"./{path}", at)
            if resolved.path:
                return self._page(self.model.pages[resolved.path], anchor, "", at)
        stem = name_key(joined.removesuffix(".md").removesuffix(".html"))
        stems = (stem, f"{stem}/index", f"{stem}/readme") if stem and stem != "." else (stem,)
        exact = next((self._by_path[each] for each in stems if each in self._by_path), None)
        if exact:
            return self._page(self.model.pages[exact], anchor, "", at)
        if media := self.model.files.resolve(path, at):
            return _file(media, anchor)
        if name_key(joined) in self._site_addresses:
            url = self._site_addresses[name_key(joined)]
            return Target("page", href(url, anchor))
        if joined.removeprefix("../").startswith("raw/"):
            return self._original(joined[joined.index("raw/") :], anchor, at)
        return self._nowhere(path, at)

    def _page(self, page: Page, heading: str, block: str, at: str) -> Target:
        anchor = self.anchor(page, heading, block)
        url = self.model.urls[page.path]
        note = ""
        if self.model.is_superseded(page):
            successor = self.model.newest_of(page)
            note = f"superseded by “{successor.title}”" if successor else "superseded"
        if page.path == at and anchor:
            return Target("page", f"#{quote(anchor, safe='^')}", page.path, anchor, note)
        is_found = bool(anchor or not (block or heading.strip("# ")))
        return Target("page", href(url, anchor), page.path, anchor, note, is_found)

    def anchor(self, page: Page, heading: str, block: str = "") -> str:
        """The id of a heading or block in `page`; "" when it has none such, so its top is meant."""
        if not (block or heading.strip("# ")):
            return ""
        named = self._anchors(page)
        return named.get(f"^{block}", "") if block else find_anchor(named, heading)

    def _anchors(self, page: Page) -> Mapping[str, str]:
        if page.path not in self._headings:
            self._headings[page.path] = named_anchors(page.body)
        return self._headings[page.path]

    def _original(self, path: str, anchor: str, at: str) -> Target:
        config, root = self.model.config, self.model.root
        if not config.site.publish_raw:
            return Target("unpublished", note="the original is not published")
        page, published = self.model.pages.get(at), self.model.files.published
        known = page is None or not page.owner or path in published
        if not known or not (root / path).is_file() or ".." in path:
            return Target("missing", note=f"no file {path}")
        return Target("file", f"{ROOT}{quote(path)}" + (f"#{anchor}" if anchor else ""))

    def _nowhere(self, name: str, at: str) -> Target:
        if self.model.archived.resolve(name, at).path:
            return Target("archived", note="this page has been archived")
        return Target("missing", note=f"no page is called “{name}”")

    @cached_property
    def _headings(self) -> dict[str, Mapping[str, str]]:
        return {}

    @cached_property
    def _tags(self) -> dict[str, str]:
        urls = tag_urls(self.model)
        return {name_key(tag): href(url, tag_id(tag)) for tag, url in urls.items()}

    @cached_property
    def _by_path(self) -> dict[str, str]:
        return {name_key(path.removesuffix(".md")): path for path in self.model.pages}

    @cached_property
    def _site_addresses(self) -> dict[str, str]:
        """Every address that the site answers, without the last "/"."""
        urls = [TAGS, GRAPH, DOMAINS, TIMELINE, DRIFT, SOURCES, COVERAGE, ASK]
        urls += map(domain_url, self.model.domains)
        found = {name_key(url.rstrip("/")): url for url in (*urls, *self.model.urls.values())}
        return {**found, "index.md": HOME, "index": HOME, ".": HOME, "": HOME}


def _file(path: str, anchor: str) -> Target:
    return Target("file", href(path) + (f"#{quote(anchor, safe='=&,')}" if anchor else ""), path)


def _headings_of(link: Wikilink) -> str:
    """ "Part#Heading" of `[[Page#Part#Heading]]`."""
    return link.written.partition("#")[2] if link.heading else ""


def _fragment(heading: str, block: str) -> str:
    return f"#^{block}" if block else f"#{quote(heading)}"
