"""Tables of data as sections: a page for each row, or pages of rows, whichever their shape asks.

Rows that each tell of one thing at length (a column of names or titles, all different, and one of
long texts) become a page each; any other table stays one, in pages of bounded size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from citewiki.model import Section
from citewiki.sources.encoding import clean
from citewiki.sources.tables import rows_markdown
from citewiki.sources.words import PART_WORDS, count_words
from citewiki.text.folding import name_key

MOST_PAGES = 5_000
"""Pages for the rows of one table; what lies beyond is recorded as unread."""

MOST_ROWS = 20_000
"""Rows that are read where rows stay in tables."""

ROWS_A_PAGE = 200

LONG_TEXT = 25
"""Words of the median cell from which a column holds texts: two sentences."""

_LONGEST_TITLE = 120  # characters
_MOST_COLUMNS = 60
_LONGEST_IN_TABLE = 500  # characters of a cell that stays in a table
_TITLES = (
    "title", "name", "subject", "headline", "heading", "term", "word", "question", "topic", "label",
    "标题", "標題", "名称", "名稱", "题目", "タイトル", "名前", "제목", "이름", "tên", "tiêu đề",
    "titel", "überschrift", "titre", "nom", "título", "nombre", "titolo", "nome", "название", "имя",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under their column names."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]  # of each row in the original, for a person
    title: str = ""  # of the sheet; "" where the file is one table
    last: int = 0  # number of the original's last row, which may not have been read


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    first: int,
    title: str = "",
    unread: int = 0,
) -> Table:
    """The table without its empty rows and columns.

    `first` is the number of the first row; `unread` rows follow the given ones in the original.
    """
    last = first + len(rows) + unread - 1 if len(rows) + unread > MOST_ROWS else 0
    rows = rows[:MOST_ROWS]
    width = min(_MOST_COLUMNS, max([len(header), *map(len, rows)], default=0))
    names = [clean(name).strip() for name in header[:width]]
    names += [""] * (width - len(names))
    numbered = [
        (number, [clean(cell).strip() for cell in row[:width]] + [""] * (width - len(row)))
        for number, row in enumerate(rows, start=first)
    ]
    numbered = [(number, row) for number, row in numbered if any(row)]
    kept = [i for i in range(width) if names[i] or any(row[i] for _, row in numbered)]
    return Table(
        tuple(names[i] or f"column {i + 1}" for i in kept),
        tuple(tuple(row[i] for i in kept) for _, row in numbered),
        tuple(number for number, _ in numbered),
        title,
        last or max((number for number, _ in numbered), default=0),
    )


def table_sections(data: Table) -> Iterator[Section]:
    """The sections of a table: of each row, or of runs of rows."""
    long = _text_columns(data)
    names = _title_column(data, long) if long else None
    if names is None:
        yield from _runs(data)
    else:
        yield from _pages(data, names, long)


def _text_columns(data: Table) -> list[int]:
    """The columns whose median cell is a text."""
    columns = range(len(data.header))
    lengths = {c: [count_words(row[c]) for row in data.rows if row[c]] for c in columns}
    return [
        c
        for c, counts in lengths.items()
        if len(counts) * 2 >= len(data.rows) and counts and median(counts) >= LONG_TEXT
    ]


def _title_column(data: Table, long: Sequence[int]) -> int | None:
    """The column that names the rows: one called so, else the first that could."""
    columns = [c for c in range(len(data.header)) if c not in long]
    called = [c for c in columns if name_key(data.header[c]) in _TITLES]
    return next((c for c in [*called, *columns] if _names_rows(data, c)), None)


def _names_rows(data: Table, column: int) -> bool:
    """Whether its cells are all there, all different, short, and mostly words."""
    cells = [row[column] for row in data.rows]
    if not all(cells) or len({name_key(cell) for cell in cells}) < len(cells):
        return False
    words = sum(any(map(str.isalpha, cell)) for cell in cells)
    return words * 10 >= len(cells) * 9 and max(map(len, cells)) <= _LONGEST_TITLE


def _pages(data: Table, names: int, long: Sequence[int]) -> Iterator[Section]:
    above = (data.title,) if data.title else ()
    for number, row in list(zip(data.numbers, data.rows, strict=True))[:MOST_PAGES]:
        facts = [
            f"- {name}: {' '.join(cell.split())}"
            for c, (name, cell) in enumerate(zip(data.header, row, strict=True))
            if cell and c != names and c not in long
        ]
        one = len(long) == 1
        texts = [row[c] if one else f"## {data.header[c]}\n\n{row[c]}" for c in long if row[c]]
        text = "\n\n".join([*texts, *(["\n".join(facts)] if facts else [])])
        title = " ".join(row[names].split())
        yield Section("", title, _where(data, f"row {number}"), text, parents=above)
    yield from _beyond(data, MOST_PAGES)


def _runs(data: Table) -> Iterator[Section]:
    """Runs of rows of some `PART_WORDS`, each a table with the header."""
    run: list[int] = []
    words = 0
    part = 0
    for index, row in enumerate(data.rows[:MOST_ROWS]):
        count = sum(map(count_words, row))
        if run and (len(run) == ROWS_A_PAGE or words + count > PART_WORDS):
            part += 1
            yield _run(data, run, part)
            run, words = [], 0
        run.append(index)
        words += count
    if run:
        yield _run(data, run, part + 1)
    yield from _beyond(data, MOST_ROWS)


def _run(data: Table, run: Sequence[int], part: int) -> Section:
    first, last = data.numbers[run[0]], data.numbers[run[-1]]
    rows = f"row {first}" if first == last else f"rows {first}-{last}"
    cells = [[cell[:_LONGEST_IN_TABLE] for cell in data.rows[index]] for index in run]
    title = data.title if part == 1 else f"{data.title} ({rows})".strip()
    return Section("", title, _where(data, rows), rows_markdown([data.header, *cells]))


def _beyond(data: Table, limit: int) -> Iterator[Section]:
    """A section that says which rows were not read, if any."""
    read = data.numbers[:limit]
    if read and data.last > read[-1]:
        where = _where(data, f"rows {read[-1] + 1}-{data.last}")
        reason = f"only the first {len(read):,} rows of a table are read; split it"
        yield Section("unread-rows", "", where, status="unreadable", reason=reason)


def _where(data: Table, rows: str) -> str:
    return f"{data.title}, {rows}" if data.title else rows
