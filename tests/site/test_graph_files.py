"""The graph as a picture and as GraphML."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as etree
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner

from citewiki.cli.app import app
from citewiki.site.drawing import graph_svg, svg_png
from citewiki.site.graph import graph_data
from citewiki.site.graphml import graphml
from tests.conftest import MakeWiki
from tests.site.conftest import Model
from tests.site.test_graph import FILES, ODD, titled

BY_GRAPHVIZ = [
    0,
    pytest.param(
        100,
        marks=pytest.mark.skipif(not shutil.which("sfdp"), reason="graphviz is not installed"),
    ),
]


@pytest.mark.parametrize("most", BY_GRAPHVIZ)
def test_the_picture_is_svg_with_every_title(model: Model, most: int) -> None:
    svg = graph_svg(graph_data(model(FILES).graph), most)
    root = etree.fromstring(svg)
    words = "".join(root.itertext())
    assert root.tag.endswith("svg")
    assert "B <&>" in words
    assert "Nobody" in words


@pytest.mark.parametrize("most", BY_GRAPHVIZ)
def test_a_picture_holds_titles_of_any_signs(model: Model, most: int) -> None:
    pages = {f"p{number}.md": titled(title) for number, title in enumerate(ODD)}
    words = "".join(etree.fromstring(graph_svg(graph_data(model(pages).graph), most)).itertext())
    for title in ODD[:-1]:
        assert title in words
    assert "N\ufffdUL" in words


def test_more_pages_than_graphviz_is_asked_for_are_drawn_all_the_same(model: Model) -> None:
    assert "graphviz" not in graph_svg(graph_data(model(FILES).graph), 3)


def test_an_empty_graph_is_a_picture_too(model: Model) -> None:
    assert etree.fromstring(graph_svg(graph_data(model({}).graph))).tag.endswith("svg")


def test_titles_in_our_own_picture_do_not_run_into_one_another(model: Model) -> None:
    pages = {f"p{n}.md": f"[[p{(n * 7) % 80}]] [[p{n // 2}]]" for n in range(80)}
    root = etree.fromstring(graph_svg(graph_data(model(pages).graph), 0))
    places = [
        (float(t.get("x", "")), float(t.get("y", ""))) for t in root if t.tag.endswith("text")
    ]
    assert len(places) > 10
    for number, (x, y) in enumerate(places):
        assert all(abs(x - a) > 14 or abs(y - b) >= 16 for a, b in places[:number])


def test_a_picture_can_be_had_as_png(model: Model) -> None:
    png = svg_png(graph_svg(graph_data(model(FILES).graph), 0), 300)
    assert png.startswith(b"\x89PNG")


def test_graphml_is_read_by_others_with_all_that_is_known(model: Model) -> None:
    made = model({**FILES, "x/c.md": "---\ntitle: C\ntags: [t, u]\n---\n"})
    data = graph_data(made.graph, made.urls, None, made.state)
    read = nx.parse_graphml(graphml(data))
    assert read.is_directed()
    assert [facts["title"] for _, facts in read.nodes(data=True)] == [n.title for n in data.nodes]
    assert {(int(a[1:]), int(b[1:])) for a, b in read.edges} == set(data.links)
    page = read.nodes["n3"]
    assert (page["slug"], page["domain"], page["tags"], page["links"]) == ("c", "x", "t, u", 1)
    assert page["rank"] == data.nodes[3].rank
    assert "slug" not in read.nodes["n4"]


def test_graphml_holds_titles_of_any_signs(model: Model) -> None:
    pages = {f"p{number}.md": titled(title) for number, title in enumerate(ODD)}
    read = nx.parse_graphml(graphml(graph_data(model(pages).graph)))
    titles = [facts["title"] for _, facts in read.nodes(data=True)]
    assert titles[:-1] == list(ODD[:-1])
    assert titles[-1] == "N\ufffdUL\ufffd"


@pytest.mark.parametrize(
    ("end", "start"),
    [("svg", b"<"), ("png", b"\x89PNG"), ("graphml", b"<?xml"), ("json", b'{"nodes"')],
)
def test_the_command_writes_the_kind_that_the_name_ends_in(
    make_wiki: MakeWiki, tmp_path: Path, end: str, start: bytes
) -> None:
    root = make_wiki({f"wiki/{path}": text for path, text in FILES.items()})
    target = tmp_path / f"graph.{end}"
    done = CliRunner().invoke(app, ["graph", "--wiki", str(root), "-o", str(target)])
    assert done.exit_code == 0, done.output
    assert target.read_bytes().startswith(start)


def test_the_command_names_the_kinds_it_writes(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({"wiki/a.md": "# A"})
    done = CliRunner().invoke(app, ["graph", "--wiki", str(root), "-o", str(tmp_path / "g.gif")])
    assert done.exit_code == 2
    assert ".graphml" in done.output
