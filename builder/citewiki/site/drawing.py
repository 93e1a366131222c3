"""Pictures of the link graph: SVG by graphviz or by our own hand, and PNG."""

from __future__ import annotations

import shutil

from citewiki.site.graph import COLOURS, GraphData, Node
from citewiki.site.graphml import xml_text

GREY = "#8b93a1"
INK = "#59636f"
MOST_BY_GRAPHVIZ = 1500  # nodes; beyond that sfdp takes longer than our own layout (bench/site.py)
TITLES = 60  # in our own picture, as far as there is room
_LETTER = 7.2  # pixels, of 13: what most letters need; wide ones twice as much
_DPI = 96.0  # without it, sizes in points are none


def graph_svg(data: GraphData, by_graphviz: int = MOST_BY_GRAPHVIZ) -> str:
    """A picture of `data` as SVG: by graphviz where its programs are installed, else our own.

    Graphviz shows every title and takes its time: it draws at most `by_graphviz` nodes.
    """
    if 0 < len(data.nodes) <= by_graphviz and shutil.which("sfdp"):
        return _by_graphviz(data)
    return _drawn(data)


def svg_png(svg: str, width: int = 1600) -> bytes:
    """An SVG as a PNG on white, `width` pixels wide."""
    import resvg_py

    drawn = resvg_py.svg_to_bytes(svg_string=svg, width=width, dpi=_DPI, background="#ffffff")
    return bytes(drawn)


def _colour(node: Node) -> str:
    return COLOURS[node.colour] if node.colour >= 0 else GREY


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
            look = {"fillcolor": "#ffffff00", "color": GREY, "fontcolor": "#6b7280",
                    "style": "rounded,dashed"}  # fmt: skip
        size = f"{min(20, 10 + 2.2 * max(0.0, node.rank) ** 0.5):.1f}"
        about = _plain(node.summary or node.title)
        dot.node(str(number), _plain(node.title), tooltip=about, fontsize=size, **look)
    for a, b in data.links:
        dot.edge(str(a), str(b))
    svg: str = dot.pipe(format="svg", encoding="utf-8")
    return svg


def _plain(text: str) -> str:
    """`text` for graphviz: neither its escapes nor what XML cannot hold."""
    import graphviz

    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(text.split()))
    escaped: str = graphviz.escape(shown)
    return escaped


def _drawn(data: GraphData, size: int = 1200) -> str:
    """Our own drawing: nodes sized by PageRank, titles for the most central as they fit."""
    half, margin = size / 2, 60
    place = [(half + n.x * (half - margin), half + n.y * (half - margin)) for n in data.nodes]
    crowd = min(1.0, 34 / (len(data.nodes) + 1) ** 0.5 + 0.2)
    radius = [crowd * min(16, 2.6 + 3.2 * max(0.0, n.rank) ** 0.5) for n in data.nodes]
    lines = "".join(
        f"M{place[a][0]:.1f} {place[a][1]:.1f}L{place[b][0]:.1f} {place[b][1]:.1f}"
        for a, b in data.links
    )
    faint = max(0.08, min(0.4, 400 / (len(data.links) + 1)))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" '
        'font-family="sans-serif" font-size="13" role="img" aria-label="Link graph">',
        f'<path d="{lines}" fill="none" stroke="{GREY}" stroke-opacity="{faint:.2f}"/>',
    ]
    for node, (x, y), r in zip(data.nodes, place, radius, strict=True):
        look = (
            f'fill="none" stroke="{GREY}" stroke-dasharray="3 2"'
            if node.missing
            else f'fill="{_colour(node)}"'
        )
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" {look}>'
            f"<title>{xml_text(node.title)}</title></circle>"
        )
    parts += _titles(data, place, radius)
    return "".join(parts) + "</svg>\n"


def _titles(data: GraphData, place: list[tuple[float, float]], radius: list[float]) -> list[str]:
    """The titles of the most central pages that do not run into one another."""
    taken: list[tuple[float, float, float, float]] = []
    parts: list[str] = []
    order = sorted(
        (number for number, node in enumerate(data.nodes) if not node.missing),
        key=lambda number: (-data.nodes[number].rank, data.nodes[number].id),
    )
    for number in order:
        title = data.nodes[number].title
        title = title if len(title) <= 36 else title[:35] + "…"
        wide = sum(2 if ord(sign) > 0x2E80 else 1 for sign in title) * _LETTER / 2
        (x, y), r = place[number], radius[number]
        for middle in (y - r - 5, y + r + 13):
            box = (x - wide, middle - 12, x + wide, middle + 4)
            if any(_overlap(box, other) for other in taken):
                continue
            taken.append(box)
            parts.append(
                f'<text x="{x:.1f}" y="{middle:.1f}" text-anchor="middle" fill="{INK}" '
                f'stroke="#fff" stroke-width="3" paint-order="stroke">{xml_text(title)}</text>'
            )
            break
        if len(parts) >= TITLES:
            break
    return parts


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
