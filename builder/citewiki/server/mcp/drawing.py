"""A part of the link graph as a picture and as lists."""

from __future__ import annotations

from citewiki.index.graph import LinkGraph, nearest
from citewiki.server.mcp import shapes
from citewiki.text.folding import name_key

_WIDTH = 1200  # pixels: what models read without scaling down


def drawn(graph: LinkGraph, limit: int) -> shapes.GraphDrawn:
    """The first `limit` pages of `graph`, those that only they link to, and the links."""
    part = nearest(graph, graph.pages, 0, limit)
    missing: dict[str, str] = {}  # by folded name: as it was first written
    edges: dict[tuple[str, str], None] = {}
    to: dict[str, set[str]] = {}  # by title, or folded name: paths of pages that link there
    for path, page in part.pages.items():
        for edge in part.out.get(path, ()):
            key = edge.target or name_key(edge.link.name)
            if key == path:
                continue
            if edge.target:
                title = part.pages[edge.target].title
            else:
                title = missing.setdefault(key, edge.link.name)
            edges[page.title, title] = None
            to.setdefault(key, set()).add(path)
    nodes = [
        shapes.GraphNode(
            slug=page.slug,
            title=page.title,
            domain=page.domain,
            links=len(to.get(path, ())),
            missing=False,
        )
        for path, page in part.pages.items()
    ]
    nodes += [
        shapes.GraphNode(slug="", title=name, domain="", links=len(to[key]), missing=True)
        for key, name in missing.items()
    ]
    return shapes.GraphDrawn(
        nodes=nodes,
        edges=[shapes.GraphEdge(source=source, target=target) for source, target in edges],
        cut=len(graph.pages) > limit,
    )


def png(graph: LinkGraph, limit: int) -> bytes:
    """The same as a picture."""
    from citewiki.site.drawing import graph_svg, svg_png
    from citewiki.site.graph import graph_data

    svg = graph_svg(graph_data(nearest(graph, graph.pages, 0, limit)))
    return svg_png(svg, _WIDTH)
