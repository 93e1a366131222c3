"""A secret or a piece of personal data found in a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["key", "password", "card", "identity", "email", "phone", "person"]
KINDS: tuple[Kind, ...] = get_args(Kind)

NAMES: dict[Kind, str] = {
    "key": "key or token",
    "password": "password",
    "card": "card or account number",
    "identity": "identity number",
    "email": "e-mail address",
    "phone": "phone number",
    "person": "personal detail",
}
"""What they are called where people read of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`text[start:end]` is something to keep private."""

    kind: Kind
    start: int
    end: int
    confidence: float  # 0..1: 1 has a check sum or a maker's mark, 0.7 only a cue word beside it


def disjoint(found: Iterable[Finding]) -> list[Finding]:
    """The findings in order; where some overlap, one that covers them all, of the surest's kind."""
    merged: list[Finding] = []
    for item in sorted(found, key=lambda item: (item.start, -item.end)):
        last = merged[-1] if merged else None
        if last and item.start < last.end:
            surest = max(last, item, key=lambda one: one.confidence)
            end = max(last.end, item.end)
            merged[-1] = Finding(surest.kind, last.start, end, surest.confidence)
        else:
            merged.append(item)
    return merged
