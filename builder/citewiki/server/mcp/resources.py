"""Resources: what a person attaches to a conversation, each as the request's user may see it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from mcp_types import Annotations, Resource, ResourceTemplate

from citewiki.errors import CitewikiError
from citewiki.model import Page
from citewiki.server.mcp.drawing import drawn
from citewiki.server.mcp.render import cut
from citewiki.wiki import Wiki

MARKDOWN, JSON = "text/markdown", "application/json"
_PAGES = 1000  # of a graph; what is larger nobody can look through
_ASSISTANT = Annotations(audience=["user", "assistant"])


class UnknownResource(Exception):
    """There is nothing at an address, or nothing that its reader may see."""


def resources() -> list[Resource]:
    """Those that have one address each."""
    return [
        Resource(uri=f"wiki://{name}", name=name, title=title, description=said, mime_type=kind,
                 annotations=_ASSISTANT)
        for name, title, said, kind in (
            ("index", "All pages", "Every page by domain, with a line on each.", MARKDOWN),
            ("backlinks", "Backlinks", "For every page: who links to it, and saying what.", JSON),
            ("graph", "Link graph", "Pages, and the links between them.", JSON),
            ("log", "Log", "What happened to the wiki, newest first.", MARKDOWN),
        )
    ]  # fmt: skip


def templates() -> list[ResourceTemplate]:
    """Those of which there is one for each name."""
    return [
        ResourceTemplate(
            uri_template="wiki://article/{name}",
            name="article",
            title="A page",
            description="A page by title, alias, slug or path, percent-encoded.",
            mime_type=MARKDOWN,
            annotations=_ASSISTANT,
        ),
        ResourceTemplate(
            uri_template="wiki://domain/{name}",
            name="domain",
            title="A domain",
            description="The pages of a domain by its name, percent-encoded.",
            mime_type=MARKDOWN,
            annotations=_ASSISTANT,
        ),
    ]


def read(wiki: Wiki, uri: str, room: int) -> tuple[str, str]:
    """The text at `uri` and its media type; about `room` characters of it at most.

    Raises UnknownResource, for what is not there and for what may not be seen alike.
    """
    kind, slash, name = uri.removeprefix("wiki://").partition("/")
    if not uri.startswith("wiki://"):
        raise UnknownResource
    if not slash and kind in _WHOLE:
        text, media = _WHOLE[kind](wiki, room)
    elif name and kind in _NAMED:
        text, media = _NAMED[kind](wiki, _name(name), room)
    else:
        raise UnknownResource
    return text, media


def article_uri(slug: str) -> str:
    """The address of a page."""
    return f"wiki://article/{quote(slug, safe='')}"


def _name(written: str) -> str:
    """A name as it was before it was percent-encoded; steps that lead out of the wiki are none."""
    try:
        name = unquote(written, errors="strict")
    except UnicodeDecodeError:
        raise UnknownResource from None
    steps = name.replace("\\", "/").split("/")
    if "\0" in name or not all(steps) or not {".", ".."}.isdisjoint(steps):
        raise UnknownResource
    return name


def _index(wiki: Wiki, room: int) -> tuple[str, str]:
    pages = wiki.pages()
    domains: dict[str, list[Page]] = {}
    for page in pages:
        domains.setdefault(page.domain, []).append(page)
    parts = ["# Index"]
    for domain in sorted(domains):
        parts.append(f"## {domain}" if domain else "")
        parts.append(_rows(domains[domain]))
    return _fitting("\n\n".join(filter(None, parts)), room, "wiki_list_pages"), MARKDOWN


def _domain(wiki: Wiki, name: str, room: int) -> tuple[str, str]:
    found = wiki.list_pages(domain=name, limit=100_000).items
    if not found:
        raise UnknownResource
    text = f"# {found[0].domain}\n\n{_rows(list(found))}"
    return _fitting(text, room, "wiki_list_pages"), MARKDOWN


def _article(wiki: Wiki, name: str, room: int) -> tuple[str, str]:
    try:
        page = wiki.page(name)
    except CitewikiError:
        raise UnknownResource from None
    about = f"> {' '.join(page.summary.split())}\n\n" if page.summary else ""
    text = f"# {page.title}\n\n{about}{page.body.strip()}\n"
    return _fitting(text, room, "wiki_get_article"), MARKDOWN


def _log(wiki: Wiki, room: int) -> tuple[str, str]:
    text = wiki.log() or "# Log\n\nIt tells of nothing that you may see.\n"
    return _fitting(text, room, ""), MARKDOWN


def _graph(wiki: Wiki, room: int) -> tuple[str, str]:
    return drawn(wiki.graph(limit=_PAGES + 1), _PAGES).model_dump_json(), JSON


def _backlinks(wiki: Wiki, room: int) -> tuple[str, str]:
    graph = wiki.graph()
    found: dict[str, list[dict[str, Any]]] = {}
    left = room
    for path in sorted(graph.back):
        said: dict[str, dict[str, None]] = {}
        for edge in graph.back[path]:
            said.setdefault(edge.source, {})[edge.link.sentence] = None
        rows = [
            {
                "slug": graph.pages[source].slug,
                "title": graph.pages[source].title,
                "sentences": [sentence for sentence in every if sentence],
            }
            for source, every in said.items()
        ]
        left -= len(json.dumps(rows, ensure_ascii=False))
        if left < 0:
            break
        found[graph.pages[path].slug] = rows
    whole = {"backlinks": found, "cut": left < 0}
    return json.dumps(whole, ensure_ascii=False), JSON


_WHOLE: dict[str, Callable[[Wiki, int], tuple[str, str]]] = {
    "index": _index,
    "backlinks": _backlinks,
    "graph": _graph,
    "log": _log,
}
_NAMED: dict[str, Callable[[Wiki, str, int], tuple[str, str]]] = {
    "article": _article,
    "domain": _domain,
}


def _rows(pages: list[Page]) -> str:
    pages = sorted(pages, key=lambda page: (page.title.casefold(), page.path))
    return "\n".join(map(_row, pages))


def _row(page: Page) -> str:
    title = page.title.replace("[", "\\[").replace("]", "\\]")
    summary = f": {' '.join(page.summary.split())}" if page.summary else ""
    return f"- [{title}]({article_uri(page.slug)}){summary}"


def _fitting(text: str, room: int, rest: str) -> str:
    kept, following = cut(text, 0, room)
    if following is None:
        return text
    return f"{kept}\n\n[…] Cut here: it is too long.{f' {rest} reads the rest.' if rest else ''}\n"
