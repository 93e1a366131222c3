"""Values parted by commas, tabs or semicolons."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice

from citewiki.model import Source
from citewiki.sources.about import readable_title
from citewiki.sources.kinds import TABLE_SUFFIXES
from citewiki.sources.outline import finished
from citewiki.sources.records import MOST_ROWS, Table, table, table_sections
from citewiki.text.language import language

_DELIMITERS = "\t,;|"
_SAMPLE_ROWS = 50
_FEWEST_ROWS = 3  # of a text that is not called .csv


def read(text: str, name: str) -> Source | None:
    """The sections of comma-, tab- or semicolon-separated values; None for other texts."""
    found = _delimiter(text, name.lower().endswith(TABLE_SUFFIXES))
    if not found:
        return None
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    source = _rows(text.splitlines(keepends=True), found)
    rows = list(islice(source, MOST_ROWS + 1))
    if not rows:
        return None
    kind = "text/tab-separated-values" if found == "\t" else "text/csv"
    unread = sum(1 for _ in source)
    data = table(rows[0], rows[1:], 2, unread=unread) if len(rows) > 1 else table((), rows, 1)
    return records_source([data], name, reader="csv", media_type=kind)


def records_source(data: Iterable[Table], name: str, *, reader: str, media_type: str) -> Source:
    """The source of one or more tables."""
    title = readable_title(name)
    tables = list(data)
    sections = finished((s for one in tables for s in table_sections(one)), title)
    said = "\n".join(section.text for section in sections[:20])[:20_000]
    return Source(title, reader, media_type, sections, authority="note", language=language(said))


def _delimiter(text: str, is_named: bool) -> str:
    """What parts the columns: the sign that gives every row the same number of them; "" for none.

    Texts that are not called tables need three rows and three columns (two between tabs), and
    names without blanks at their ends and full stops in the first row.
    """
    lines = text[:200_000].splitlines(keepends=True)
    best, columns = "", 1
    for sign in _DELIMITERS:
        if sign not in text[:200_000]:
            continue
        rows = list(islice(_rows(lines, sign), _SAMPLE_ROWS))
        widths = [len(row) for row in rows]
        if not rows or widths[0] <= columns:
            continue
        if is_named or _looks_like_rows(rows, widths, sign):
            best, columns = sign, widths[0]
    return best or ("," if is_named else "")


def _looks_like_rows(rows: list[list[str]], widths: list[int], sign: str) -> bool:
    fewest = 2 if sign == "\t" else 3
    even = len(set(widths)) == 1 and widths[0] >= fewest and len(rows) >= _FEWEST_ROWS
    header = [cell.strip() for cell in rows[0]]
    named = all(header) and len(set(header)) == len(header) and max(map(len, header)) <= 60
    return even and named and not any(cell.endswith((".", "。", "?", "!")) for cell in header)


def _rows(lines: Iterable[str], sign: str) -> Iterator[list[str]]:
    """The rows that are not empty; what stands after a damaged one is one more cell of text."""
    reader = csv.reader(lines, delimiter=sign, strict=False)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a field beyond the limit
            continue
        if any(cell.strip() for cell in row):
            yield row
