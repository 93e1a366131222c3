"""Logistic regression with a ridge, by Newton's method, in numpy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Fit:
    """Weights of the features as they come (not standardised) and the bias."""

    weights: np.ndarray
    bias: float

    def probability(self, x: np.ndarray) -> np.ndarray:
        """Of every row of `x` that it is good."""
        return np.asarray(1 / (1 + np.exp(-(x @ self.weights + self.bias))))


def fit(x: np.ndarray, good: np.ndarray, weight: np.ndarray, ridge: float) -> Fit:
    """The weights with the highest penalised likelihood; `weight` says what each row counts."""
    mean, spread = x.mean(0), x.std(0) + 1e-9
    z = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    penalty = np.diag([ridge] * x.shape[1] + [1e-6])
    beta = np.zeros(z.shape[1])
    for _ in range(60):
        probability = 1 / (1 + np.exp(-z @ beta))
        gradient = z.T @ (weight * (probability - good)) + penalty @ beta
        curvature = (z.T * (weight * probability * (1 - probability))) @ z + penalty
        step = np.linalg.solve(curvature, gradient)
        beta -= step
        if np.abs(step).max() < 1e-7:
            break
    weights = beta[:-1] / spread
    return Fit(weights, float(beta[-1] - weights @ mean))


def folds(groups: list[str], count: int, seed: int) -> np.ndarray:
    """The fold of every row; rows of one group share theirs."""
    distinct = sorted(set(groups))
    np.random.default_rng(seed).shuffle(distinct)
    fold = {group: at % count for at, group in enumerate(distinct)}
    return np.array([fold[group] for group in groups])
