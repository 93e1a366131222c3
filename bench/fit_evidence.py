"""Fit what speaks for a sentence (`query.evidence.WEIGHTS`), with cross-validated figures.

    python -m bench.fit_evidence --data DIR      # the folder that holds refusal/ and multilingual/

A conditional logit (McFadden 1974): among the sentences of a question's pages, those that answer
should have the greatest sum of weighed measures. The figure is how often the first one answers.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

import numpy as np

from bench.asked_sets import XQUAD, Tried, clapnq, xquad
from bench.logistic import folds
from citewiki.query.evidence import WEIGHTS

FOLDS = 6
RIDGE = 1.0
CLAPNQ = 6.0  # what a question of CLAPNQ counts against one of XQuAD, of which there are more


def main() -> None:
    """Print weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    tried = [
        each
        for each in chain(clapnq(data), *(xquad(data, name) for name in XQUAD))
        if any(each.answers)
    ]
    names = list(WEIGHTS)
    tables = [_table(each, names) for each in tried]
    right = [np.array(each.answers, float) for each in tried]
    sets = np.array([each.set for each in tried])
    counts = np.where(sets == "clapnq", CLAPNQ, 1.0)
    fold = folds([each.group for each in tried], FOLDS, 0)
    held_out = np.zeros(len(tried))
    for each in range(FOLDS):
        train = np.flatnonzero(fold != each)
        weights = _fit([tables[at] for at in train], [right[at] for at in train], counts[train])
        for at in np.flatnonzero(fold == each):
            held_out[at] = right[at][np.argmax(tables[at] @ weights)]
    weights = _fit(tables, right, counts)
    print("WEIGHTS =", {name: round(float(w), 2) for name, w in zip(names, weights, strict=True)})
    first = np.array([y[np.argmax(x @ weights)] for x, y in zip(tables, right, strict=True)])
    for name in dict.fromkeys(sets):
        rows = sets == name
        print(
            f"{name}: first sentence answers {held_out[rows].mean():.3f} cross-validated, "
            f"{first[rows].mean():.3f} fitted, of {rows.sum()} questions"
        )


def _table(tried: Tried, names: list[str]) -> np.ndarray:
    return np.array([[each.measures[name] for name in names] for each in tried.found])


def _fit(tables: list[np.ndarray], right: list[np.ndarray], counts: np.ndarray) -> np.ndarray:
    """Weights of the measures as they come, by Newton's method on the penalised likelihood."""
    spread = np.concatenate(tables).std(0) + 1e-9
    scaled = [table / spread for table in tables]
    beta = np.zeros(len(spread))
    for _ in range(20):
        gradient = RIDGE * beta
        curvature = RIDGE * np.eye(len(beta))
        for x, y, count in zip(scaled, right, counts, strict=True):
            utility = x @ beta
            chance = np.exp(utility - utility.max())
            chance /= chance.sum()
            among_right = chance * y / (chance * y).sum()
            mean = x.T @ chance
            gradient = gradient - count * (x.T @ among_right - mean)
            curvature = curvature + count * ((x.T * chance) @ x - np.outer(mean, mean))
        step = np.linalg.solve(curvature, gradient)
        beta = beta - step * min(1.0, 3.0 / np.abs(step).max())
        if np.abs(step).max() < 1e-5:
            break
    return np.asarray(beta / spread)


if __name__ == "__main__":
    main()
