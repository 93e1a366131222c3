"""Notion exports: pages as Markdown or HTML and databases as CSV, in a zip or several.

Notion puts an id of 32 hexadecimal digits behind every name; people know the names without it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape
from pathlib import PurePosixPath

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.about import moment
from citewiki.sources.archive import Archive
from citewiki.sources.archive_files import File, files, unreadable
from citewiki.sources.encoding import decode
from citewiki.sources.entries import Entry, archive_source, left_out, line
from citewiki.sources.export_kinds import NOTION_ID
from citewiki.sources.vault import NOTES, note_entry
from citewiki.sources.vault_links import Titles

_TITLE = re.compile(r"\A\s*#[ \t]+(?P<title>[^\n]+)")
_HTML_TITLE = re.compile(r"<title>([^<]{1,500})</title>", re.I)
_HTML = frozenset((".html", ".htm"))
_PROPERTIES = re.compile(r"\A\s*(?P<lines>(?:[^\n:#>|*`-][^\n:]{0,60}: [^\n]*\n)+)(?=\n|\Z)")
_TAGS = frozenset(("tags", "tag", "labels", "category", "categories", "标签", "タグ", "태그"))
_DATES = frozenset(
    ("created", "created time", "date", "last edited time", "last edited", "updated")
)
_DATE_FORMS = ("%B %d, %Y %I:%M %p", "%B %d, %Y", "%Y/%m/%d %H:%M", "%d %B %Y", "%B %d, %Y %H:%M")


def read(archive: Archive, name: str) -> Source | None:
    """The pages and databases of an export; None when it holds none."""
    found, entries = files(archive)
    pages: list[tuple[File, str]] = []
    tables: list[tuple[File, str]] = []
    rest: list[str] = []
    for file in found:
        try:
            if file.suffix in NOTES:
                pages.append((file, decode(file.data()).text))
            elif file.suffix == ".csv":
                tables.append((file, decode(file.data()).text))
            else:
                rest.append(_bare(file.path))
        except SourceError as error:
            entries.append(unreadable(_bare(file.path), error.reason))
    if not (pages or tables):
        return None
    titles = {file.path: _title(file, text) for file, text in pages}
    titles |= {file.path: _bare(file.stem.removesuffix("_all")) for file, _ in tables}
    known = Titles(titles)
    entries = [_page(file, text, titles[file.path], known) for file, text in pages] + entries
    page_names = {titles[file.path] for file, _ in pages}
    entries += _tables(tables, titles, page_names)
    if rest:
        entries.append(left_out(rest, "attachments, named where they belong"))
    return archive_source(
        entries, name, reader="notion", media_type="application/zip", authority="note"
    )


def _bare(path: str) -> str:
    """A path or name without ids."""
    return "/".join(NOTION_ID.sub("", part).strip() or part for part in path.split("/"))


def _title(file: File, text: str) -> str:
    """The page's own title: names of files are cut at 50 characters or so."""
    found = _TITLE.match(text) or _HTML_TITLE.search(text[:20_000])
    said = line(unescape(found[1]) if file.suffix in _HTML else found[1]) if found else ""
    return said or _bare(file.stem)


def _page(file: File, text: str, title: str, titles: Titles) -> Entry:
    path = _bare(file.path)
    # Links are relative to where the file lies, under the name with the id.
    entry = note_entry(text, file.path, titles)
    body = (
        _TITLE.sub("", entry.text, count=1).lstrip("\n")
        if _heads(entry.text, title)
        else entry.text
    )
    properties = _PROPERTIES.match(f"{body}\n")
    pairs = _pairs(properties["lines"]) if properties else []
    if properties:
        listed = "\n".join(f"- {key}: {value}" for key, value in pairs)
        body = f"{listed}\n\n{body[properties.end() :].lstrip()}".rstrip()
    tags = [
        tag.strip() for key, value in pairs if key.casefold() in _TAGS for tag in value.split(",")
    ]
    dates = [at for key, value in pairs if key.casefold() in _DATES and (at := _date(value))]
    folders = [part for part in PurePosixPath(path).parts[:-1] if not part.startswith("Export")]
    locator = " › ".join([*folders, title])
    return replace(
        entry,
        title=title,
        text=body,
        locator=locator,
        date=max(dates, default=entry.date),
        key=_bare(file.path),
        tags=(*entry.tags, *filter(None, tags)),
        aliases=(),
    )


def _heads(text: str, title: str) -> bool:
    found = _TITLE.match(text)
    return found is not None and line(found["title"]) == title


def _pairs(lines: str) -> list[tuple[str, str]]:
    """The properties of a page: "Status: Done" """
    rows = [row.partition(": ") for row in lines.strip().split("\n")]
    return [(key.strip(), value.strip()) for key, _, value in rows if value.strip()]


def _date(text: str) -> datetime | None:
    start = text.split("→")[0].strip()
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(start, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return moment(start)


def _tables(
    tables: list[tuple[File, str]], titles: dict[str, str], pages: set[str]
) -> Iterator[Entry]:
    """A section for each database; of two files of one, the one with all its rows."""
    whole = {_bare(file.path.removesuffix("_all.csv")) for file, _ in tables if _is_whole(file)}
    for file, text in tables:
        path = _bare(file.path).removesuffix("_all.csv").removesuffix(".csv")
        if path in whole and not _is_whole(file):
            continue
        title = titles[file.path]
        folders = [part for part in PurePosixPath(path).parts[:-1] if not part.startswith("Export")]
        locator = " › ".join([*folders, f"{title} (database)"])
        yield Entry(title, _table(text, pages), locator, key=f"{path} database")


def _is_whole(file: File) -> bool:
    return file.path.endswith("_all.csv")


def _table(text: str, pages: set[str]) -> str:
    """The rows as a Markdown table; a row that is also a page links it."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text)) if any(map(str.strip, row))]
    except csv.Error:  # a cell of more than 131,072 characters
        return text
    if not rows:
        return ""
    width = max(map(len, rows))
    cells = [
        [line(cell).replace("|", "\\|") for cell in row] + [""] * (width - len(row)) for row in rows
    ]
    for row in cells[1:]:
        row[0] = f"[[{row[0]}]]" if row[0] in pages else row[0]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])
