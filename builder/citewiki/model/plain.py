"""Values as plain JSON types."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any


def as_json(value: Any) -> Any:
    """A value of the model as plain JSON types: times in ISO 8601 UTC, `Answer` with status."""
    if is_dataclass(value) and not isinstance(value, type):
        plain = {f.name: as_json(getattr(value, f.name)) for f in fields(value)}
        return value.printed(plain) if hasattr(value, "printed") else plain
    if isinstance(value, datetime):
        return iso(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Path):
        return value.as_posix()
    if isinstance(value, dict):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [as_json(item) for item in value]
    return value


def iso(moment: datetime) -> str:
    """A UTC time as the wiki writes it: 2026-05-12T14:00:00Z, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
