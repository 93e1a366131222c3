"""Excel workbooks: each sheet is a table."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.archive import Archive
from citewiki.sources.csv_reader import records_source
from citewiki.sources.records import MOST_ROWS, Table, table

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_MOST_COLUMNS = 200
_STREAMED = ("xl/worksheets/", "xl/sharedStrings.xml", "xl/media/", "xl/drawings/", "xl/charts/")
_LARGEST_PARTS = 16 << 20  # bytes of the parts that are read as a whole
_LARGEST_STRINGS = 64 << 20  # bytes of the texts that cells share, which are held in memory


def read(archive: Archive, name: str) -> Source:
    """The sections of a workbook; raises SourceError when it is damaged or too large."""
    import openpyxl

    archive.check()
    if archive.size("xl/sharedStrings.xml") > _LARGEST_STRINGS:
        raise SourceError(name, "the workbook holds too much text", hint="save its sheets as CSV")
    parts = [part for part in archive.names if not part.startswith(_STREAMED)]
    if sum(map(archive.size, parts)) > _LARGEST_PARTS:
        raise SourceError(name, "the workbook is too large", hint="save its sheets as CSV")
    try:
        book = openpyxl.load_workbook(io.BytesIO(archive.data), read_only=True, data_only=True)
        tables = list(_tables(book))
    except (LookupError, AttributeError, TypeError, ValueError, OSError, SyntaxError) as error:
        why = f"the workbook is damaged ({type(error).__name__})"
        raise SourceError(name, why, hint="save it again") from error
    return records_source(tables, name, reader="xlsx", media_type=MEDIA_TYPE)


def _tables(book: Any) -> Iterator[Table]:
    several = len(book.worksheets) > 1
    for sheet in book.worksheets:
        rows: list[list[str]] = []
        first = 0
        # One row more than is used tells that there are more.
        cells = sheet.iter_rows(values_only=True, max_row=MOST_ROWS + 2, max_col=_MOST_COLUMNS)
        for number, row in enumerate(cells, start=1):
            texts = [_text(value) for value in row]
            if rows or any(texts):
                first = first or number
                rows.append(texts)
        if rows:
            header, below = (rows[0], rows[1:]) if len(rows) > 1 else ((), rows)
            start = first + 1 if len(rows) > 1 else first
            yield table(header, below, start, sheet.title if several else "")


def _text(value: Any) -> str:
    """A cell as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, datetime) and value.time() == time():
        return value.date().isoformat()
    return str(value)
