"""raw/manifest.jsonl: what each source is, and what became of every section of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, get_args

from citewiki.errors import SourceError
from citewiki.model import SectionRecord, SectionStatus, SourceRecord, Version, as_json, moment

MANIFEST = "raw/manifest.jsonl"
"""Where it lies, relative to the wiki's root."""

_STATUSES = frozenset(get_args(SectionStatus))


def load_manifest(root: Path) -> dict[str, SourceRecord]:
    """The records of the wiki at `root` by source id; empty when there is no manifest yet.

    Raises SourceError naming the line that cannot be read.
    """
    path = root / MANIFEST
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(MANIFEST, f"cannot be read ({error})") from error
    return parse_manifest(text)


def parse_manifest(text: str, path: str = MANIFEST) -> dict[str, SourceRecord]:
    """The records by source id, in the order of the lines; raises SourceError naming the line."""
    records: dict[str, SourceRecord] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = _record(json.loads(line))
            if record.id in records:
                raise ValueError(f"the id “{record.id}” is there twice")
        except (ValueError, RecursionError) as error:
            raise SourceError(
                f"{path}:{number}",
                f"not the record of a source ({error})",
                hint="mend or remove the line; its source can be ingested again",
            ) from error
        records[record.id] = record
    return records


def render_manifest(records: Iterable[SourceRecord]) -> str:
    """The manifest's text: a line for each source, ordered by path, so that diffs stay small."""
    ordered = sorted(records, key=lambda record: (record.path, record.id))
    return "".join(json.dumps(_plain(record), ensure_ascii=False) + "\n" for record in ordered)


def _plain(record: SourceRecord) -> Any:
    """The record as JSON; most sources have one version and are no user's: nothing is said then."""
    data = as_json(record)
    return {k: v for k, v in data.items() if v or k not in ("versions", "owner")}


def _record(data: Any) -> SourceRecord:
    """A record from JSON; raises ValueError saying which key is wrong. Unknown keys are ignored."""
    sections = _get(data, "sections", list)
    return SourceRecord(
        id=_get(data, "id", str),
        path=_get(data, "path", str),
        origin=_get(data, "origin", str),
        sha256=_get(data, "sha256", str),
        media_type=_get(data, "media_type", str),
        bytes=_get(data, "bytes", int),
        fetched_at=moment(_get(data, "fetched_at", str)),
        reader=_get(data, "reader", str),
        title=_get(data, "title", str),
        sections=tuple(map(_section, sections)),
        versions=tuple(map(_version, _get(data, "versions", list, []))),
        owner=_get(data, "owner", str, ""),
    )


def _version(data: Any) -> Version:
    return Version(
        path=_get(data, "path", str),
        sha256=_get(data, "sha256", str),
        fetched_at=moment(_get(data, "fetched_at", str)),
    )


def _section(data: Any) -> SectionRecord:
    status = _get(data, "status", str)
    if status not in _STATUSES:
        raise ValueError(f"status “{status}” is none of {', '.join(sorted(_STATUSES))}")
    pages = _get(data, "pages", list, [])
    if not all(isinstance(slug, str) for slug in pages):
        raise ValueError("pages must be slugs")
    return SectionRecord(
        id=_get(data, "id", str),
        title=_get(data, "title", str, ""),
        locator=_get(data, "locator", str, ""),
        chars=_get(data, "chars", int, 0),
        status=status,
        pages=tuple(pages),
        reason=_get(data, "reason", str, ""),
        sha256=_get(data, "sha256", str, ""),
    )


def _get(data: Any, key: str, kind: type, default: Any = None) -> Any:
    """`data[key]`, which must be a `kind`; `default` when the key is missing and there is one."""
    if not isinstance(data, dict):
        raise ValueError("not an object")
    value = data.get(key, default)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{key} must be a {kind.__name__}")
    return value
