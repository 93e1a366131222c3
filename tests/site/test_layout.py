"""Places of the graph's nodes."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from citewiki.site.layout import cached_positions, positions

NAMES = [f"page-{number}" for number in range(400)]
PAIRS = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30)


@settings(max_examples=5, deadline=None)
@given(PAIRS)
def test_places_lie_in_the_square_and_are_the_same_every_time(links: list[tuple[int, int]]) -> None:
    groups = [f"d{number % 3}" for number in range(12)]
    first = positions(NAMES[:12], groups, links)
    assert first == positions(NAMES[:12], groups, links)
    assert all(-1 <= value <= 1 for place in first for value in place)
    assert len(set(first)) == len(first)


def test_linked_pages_stand_nearer_than_others() -> None:
    ring = [(number, (number + 1) % 6) for number in range(6)]
    places = positions(NAMES[:12], ["a"] * 12, ring + [(a + 6, b + 6) for a, b in ring])

    def gap(a: int, b: int) -> float:
        return ((places[a][0] - places[b][0]) ** 2 + (places[a][1] - places[b][1]) ** 2) ** 0.5

    within = max(gap(a, b) for a, b in ring)
    between = min(gap(a, b) for a in range(6) for b in range(6, 12))
    assert within < between * 2
    assert gap(0, 1) < sum(gap(0, other) for other in range(6, 12)) / 6


def test_pages_of_a_large_graph_stand_apart() -> None:
    places = positions(NAMES, ["a", "b"] * 200, [(number, number // 2) for number in range(400)])
    assert len(set(places)) > 395


def test_no_page_and_one_page_need_no_layout() -> None:
    assert positions([], [], []) == []
    assert positions(["p"], ["a"], [(0, 0)]) == [(0.0, 0.0)]


def test_places_are_kept_until_the_graph_changes(tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "layout.json"
    found = cached_positions(["p", "q"], ["a", "b"], [(0, 1)], cache)
    kept = json.loads(cache.read_text())
    cache.write_text(json.dumps({**kept, "positions": [[9, 9], [8, 8]]}))
    assert cached_positions(["p", "q"], ["a", "b"], [(0, 1)], cache) == [(9.0, 9.0), (8.0, 8.0)]
    assert cached_positions(["p", "q"], ["a", "b"], [], cache) == positions(
        ["p", "q"], ["a", "b"], []
    )
    cache.write_text("{cut short")
    assert cached_positions(["p", "q"], ["a", "b"], [(0, 1)], cache) == found


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert len(cached_positions(["p", "q"], ["a", "b"], [], tmp_path / "file" / "layout.json")) == 2


def web(pages: int) -> list[tuple[int, int]]:
    """Links as wikis have them: most to pages of the same tenth, most of those to its first."""
    chance = random.Random(2)
    found = []
    for page in range(pages):
        for _ in range(4):
            near = page // (pages // 10) * (pages // 10)
            other = near + chance.randrange(min(pages // 10, 1 + chance.randrange(pages // 10)))
            found.append((page, chance.randrange(pages) if chance.random() < 0.1 else other))
    return found


def test_a_page_more_moves_the_others_little() -> None:
    links, groups = web(300), [f"d{number // 100}" for number in range(300)]
    before = positions(NAMES[:300], groups, links)
    added = [*links, (300, 5), (300, 17), (42, 300)]
    after = positions([*NAMES[:300], "one-more"], [*groups, "d0"], added)
    moved = sorted(math.dist(a, b) for a, b in zip(before, after[:300], strict=True))
    assert moved[150] < 0.06  # of the picture, which is 2 wide


def test_the_order_of_pages_says_nothing_of_their_places() -> None:
    links, groups = web(100), [f"d{number // 50}" for number in range(100)]
    forth = positions(NAMES[:100], groups, links)
    turned = [(99 - a, 99 - b) for a, b in links]
    back = positions(NAMES[99::-1], groups[::-1], turned)
    moved = sorted(math.dist(a, b) for a, b in zip(forth, back[::-1], strict=True))
    assert moved[90] < 0.05


def test_pages_without_links_stand_around_all_others() -> None:
    places = positions(NAMES[:40], ["a"] * 40, [(number, number // 2) for number in range(20)])
    far = [math.hypot(*place) for place in places]
    assert max(far[:20]) < min(far[20:])
    assert len(set(places[20:])) == 20
    assert max(far) <= 1.0001


def test_leaves_of_one_page_do_not_stand_on_one_another() -> None:
    places = positions(NAMES[:30], ["a"] * 30, [(number, 0) for number in range(1, 30)])
    gaps = [math.dist(a, b) for at, a in enumerate(places) for b in places[:at]]
    assert min(gaps) > 0.01
