"""Weights of the judge's two logistic regressions, as `bench/fit_judge.py` fits them."""

from __future__ import annotations

COVERED: dict[str, float] = {}
ALIKE: dict[str, float] = {}
ENOUGH_COVERED = 0.45
ENOUGH_ALIKE = 0.4
