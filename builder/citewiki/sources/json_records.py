"""JSON and JSON Lines whose objects are the rows of a table."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from citewiki.model import Source
from citewiki.sources.csv_reader import records_source
from citewiki.sources.records import MOST_ROWS, table

_ALIKE = 0.5
"""Share of all keys that the median object must have for the objects to be rows of one table."""


def read(data: Any, name: str) -> Source | None:
    """The sections of a list of objects that are alike; None for other JSON."""
    if isinstance(data, dict):  # {"data": [...], "count": 3}
        lists = [value for value in data.values() if _is_rows(value)]
        data = lists[0] if len(lists) == 1 else None
    if not _is_rows(data):
        return None
    keys = list(dict.fromkeys(key for row in data for key in row))
    sizes = sorted(len(row) for row in data)
    if sizes[len(sizes) // 2] < _ALIKE * len(keys):
        return None
    rows = [[_cell(row.get(key)) for key in keys] for row in data[:MOST_ROWS]]
    unread = len(data) - len(rows)
    found = records_source(
        [table(keys, rows, 1, unread=unread)], name, reader="json", media_type="application/json"
    )
    named = name.lower().endswith((".jsonl", ".ndjson"))
    return replace(found, media_type="application/jsonl") if named else found


def _is_rows(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(isinstance(row, dict) for row in data)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, str | int | float) for item in value):
        return ", ".join(map(_cell, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
