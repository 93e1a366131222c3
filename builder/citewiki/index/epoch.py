"""Times as the index holds them."""

from __future__ import annotations

from datetime import datetime

OPEN_START, OPEN_END = -(1 << 60), 1 << 60  # seconds; bounds that a page does not state


def seconds(moment: datetime | None, missing: int) -> int:
    """A time as seconds of the epoch."""
    return missing if moment is None else int(moment.timestamp())
