"""What a search brings, and on whose behalf it looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Viewer = str | None
"""On whose behalf something is read: a user name, "*" (anyone), or None (the operator)."""

ANYONE = "*"

Via = Literal["index", "backlink", "wikilink"]


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that retrieval brought, and how it came in."""

    path: str
    slug: str
    title: str
    score: float  # unbounded, higher is better; comparable within one question only
    via: Via = "index"
    depth: int = 0  # 0 from the index, else the number of links followed
    through: str = ""  # slug of the page whose link brought it; "" from the index
