"""The search box: what it searches in, and whose worker searches.

The index is written in mkdocs-material's format, straight from the built pages. Its own worker
(lunr) splits text into words at spaces, which finds next to nothing in Chinese, Japanese or Thai;
assets/search.js takes its place behind the same box.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape, unescape
from typing import Any

_FOR_LUNR = {  # what the theme's own worker would need; ours reads none of it
    "lang": ["en"],
    "separator": r"[\s\-]+",
    "pipeline": ["trimmer"],
    "fields": {"title": {"boost": 1e3}, "text": {"boost": 1.0}, "tags": {"boost": 1e6}},
}
_WORKER = re.compile(r'("search": "[^"]*?)assets/javascripts/workers/search\.[^"]*"')
_SECTION = re.compile(r'<h[1-6] id="([^"]*)"[^>]*>(.*?)</h[1-6]>', re.S)
_DROPPED = re.compile(
    r'<(script|style|svg)\b.*?</\1>|<a class="headerlink".*?</a>|<sup id="fnref.*?</sup>', re.S
)
_MARKS_OF_DROPPED = ("headerlink", "fnref", "<script", "<style", "<svg")
_BLOCK = re.compile(r"</(?:p|li|h\d|tr|pre|div|dd|dt|blockquote)>|<br\b[^>]*>")
_TAG = re.compile(r"<[^>]+>")
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|#60|#62|#38);)#?\w+;")


def own_worker(config: str) -> str:
    """The theme's settings, as they stand in a page, with our worker in place of its own."""
    return _WORKER.sub(r'\1assets/search.js"', config)


def documents(
    url: str, title: str, html: str, tags: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """The page at `url` as the worker's documents: its top, then one for each headed section."""
    start, anchor, heading = 0, "", escape(title, quote=False)
    for match in _SECTION.finditer(html):
        yield _document(url, anchor, heading, html[start : match.start()], tags)
        start, anchor, heading = match.end(), match[1], _plain(match[2])
    yield _document(url, anchor, heading, html[start:], tags)


def search_index(entries: Sequence[dict[str, Any]]) -> str:
    """search/search_index.json."""
    index = {"config": _FOR_LUNR, "docs": entries}
    return json.dumps(index, ensure_ascii=False, separators=(",", ":"))


def _document(
    url: str, anchor: str, heading: str, html: str, tags: Sequence[str]
) -> dict[str, Any]:
    # The box shows titles and texts as HTML, so that "&", "<" and ">" stay escaped.
    entry: dict[str, Any] = {
        "location": f"{url}#{anchor}" if anchor else url,
        "title": heading,
        "text": _plain(html),
    }
    if tags and not anchor:
        entry["tags"] = list(tags)
    return entry


def _plain(html: str) -> str:
    """HTML without tags; entities that markup needs stay escaped, others are read."""
    if any(mark in html for mark in _MARKS_OF_DROPPED):
        html = _DROPPED.sub("", html)
    text = _TAG.sub("", _BLOCK.sub(" ", html))
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    return " ".join(text.split())
