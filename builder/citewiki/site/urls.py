"""Where every page stands on the site: wiki/<folder>/<file>.md at /<folder>/<slug>/."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
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
ASK = "ask/"
DRIFT = "disagreements/"
SOURCES = "sources/"
COVERAGE = "coverage/"
OWN_FOLDERS = (
    "tags", "graph", "domains", "timeline", "disagreements", "log", "assets", "search", "raw",
    "sources", "coverage", "ask",
)  # fmt: skip
"""First steps of the site's own addresses; pages may stand below them, but not on them."""

_FILE = re.compile(  # a step that is no folder of a page, as a file of the site may be so called
    r"index\.(?:html|md|json)|404\.(?:html|json)|sitemap\.xml(?:\.gz)?|llms(?:-\w+)?\.txt|robots\.txt"
    r"|feed\.(?:xml|json)|(?:backlinks|data|core|graph)\.json|graph\.(?:svg|graphml)"
    r"|.*\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico|pdf|mp[34]|webm|og[agv]|wav|zip|csv|txt)"
)
_APART = re.compile(r"[/\\\x00-\x1f\x7f]")
_LONGEST = 200  # bytes of one step; file systems take 255

_OF_MONTH = re.compile(rf"{TIMELINE}\d{{4}}-\d\d/(?:\d+/)?\Z")
_PART = re.compile(rf"(?:{TAGS}|{SOURCES}|{COVERAGE}|{DOMAINS}[^/]+/)\d+/\Z")


def part_url(url: str, number: int) -> str:
    """The address of one part of a list that is too long for one page; the first is the list's."""
    return f"{url}{number + 1}/" if number else url


def domain_url(domain: str) -> str:
    """The address of a domain's list of pages."""
    return f"{DOMAINS}{_step(domain)}/"


def page_urls(pages: Iterable[Page]) -> dict[str, str]:
    """Address by path, unquoted, from the site's root, each ending in "/" and no two alike.

    A page that would stand on one of the site's own addresses stands under `pages/` instead.
    """
    pages = list(pages)
    taken = {f"{folder}/" for folder in OWN_FOLDERS}
    taken |= {name_key(domain_url(page.domain)) for page in pages if page.domain}
    found: dict[str, str] = {}
    for page in pages:
        url = "".join(f"{_step(name)}/" for name in (*page.path.split("/")[:-1], page.slug))
        while name_key(url) in taken or _is_part(name_key(url)):
            url = f"pages/{url}"
        taken.add(name_key(url))
        found[page.path] = url
    return found


def _is_part(url: str) -> bool:
    """Whether a part of one of the site's own lists may stand there."""
    return bool(_OF_MONTH.match(url) or _PART.match(url))


@lru_cache(maxsize=16_384)  # each page is linked from its own text, backlinks, lists …
def href(url: str, anchor: str = "") -> str:
    """An address from the site's root as it stands in HTML, with `ROOT` for the way up."""
    return f"{ROOT}{quote(url)}{'#' + quote(anchor, safe=_ANCHOR_SAFE) if anchor else ''}"


def relative(html: str, url: str) -> str:
    """`html` of the page at `url`, its inner links made relative to that page."""
    return html.replace(ROOT, up(url))


def up(url: str) -> str:
    """The way from the page at `url` up to the site's root: "./", "../", "../../" …"""
    return "../" * url.count("/") or "./"


def _step(name: str) -> str:
    """A name as one step of an address; no two names have the same.

    It leads nowhere else, is no name of a file there, and is not too long for a disk.
    """
    step = _APART.sub("-", name).strip(". ") or "-"
    if len(step.encode()) > _LONGEST:
        step = step.encode()[:_LONGEST].decode(errors="ignore")
    if step == name and not _FILE.fullmatch(step.lower()):
        return step
    return f"{step}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


_ANCHOR_SAFE = "/:-._~!$&()*+,;=@?"
