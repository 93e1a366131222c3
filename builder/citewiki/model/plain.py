"""Values as plain JSON types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewiki.model.page import Page

_TIMES = frozenset(
    "ingested_at last_verified_at valid_from valid_until superseded_at archived_at"
    " generated_at valid_until_before".split()
)
"""Attributes of a page that are times."""


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


def page_from(values: Mapping[str, Any]) -> Page:
    """The page of these values in plain JSON types, times in ISO 8601; what is missing: default."""
    from citewiki.model.page import Page, ScopeNote, SourceRef, Verification

    found = dict(values)
    for key, value in values.items():
        if key in _TIMES:
            found[key] = _moment(value)
        elif isinstance(value, list):
            found[key] = tuple(value)
    found["sources"] = tuple(SourceRef(**ref) for ref in values.get("sources", ()))
    found["verified"] = tuple(
        Verification(each["by"], _moment(each["at"]), _moment(each["previous"]))
        for each in values.get("verified", ())
    )
    found["scopes"] = tuple(ScopeNote(**each) for each in values.get("scopes", ()))
    return Page(**found)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def moment(text: str) -> datetime:
    """A time that was written in ISO 8601, in UTC.

    Without an offset it is UTC, and a day alone is its first moment. Raises ValueError.
    """
    try:
        value = datetime.fromisoformat(text.strip())
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except OverflowError as error:  # of a day before the year 1 elsewhere
        raise ValueError(str(error)) from error


def iso(moment: datetime) -> str:
    """A UTC time as the wiki writes it: 2026-05-12T14:00:00Z, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
