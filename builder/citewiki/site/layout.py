"""Where the graph's nodes stand: a force layout that is the same on every build.

Nodes repel one another, links pull, and a weak gravity keeps loose parts near (ForceAtlas2:
Jacomy, Venturini, Heymann & Bastian 2014, PLoS ONE 9(6), "repulsion by degree"). Repulsion is that
of masses on a grid, folded with the force of one mass by a Fourier transform, as in particle-mesh
simulations (Hockney & Eastwood 1981): its cost hardly grows with the number of pages.

Places are a function of names and links alone. They move little when a page comes or goes, since
a node starts where its own name says and travels by short steps; there is nothing to keep for it,
and a build from nothing equals any other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citewiki.errors import WriteError
from citewiki.store.files import write_atomic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[Any]  # of numbers; sums of them have a type of their own to mypy
    Whole = NDArray[np.int64]

Point = tuple[float, float]

VERSION = 3  # of the algorithm; part of the cache's key
GRID = 64  # cells along each side; twice as many cost four times as much and look the same
STEPS = 200
APART = 100  # the step from which on nodes in one cell repel one another as well
CELLMATES = 8  # of those, the next in order that each node meets
STRIDE = 0.1  # of the square root of the count: the longest step. Larger ones end in other places
# after every change: with 1.0 one page more moved half of 274 pages by up to 11 % of the radius,
# with 0.1 by up to 3 %.
GRAVITY = 0.03
FEW = 80.0  # nodes: fewer are held the more, or two parts of a small wiki would leave each other
ALIKE = 4.0  # how much more a link pulls whose ends share all neighbours
FELLOW = 0.4  # and one within a group
PULL = 0.3  # of any link, before the mean is made 1
RIM = 0.84  # of the radius: what is linked stands within, unlinked pages beyond
_EDGE = 0.98  # of the linked nodes are nearer than where the rest is drawn in


def positions(
    names: Sequence[str], groups: Sequence[str], links: Sequence[tuple[int, int]]
) -> list[Point]:
    """A place in [-1, 1] x [-1, 1] for every node; one point is [(0, 0)].

    `names` are unique and tell where a node starts; `groups` names each node's cluster (its
    domain): clusters start as sectors of a circle, so that they are told apart in the result.
    `links` are pairs of indices into `names`. Nodes without links stand around all others.
    """
    import numpy as np

    count = len(names)
    if count < 2:
        return [(0.0, 0.0)] * count
    pairs = sorted({(min(a, b), max(a, b)) for a, b in links if a != b})
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    degree = np.bincount(ends.ravel(), minlength=count)
    linked, alone = np.flatnonzero(degree).tolist(), np.flatnonzero(degree == 0).tolist()
    place = np.zeros((2, count))
    if len(linked):
        number = np.zeros(count, dtype=np.int64)
        number[linked] = np.arange(len(linked))
        start = _start([names[at] for at in linked], [groups[at] for at in linked])
        settled = _settle(start, number[ends.T], _weights(pairs, degree, groups))
        place[:, linked] = _within(settled, RIM if len(alone) else 0.98)
    if len(alone):
        order = sorted(alone, key=lambda at: (groups[at], names[at]))
        place[:, order] = _around(len(order), 0 if not len(linked) else RIM + 0.05)
    return [(round(float(x), 4), round(float(y), 4)) for x, y in place.T]


def cached_positions(
    names: Sequence[str],
    groups: Sequence[str],
    links: Sequence[tuple[int, int]],
    cache: Path | None,
) -> list[Point]:
    """`positions`, remembered in the file `cache` until nodes, links or the algorithm change."""
    told = json.dumps([VERSION, list(names), list(groups), list(links)])
    key = hashlib.sha256(told.encode()).hexdigest()
    if cache is None:
        return positions(names, groups, links)
    try:
        kept = json.loads(cache.read_text(encoding="utf-8"))
        if kept["key"] == key:
            return [(float(x), float(y)) for x, y in kept["positions"]]
    except (OSError, ValueError, KeyError, TypeError):
        pass  # no cache, or one that is cut short: it is only a cache
    found = positions(names, groups, links)
    try:
        cache.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(cache, json.dumps({"key": key, "positions": found}))
    except (OSError, WriteError):
        pass  # a read-only folder costs time, not the build
    return found


def _start(names: Sequence[str], groups: Sequence[str]) -> Floats:
    """Every node in its group's sector, where its name says."""
    import numpy as np

    sector = {name: number for number, name in enumerate(sorted(set(groups)))}
    digests = b"".join(
        hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=8).digest() for name in names
    )
    chance = np.frombuffer(digests, dtype="<u4").reshape(-1, 2) / 2**32
    own = np.array([sector[group] for group in groups])
    angle = 2 * np.pi * (own + 0.15 + 0.7 * chance[:, 0]) / len(sector)
    radius = (0.3 + 0.7 * chance[:, 1]) * 4 * np.sqrt(len(names))
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)])


def _weights(pairs: Sequence[tuple[int, int]], degree: Whole, groups: Sequence[str]) -> Floats:
    """How strongly each link pulls: more where its ends have neighbours in common.

    What belongs together draws together by that, as by communities, but no page far away has a
    say in it.
    """
    import numpy as np

    near: list[set[int]] = [set() for _ in degree]
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    both = degree.tolist()
    weights = np.array(
        [
            PULL
            + ALIKE * len(near[a] & near[b]) / (both[a] * both[b]) ** 0.5
            + FELLOW * (groups[a] == groups[b])
            for a, b in pairs
        ]
    )
    even: Floats = weights / weights.mean()
    return even


