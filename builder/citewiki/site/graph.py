"""The link graph as data for drawing: nodes with places, links, and a picture of both."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from html import escape
from pathlib import Path
from typing import Any

from citewiki.index.graph import LinkGraph
from citewiki.site.layout import cached_positions
from citewiki.text.folding import name_key

COLOURS = (
    "#4c78dd", "#e0803a", "#3a9d73", "#c9517f", "#8a63d2", "#2f9db5",
    "#b08d1e", "#d3564c", "#6b9e2f", "#a45fb0", "#5d7f95", "#a8744a",
)  # fmt: skip
"""One for each domain in the order of their names, then again from the start. The same twelve
stand in assets/citewiki.css as --cw-0 to --cw-11."""

_MAX_GRAPHVIZ = 1500  # nodes; beyond that sfdp takes longer than our own layout (bench/site.py)


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
    x: float = 0.0  # place, both in [-1, 1]
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class GraphData:
    """What graph.json holds: `links` are pairs of indices into `nodes`, each pair once."""

    nodes: tuple[Node, ...]
    links: tuple[tuple[int, int], ...]

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
        }


_DEFAULTS = {field.name: field.default for field in fields(Node)}


def graph_data(
    graph: LinkGraph, urls: Mapping[str, str] | None = None, cache: Path | None = None
) -> GraphData:
    """The whole graph with the places of its nodes.

    `urls` are addresses by path; `cache` is a file that remembers the places.
    """
    nodes, links = _nodes_and_links(graph, urls or {}, graph.pages)
    places = cached_positions([node.domain or node.id[:1] for node in nodes], links, cache)
    return _placed(nodes, links, places)


def graph_svg(data: GraphData, *, use_graphviz: bool = True) -> str:
    """A picture of `data` as SVG: by graphviz where its programs are installed, else our own."""
    if use_graphviz and shutil.which("sfdp") and 0 < len(data.nodes) <= _MAX_GRAPHVIZ:
        return _by_graphviz(data)
    return _drawn(data)


def _nodes_and_links(
    graph: LinkGraph, urls: Mapping[str, str], paths: Iterable[str]
) -> tuple[list[Node], list[tuple[int, int]]]:
    """Nodes for `paths`, in order, then those for names that only they link to; and the links."""
    index = {path: number for number, path in enumerate(paths)}
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
        nodes.append(
            Node(
                id=page.slug,
                title=page.title,
                url=urls.get(path, ""),
                domain=page.domain,
                summary=page.summary,
                links=arriving[number],
                colour=colours.get(page.domain, -1),
            )
        )
    for key, number in number_of.items():
        nodes.append(Node(f"?{key}", called[key], links=arriving[number], missing=True))
    return nodes, links


def _placed(
    nodes: list[Node], links: list[tuple[int, int]], places: list[tuple[float, float]]
) -> GraphData:
    return GraphData(
        tuple(replace(node, x=x, y=y) for node, (x, y) in zip(nodes, places, strict=True)),
        tuple(links),
    )


def domain_colours(domains: Iterable[str]) -> dict[str, int]:
    """Each domain's colour, 0..11, by the order of their names."""
    named = sorted({domain for domain in domains if domain}, key=lambda d: (d.casefold(), d))
    return {domain: number % len(COLOURS) for number, domain in enumerate(named)}


def _colour(node: Node) -> str:
    return COLOURS[node.colour] if node.colour >= 0 else "#8b93a1"


def _by_graphviz(data: GraphData) -> str:
    import graphviz

    dot = graphviz.Digraph(
        engine="sfdp",
        graph_attr={"overlap": "prism", "splines": "line", "bgcolor": "transparent", "K": "0.6"},
        node_attr={"shape": "box", "style": "rounded,filled", "fontname": "sans-serif",
                   "fontsize": "11", "color": "#00000000", "fontcolor": "#ffffff",
                   "height": "0.25", "margin": "0.09,0.04"},
        edge_attr={"color": "#8b93a180", "arrowsize": "0.5"},
    )  # fmt: skip
    for number, node in enumerate(data.nodes):
        look = {"fillcolor": _colour(node)}
        if node.missing:
            look = {"fillcolor": "#ffffff00", "color": "#8b93a1", "fontcolor": "#6b7280",
                    "style": "rounded,dashed"}  # fmt: skip
        label = graphviz.escape(node.title)
        dot.node(str(number), label, tooltip=graphviz.escape(node.summary or node.title), **look)
    for a, b in data.links:
        dot.edge(str(a), str(b))
    svg: str = dot.pipe(format="svg", encoding="utf-8")
    return svg


def _drawn(data: GraphData, size: int = 1200) -> str:
    """Our own drawing: nodes sized by links, titles for the most linked third."""
    half, margin = size / 2, 60
    place = [(half + n.x * (half - margin), half + n.y * (half - margin)) for n in data.nodes]
    counts = sorted((node.links for node in data.nodes), reverse=True)
    worth_a_title = counts[min(len(counts) - 1, 40)] if counts else 0
    lines = "".join(
        f"M{place[a][0]:.1f} {place[a][1]:.1f}L{place[b][0]:.1f} {place[b][1]:.1f}"
        for a, b in data.links
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="13" role="img" aria-label="Link graph">',
        f'<path d="{lines}" fill="none" stroke="#8b93a1" stroke-opacity=".4"/>',
    ]
    for node, (x, y) in zip(data.nodes, place, strict=True):
        radius = 3 + 1.8 * node.links**0.5
        look = (
            'fill="none" stroke="#8b93a1" stroke-dasharray="3 2"'
            if node.missing
            else f'fill="{_colour(node)}"'
        )
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" {look}>'
            f"<title>{escape(node.title)}</title></circle>"
        )
        if node.links >= worth_a_title and not node.missing:
            parts.append(
                f'<text x="{x:.1f}" y="{y - radius - 4:.1f}" text-anchor="middle" '
                f'fill="#6b7280">{escape(node.title)}</text>'
            )
    return "".join(parts) + "</svg>\n"
