"""The graph that links make: pages, edges, and the sentence that makes each edge."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from urllib.parse import unquote

from citewiki.markdown.inline import shown
from citewiki.markdown.regions import masked, regions
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.names import Names, Resolved
from citewiki.text.sentences import sentence_spans

_MARKDOWN_LINK = re.compile(
    r"\[(?<!!\[)[^\]\n]*\]\(<?([^)>\s:]+\.md)(?:#([^)>\s]*))?>?(?:\s+\"[^\"\n]*\")?\)"
)
_AROUND = 400  # characters kept on each side of a link in a sentence that has no end
_LEAD = re.compile(r"\A\s*(?:[-*+>|]|\d+[.)]|#{1,6})\s+")  # of an item, a quote, a row, a heading
_BLOCK_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=\s*[|#>])")


@dataclass(frozen=True, slots=True)
class Link:
    """One link as it stands in a page's body."""

    name: str  # what it calls its target; "" is the page itself
    heading: str = ""
    block: str = ""
    embed: bool = False
    start: int = 0  # character offset in the body
    sentence: str = ""  # the plain sentence it stands in
    written: str = ""  # a wikilink's name with its "#…": titles such as "F# notes" hold one


@dataclass(frozen=True, slots=True)
class Edge:
    """A link that was looked up."""

    source: str  # path of the page it stands on
    target: str  # path of the page it means; "" when there is none
    link: Link
    others: tuple[str, ...] = ()  # paths that the name could have meant as well


@dataclass(frozen=True)
class LinkGraph:
    """Pages by path, and every edge between them in reading order."""

    pages: Mapping[str, Page]
    edges: tuple[Edge, ...] = field(default=())

    @cached_property
    def out(self) -> dict[str, tuple[Edge, ...]]:
        """Edges by the page they start from, missing targets included."""
        return _group(self.edges, lambda edge: edge.source)

    @cached_property
    def back(self) -> dict[str, tuple[Edge, ...]]:
        """Edges by the page they arrive at, without links of a page to itself."""
        arriving = (edge for edge in self.edges if edge.target and edge.target != edge.source)
        return _group(arriving, lambda edge: edge.target)

    @cached_property
    def missing(self) -> dict[str, tuple[Edge, ...]]:
        """Edges to pages that do not exist, by the name that they call."""
        return _group((edge for edge in self.edges if not edge.target), lambda edge: edge.link.name)


def link_graph(pages: Iterable[Page], names: Names | None = None) -> LinkGraph:
    """The graph of `pages`. Pages outside the set do not exist for it."""
    by_path = {page.path: page for page in pages}
    names = names or Names(by_path.values())
    edges = [edge for page in by_path.values() for edge in resolve_links(page, links(page), names)]
    return LinkGraph(by_path, tuple(edges))


def resolve_links(page: Page, found: Iterable[Link], names: Names) -> list[Edge]:
    """The edges that `found`, the links of `page`, make."""
    edges = []
    for link in found:
        resolved, whole = resolve_name(names, link.name, link.written, page.path, page.owner)
        if whole:
            link = replace(link, name=link.written, heading="", block="")
        edges.append(Edge(page.path, resolved.path or "", link, resolved.others))
    return edges


def resolve_name(
    names: Names, name: str, written: str, at: str, owner: str | None = None
) -> tuple[Resolved, bool]:
    """What a link on the page at `at` means, and whether its "#…" is part of the name.

    A title may hold one, such as "F# notes"; a heading of a page "F" goes before.
    """
    resolved = names.resolve(name, at, owner)
    if not resolved.path and "#" in written:
        whole = names.resolve(written, at, owner)
        if whole.path:
            return whole, True
    return resolved, False


def neighbourhood(graph: LinkGraph, path: str, depth: int = 1) -> LinkGraph:
    """The part of `graph` within `depth` links of the page at `path`, in either direction."""
    near = {path}
    for _ in range(depth):
        near |= {
            other
            for page in tuple(near)
            for edge in (*graph.out.get(page, ()), *graph.back.get(page, ()))
            for other in (edge.source, edge.target)
            if other
        }
    edges = tuple(
        edge
        for edge in graph.edges
        if edge.source in near and (edge.target in near or not edge.target)
    )
    return LinkGraph({key: page for key, page in graph.pages.items() if key in near}, edges)


def links(page: Page) -> list[Link]:
    """Every wikilink and every Markdown link to a `.md` file, front matter first.

    Embeds of files that are no pages (images, sound) are not links. A link in front matter has
    no sentence.
    """
    body = page.body
    found = [Link(name) for name in page.related]
    if "[[" in body:
        for item in wikilinks(body):
            if item.embed and "." in item.target[-6:] and not item.target.endswith(".md"):
                continue
            sentence = linking_sentence(body, item.start, item.end)
            found.append(
                Link(
                    item.target,
                    item.heading,
                    item.block,
                    item.embed,
                    item.start,
                    sentence,
                    item.written,
                )
            )
    if ".md" in body and "](" in body:
        for match in _MARKDOWN_LINK.finditer(masked(body)):
            sentence = linking_sentence(body, match.start(), match.end())
            name = unquote(match[1])
            name = name if "/" in name else f"./{name}"
            found.append(Link(name, unquote(match[2] or ""), "", False, match.start(), sentence))
        found.sort(key=lambda link: link.start)
    return found


def linking_sentence(body: str, start: int, end: int) -> str:
    """The plain sentence of `body` in which the characters `start`..`end` stand."""
    low = body.rfind("\n\n", 0, start)
    low = 0 if low < 0 else low + 2
    high = body.find("\n\n", end)
    high = len(body) if high < 0 else high
    for line in _BLOCK_BREAK.finditer(body, low, high):
        if line.end() <= start:
            low = line.end()
        elif line.start() >= end:
            high = line.start()
            break
    block = body[low:high]
    for first, last in _spans_of(block):
        if low + first <= start and end <= low + last:
            low, high = low + first, low + last
            break
    low, _ = _uncut(body, max(low, start - _AROUND))
    _, high = _uncut(body, min(high, end + _AROUND))
    seen = shown(body, [(low, high)]).text
    return " ".join(_LEAD.sub("", seen).split())


def _uncut(body: str, position: int) -> tuple[int, int]:
    """The code, comment or tag that a cut at `position` would part, or else the cut itself."""
    found = regions(body)
    before = bisect_left(found, (position,)) - 1
    if before >= 0 and position < found[before].end:
        return found[before].start, found[before].end
    return position, position


@lru_cache(maxsize=16)
def _spans_of(block: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a paragraph: asked once for every link in it."""
    return tuple(sentence_spans(block))


def _group(edges: Iterable[Edge], key: Callable[[Edge], str]) -> dict[str, tuple[Edge, ...]]:
    grouped: dict[str, list[Edge]] = {}
    for edge in edges:
        grouped.setdefault(key(edge), []).append(edge)
    return {name: tuple(found) for name, found in grouped.items()}
