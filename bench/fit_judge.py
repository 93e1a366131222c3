"""Fit the judge's two logistic regressions and print them with cross-validated figures.

    python -m bench.fit_judge --data DIR      # DIR/scifact and DIR/hagrid, as `citewiki eval judge`

`COVERED` learns from claims that their document supports or does not speak of, `ALIKE` from claims
that it supports or contradicts. Folds part documents and questions, never the pairs of one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from bench.logistic import Fit, fit, folds
from citewiki.evaluate.judge import load_hagrid, load_scifact
from citewiki.judge import core
from citewiki.judge.reading import Passage, read_passage

FOLDS = 10
REPEATS = 5
RIDGE = 3.0  # on standardised features; between 1 and 10 the figures do not move


def main() -> None:
    """Print weights, and what they reach on pairs that they were not fitted on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    pairs = [*load_scifact(data / "scifact"), *load_hagrid(data / "hagrid")]
    read: dict[str, Passage] = {}
    found: list[core.Beside] = []  # a row for every sentence of every claim
    of: list[int] = []  # its pair
    for at, pair in enumerate(pairs):
        for text in pair.passages:
            if text not in read:
                read[text] = read_passage(text)
        said = [read[text] for text in pair.passages]
        for part in core.read_claim(pair.claim):
            found.append(core.gather(part, said))
            of.append(at)

    owner = np.array(of)
    label = np.array([pair.label for pair in pairs])[owner]
    groups = [pairs[at].group for at in of]
    silent = label != "CONTRADICT"
    scifact = np.isin(label, ("SUPPORT", "CONTRADICT"))
    kinds = (
        ("COVERED", core.coverage_features, silent),
        ("ALIKE", core.contrast_features, scifact),
    )
    held_out = {}
    for name, features, rows in kinds:
        table = [features(each) for each in found]
        names = list(table[0])
        x = np.array([[row[key] for key in names] for row in table])
        good = np.isin(label, ("SUPPORT", "attributable"))
        weight = _balanced(label, rows) / np.bincount(owner)[owner]
        held_out[name] = _cross_validated(x, good, weight, rows, groups)
        _print(name, names, fit(x[rows], good[rows], weight[rows], RIDGE))
    _report([pair.label for pair in pairs], owner, held_out, found)


def _balanced(label: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Every label weighs the same, whatever its number of pairs."""
    weight = np.zeros(len(label))
    for each in np.unique(label[rows]):
        weight[label == each] = 300 / (label == each).sum()
    return weight


def _cross_validated(
    x: np.ndarray, good: np.ndarray, weight: np.ndarray, rows: np.ndarray, groups: list[str]
) -> np.ndarray:
    """Probability of every pair by models that have not seen its group, over several partings."""
    total = np.zeros(len(x))
    for seed in range(REPEATS):
        fold = folds(groups, FOLDS, seed)
        for each in range(FOLDS):
            train = (fold != each) & rows
            total[fold == each] += fit(x[train], good[train], weight[train], RIDGE).probability(
                x[fold == each]
            )
    return total / REPEATS


def _print(name: str, names: list[str], fitted: Fit) -> None:
    print(f"{name}: dict[str, float] = {{")
    for key, value in zip([*names, "bias"], [*fitted.weights, fitted.bias], strict=True):
        print(f'    "{key}": {value:.2f},')
    print("}")


def _report(
    labels: list[str],
    owner: np.ndarray,
    probability: dict[str, np.ndarray],
    found: list[core.Beside],
) -> None:
    """Rates at several thresholds, with the checks that are decided without a fit."""
    label = np.array(labels)
    for enough_covered in (0.42, 0.45, 0.48):
        for enough_alike in (0.36, 0.38, 0.42):
            stands = [
                core.decide(each, one >= enough_covered, two >= enough_alike)[0]
                for each, one, two in zip(
                    found, probability["COVERED"], probability["ALIKE"], strict=True
                )
            ]
            accepted = np.ones(len(label), bool)
            np.logical_and.at(accepted, owner, stands)
            rate = {each: accepted[label == each].mean() for each in np.unique(label)}
            wrong = accepted[np.isin(label, ("NEI", "CONTRADICT"))].mean()
            print(
                f"covered ≥ {enough_covered:.2f}, alike ≥ {enough_alike:.2f}: "
                f"SciFact S {rate['SUPPORT']:.3f} C {rate['CONTRADICT']:.3f} N {rate['NEI']:.3f} "
                f"balanced {(rate['SUPPORT'] + 1 - wrong) / 2:.3f}, "
                f"HAGRID {rate['attributable']:.3f} {rate['not attributable']:.3f} "
                f"balanced {(rate['attributable'] + 1 - rate['not attributable']) / 2:.3f}"
            )


if __name__ == "__main__":
    main()
