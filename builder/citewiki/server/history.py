"""The questions that a user has asked, for that user alone: a private file each, easily deleted."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from citewiki.errors import UserError
from citewiki.model import iso
from citewiki.store.keys import PRIVATE, private_lock, read_private, write_private

MOST = 50
"""Questions that are kept; older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Past:
    """A question that was asked."""

    question: str
    at: str  # ISO 8601, UTC
    status: str  # "answered" or "refused"

    @property
    def day(self) -> str:
        """Its day, as 2026-05-12."""
        return self.at[:10]


def past(root: Path, user: str) -> tuple[Past, ...]:
    """What `user` has asked, the newest first."""
    try:
        kept = read_private(root, _name(user)).get("questions", [])
        return tuple(Past(str(one["question"]), str(one["at"]), str(one["status"])) for one in kept)
    except (UserError, KeyError, TypeError, AttributeError):
        return ()  # a damaged list of questions keeps nobody from asking the next


def remember(root: Path, user: str, question: str, status: str, now: datetime) -> None:
    """Note a question; one that was asked before moves to the top."""
    new = Past(" ".join(question.split()), iso(now), status)
    with private_lock(root):
        others = [each for each in past(root, user) if each.question != new.question]
        _write(root, user, [new, *others][:MOST])


def forget(root: Path, user: str) -> None:
    """Delete all questions of `user`."""
    with private_lock(root):
        (root / _name(user)).unlink(missing_ok=True)


def _write(root: Path, user: str, questions: list[Past]) -> None:
    kept: list[dict[str, Any]] = [asdict(each) for each in questions]
    write_private(root, _name(user), {"questions": kept}, durable=False)


def _name(user: str) -> str:
    """The file of `user`; named by a hash, as a user's name may be none for a file."""
    return f"{PRIVATE}/history/{hashlib.sha256(user.encode()).hexdigest()[:24]}.json"
