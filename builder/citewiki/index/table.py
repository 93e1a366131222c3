"""The page table: what is known of every page and link, in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from citewiki.index import arrays, postings

if TYPE_CHECKING:
    from citewiki.index.analysis import Analysed
    from citewiki.model import Page

_TOLD_WRONGLY = 0.02  # share of pages whose language may be mistaken; measured: 0.2 to 0.7 %
_BUSY = "database is locked"
_STATEMENTS = 512  # kept prepared: one for each number of pages or terms that is asked for at once
_MAPPED = 1 << 30  # bytes of the file that are read without copying: half the time of small reads
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS files (
    file BLOB PRIMARY KEY,      -- hash of the path, so that a hidden page's name is not kept
    size INTEGER, mtime INTEGER, sha256 BLOB,
    pid INTEGER                 -- NULL: not a page that this viewer may see
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pages (
    pid INTEGER PRIMARY KEY, path TEXT UNIQUE, slug TEXT, own_slug TEXT, title TEXT,
    aliases TEXT, former TEXT, owner TEXT, rest TEXT
);
-- What is long stands apart, so that many rows of what retrieval reads share one block.
CREATE TABLE IF NOT EXISTS bodies (pid INTEGER PRIMARY KEY, body TEXT);
CREATE TABLE IF NOT EXISTS prefixes (pid INTEGER PRIMARY KEY, told TEXT);  -- anchor → prefix
CREATE TABLE IF NOT EXISTS terms (pid INTEGER PRIMARY KEY, keys TEXT);
CREATE TABLE IF NOT EXISTS facts (
    pid INTEGER PRIMARY KEY, length INTEGER, title_length INTEGER, language TEXT,
    domain TEXT, starts INTEGER, ends INTEGER, known INTEGER, away INTEGER,
    settled INTEGER, names TEXT
);
CREATE TABLE IF NOT EXISTS links (
    link INTEGER PRIMARY KEY, source INTEGER,
    name TEXT, written TEXT,    -- of the target, without and with "#…"
    terms TEXT, target INTEGER
);
CREATE INDEX IF NOT EXISTS links_from ON links (source, target);
CREATE INDEX IF NOT EXISTS slugs ON pages (slug);
"""
_OF_PAGES = ("pages", "bodies", "prefixes", "terms", "facts")  # tables with a row a page
_COLUMNS = ("path", "slug", "title", "aliases", "redirect_from", "owner", "body")
_APART = frozenset((*_COLUMNS, "problems"))  # what is not in the column `rest`
_NAMES = "path, slug, title, aliases, former, owner"
_PAGE = f"SELECT {_NAMES}, body, rest FROM pages JOIN bodies USING (pid) "
_OUTLINE = f"SELECT {_NAMES}, '', rest FROM pages "


class FileState(NamedTuple):
    """What a file was when it was last looked at."""

    size: int
    mtime: int  # nanoseconds
    sha256: bytes
    pid: int | None


class Known(NamedTuple):
    """What retrieval needs of a page; see `analysis.Analysed`."""

    pid: int
    length: int
    title_length: int  # terms in its title without stop words and qualifier; at least 1
    language: str
    domain: str


class Busy(Exception):
    """Another process is writing."""


def connect(path: Path) -> sqlite3.Connection:
    """The page table in the file `path`, made when it is not there.

    sqlite3.DatabaseError: the file is no such table.
    """
    database = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, cached_statements=_STATEMENTS
    )
    try:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(f"PRAGMA mmap_size={_MAPPED}")
        if not database.execute("SELECT 1 FROM sqlite_master WHERE name = 'slugs'").fetchone():
            database.executescript(postings.SCHEMA + arrays.SCHEMA + _SCHEMA)
    except BaseException:  # also when interrupted: nobody else would close it
        database.close()
        raise
    return database


def begin_writing(database: sqlite3.Connection, wait: float) -> None:
    """Take the table's one write lock, waiting up to `wait` seconds; raises Busy."""
    database.execute(f"PRAGMA busy_timeout={int(wait * 1000)}")
    try:
        database.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if _BUSY in str(error):
            raise Busy from error
        raise


def get_meta(database: sqlite3.Connection, key: str) -> int:
    """A number kept beside the pages; -1 when it was never set."""
    row = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return int(row[0]) if row else -1


