"""The refusal suite: whether the program answers what can be answered, and refuses the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from citewiki.ask import ask
from citewiki.config import AskConfig
from citewiki.evaluate.data import Asked, indexed, load_collection
from citewiki.evaluate.metrics import (
    Interval,
    Report,
    balanced_accuracy,
    bootstrap,
    mean,
    percentile,
    recall,
)
from citewiki.text.folding import fold

DAY = datetime(2026, 1, 1, tzinfo=UTC)
"""The day on which questions are asked: the pages of a set have no times, so any will do."""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What became of one question."""

    answerable: bool
    answered: bool
    supported: bool | None  # whether the first quote is among the supporting ones; None: unknown
    first: float  # recall@1 of the gold page
    fifth: float  # recall@5
    milliseconds: float


def run(folder: Path) -> Report:
    """Answered or refused, and what was cited, over the set in `folder`. Raises DataError."""
    collection = load_collection(folder)
    with indexed(collection.pages) as index:
        outcomes = []
        for each in collection.questions:
            start = time.process_time()
            answer = ask(index, each.text, settings=AskConfig(), now=DAY)
            spent = 1000 * (time.process_time() - start)
            ranked = [hit.slug for hit in answer.retrieved]
            quotes = [c.quote for claim in answer.claims for c in claim.citations]
            outcomes.append(
                _Outcome(
                    each.answerable,
                    answer.refusal is None,
                    _supports(quotes[0], each) if quotes and each.support else None,
                    recall(ranked, each.gold, 1) if each.gold else 0.0,
                    recall(ranked, each.gold, 5) if each.gold else 0.0,
                    spent,
                )
            )
    figures = {name: measure(outcomes) for name, measure in _MEASURES.items()}
    intervals: dict[str, Interval] = {
        name: bootstrap(outcomes, measure) for name, measure in _MEASURES.items()
    }
    times = [each.milliseconds for each in outcomes]
    figures |= {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
    always = {"balanced_accuracy": 0.5, "answered_precision": _answerable_share(outcomes)}
    return Report("refusal", len(outcomes), figures, intervals, {"always answer": always})


def _supports(quote: str, asked: Asked) -> bool:
    """Whether a quote is one of the supporting sentences, or holds or lies in one of them."""
    key = _letters(quote)
    return any(key in each or each in key for each in map(_letters, asked.support) if each)


def _letters(text: str) -> str:
    """Only letters and digits: the sets cut their text into words."""
    return "".join(char for char in fold(text) if char.isalnum())


def _pairs(outcomes: Sequence[_Outcome]) -> list[tuple[bool, bool]]:
    return [(each.answerable, each.answered) for each in outcomes]


def _answerable_share(outcomes: Sequence[_Outcome]) -> float:
    return mean([float(each.answerable) for each in outcomes])


def _share(part: Sequence[_Outcome], *, answered: bool) -> float:
    return mean([float(each.answered is answered) for each in part])


def _precision(outcomes: Sequence[_Outcome], *, answered: bool) -> float:
    chosen = [each for each in outcomes if each.answered is answered]
    return mean([float(each.answerable is answered) for each in chosen])


_MEASURES: dict[str, Callable[[Sequence[_Outcome]], float]] = {
    "balanced_accuracy": lambda outcomes: balanced_accuracy(_pairs(outcomes)),
    "refusal_precision": lambda outcomes: _precision(outcomes, answered=False),
    "refusal_recall": lambda outcomes: _share(
        [each for each in outcomes if not each.answerable], answered=False
    ),
    "answered_precision": lambda outcomes: _precision(outcomes, answered=True),
    "answered_recall": lambda outcomes: _share(
        [each for each in outcomes if each.answerable], answered=True
    ),
    "support_precision": lambda outcomes: mean(
        [float(each.supported) for each in outcomes if each.supported is not None]
    ),
    "answerable_recall@1": lambda outcomes: mean(
        [each.first for each in outcomes if each.answerable]
    ),
    "answerable_recall@5": lambda outcomes: mean(
        [each.fifth for each in outcomes if each.answerable]
    ),
}
