"""UTF-8 that was written as if each byte were a character (exports of Messenger and Instagram)."""

from __future__ import annotations

from typing import Any

_DEEPEST = 6  # levels of a message


def repaired(text: str) -> str:
    """The text that was meant; the same text where it was not spoilt that way.

    >>> repaired("Nguyá»\\x85n")
    'Nguyễn'
    """
    if text.isascii():
        return text
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text


def repaired_values(value: Any, depth: int = 0) -> Any:
    """Parsed JSON with all its texts repaired, but not its keys."""
    if isinstance(value, str):
        return repaired(value)
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [repaired_values(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: repaired_values(item, depth + 1) for key, item in value.items()}
    return value
