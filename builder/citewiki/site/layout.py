"""Where the graph's nodes stand: a force layout that is the same on every build.

Nodes repel one another, links pull, and a weak gravity keeps loose parts near (ForceAtlas2:
Jacomy, Venturini, Heymann & Bastian 2014, PLoS ONE 9(6), "repulsion by degree"). Repulsion is
exact for small graphs; for large ones each node meets a random sample per step, which costs
n x SAMPLE instead of n x n and averages out while the steps cool.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.errors import WriteError
from citewiki.store.files import write_atomic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Point = tuple[float, float]

VERSION = 1  # of the algorithm; part of the cache's key
SAMPLE = 64  # nodes that each node is repelled by in one step; all of them in smaller graphs
STEPS = 220  # bench/site.py: 1,000 nodes in about a fifth of a second
GRAVITY = 0.07
SEED = 20240501


def positions(groups: Sequence[str], links: Sequence[tuple[int, int]]) -> list[Point]:
    """A place in [-1, 1] x [-1, 1] for every node; one point is [(0, 0)].

    `groups` names each node's cluster (its domain): clusters start as sectors of a circle, so
    that they are told apart in the result. `links` are pairs of indices into `groups`.
    """
    if len(groups) < 2:
        return [(0.0, 0.0)] * len(groups)
    place = _settle(_start(groups), _ends(links))
    place -= (place.max(axis=0) + place.min(axis=0)) / 2
    place /= max(float(abs(place).max()), 1e-9)
    return [(round(float(x), 4), round(float(y), 4)) for x, y in place]


def cached_positions(
    groups: Sequence[str], links: Sequence[tuple[int, int]], cache: Path | None
) -> list[Point]:
    """`positions`, remembered in the file `cache` until nodes, links or the algorithm change."""
    key = hashlib.sha256(json.dumps([VERSION, list(groups), list(links)]).encode()).hexdigest()
    if cache is None:
        return positions(groups, links)
    try:
        kept = json.loads(cache.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return [(float(x), float(y)) for x, y in kept["positions"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no cache, or one that is cut short: it is only a cache
    found = positions(groups, links)
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(cache, json.dumps({"key": key, "positions": found}))
    except (OSError, WriteError):
        pass  # a read-only folder costs time, not the build
    return found


def _start(groups: Sequence[str]) -> NDArray[np.float64]:
    """Every node in its group's sector, at a radius that spreads the group evenly."""
    import numpy as np

    sector = {name: number for number, name in enumerate(sorted(set(groups)))}
    members: dict[str, int] = {}
    place = np.empty((len(groups), 2))
    for index, name in enumerate(groups):
        rank = members[name] = members.get(name, 0) + 1
        golden = (rank * 0.618033988749895) % 1  # spreads any number of members over the sector
        angle = 2 * np.pi * (sector[name] + 0.15 + 0.7 * golden) / len(sector)
        radius = 0.3 + 0.7 * ((rank * 0.754877666246693) % 1)
        place[index] = radius * np.cos(angle), radius * np.sin(angle)
    spread = 4 * float(np.sqrt(len(groups)))
    return place * spread


def _ends(links: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """The two ends of every link, each pair once whichever way it points, none to itself."""
    import numpy as np

    pairs = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def _settle(place: NDArray[np.float64], ends: NDArray[np.int64]) -> NDArray[np.float64]:
    """`place` after the forces have been followed for STEPS steps of falling length.

    The two axes are arrays of their own, and pairs are (other, node): numpy walks either in the
    order of memory, which takes a third of the time that pairs of (x, y) do.
    """
    import numpy as np

    count = len(place)
    mass = 1.0 + np.bincount(ends.ravel(), minlength=count)
    chance = np.random.default_rng(SEED)
    everyone = np.arange(count)
    step = np.sqrt(count)
    weight = GRAVITY * np.sqrt(count) / 8 * np.maximum(mass, 1.6)  # holds loose pages in
    here, there = np.ascontiguousarray(ends.T)
    axes = np.ascontiguousarray(place.T)
    for turn in range(STEPS):
        others = everyone if count <= SAMPLE else chance.choice(count, SAMPLE, replace=False)
        gaps = [axis - axis[others, None] for axis in axes]
        square = gaps[0] * gaps[0] + gaps[1] * gaps[1]
        push = mass * mass[others, None] / np.maximum(square, 0.25)
        push *= count / len(others)
        force = np.empty_like(axes)
        for along, axis, gap in zip(force, axes, gaps, strict=True):
            pull = axis[there] - axis[here]
            (push * gap).sum(axis=0, out=along)
            along += np.bincount(here, pull, minlength=count)
            along -= np.bincount(there, pull, minlength=count)
            along -= weight * axis
        length = np.hypot(*force)
        limit = step * (1 - turn / STEPS) ** 1.5 + 0.02
        axes = axes + force * (np.minimum(limit, length / mass) / np.maximum(length, 1e-9))
    return axes.T
