"""The coverage ledger: what became of every section of every source."""

from __future__ import annotations

from pathlib import Path

from citewiki.errors import DataError
from citewiki.model import SourceRecord
from citewiki.sources.manifest import MANIFEST, load_manifest


def covered(root: Path, source: str = "") -> list[SourceRecord]:
    """The manifest's records by path; only that of `source` (id or path) when it is named.

    Raises DataError when no source is called that.
    """
    records = sorted(load_manifest(root).values(), key=lambda record: record.path)
    if not source:
        return records
    found = [record for record in records if source in (record.id, record.path)]
    if not found:
        raise DataError(MANIFEST, f"no source is called “{source}”", hint="try: citewiki coverage")
    return found
