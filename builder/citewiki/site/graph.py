"""The link graph as data for drawing: nodes with places, measures of them, and links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from citewiki.index.graph import LinkGraph
from citewiki.model import Page
from citewiki.site.layout import cached_positions
from citewiki.site.measures import communities, pageranks
from citewiki.store.decay import checked
from citewiki.text.folding import name_key

COLOURS = (
    "#4c78dd", "#e0803a", "#3a9d73", "#c9517f", "#8a63d2", "#2f9db5",
    "#b08d1e", "#d3564c", "#6b9e2f", "#a45fb0", "#5d7f95", "#a8744a",
)  # fmt: skip
"""One for each domain in the order of their names, then again from the start. The same twelve
stand in assets/citewiki.css as --cw-0 to --cw-11."""

SUMMARY = 200  # characters of a summary that are shown beside a node
FEWEST = 3  # nodes of a community that has a name

State = Literal["", "current", "stale", "ended", "superseded", "missing"]
STATES: tuple[State, ...] = ("", "current", "stale", "ended", "superseded", "missing")
"""What a page is in, as a reader would be told; "" where nobody has asked."""


@dataclass(frozen=True, slots=True)
class Node:
    """A page, or a page that is only linked to."""

    id: str  # its slug; for a missing page "?" and its folded name
    title: str
    url: str = ""  # from the site's root; "" for a missing page
    domain: str = ""
    summary: str = ""
    links: int = 0  # how many pages link to it
    missing: bool = False
    colour: int = -1  # 0..11, of its domain; -1 has none
    x: float = 0.0  # place, both in [-1, 1]; y grows downwards
    y: float = 0.0
    rank: float = 0.0  # PageRank times the number of nodes: 1 is the average
    community: int = -1  # index into GraphData.communities; -1 is in none that has a name
    tags: tuple[str, ...] = ()
    verified: str = ""  # the day, such as 2026-05-12; "" not known
    state: State = ""


@dataclass(frozen=True, slots=True)
class GraphData:
    """What graph.json holds: `links` are pairs of indices into `nodes`, each pair once."""

    nodes: tuple[Node, ...]
    links: tuple[tuple[int, int], ...]
    communities: tuple[str, ...] = ()  # each named by its most central page, the largest first

    def as_json(self) -> dict[str, Any]:
        """Plain JSON types; links as {source, target} of node ids, defaults left out."""
        ids = [node.id for node in self.nodes]
        return {
            "nodes": [
                {
                    key: value
                    for key, default in _DEFAULTS.items()
                    if (value := getattr(node, key)) != default
                }
                for node in self.nodes
            ],
            "edges": [{"source": ids[a], "target": ids[b]} for a, b in self.links],
            "communities": list(self.communities),
        }

    def columns(self) -> dict[str, Any]:
        """The same for assets/graph.js, a third as long: a list for each attribute.

        Places are in ten-thousandths; `out` are the numbers of the nodes that each links to;
        `domain`, `tag` and `state` are indices into the lists of their names. A list of which
        every value is the default is left out.
        """
        nodes = self.nodes
        domains, domain = _numbered(node.domain for node in nodes)
        tags, _ = _numbered(tag for node in nodes for tag in node.tags)
        tag_number = {tag: number for number, tag in enumerate(tags)}
        out: list[list[int]] = [[] for _ in nodes]
        for a, b in self.links:
            out[a].append(b)
        colours = {node.domain: node.colour for node in nodes}
        made: dict[str, list[Any]] = {
            "domains": domains,
            "colours": [colours[name] for name in domains],
            "communities": list(self.communities),
            "tags": tags,
            "states": list(STATES),
            "title": [node.title for node in nodes],
            "url": [node.url for node in nodes],
            "domain": domain,
            "summary": [_clip(node.summary) for node in nodes],
            "links": [node.links for node in nodes],
            "missing": [int(node.missing) for node in nodes],
            "x": [round(node.x * 10_000) for node in nodes],
            "y": [round(node.y * 10_000) for node in nodes],
            "rank": [round(node.rank, 2) for node in nodes],
            "community": [node.community for node in nodes],
            "tag": [[tag_number[tag] for tag in node.tags] for node in nodes],
            "verified": [node.verified for node in nodes],
            "state": [STATES.index(node.state) for node in nodes],
            "out": out,
        }
        if not any(made["state"]):
            del made["states"]
        if max(made["community"], default=-1) < 0:
            del made["community"]
        return {name: values for name, values in made.items() if any(values) or name == "title"}

    def core(self, limit: int) -> GraphData:
        """The `limit` most central pages where they stand, with the links among them."""
        order = sorted(
            (number for number, node in enumerate(self.nodes) if not node.missing),
            key=lambda number: (-self.nodes[number].rank, self.nodes[number].id),
        )
        index = {number: at for at, number in enumerate(sorted(order[:limit]))}
        links = ((index[a], index[b]) for a, b in self.links if a in index and b in index)
        nodes = (self.nodes[number] for number in index)
        return GraphData(tuple(nodes), tuple(links), self.communities)


_DEFAULTS = {field.name: field.default for field in fields(Node)}


def graph_data(
    graph: LinkGraph,
    urls: Mapping[str, str] | None = None,
    cache: Path | None = None,
    state: Callable[[Page], State] = lambda _: "",
) -> GraphData:
    """The whole graph with the places of its nodes.

    `urls` are addresses by path; `cache` is a file that remembers the places; `state` tells what
    a page is in.
    """
    nodes, links = _nodes_and_links(graph, urls or {}, state)
    ranks = pageranks(len(nodes), links)
    member = communities(len(nodes), links)
    names = _community_names(nodes, ranks, member)
    names_of = [node.id if node.missing else node.url or node.id for node in nodes]
    places = cached_positions(names_of, [node.domain for node in nodes], links, cache)
    placed = (
        replace(node, x=x, y=y, rank=rank, community=at if at < len(names) else -1)
        for node, (x, y), rank, at in zip(nodes, places, ranks, member, strict=True)
    )
    return GraphData(tuple(placed), tuple(links), names)


def _nodes_and_links(
    graph: LinkGraph, urls: Mapping[str, str], state: Callable[[Page], State]
) -> tuple[list[Node], list[tuple[int, int]]]:
    """Nodes for the pages, in order, then those for names that only links call; and the links."""
    index = {path: number for number, path in enumerate(graph.pages)}
    pairs: dict[tuple[int, int], None] = {}
    called: dict[str, str] = {}  # missing pages by folded name: the name as first written
    number_of: dict[str, int] = {}
    for path, number in index.items():
        for edge in graph.out.get(path, ()):
            end = index.get(edge.target)
            if not edge.target:
                key = name_key(edge.link.name)
                called.setdefault(key, edge.link.name)
                end = number_of.setdefault(key, len(index) + len(number_of))
            if end is not None and end != number:
                pairs[number, end] = None
    links = list(pairs)
    arriving = [0] * (len(index) + len(number_of))
    for _, end in links:
        arriving[end] += 1
    colours = domain_colours(page.domain for page in graph.pages.values())
    nodes = []
    for path, number in index.items():
        page = graph.pages[path]
        known = checked(page)
        nodes.append(
            Node(
                id=page.slug,
                title=page.title,
                url=urls.get(path, ""),
                domain=page.domain,
                summary=page.summary,
                links=arriving[number],
                colour=colours.get(page.domain, -1),
                tags=page.tags,
                verified=known.date().isoformat() if known else "",
                state=state(page),
            )
        )
    for key, number in number_of.items():
        nodes.append(
            Node(f"?{key}", called[key], links=arriving[number], missing=True, state="missing")
        )
    return nodes, links


def _community_names(
    nodes: Sequence[Node], ranks: Sequence[float], member: Sequence[int]
) -> tuple[str, ...]:
    """The most central page of each community that is worth a name, the largest first."""
    best: dict[int, int] = {}
    sizes: dict[int, int] = {}
    for number, at in enumerate(member):
        sizes[at] = sizes.get(at, 0) + 1
        known = best.setdefault(at, number)
        if (not nodes[number].missing, ranks[number]) > (not nodes[known].missing, ranks[known]):
            best[at] = number
    return tuple(nodes[best[at]].title for at in sorted(sizes) if sizes[at] >= FEWEST)


def domain_colours(domains: Iterable[str]) -> dict[str, int]:
    """Each domain's colour, 0..11, by the order of their names."""
    named = sorted({domain for domain in domains if domain}, key=lambda d: (d.casefold(), d))
    return {domain: number % len(COLOURS) for number, domain in enumerate(named)}


def _numbered(names: Iterable[str]) -> tuple[list[str], list[int]]:
    """Each name once, as they first come, and the number of every one."""
    known: dict[str, int] = {}
    numbers = [known.setdefault(name, len(known)) for name in names]
    return list(known), numbers


def _clip(summary: str) -> str:
    if len(summary) <= SUMMARY:
        return summary
    return summary[:SUMMARY].rsplit(" ", 1)[0] + " …"
