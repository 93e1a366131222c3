"""What the shape of the graph tells of its pages."""

from __future__ import annotations

import random

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewiki.site.measures import communities, pageranks

PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=40)


def test_pagerank_is_that_of_the_paper() -> None:
    # 0 ⇄ 1, 2 → 0: r1 = .15 + .85 r0, r2 = .15, r0 = .15 + .85 (r1 + r2)
    first = (0.15 + 0.85 * (0.15 + 0.15)) / (1 - 0.85**2)
    assert pageranks(3, [(0, 1), (1, 0), (2, 0)]) == pytest.approx(
        [first, 0.15 + 0.85 * first, 0.15], abs=0.001
    )


@settings(max_examples=20)
@given(PAIRS)
def test_ranks_are_one_on_average_whatever_links_there_are(links: list[tuple[int, int]]) -> None:
    ranks = pageranks(12, list(dict.fromkeys(links)))
    assert sum(ranks) == pytest.approx(12, abs=0.02)
    assert min(ranks) > 0.14


@settings(max_examples=20)
@given(PAIRS)
def test_every_node_is_in_one_community_and_linked_to_it(links: list[tuple[int, int]]) -> None:
    member = communities(12, links)
    assert member == communities(12, links)
    sizes = [member.count(at) for at in range(max(member) + 1)]
    assert sizes == sorted(sizes, reverse=True)
    graph = nx.Graph(links)
    graph.add_nodes_from(range(12))
    for at in set(member):
        inside = graph.subgraph(number for number in range(12) if member[number] == at)
        assert len(inside) == 1 or nx.is_connected(inside)


def test_communities_are_as_good_as_those_of_networkx() -> None:
    chance = random.Random(5)
    group = [chance.randrange(8) for _ in range(300)]
    links = []
    while len(links) < 1500:
        a, b = chance.randrange(300), chance.randrange(300)
        if a != b and (group[a] == group[b] or chance.random() < 0.1):
            links.append((a, b))
    graph = nx.Graph(links)
    graph.add_nodes_from(range(300))
    parts: dict[int, set[int]] = {}
    for number, at in enumerate(communities(300, links)):
        parts.setdefault(at, set()).add(number)
    theirs = nx.community.louvain_communities(graph, seed=1)
    ours = nx.community.modularity(graph, parts.values())
    assert ours > 0.95 * nx.community.modularity(graph, theirs)


def test_nothing_has_no_measures() -> None:
    assert pageranks(0, []) == []
    assert communities(0, []) == []
