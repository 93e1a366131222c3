"""Old addresses that lead on: from what `redirect_from` in front matter names to the page."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import quote

from citewiki.model import Page
from citewiki.site.model import SiteModel
from citewiki.site.urls import OWN_FOLDERS, up
from citewiki.text.folding import name_key, nfc

INDEX = "404.json"

_PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<title>{title}</title>
<link rel="canonical" href="{canonical}">
<meta name="robots" content="noindex">
<meta http-equiv="refresh" content="0; url={href}">
</head>
<body><p>This page has moved: <a href="{href}">{title}</a></p></body>
</html>
"""


def redirects(model: SiteModel) -> dict[str, str]:
    """Addresses from the site's root that pages had, each with the path of its page.

    A name alone is a former slug and means the page's folder; one with "/" is an address from the
    site's root. Where a page stands now there is none, and of two pages the first by path has it.
    """
    taken = {name_key(url) for url in model.urls.values()}
    found: dict[str, str] = {}
    for path, page in sorted(model.pages.items()):
        for url in dict.fromkeys(_addresses(page)):
            steps = url.split("/")
            if not url.strip("/") or {"..", ".", ""} & set(steps[:-1]) or steps[0] in OWN_FOLDERS:
                continue
            if name_key(url) not in taken:
                taken.add(name_key(url))
                found[url] = path
    return found


def redirect_page(model: SiteModel, url: str, path: str, base: str, language: str) -> str:
    """The HTML that stands at the old address `url`; `base` is the site's, "" when not known."""
    page, there = model.pages[path], quote(model.urls[path])
    href = f"{up(url)}{there}"
    return _PAGE.format(
        language=escape(language or "en"),
        title=escape(page.title),
        canonical=escape(f"{base}{there}" if base else href),
        href=escape(href),
    )


def names_index(model: SiteModel, old: Mapping[str, str]) -> str:
    """404.json: what pages are and (by `old`) were called, from which a 404 page suggests some."""
    former: dict[str, list[str]] = {}
    for url, path in old.items():
        former.setdefault(path, []).append(url.strip("/"))
    rows = [
        [page.title, model.urls[path], *page.aliases, *former.get(path, ())]
        for path, page in model.pages.items()
    ]
    return json.dumps(rows, ensure_ascii=False, separators=(",", ":")) + "\n"


def _addresses(page: Page) -> Iterator[str]:
    folder = page.path.rpartition("/")[0]
    for old in page.redirect_from:
        name = nfc(old).strip().removesuffix("index.html").removesuffix(".html").strip("/")
        if "\\" in name or "\0" in name or "://" in name:
            continue
        yield f"{folder}/{name}/" if folder and "/" not in name else f"{name}/"