def _settle(place: Floats, ends: Whole, weights: Floats) -> Floats:
    """`place` after the forces have been followed for STEPS steps of falling length."""
    import numpy as np

    count = place.shape[1]
    here, there = np.ascontiguousarray(ends[0]), np.ascontiguousarray(ends[1])
    mass = 1.0 + np.bincount(ends.ravel(), minlength=count)
    weight = GRAVITY * max(np.sqrt(count) / 8, FEW / count) * mass  # holds loose parts in
    step = STRIDE * np.sqrt(count)
    kernels = _kernels()
    for turn in range(STEPS):
        force, cells = _repulsion(place, mass, kernels, turn)
        if turn >= APART:
            _add_nearest(force, place, mass, cells)
        for along, axis in zip(force, place, strict=True):
            pull = weights * (axis[there] - axis[here])
            along += np.bincount(here, pull, minlength=count)
            along -= np.bincount(there, pull, minlength=count)
            along -= weight * axis
        length = np.hypot(*force)
        limit = step * (1 - turn / STEPS) ** 1.5 + 0.02
        place = place + force * (np.minimum(limit, length / mass) / np.maximum(length, 1e-9))
    return place


def _kernels() -> list[NDArray[np.complex128]]:
    """The force of one mass in every cell around it, along both axes, transformed."""
    import numpy as np

    gap = np.fft.ifftshift(np.arange(-GRID, GRID)).astype(float)
    square = np.maximum(gap[:, None] ** 2 + gap[None, :] ** 2, 1)
    return [np.fft.rfft2(gap[:, None] / square), np.fft.rfft2(gap[None, :] / square)]


def _repulsion(
    place: Floats, mass: Floats, kernels: Sequence[NDArray[np.complex128]], turn: int
) -> tuple[list[Floats], Whole]:
    """What pushes each node away from all others: mass times mass over distance; and its cell.

    The grid lies a little elsewhere each `turn`, or its squares would be seen in the result.
    """
    import numpy as np

    low = place.min()
    cell = (place.max() - low) / (GRID - 2.001) + 1e-9
    row, column = (place - low) / cell
    row, column = row + turn * 0.7548776662 % 1, column + turn * 0.5698402910 % 1
    top, left = row.astype(np.int64), column.astype(np.int64)
    down, right = row - top, column - left
    corner = top * GRID + left
    shares = (
        (0, (1 - down) * (1 - right)),
        (1, (1 - down) * right),
        (GRID, down * (1 - right)),
        (GRID + 1, down * right),
    )  # of a node's mass, in the four cells around it
    masses = np.zeros(GRID * GRID)
    for offset, share in shares:
        masses += np.bincount(corner + offset, share * mass, minlength=GRID * GRID)
    size = (2 * GRID, 2 * GRID)  # twice the grid, or the field would come around at its edges
    spread = np.fft.rfft2(masses.reshape(GRID, GRID), size)
    found = []
    for kernel in kernels:
        field = np.fft.irfft2(spread * kernel, size)[:GRID, :GRID].ravel()
        push = sum(share * field[corner + offset] for offset, share in shares)
        found.append(mass * push / cell)
    return found, corner


def _add_nearest(force: Sequence[Floats], place: Floats, mass: Floats, cells: Whole) -> None:
    """Add to `force` what nodes of one cell do to one another, which the grid cannot tell."""
    import numpy as np

    order = np.argsort(cells, kind="stable")
    x, y = place[:, order]
    weight, cell = mass[order], cells[order]
    for shift in range(1, min(CELLMATES, len(order) - 1) + 1):
        here = np.flatnonzero(cell[:-shift] == cell[shift:])
        there = here + shift
        across, up = x[here] - x[there], y[here] - y[there]
        push = weight[here] * weight[there] / np.maximum(across * across + up * up, 0.25)
        for along, gap in zip(force, (across, up), strict=True):
            along += np.bincount(order[here], push * gap, minlength=len(order))
            along -= np.bincount(order[there], push * gap, minlength=len(order))


def _within(place: Floats, radius: float) -> Floats:
    """`place` about its middle, scaled to a disc of `radius`; the outermost are drawn in."""
    import numpy as np

    place = place - (place.max(axis=1) + place.min(axis=1))[:, None] / 2
    far = np.maximum(np.hypot(*place), 1e-9)
    edge = np.quantile(far, _EDGE)
    inner = 0.94 * radius
    drawn = inner * far / edge
    beyond = drawn > inner
    room = radius - inner
    drawn[beyond] = inner + room * np.tanh((drawn[beyond] - inner) / room)
    disc: Floats = place * (drawn / far)
    return disc


def _around(count: int, inner: float) -> Floats:
    """`count` places in a ring from the radius `inner` to 1, evenly, whatever their number."""
    import numpy as np

    number = np.arange(count)
    width = min(1 - inner, (1 + inner) * count / 12_000 + 0.02 * (count > 60))
    radius: Floats = inner + width * ((number * 0.6180339887498949) % 1)
    angle: Floats = 2 * np.pi * (number + 0.5) / count
    if not inner:  # nothing to stand around: a disc
        radius = np.sqrt((number + 0.5) / count) * 0.98
        angle = number * np.pi * (3 - 5**0.5)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)])
