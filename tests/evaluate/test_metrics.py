from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.evaluate.metrics import (
    all_gold,
    balanced_accuracy,
    bootstrap,
    gathered,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)


def test_recall_counts_the_gold_pages_among_the_first():
    assert recall(["a", "b", "c"], ["c", "x"], 2) == 0
    assert recall(["a", "b", "c"], ["c", "x"], 3) == 0.5
    assert all_gold(["a", "b"], ["b", "a"], 5) == 1
    assert all_gold(["a", "b"], ["b", "c"], 5) == 0


def test_reciprocal_rank_and_ndcg_are_those_of_the_textbook():
    assert reciprocal_rank(["x", "y", "g"], ["g"]) == pytest.approx(1 / 3)
    assert reciprocal_rank(["x"], ["g"]) == 0
    assert ndcg(["g", "x"], ["g"]) == 1
    assert ndcg(["x", "g"], ["g"]) == pytest.approx(0.6309, abs=1e-4)


def test_balanced_accuracy_does_not_reward_saying_yes_to_all():
    assert balanced_accuracy([(True, True)] * 9 + [(False, True)]) == 0.5
    assert balanced_accuracy([(True, True), (False, False)]) == 1


def test_figures_are_given_for_all_and_for_each_set():
    figures, intervals = gathered([{"m": 1.0}, {"m": 0.0}, {"m": 0.0}], ["a", "a", "b"])
    assert figures == {"m": pytest.approx(1 / 3), "a/m": 0.5, "b/m": 0.0}
    assert set(intervals) == set(figures)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_an_interval_lies_within_the_values_and_can_be_made_again(values: list[float]):
    low, high = bootstrap(values)
    assert min(values) - 1e-9 <= low <= high <= max(values) + 1e-9
    assert bootstrap(values) == (low, high)


def test_percentiles_of_few_and_of_none():
    assert percentile([], 0.5) == 0
    assert percentile([3, 1, 2], 0.5) == 2
    assert percentile([1], 0.95) == 1
