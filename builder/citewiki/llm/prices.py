"""What models cost, so that a run can say what it spent."""

from __future__ import annotations

from typing import NamedTuple

from citewiki.llm.port import Usage


class Price(NamedTuple):
    """USD for a million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float  # for the five minutes that caches live by default


# platform.claude.com/docs/en/about-claude/pricing as of November 2026. A dated name
# ("claude-haiku-4-5-20251001") costs what its longest beginning here costs.
PRICES = {
    "claude-fable-5-1": Price(10, 50, 0.25, 12.50),
    "claude-fable-5": Price(10, 50, 1.00, 12.50),
    "claude-opus-5-5": Price(4, 20, 0.20, 5.00),
    "claude-opus-5": Price(5, 25, 0.50, 6.25),
    "claude-opus-4-": Price(5, 25, 0.50, 6.25),
    "claude-sonnet-5-5": Price(2, 10, 0.10, 2.50),
    "claude-sonnet-5": Price(2, 10, 0.20, 2.50),
    "claude-sonnet-4-": Price(3, 15, 0.30, 3.75),
    "claude-haiku-5-5": Price(0.10, 0.50, 0.01, 0.125),
    "claude-haiku-4-5": Price(1, 5, 0.10, 1.25),
}
LONG_PROMPTS = {"claude-haiku-5-5": (100_000, 5.0)}
"""Models that cost more from a length of the prompt on: (tokens, factor on every price)."""


def usd(model: str, usage: Usage) -> float | None:
    """The price of one call; None when the model is not in the list."""
    name = max((name for name in PRICES if model.startswith(name)), key=len, default="")
    if not name:
        return None
    price = PRICES[name]
    total = (
        usage.input * price.input
        + usage.output * price.output
        + usage.cache_read * price.cache_read
        + usage.cache_write * price.cache_write
    ) / 1e6
    most, factor = LONG_PROMPTS.get(name, (0, 1.0))
    prompt = usage.input + usage.cache_read + usage.cache_write
    return total * factor if prompt > most else total
