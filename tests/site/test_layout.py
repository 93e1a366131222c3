"""Places of the graph's nodes."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from citewiki.site.layout import cached_positions, positions

PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30)


@settings(max_examples=10, deadline=None)
@given(PAIRS)
def test_places_lie_in_the_square_and_are_the_same_every_time(links: list[tuple[int, int]]) -> None:
    groups = [f"d{number % 3}" for number in range(12)]
    first = positions(groups, links)
    assert first == positions(groups, links)
    assert all(-1 <= value <= 1 for place in first for value in place)
    assert len(set(first)) == len(first)


def test_linked_pages_stand_nearer_than_others() -> None:
    ring = [(number, (number + 1) % 6) for number in range(6)]
    places = positions(["a"] * 12, ring + [(a + 6, b + 6) for a, b in ring])

    def gap(a: int, b: int) -> float:
        return ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5

    within = max(gap(a, b) for a, b in ring)
    between = min(gap(a, b) for a in range(6) for b in range(6, 12))
    assert within < between * 2
    assert gap(0, 1) < sum(gap(0, other) for other in range(6, 12)) / 6


def test_large_graphs_are_laid_out_by_samples() -> None:
    places = positions(["a", "b"] * 200, [(number, number // 2) for number in range(400)])
    assert len(set(places)) == 400


def test_no_page_and_one_page_need_no_layout() -> None:
    assert positions([], []) == []
    assert positions(["a"], [(0, 0)]) == [(0.0, 0.0)]


def test_places_are_kept_until_the_graph_changes(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "layout.json"
    found = cached_positions(["a", "b"], [(0, 1)], cache)
    kept = json.loads(cache.read_text())
    cache.write_text(json.dumps({**kept, "positions": [[9, 9], [8, 8]]}))
    assert cached_positions(["a", "b"], [(0, 1)], cache) == [(9.0, 9.0), (8.0, 8.0)]
    assert cached_positions(["a", "b"], [], cache) == positions(["a", "b"], [])
    cache.write_text("{cut short")
    assert cached_positions(["a", "b"], [(0, 1)], cache) == found


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert len(cached_positions(["a", "b"], [], tmp_path / "file" / "layout.json")) == 2
