"""Weights of the judge's two logistic regressions, fitted by `python -m bench.fit_judge`.

On SciFact (919 pairs) and HAGRID (542), folds apart by document and question; bench/README.md has
the figures. Features are those of `core.coverage_features` and `core.contrast_features`.
"""

from __future__ import annotations

COVERED: dict[str, float] = {
    "letters": 1.50,
    "letters²": 1.59,
    "longest_gap": -0.35,
    "mean_coverage": 1.08,
    "name_missing": -0.65,
    "number_missing": -0.15,
    "number_everywhere": 1.60,
    "length": 0.48,
    "bias": -3.68,
}
"""Of the probability that the passages say what the claim says, or its opposite."""

ALIKE: dict[str, float] = {
    "same": 1.32,
    "only_claim": 0.46,
    "only_passage": -0.50,
    "negation": -1.02,
    "object": 1.51,
    "turns": -1.70,
    "lowers": -0.27,
    "window": -0.12,
    "bias": 1.54,
}
"""Of the probability that what they say is not the opposite."""

ENOUGH_COVERED = 0.46
ENOUGH_ALIKE = 0.39
"""From which probabilities a claim stands. Lower lets through more of SciFact's contradictions
than 0.3, higher refuses more of HAGRID's attributable claims than balanced accuracy gains."""
