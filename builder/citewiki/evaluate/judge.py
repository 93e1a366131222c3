"""The judge suite: claims with the passages they cite, against labels by people."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citewiki.errors import DataError

_NUMBERED = re.compile(r"^\[\d+\]\s*")


@dataclass(frozen=True, slots=True)
class Pair:
    """One claim with the passages that it cites."""

    claim: str
    passages: tuple[str, ...]  # plain text
    label: str  # SUPPORT, CONTRADICT, NEI; attributable, not attributable
    group: str  # pairs of one group share a document or question: they are never parted


def load_scifact(folder: Path) -> list[Pair]:
    """Scientific claims (Wadden et al. 2020), each with an abstract as its one passage."""
    documents = {row["_id"]: row for row in _rows(folder / "corpus.jsonl")}
    texts = {
        name: "\n\n".join([row["title"], " ".join(part.strip() for part in row["sentences"])])
        for name, row in documents.items()
    }
    return [
        Pair(row["claim"], (texts[row["doc"]],), row["label"], row["doc"])
        for row in _rows(folder / "pairs.jsonl")
    ]


def load_hagrid(folder: Path) -> list[Pair]:
    """Claims of a model with the passages that it cited (Kamalloo et al. 2023)."""
    return [
        Pair(
            row["claim"],
            tuple(_NUMBERED.sub("", text) for text in row["refs"]),
            row["label"],
            row["question"],
        )
        for row in _rows(folder / "pairs.jsonl")
    ]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    try:
                        yield json.loads(line)
                    except ValueError as error:
                        raise DataError(f"{path}:{number}", f"not JSON: {error}") from error
    except OSError as error:
        raise DataError(str(path), "cannot be read", hint="see the README of the data") from error
