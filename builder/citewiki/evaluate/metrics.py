"""Measures, with intervals, and the report that holds them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2
from typing import Any, TypeVar

SAMPLES = 1000
"""Bootstrap samples of an interval."""

Value = TypeVar("Value")
Figures = dict[str, float]
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Report:
    """What a suite found. Values are fractions, not percent; times are milliseconds."""

    suite: str
    n: int  # questions or pairs
    figures: Figures
    intervals: dict[str, Interval] = field(default_factory=dict)  # 95 %
    baselines: dict[str, Figures] = field(default_factory=dict)  # by step, same run


def recall(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """Share of the gold pages among the first `depth`."""
    return len(set(ranked[:depth]) & set(gold)) / len(set(gold))


def all_gold(ranked: Sequence[str], gold: Sequence[str], depth: int) -> float:
    """1 when every gold page is among the first `depth`, else 0."""
    return float(set(gold) <= set(ranked[:depth]))


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[str]) -> float:
    """1 / rank of the first gold page; 0 when there is none."""
    return next((1 / rank for rank, slug in enumerate(ranked, 1) if slug in set(gold)), 0.0)


def ndcg(ranked: Sequence[str], gold: Sequence[str], depth: int = 10) -> float:
    """Normalised discounted cumulative gain with binary relevance (Järvelin & Kekäläinen 2002)."""
    wanted = set(gold)
    gain = sum(1 / log2(rank + 1) for rank, slug in enumerate(ranked[:depth], 1) if slug in wanted)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(len(wanted), depth) + 1))
    return gain / ideal if ideal else 0.0


def mean(values: Sequence[float]) -> float:
    """The mean; 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0..1) of the values lie; 0 of nothing."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))] if ranked else 0.0


def balanced_accuracy(outcomes: Sequence[tuple[bool, bool]]) -> float:
    """Mean of the accuracies on the true and on the false, of (is so, was said to be so) pairs."""
    said_of_true = [float(said) for so, said in outcomes if so]
    said_of_false = [float(not said) for so, said in outcomes if not so]
    return (mean(said_of_true) + mean(said_of_false)) / 2


def bootstrap(
    values: Sequence[Value], statistic: Callable[[Sequence[Value]], float] | None = None
) -> Interval:
    """The 95 % percentile interval of `statistic` (the mean when None); Efron 1979.

    The seed is fixed, so that a report can be made again.
    """
    if not values:
        return 0.0, 0.0
    measure: Callable[[Any], float] = statistic or mean
    chance = random.Random(len(values))
    found = sorted(measure(chance.choices(values, k=len(values))) for _ in range(SAMPLES))
    return found[int(0.025 * SAMPLES)], found[int(0.975 * SAMPLES) - 1]


def gathered(
    measured: Sequence[Mapping[str, float]], sets: Sequence[str]
) -> tuple[Figures, dict[str, Interval]]:
    """Means and intervals of every measure, overall and for each set (`hotpotqa/recall@5`)."""
    figures: Figures = {}
    intervals: dict[str, Interval] = {}
    for name in ("", *sorted({each for each in sets if each})):
        rows = [row for row, own in zip(measured, sets, strict=True) if not name or own == name]
        for key in dict.fromkeys(key for row in rows for key in row):
            values = [row[key] for row in rows if key in row]
            label = f"{name}/{key}" if name else key
            figures[label] = mean(values)
            intervals[label] = bootstrap(values)
    return figures, intervals
