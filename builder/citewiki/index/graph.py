"""The graph that links make: pages, edges, and the sentence that makes each edge."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from urllib.parse import unquote

from citewiki.markdown.inline import shown
from citewiki.markdown.regions import blanked, regions
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.names import Names, Resolved
from citewiki.text.sentences import sentence_spans

_MARKDOWN_LINK = re.compile(
    r"\]\([ ]*"  # not from its first bracket on, so that many of them take no longer
    r"(?:<([^<>\n:]+\.md)(?:#([^<>\n]*))?>"
    r"|((?:[^()<>\s:\\]|\([^()<>\s:]*\)|\\[()])+\.md)(?:#([^)>\s]*))?)"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ ]*\)"
)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico|pdf|mp[34]|ogg|oga|wav|flac|m4[av]|webm|ogv|mov|zip"
    r"|csv|json|txt|docx?|xlsx?|pptx?|canvas|base|excalidraw)$",
    re.IGNORECASE,
)
_AROUND = 400  # characters kept on each side of a link in a sentence that has no end
_LEAD = re.compile(r"\A\s*(?:[-*+>|]|\d+[.)]|#{1,6})\s+")  # of an item, a quote, a row, a heading
_HEADING_LINE = re.compile(r"[ \t]*#{1,6}[ \t][^\n]*\n")
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
        if not resolved.path and _FILE.search(link.name):
            continue
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


def nearest(
    graph: LinkGraph, starts: Iterable[str], depth: int = 1, limit: int | None = None
) -> LinkGraph:
    """The part of `graph` within `depth` links of the pages at `starts`, in either direction.

    With `limit` at most so many pages, the nearest first.
    """
    near = dict.fromkeys(path for path in starts if path in graph.pages)
    reached = list(near)
    for _ in range(depth):
        around = (
            other
            for page in reached
            for edge in (*graph.out.get(page, ()), *graph.back.get(page, ()))
            for other in (edge.source, edge.target)
            if other
        )
        reached = [other for other in dict.fromkeys(around) if other not in near]
        near.update(dict.fromkeys(reached))
    kept = set(list(near)[:limit])
    edges = tuple(
        edge
        for edge in graph.edges
        if edge.source in kept and (edge.target in kept or not edge.target)
    )
    order = graph.pages if limit is None else near
    return LinkGraph({path: graph.pages[path] for path in order if path in kept}, edges)


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
            if "://" in item.target:
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
        hidden = [(part.start, part.end) for part in regions(body) if part.kind != "tag"]
        for match in _MARKDOWN_LINK.finditer(blanked(body, hidden)):
            sentence = linking_sentence(body, match.start(), match.end())
            name = unquote(match[1] or match[3].replace("\\", ""))
            name = name if "/" in name else f"./{name}"
            heading = unquote(match[2] or match[4] or "")
            found.append(Link(name, heading, "", False, match.start(), sentence))
        found.sort(key=lambda link: link.start)
    return found


def linking_sentence(body: str, start: int, end: int) -> str:
    """The plain sentence of `body` in which the characters `start`..`end` stand."""
    starts, ends = _blocks_of(body)
    low = starts[bisect_right(starts, start) - 1]
    high = ends[bisect_left(ends, end)]
    if heading := _HEADING_LINE.match(body, low, high):  # with no blank line below it
        low, high = (heading.end(), high) if heading.end() <= start else (low, heading.end())
    block = body[low:high]
    for first, last in _spans_of(block):
        if low + first <= start and end <= low + last:
            low, high = low + first, low + last
            break
    low, _ = _uncut(body, max(low, start - _AROUND))
    _, high = _uncut(body, min(high, end + _AROUND))
    seen = shown(body, [(low, high)]).text
    line = body.rfind("\n", 0, start) + 1
    if body[line:start].lstrip(" >").startswith("|"):  # a row of a table
        seen = "; ".join(filter(None, map(str.strip, seen.split("|"))))
    return " ".join(_LEAD.sub("", seen).split())


def _uncut(body: str, position: int) -> tuple[int, int]:
    """The code, comment or tag that a cut at `position` would part, or else the cut itself."""
    found = regions(body)
    before = bisect_left(found, (position,)) - 1
    if before >= 0 and position < found[before].end:
        return found[before].start, found[before].end
    return position, position


@lru_cache(maxsize=8)
def _blocks_of(body: str) -> tuple[list[int], list[int]]:
    """Where the paragraphs, items, rows and quotes of a body start, and where they end."""
    breaks = [match.span() for match in _BLOCK_BREAK.finditer(body)]
    return [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(body)]


@lru_cache(maxsize=16)
def _spans_of(block: str) -> tuple[tuple[int, int], ...]:
    """The sentences of a paragraph: asked once for every link in it."""
    return tuple(sentence_spans(block))


def _group(edges: Iterable[Edge], key: Callable[[Edge], str]) -> dict[str, tuple[Edge, ...]]:
    grouped: dict[str, list[Edge]] = {}
    for edge in edges:
        grouped.setdefault(key(edge), []).append(edge)
    return {name: tuple(found) for name, found in grouped.items()}
