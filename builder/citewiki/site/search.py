"""The search box: what it searches in, and whose worker searches.

The index is written in mkdocs-material's format, straight from the built pages. Its own worker
(lunr) splits text into words at spaces, which finds next to nothing in Chinese, Japanese or Thai;
assets/search.js takes its place behind the same box.

Of a large wiki that index would be megabytes, loaded whole at the first letter that is typed. There
the worker looks words up in the parts of the Ask page's index, a few of 16 KB for a query, and
reads the passages that it shows from the pages' Markdown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from typing import Any

_FOR_LUNR = {  # what the theme's own worker would need; ours reads none of it
    "lang": ["en"],
    "separator": r"[\s\-]+",
    "pipeline": ["trimmer"],
    "fields": {"title": {"boost": 1e3}, "text": {"boost": 1.0}, "tags": {"boost": 1e6}},
}
LARGE = 500
"""Pages from which on the worker looks words up in parts: the whole index would be 2 MB."""

_WORKER = re.compile(r'("search": "[^"]*?)assets/javascripts/workers/search\.[^"]*"')
_SECTION = re.compile(r'<h[1-6] id="([^"]*)"[^>]*>(.*?)</h[1-6]>', re.S)
_DROPPED = re.compile(
    r'<(script|style|svg)\b.*?</\1>|<a class="(?:headerlink|footnote-backref)".*?</a>'
    r'|<sup id="fnref.*?</sup>',
    re.S,
)
_MARKS_OF_DROPPED = ("headerlink", "footnote-", "fnref", "<script", "<style", "<svg")
_BLOCK = re.compile(r"</(?:p|li|h\d|tr|pre|div|dd|dt|blockquote)>|<br\b[^>]*>")
_TAG = re.compile(r"<[^>]+>")
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|#60|#62|#38);)#?\w+;")


def own_worker(config: str) -> str:
    """The theme's settings, as they stand in a page, with our worker in place of its own."""
    return _WORKER.sub(r'\1assets/search.js"', config)


def documents(
    url: str, title: str, html: str, tags: Sequence[str] = (), domain: str = ""
) -> Iterator[dict[str, Any]]:
    """The page at `url` as the worker's documents: its top, then one for each headed section."""
    start, anchor, heading = 0, "", escape(title, quote=False)
    for match in _SECTION.finditer(html):
        yield _document(url, anchor, heading, html[start : match.start()], tags, domain)
        start, anchor, heading = match.end(), match[1], _plain(match[2])
    yield _document(url, anchor, heading, html[start:], tags, domain)


def entries(documents: Iterable[dict[str, Any]]) -> str:
    """Documents as they stand in the index: JSON, parted by commas."""
    return json.dumps([*documents], ensure_ascii=False, separators=(",", ":"))[1:-1]


def search_index(entries: Iterable[str], *, asks: bool = False, in_parts: bool = False) -> str:
    """search/search_index.json.

    `asks` says that there is an Ask page, `in_parts` that words are to be looked up in its index.
    """
    told = {**_FOR_LUNR, "asks": asks, "in_parts": in_parts}
    config = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    return f'{{"config":{config},"docs":[{",".join(entries)}]}}'


def _document(
    url: str, anchor: str, heading: str, html: str, tags: Sequence[str], domain: str
) -> dict[str, Any]:
    # The box shows titles and texts as HTML, so that "&", "<" and ">" stay escaped.
    entry: dict[str, Any] = {
        "location": f"{url}#{anchor}" if anchor else url,
        "title": heading,
        "text": _plain(html),
    }
    if tags and not anchor:
        entry["tags"] = list(tags)
    if domain and not anchor:
        entry["domain"] = domain
    return entry


def _plain(html: str) -> str:
    """HTML without tags; entities that markup needs stay escaped, others are read."""
    if any(mark in html for mark in _MARKS_OF_DROPPED):
        html = _DROPPED.sub("", html)
    text = _TAG.sub("", _BLOCK.sub(" ", html))
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    return " ".join(text.split())
