"""The graph as data and as a picture."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as etree

import pytest

from citewiki.site.graph import domain_colours, graph_data, graph_svg
from citewiki.site.neighbourhood import Neighbourhoods
from tests.site.conftest import Model

FILES = {
    "ml/a.md": "# A\n\n[[b]] [[b]] [[Nobody]] [[a]]",
    "ml/b.md": "# B <&>\n\n[[c]] [[nobody]]",
    "x/c.md": "# C",
    "d.md": "# D",
    "index.md": "[a](ml/a.md)",
}


def test_nodes_are_pages_and_missing_pages_and_links_are_counted_once(model: Model) -> None:
    data = graph_data(model(FILES).graph)
    shown = [(node.id, node.title, node.domain, node.links, node.missing) for node in data.nodes]
    assert shown == [
        ("d", "D", "", 0, False),
        ("a", "A", "ml", 0, False),
        ("b", "B <&>", "ml", 1, False),
        ("c", "C", "x", 1, False),
        ("?nobody", "Nobody", "", 2, True),
    ]
    assert sorted(data.links) == [(1, 2), (1, 4), (2, 3), (2, 4)]


def test_a_nodes_first_colour_is_told_from_none(model: Model) -> None:
    nodes = graph_data(model({"a.md": "", "ml/b.md": ""}).graph).as_json()["nodes"]
    assert [node.get("colour") for node in nodes] == [None, 0]


def test_json_names_nodes_and_leaves_out_what_is_empty(model: Model) -> None:
    made = graph_data(model({"a.md": "[[b]]", "b.md": ""}).graph).as_json()
    assert made["edges"] == [{"source": "a", "target": "b"}]
    assert set(made["nodes"][0]) == {"id", "title", "x", "y"} - {
        key for key in ("x", "y") if not made["nodes"][0].get(key)
    }


@pytest.mark.parametrize(
    "by_graphviz",
    [
        False,
        pytest.param(
            True,
            marks=pytest.mark.skipif(not shutil.which("sfdp"), reason="graphviz is not installed"),
        ),
    ],
)
def test_the_picture_is_svg_with_every_title(model: Model, by_graphviz: bool) -> None:
    svg = graph_svg(graph_data(model(FILES).graph), use_graphviz=by_graphviz)
    root = etree.fromstring(svg)
    words = "".join(root.itertext())
    assert root.tag.endswith("svg")
    assert "B <&>" in words
    assert "Nobody" in words


def test_an_empty_graph_is_a_picture_too(model: Model) -> None:
    assert etree.fromstring(graph_svg(graph_data(model({}).graph))).tag.endswith("svg")


def test_domains_have_colours_by_name() -> None:
    names = [f"d{number:02}" for number in range(13)]
    assert domain_colours(["", *reversed(names)]) == {
        name: number % 12 for number, name in enumerate(names)
    }


def test_a_neighbourhood_is_the_page_its_neighbours_and_links_among_them(model: Model) -> None:
    near = Neighbourhoods(graph_data(model(FILES).graph))
    data = near.of("b")
    assert data is not None
    assert data.nodes[0].id == "b"
    assert (data.nodes[0].x, data.nodes[0].y) == (0.0, 0.0)
    assert {node.id for node in data.nodes} == {"a", "b", "c", "?nobody"}
    assert len(data.links) == 4
    assert near.of("d") is None


def test_a_hub_shows_its_most_linked_neighbours_only(model: Model) -> None:
    pages = {f"p{n}.md": "[[hub]]" + (" [[p1]]" if n > 1 else "") for n in range(60)}
    data = Neighbourhoods(graph_data(model({"hub.md": "", **pages}).graph)).of("hub")
    assert data is not None
    assert len(data.nodes) == 25
    assert "p1" in {node.id for node in data.nodes}
