"""The judge suite: how the deterministic judge's verdicts agree with those of people."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from citewiki.errors import DataError
from citewiki.evaluate.judge import Pair, load_hagrid, load_scifact
from citewiki.evaluate.metrics import (
    Figures,
    Report,
    balanced_accuracy,
    bootstrap,
    mean,
    percentile,
)
from citewiki.judge.core import check_claim
from citewiki.text.tokens import content_words, tokens

SUPPORTED = frozenset({"SUPPORT", "attributable"})
CONTRADICTED = "CONTRADICT"

OVERLAP = 0.5
"""Share of a claim's words from which the baseline accepts it."""

Outcome = tuple[str, bool]  # a pair's label, and whether it was accepted


def run(folder: Path) -> Report:
    """Accepted or not, over the labelled pairs in `folder` (pairs.jsonl, and corpus.jsonl).

    Raises DataError.
    """
    if not (folder / "pairs.jsonl").is_file():
        raise DataError(str(folder), "holds no pairs.jsonl", hint="name the folder of a set")
    scifact = (folder / "corpus.jsonl").is_file()
    pairs = load_scifact(folder) if scifact else load_hagrid(folder)
    outcomes: list[Outcome] = []
    times: list[float] = []
    for pair in pairs:
        start = time.process_time()
        outcomes.append((pair.label, check_claim(pair.claim, pair.passages).supported))
        times.append(1000 * (time.process_time() - start))
    measures = dict(_MEASURES)
    if not any(pair.label == CONTRADICTED for pair in pairs):
        del measures["false_accept_contradict"]
    figures = {name: measure(outcomes) for name, measure in measures.items()}
    intervals = {name: bootstrap(outcomes, measure) for name, measure in measures.items()}
    figures |= {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
    words = [(pair.label, _overlaps(pair)) for pair in pairs]
    baseline: Figures = {name: measure(words) for name, measure in measures.items()}
    return Report("judge", len(pairs), figures, intervals, {"word overlap": baseline})


def _overlaps(pair: Pair) -> bool:
    """The baseline: at least half of the claim's content words stand in one passage."""
    words = content_words(pair.claim)
    held = (set(tokens(passage)) for passage in pair.passages)
    best = max((sum(word in text for word in words) for text in held), default=0)
    return best >= OVERLAP * max(len(words), 1)


def _balanced(outcomes: Sequence[Outcome]) -> float:
    return balanced_accuracy([(label in SUPPORTED, accepted) for label, accepted in outcomes])


def _accepted(outcomes: Sequence[Outcome], labels: frozenset[str]) -> float:
    return mean([float(accepted) for label, accepted in outcomes if label in labels])


_MEASURES: dict[str, Callable[[Sequence[Outcome]], float]] = {
    "balanced_accuracy": _balanced,
    "accept_support": lambda outcomes: _accepted(outcomes, SUPPORTED),
    "false_accept_contradict": lambda outcomes: _accepted(outcomes, frozenset({CONTRADICTED})),
}