def set_meta(database: sqlite3.Connection, key: str, value: int) -> None:
    """Keep a number beside the pages."""
    database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def file_states(database: sqlite3.Connection) -> dict[bytes, FileState]:
    """Every file that was looked at, by the hash of its path."""
    rows = database.execute("SELECT file, size, mtime, sha256, pid FROM files")
    return {file: FileState(*state) for file, *state in rows}


def file_marks(database: sqlite3.Connection) -> set[tuple[bytes, int, int]]:
    """Hash of the path, size and time of change of every file that was looked at."""
    return set(database.execute("SELECT file, size, mtime FROM files"))


def leaves_out(database: sqlite3.Connection) -> bool:
    """Whether a file that was looked at is no page of the index."""
    return bool(database.execute("SELECT 1 FROM files WHERE pid IS NULL LIMIT 1").fetchone())


def put_file(database: sqlite3.Connection, file: bytes, state: FileState) -> None:
    """Remember what a file was."""
    row = (file, state.size, state.mtime, state.sha256, state.pid)
    database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", row)


def put_page(database: sqlite3.Connection, pid: int, page: Page, analysed: Analysed) -> bool:
    """Write a page and its links in place of what `pid` was; whether its links are other ones."""
    from citewiki.model import as_json

    _drop_page(database, pid)
    rest = {
        key: value
        for key, value in as_json(page).items()
        if key not in _APART and value not in (None, "", [])
    }
    shown = json.dumps(rest, ensure_ascii=False)
    _insert(
        database, "pages",
        (
            pid, page.path, page.slug, page.slug, page.title, _written(page.aliases),
            _written(page.redirect_from), page.owner, shown,
        ),
    )  # fmt: skip
    _insert(database, "bodies", (pid, page.body))
    if analysed.prefixes:
        told = json.dumps(analysed.prefixes, ensure_ascii=False)
        _insert(database, "prefixes", (pid, told))
    _insert(database, "terms", (pid, " ".join(postings.keys_of(analysed))))
    _insert(
        database, "facts",
        (
            pid, analysed.length, analysed.title_length, analysed.language,
            analysed.domain, analysed.starts, analysed.ends, analysed.known, analysed.away,
            analysed.settled, " ".join(analysed.names),
        ),
    )  # fmt: skip
    had = database.execute(
        "SELECT name, written, terms FROM links WHERE source = ? ORDER BY link", (pid,)
    )
    if had.fetchall() == list(analysed.links):
        return False
    _drop_links(database, pid)
    for name, written, terms in analysed.links:
        _insert(database, "links", (None, pid, name, written, terms, None))
    return True


def _insert(database: sqlite3.Connection, table: str, row: Sequence[object]) -> None:
    database.execute(f"INSERT INTO {table} VALUES ({_marks(row)})", row)


def drop_page(database: sqlite3.Connection, pid: int) -> None:
    """Take a page and its links out."""
    _drop_page(database, pid)
    _drop_links(database, pid)


def _drop_page(database: sqlite3.Connection, pid: int) -> None:
    for table in _OF_PAGES:
        database.execute(f"DELETE FROM {table} WHERE pid = ?", (pid,))


def _drop_links(database: sqlite3.Connection, pid: int) -> None:
    database.execute("DELETE FROM links WHERE source = ?", (pid,))


def clear(database: sqlite3.Connection) -> None:
    """Take everything out."""
    for table in ("meta", "files", *_OF_PAGES, "links", "postings", "arrays"):
        database.execute(f"DELETE FROM {table}")


def named_pages(database: sqlite3.Connection) -> Iterator[tuple[int, Page]]:
    """Every page by number with what it is and was called, and by whose name it goes first."""
    from citewiki.model import Page

    rows = database.execute("SELECT pid, path, own_slug, title, aliases, former, owner FROM pages")
    for pid, path, slug, title, aliases, former, owner in rows:
        names, old = tuple(_read(aliases)), tuple(_read(former))
        yield pid, Page(path, slug, title, "", aliases=names, redirect_from=old, owner=owner)


def read_page(database: sqlite3.Connection, column: str, value: str | int) -> Page | None:
    """The page whose `column` (pid, path or slug) is `value`."""
    row = database.execute(f"{_PAGE}WHERE {column} = ?", (value,)).fetchone()
    return _page(row) if row else None


