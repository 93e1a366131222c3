"""What a page's <head> tells of it: Open Graph (ogp.me) and schema.org's Article as JSON-LD."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from citewiki.model import Page, iso
from citewiki.site.evidence import Panel
from citewiki.site.model import SiteModel, last_change
from citewiki.site.urls import domain_url


@dataclass(frozen=True, slots=True)
class Site:
    """What all pages say of the site that they are on."""

    name: str
    base: str = ""  # its address, ending in "/"; "" not known
    language: str = ""  # of its frame, ISO 639-1


@dataclass(frozen=True)  # no slots: it is pickled for every page
class Head:
    """Ready to print, but for the escaping of HTML in the first three."""

    title: str
    summary: str
    url: str  # absolute; "" not known
    site: str
    changed: str  # ISO 8601; "" not known
    tags: tuple[str, ...]
    linked_data: str  # JSON that may stand in a <script>


def head(model: SiteModel, page: Page, site: Site, panels: Iterable[Panel]) -> Head:
    """The head of `page`, which rests on the sources that `panels` show."""
    changed = last_change(page)
    url = f"{site.base}{quote(model.urls[page.path])}" if site.base else ""
    facts: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": page.title,
        "description": page.summary,
        "url": url,
        "alternateName": list(page.aliases),
        "datePublished": iso(page.ingested_at) if page.ingested_at else "",
        "dateModified": iso(changed) if changed else "",
        "expires": iso(page.valid_until) if page.valid_until else "",
        "keywords": list(page.tags),
        "isPartOf": _part_of(page, site),
        "citation": [_citation(panel) for panel in panels],
    }
    known = {key: value for key, value in facts.items() if value not in ("", [], None)}
    iso_changed = iso(changed) if changed else ""
    return Head(page.title, page.summary, url, site.name, iso_changed, page.tags, in_script(known))


def _part_of(page: Page, site: Site) -> dict[str, Any]:
    whole = _named("WebSite", site.name, site.base)
    if not page.domain:
        return whole
    address = f"{site.base}{quote(domain_url(page.domain))}" if site.base else ""
    return {**_named("CollectionPage", page.domain, address), "isPartOf": whole}


def _citation(panel: Panel) -> dict[str, Any]:
    address = panel.href.partition(":~:")[0].rstrip("#")
    return _named("CreativeWork", panel.title, address if "://" in address else "")


def _named(kind: str, name: str, url: str) -> dict[str, Any]:
    return {"@type": kind, "name": name, **({"url": url} if url else {})}


def in_script(value: Any) -> str:
    """`value` as JSON in which nothing ends the <script> around it, or starts a comment in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for char in "<>&\u2028\u2029":
        if char in text:
            text = text.replace(char, f"\\u{ord(char):04x}")
    return text
