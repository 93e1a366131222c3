"""Where every page stands on the site: wiki/<folder>/<file>.md at /<folder>/<slug>/."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

from citewiki.model import Page
from citewiki.text.folding import name_key

ROOT = "\x02root/"
"""Stands before every inner link until `relative` puts the way up there. Markdown strips the
control character from its input, so no page can write it."""

HOME = ""
TAGS = "tags/"
GRAPH = "graph/"
DOMAINS = "domains/"
TIMELINE = "timeline/"  # and a folder for each month: timeline/2026-05/, timeline/2026-05/2/
DRIFT = "disagreements/"
OWN_FOLDERS = (
    "tags", "graph", "domains", "timeline", "disagreements", "log", "assets", "search", "raw"
)  # fmt: skip
"""First steps of the site's own addresses; pages may stand below them, but not on them."""


_OF_MONTH = re.compile(rf"{TIMELINE}\d{{4}}-\d\d/(?:\d+/)?\Z")


def domain_url(domain: str) -> str:
    """The address of a domain's list of pages."""
    return f"{DOMAINS}{_segment(domain)}/"


def page_urls(pages: Iterable[Page]) -> dict[str, str]:
    """Address by path, unquoted, from the site's root, each ending in "/" and no two alike.

    A page that would stand on one of the site's own addresses stands under `pages/` instead.
    """
    pages = list(pages)
    taken = {f"{folder}/" for folder in OWN_FOLDERS}
    taken |= {name_key(domain_url(page.domain)) for page in pages if page.domain}
    found: dict[str, str] = {}
    for page in pages:
        folder = page.path.rpartition("/")[0]
        url = f"{folder}/{page.slug}/" if folder else f"{page.slug}/"
        while name_key(url) in taken or _OF_MONTH.match(name_key(url)):
            url = f"pages/{url}"
        taken.add(name_key(url))
        found[page.path] = url
    return found


def href(url: str, anchor: str = "") -> str:
    """An address from the site's root as it stands in HTML, with `ROOT` for the way up."""
    return f"{ROOT}{quote(url)}{'#' + quote(anchor, safe=_ANCHOR_SAFE) if anchor else ''}"


def relative(html: str, url: str) -> str:
    """`html` of the page at `url`, its inner links made relative to that page."""
    return html.replace(ROOT, up(url))


def up(url: str) -> str:
    """The way from the page at `url` up to the site's root: "./", "../", "../../" …"""
    return "../" * url.count("/") or "./"


def _segment(name: str) -> str:
    """A domain as one step of an address."""
    return name.replace("/", "-").strip(". ") or "-"


_ANCHOR_SAFE = "/:-._~!$&()*+,;=@?"
