"""`ask --explain`, as tables for a person."""

from __future__ import annotations

from typing import Any

from citewiki.cli.output import styled
from citewiki.model import Answer


def print_explain(answer: Answer) -> None:
    """Terms, pages and claims of an explained answer, each as a small table."""
    found: dict[str, Any] = answer.explain or {}
    for name, rows in found.items():
        print(styled(f"\n{name}", "1"))
        if not rows:
            print("  –")
        for row in rows:
            if isinstance(row, dict):
                print("  " + "  ".join(f"{key}={_short(value)}" for key, value in row.items()))
            else:
                print(f"  {_short(row)}")


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.3g}"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} {_short(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_short, value)) + "]"
    text = str(value)
    return text if len(text) <= 60 else text[:59] + "…"
