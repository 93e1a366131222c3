"""The small graph under each page: its neighbours on an ellipse, without a layout run."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from citewiki.site.graph import GraphData, Node

LIMIT = 24  # neighbours drawn; the most central ones
_RING = 12  # neighbours on the inner ring


@dataclass(frozen=True)
class Neighbourhoods:
    """The surroundings of every node of `data`."""

    data: GraphData

    @cached_property
    def _number(self) -> dict[str, int]:
        return {node.id: number for number, node in enumerate(self.data.nodes)}

    @cached_property
    def _near(self) -> list[set[int]]:
        near: list[set[int]] = [set() for _ in self.data.nodes]
        for a, b in self.data.links:
            near[a].add(b)
            near[b].add(a)
        return near

    @cached_property
    def _out(self) -> list[list[int]]:
        out: list[list[int]] = [[] for _ in self.data.nodes]
        for a, b in self.data.links:
            out[a].append(b)
        return out

    @cached_property
    def _by_rank(self) -> list[int]:
        """The place of each node, the most central first, missing ones last."""
        nodes = self.data.nodes
        order = sorted(
            range(len(nodes)), key=lambda n: (nodes[n].missing, -nodes[n].rank, nodes[n].id)
        )
        places = [0] * len(nodes)
        for place, number in enumerate(order):
            places[number] = place
        return places

    def of(self, slug: str) -> GraphData | None:
        """The page and its neighbours, with the links among them; None: it has no neighbours.

        Neighbours keep the order in which they lie around the page in the whole graph, so that
        those that belong together stand together.
        """
        centre = self._number[slug]
        near = self._near[centre]
        if not near:
            return None
        nodes = self.data.nodes
        by_links = sorted(near, key=self._by_rank.__getitem__)
        chosen = sorted(by_links[:LIMIT], key=lambda n: self._angle(centre, n))
        place = {centre: (0.0, 0.0), **dict(zip(chosen, _rings(len(chosen)), strict=True))}
        index = {number: at for at, number in enumerate(place)}
        links = [(index[a], index[b]) for a in place for b in self._out[a] if b in index]
        shown = (_moved(nodes[n], x, y) for n, (x, y) in place.items())
        return GraphData(tuple(shown), tuple(links))

    def _angle(self, centre: int, other: int) -> tuple[float, str]:
        here, there = self.data.nodes[centre], self.data.nodes[other]
        return math.atan2(there.y - here.y, there.x - here.x), there.id


def _moved(node: Node, x: float, y: float) -> Node:
    """`node` at another place, without its summary; `replace` takes twice as long."""
    return Node(
        node.id,
        node.title,
        node.url,
        node.domain,
        "",
        node.links,
        node.missing,
        node.colour,
        x,
        y,
        node.rank,
    )


def _rings(count: int) -> list[tuple[float, float]]:
    """`count` places around the centre: one ring, or two in turn when one would be crowded.

    From the top on; one or two stand beside it.
    """
    found = []
    for number in range(count):
        angle = 2 * math.pi * number / count - (math.pi / 2 if count > 2 else 0)
        radius = 1.0 if count <= _RING or number % 2 else 0.6
        found.append((round(radius * math.cos(angle), 3), round(radius * math.sin(angle), 3)))
    return found
