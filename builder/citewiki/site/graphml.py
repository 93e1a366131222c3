"""The link graph as GraphML, for Gephi, yEd, networkx and whatever else reads graphs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from citewiki.site.graph import GraphData, Node

# name, type, whose value; a node's defaults are left out
_KEYS: tuple[tuple[str, str, Callable[[Node], str | int | float]], ...] = (
    ("slug", "string", lambda node: "" if node.missing else node.id),
    ("title", "string", lambda node: node.title),
    ("url", "string", lambda node: node.url),
    ("domain", "string", lambda node: node.domain),
    ("tags", "string", lambda node: ", ".join(node.tags)),
    ("summary", "string", lambda node: node.summary),
    ("state", "string", lambda node: node.state),
    ("verified", "string", lambda node: node.verified),
    ("links", "int", lambda node: node.links),
    ("rank", "double", lambda node: node.rank),
    ("x", "double", lambda node: node.x),
    ("y", "double", lambda node: -node.y),  # up, as those programs have it
)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def graphml(data: GraphData) -> str:
    """`data` as a GraphML document (Brandes et al. 2002): directed, nodes "n0", "n1", …"""
    return "\n".join(_lines(data)) + "\n"


def xml_text(text: str) -> str:
    """`text` as it may stand in XML, also in an attribute; what XML cannot hold is shown as �."""
    return escape(_NOT_XML.sub("\ufffd", text))


def _lines(data: GraphData) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for number, (name, kind, _) in enumerate(_KEYS):
        yield f'<key id="d{number}" for="node" attr.name="{name}" attr.type="{kind}"/>'
    yield f'<key id="d{len(_KEYS)}" for="node" attr.name="community" attr.type="string"/>'
    yield '<graph edgedefault="directed">'
    for number, node in enumerate(data.nodes):
        yield f'<node id="n{number}">{"".join(_facts(data, node))}</node>'
    for number, (source, target) in enumerate(data.links):
        yield f'<edge id="e{number}" source="n{source}" target="n{target}"/>'
    yield "</graph>"
    yield "</graphml>"


def _facts(data: GraphData, node: Node) -> Iterator[str]:
    for number, (_, kind, value_of) in enumerate(_KEYS):
        value = value_of(node)
        if value != "":
            text = xml_text(str(value)) if kind == "string" else repr(value)
            yield f'<data key="d{number}">{text}</data>'
    if node.community >= 0:
        yield f'<data key="d{len(_KEYS)}">{xml_text(data.communities[node.community])}</data>'
