"""`![[Page]]` and `![[Page#Section]]`: one page's HTML inside another's."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape, unescape
from urllib.parse import unquote

from citewiki.model import Page
from citewiki.site.tokens import EMBED
from citewiki.site.urls import href

MAX_DEPTH = 8  # pages within pages; nobody reads deeper, and each level can double the size
MAX_CHARS = 1_000_000  # of HTML that embeds may add to one page

_ID = re.compile(r'(<[a-z][a-z0-9]*\b[^<>]*?) id="[^"]*"')
_PERMALINK = re.compile(r'<a class="headerlink"[^>]*>.*?</a>')
_IN_PAGE = re.compile(r'href="#([^"]*)"')
_HEADING = re.compile(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]>", re.S)
_TAG = re.compile(r"<[^>]+>")
_FOOTNOTES = '<div class="footnote">'
_FIRST_H1 = re.compile(r"\s*<h1\b[^>]*>.*?</h1>\s*", re.S)


def expand(
    html: str,
    path: str,
    html_of: Callable[[str], str],
    page_of: Callable[[str], Page],
    url_of: Callable[[str], str],
) -> str:
    """`html` of the page at `path` with every embed filled in.

    `html_of` gives a page's HTML with its embeds still to be filled, so that it can be kept
    whatever embeds it. An embed that would hold itself, lies too deep, or would make the page
    too large becomes a notice with a link.
    """
    left = MAX_CHARS

    def fill(text: str, open_embeds: tuple[tuple[str, str], ...]) -> str:
        def one(match: re.Match[str]) -> str:
            nonlocal left
            target, anchor = unquote(match[1]), unquote(match[2])
            page, key = page_of(target), (target, anchor)
            address = href(url_of(target), anchor)
            part = cut(html_of(target), anchor)
            heading = _HEADING.match(part) if anchor else None
            words = unescape(_TAG.sub("", detach(heading[1], ""))) if heading else ""
            link = f"{page.title} › {words}" if words else page.title
            if key in open_embeds or (match[0] in part and key[0] == open_embeds[-1][0]):
                return _notice(address, link, "is embedded in itself and is not shown again")
            if len(open_embeds) > MAX_DEPTH or len(part) > left:
                return _notice(address, link, "is too deep or too long to be shown here")
            left -= len(part)
            inner = detach(fill(part, (*open_embeds, key)), url_of(target))
            return (
                f'<div class="embed"><a class="embed-source wikilink" href="{address}">'
                f"{escape(link)}</a>{inner}</div>"
            )

        return EMBED.sub(one, text)

    return fill(html, ((path, ""),))


def cut(html: str, anchor: str) -> str:
    """The part of a page's HTML that `anchor` names: a section, a block, or "" the whole."""
    body = html.partition(_FOOTNOTES)[0]
    if not anchor:
        return _FIRST_H1.sub("", body, count=1) if body.lstrip().startswith("<h1") else body
    start = re.search(rf'<(\w+)\b[^<>]* id="{re.escape(escape(anchor))}"', body)
    if not start:
        return body
    tag = start[1]
    if tag[0] == "h" and tag[1:].isdigit():
        end = re.compile(rf"<h[1-{tag[1:]}][ >]").search(body, start.end())
        return body[start.start() : end.start() if end else len(body)]
    block = body[start.start() : _closing(body, tag, start.end())]
    return f"<ul>{block}</ul>" if tag == "li" else block


def detach(html: str, url: str) -> str:
    """`html` fit to stand in another page: no ids, and links within its page lead there."""
    html = _ID.sub(r"\1", _PERMALINK.sub("", html))
    return _IN_PAGE.sub(lambda match: f'href="{href(url)}#{match[1]}"', html)


def _closing(html: str, tag: str, start: int) -> int:
    """Where the element ends whose opening tag lies before `start`."""
    depth = 1
    for match in re.finditer(rf"<(/?){tag}\b[^<>]*>", html[start:]):
        depth += -1 if match[1] else 1
        if not depth:
            return start + match.end()
    return len(html)


def _notice(address: str, title: str, why: str) -> str:
    return (
        f'<div class="embed embed-stopped"><a class="wikilink" href="{address}">'
        f"{escape(title)}</a> {why}.</div>"
    )
