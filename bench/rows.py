"""What a measurement gives back."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure and the bar that it must not pass."""

    name: str
    figure: float
    bar: float  # the figure must be at most this
    unit: str = "×"  # "×" a ratio within one run, "%" of something, "MiB"

    @property
    def met(self) -> bool:
        """Whether the bar holds."""
        return self.figure <= self.bar
