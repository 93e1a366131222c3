"""The graph as data."""

from __future__ import annotations

import pytest

from citewiki.config import Config
from citewiki.site.graph import GraphData, domain_colours, graph_data
from citewiki.site.neighbourhood import Neighbourhoods
from tests.site.conftest import Model

FILES = {
    "ml/a.md": "# A\n\n[[b]] [[b]] [[Nobody]] [[a]]",
    "ml/b.md": "# B <&>\n\n[[c]] [[nobody]]",
    "x/c.md": "# C",
    "d.md": "# D",
    "index.md": "[a](ml/a.md)",
}
ODD = (
    "C++",
    "(x) or .*",
    "a [b] \\ c",
    "<script>",
    "</script>",
    "“quoted” & 'so'",
    "N\u0000UL\u001b",
)


def titled(title: str) -> str:
    escaped = "".join(
        sign if sign.isprintable() and sign not in '"\\' else f"\\u{ord(sign):04x}"
        for sign in title
    )
    return f'---\ntitle: "{escaped}"\n---\n'


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


def test_a_page_that_much_links_to_ranks_above_others(model: Model) -> None:
    ranks = {node.id: node.rank for node in graph_data(model(FILES).graph).nodes}
    assert ranks["?nobody"] > ranks["c"] > ranks["b"] > ranks["a"] == ranks["d"]
    assert sum(ranks.values()) == pytest.approx(len(ranks), abs=0.01)


def test_a_nodes_first_colour_is_told_from_none(model: Model) -> None:
    nodes = graph_data(model({"a.md": "", "ml/b.md": ""}).graph).as_json()["nodes"]
    assert [node.get("colour") for node in nodes] == [None, 0]


def test_json_names_nodes_and_leaves_out_what_is_empty(model: Model) -> None:
    made = graph_data(model({"a.md": "[[b]]", "b.md": ""}).graph).as_json()
    assert made["edges"] == [{"source": "a", "target": "b"}]
    assert set(made["nodes"][0]) == {"id", "title", "rank", "x", "y"} - {
        key for key in ("x", "y") if not made["nodes"][0].get(key)
    }


def test_columns_say_the_same_as_the_list_of_nodes(model: Model) -> None:
    made = model({**FILES, "x/c.md": "---\ntitle: C\ntags: [t, u]\nsummary: On C.\n---\n"})
    data = graph_data(made.graph, made.urls, None, made.state)
    told = data.columns()
    assert told["title"] == [node.title for node in data.nodes]
    assert [told["domains"][at] for at in told["domain"]] == [node.domain for node in data.nodes]
    assert [(a, b) for a, row in enumerate(told["out"]) for b in row] == sorted(data.links)
    assert [tuple(told["tags"][at] for at in row) for row in told["tag"]][3] == ("t", "u")
    assert [told["states"][at] for at in told["state"]] == [*["current"] * 4, "missing"]
    assert told["x"] == [round(node.x * 10_000) for node in data.nodes]


def test_a_summary_is_shown_no_longer_than_can_be_read_in_passing(model: Model) -> None:
    long = "word " * 100
    told = graph_data(model({"a.md": f"---\nsummary: {long}\n---\n"}).graph).columns()
    assert len(told["summary"][0]) <= 202
    assert told["summary"][0].endswith("word …")


def test_the_state_of_a_page_is_what_its_reader_has_to_know(model: Model) -> None:
    made = model(
        {
            "new.md": "---\nlast_verified_at: 2026-05-01\n---\n",
            "old.md": "---\nlast_verified_at: 2020-01-01\n---\n",
            "over.md": "---\nvalid_until: 2026-01-01\n---\n",
            "was.md": "---\nsuperseded_by: new\nvalid_until: 2026-01-01\n---\n",
        },
        Config(),
    )
    data = graph_data(made.graph, made.urls, None, made.state)
    assert {node.id: node.state for node in data.nodes} == {
        "new": "current", "old": "stale", "over": "ended", "was": "superseded",
    }  # fmt: skip
    assert [node.verified for node in data.nodes if node.id == "new"] == ["2026-05-01"]


def test_communities_are_named_by_their_most_central_page(model: Model) -> None:
    rings = {
        f"{name}{n}.md": f"[[{name}{(n + 1) % 5}]] [[{name}0]]" for name in "ab" for n in range(5)
    }
    data = graph_data(model({**rings, "alone.md": "", "a1.md": "[[a2]] [[a0]] [[b0]]"}).graph)
    assert set(data.communities) == {"a0", "b0"}
    member = {node.id: node.community for node in data.nodes}
    assert member["alone"] == -1
    assert len({member[f"a{n}"] for n in range(5)}) == 1
    assert member["a3"] != member["b3"]


def test_domains_have_colours_by_name() -> None:
    names = [f"d{number:02}" for number in range(13)]
    assert domain_colours(["", *reversed(names)]) == {
        name: number % 12 for number, name in enumerate(names)
    }


def test_the_core_is_the_most_central_pages_where_they_stand(model: Model) -> None:
    data = graph_data(model(FILES).graph)
    core = data.core(2)
    assert {node.id for node in core.nodes} == {"b", "c"}
    assert core.links == ((0, 1),)
    assert set(core.nodes) <= set(data.nodes)


def test_a_neighbourhood_is_the_page_its_neighbours_and_links_among_them(model: Model) -> None:
    near = Neighbourhoods(graph_data(model(FILES).graph))
    data = near.of("b")
    assert data is not None
    assert data.nodes[0].id == "b"
    assert (data.nodes[0].x, data.nodes[0].y) == (0.0, 0.0)
    assert {node.id for node in data.nodes} == {"a", "b", "c", "?nobody"}
    assert len(data.links) == 4
    assert near.of("d") is None


def test_a_hub_shows_its_most_central_neighbours_only(model: Model) -> None:
    pages = {f"p{n}.md": "[[hub]]" + (" [[p1]]" if n > 1 else "") for n in range(60)}
    data = Neighbourhoods(graph_data(model({"hub.md": "", **pages}).graph)).of("hub")
    assert data is not None
    assert len(data.nodes) == 25
    assert "p1" in {node.id for node in data.nodes}


def test_titles_of_any_signs_are_matched_exactly(model: Model) -> None:
    pages = {f"p{number}.md": titled(title) for number, title in enumerate(ODD)}
    data = graph_data(model({**pages, "all.md": "[[C++]] [[(x) or .*]] [[C]]"}).graph)
    titles = [node.title for node in data.nodes]
    links = {(titles[a], titles[b]) for a, b in data.links}
    assert links == {("all", "C++"), ("all", "(x) or .*"), ("all", "C")}
    assert [node.title for node in data.nodes if node.missing] == ["C"]


def test_an_empty_wiki_has_an_empty_graph(model: Model) -> None:
    data = graph_data(model({}).graph)
    assert data == GraphData((), ())
    assert data.columns() == {"title": []}
