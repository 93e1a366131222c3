"""Weights of the judge's two logistic regressions, fitted by `python -m bench.fit_judge`.

On SciFact (919 pairs) and HAGRID (542), folds apart by document and question; bench/README.md has
the figures. Features are those of `core.coverage_features` and `core.contrast_features`.
"""

from __future__ import annotations

COVERED: dict[str, float] = {
    "letters": 1.76,
    "letters²": 1.48,
    "longest_gap": -0.37,
    "mean_coverage": 0.86,
    "name_missing": -0.79,
    "number_missing": -0.13,
    "number_everywhere": 1.60,
    "length": 0.54,
    "bias": -3.77,
}
"""Of the probability that the passages say what the claim says, or its opposite."""

ALIKE: dict[str, float] = {
    "same": 1.39,
    "only_claim": 0.34,
    "only_passage": -0.60,
    "negation": -1.20,
    "object": 1.53,
    "turns": -1.69,
    "lowers": -0.37,
    "window": 0.07,
    "bias": 1.44,
}
"""Of the probability that what they say is not the opposite."""

ENOUGH_COVERED = 0.42
ENOUGH_ALIKE = 0.38
"""From which probabilities a claim stands. Lower lets through more of SciFact's contradictions
than 0.3, higher refuses more of HAGRID's attributable claims than balanced accuracy gains."""
