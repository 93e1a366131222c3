"""Fit when a question is answered (`query.refusal.WEIGHTS`), with cross-validated figures.

    python -m bench.fit_refusal --data DIR      # the folder that holds refusal/ and multilingual/

CLAPNQ's development questions, of which half have no answer, and questions of XQuAD in three
languages, each once with and once without the page that answers it, so that the weights do not
lean on one language or one kind of collection.
"""

from __future__ import annotations

import argparse
from itertools import chain
from pathlib import Path

import numpy as np

from bench.asked_sets import XQUAD, clapnq, xquad
from bench.logistic import fit, folds
from citewiki.query.refusal import ENOUGH, WEIGHTS, features, signs

FOLDS = 10
REPEATS = 6
RIDGE = 3.0
XQUAD_COUNTS = 1.0  # what all of XQuAD counts, against all of CLAPNQ


def main() -> None:
    """Print weights and figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    names = list(WEIGHTS)
    table, answerable, sets, groups = [], [], [], []
    silent: list[tuple[str, bool]] = []  # set and answerable: no sentence may be a basis
    others = (xquad(data, name, without_gold=drop) for name in XQUAD for drop in (False, True))
    for each in chain(clapnq(data), *others):
        sign = signs(each.question, each.weighed, each.packed, each.found)
        if sign is None:
            silent.append((each.set, each.answerable))
        else:
            measured = features(each.question, sign)
            table.append([measured[name] for name in names])
            answerable.append(each.answerable)
            sets.append(each.set)
            groups.append(each.group)
    x, y, kind = np.array(table), np.array(answerable), np.array(sets)
    size = {name: (kind == name).sum() for name in dict.fromkeys(sets)}
    share = XQUAD_COUNTS * size["clapnq"] / len(XQUAD)
    weight = np.array([1.0 if name == "clapnq" else share / size[name] for name in sets])

    held_out = np.zeros(len(x))
    for seed in range(REPEATS):
        fold = folds(groups, FOLDS, seed)
        for part in range(FOLDS):
            train = fold != part
            model = fit(x[train], y[train], weight[train], RIDGE)
            held_out[~train] += model.probability(x[~train]) / REPEATS
    model = fit(x, y, weight, RIDGE)
    print("WEIGHTS =", {n: round(float(w), 2) for n, w in zip(names, model.weights, strict=True)})
    print("BIAS =", round(model.bias, 2))
    fitted = model.probability(x)
    for name in size:
        rows = kind == name
        refused = [answers for asked, answers in silent if asked == name]
        good = np.array([*y[rows], *refused], bool)
        crossed, all_in = (
            _balanced(np.concatenate([chance[rows], np.zeros(len(refused))]), good)
            for chance in (held_out, fitted)
        )
        print(
            f"{name}: balanced accuracy {crossed:.3f} cross-validated, {all_in:.3f} fitted, "
            f"of {len(good)} questions, {len(refused)} of them without a basis"
        )


def _balanced(probability: np.ndarray, answerable: np.ndarray) -> float:
    said = probability >= ENOUGH
    return float((said[answerable].mean() + (~said)[~answerable].mean()) / 2)


if __name__ == "__main__":
    main()