def read_prefixes(database: sqlite3.Connection, path: str) -> dict[str, str]:
    """The prefixes of the passages of the page at `path`, by anchor."""
    row = database.execute(
        "SELECT told FROM prefixes JOIN pages USING (pid) WHERE path = ?", (path,)
    ).fetchone()
    told: dict[str, str] = json.loads(row[0]) if row else {}
    return told


def read_about(database: sqlite3.Connection, path: str) -> dict[str, str]:
    """Some of what a page says of itself, "" where it says nothing.

    Its summary, the slug of the page that took its place, and its end (ISO 8601). Cheaper than a
    `Page`, which a list of hits does not need.
    """
    row = database.execute("SELECT rest FROM pages WHERE path = ?", (path,)).fetchone()
    rest = json.loads(row[0]) if row else {}
    return {key: str(rest.get(key) or "") for key in ("summary", "superseded_by", "valid_until")}


def read_pages(database: sqlite3.Connection) -> Iterator[Page]:
    """All pages by path."""
    return map(_page, database.execute(f"{_PAGE}ORDER BY path"))


def read_outlines(database: sqlite3.Connection) -> Iterator[Page]:
    """All pages by path, with empty bodies."""
    return map(_page, database.execute(f"{_OUTLINE}ORDER BY path"))


def read_labels(
    database: sqlite3.Connection, pids: Sequence[int]
) -> dict[int, tuple[str, str, str]]:
    """Path, slug and title of pages, by page number."""
    rows = database.execute(
        f"SELECT pid, path, slug, title FROM pages WHERE pid IN ({_marks(pids)})", pids
    )
    return {pid: (path, slug, title) for pid, path, slug, title in rows}


def read_slugs(database: sqlite3.Connection, among: Sequence[str]) -> set[str]:
    """Those of `among` that pages go by."""
    rows = database.execute(f"SELECT slug FROM pages WHERE slug IN ({_marks(among)})", among)
    return {slug for (slug,) in rows}


def read_names(database: sqlite3.Connection, pids: Sequence[int]) -> dict[int, list[str]]:
    """The names that pages mention, by page number."""
    rows = database.execute(f"SELECT pid, names FROM facts WHERE pid IN ({_marks(pids)})", pids)
    return {pid: names.split() for pid, names in rows}


def read_keys(database: sqlite3.Connection, pid: int) -> list[str]:
    """What a page is found under in the postings; nothing when there is no such page."""
    row = database.execute("SELECT keys FROM terms WHERE pid = ?", (pid,)).fetchone()
    return row[0].split() if row else []


def read_known(database: sqlite3.Connection, pids: Sequence[int]) -> list[Known]:
    """What retrieval needs of pages, in no order."""
    rows = database.execute(
        "SELECT pid, length, title_length, language, domain FROM facts "
        f"WHERE pid IN ({_marks(pids)})",
        pids,
    )
    return list(map(Known._make, rows))


def mean_length(database: sqlite3.Connection) -> float:
    """Terms in a page's body, on average; 1 when there are none."""
    return database.execute("SELECT avg(length) FROM facts").fetchone()[0] or 1.0


def is_multilingual(database: sqlite3.Connection) -> bool:
    """Whether more than a few pages, which may be told wrongly, are in a second language."""
    rows = database.execute("SELECT count(*) FROM facts GROUP BY language")
    return are_several(count for (count,) in rows)


def are_several(counts: Iterable[int]) -> bool:
    """Whether pages, so many in each language, are in several of them."""
    told = list(counts)
    return sum(told) - max(told, default=0) > sum(told) * _TOLD_WRONGLY


def read_sentences(database: sqlite3.Connection, links: Sequence[int]) -> dict[int, str]:
    """The terms of the sentences that links stand in, each with a space on both sides."""
    rows = database.execute(f"SELECT link, terms FROM links WHERE link IN ({_marks(links)})", links)
    return dict(rows.fetchall())


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def _page(row: Sequence[Any]) -> Page:
    from citewiki.model.plain import page_from

    path, slug, title, aliases, former, owner, body, rest = row
    values: dict[str, Any] = {**json.loads(rest), "path": path, "slug": slug, "title": title}
    values |= {"aliases": _read(aliases), "redirect_from": _read(former)}
    return page_from({**values, "owner": owner, "body": body})


def _written(names: Sequence[str]) -> str:
    return json.dumps(names, ensure_ascii=False) if names else ""


def _read(names: str) -> list[str]:
    return json.loads(names) if names else []
