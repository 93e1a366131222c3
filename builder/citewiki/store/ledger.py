"""What pages are called, whose they are and where they lie: known without reading them all.

A save or an action has to find the few pages that it is about among any number. So what it needs
of each is kept in SQLite, and only files that changed are read. It is derived, like all in
.citewiki/.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, fields, is_dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from citewiki.errors import PageError, WriteError
from citewiki.model import Page, Viewer
from citewiki.model.plain import page_from
from citewiki.store.catalog import Row, index_row
from citewiki.store.files import write_error
from citewiki.store.pages import is_archived, load_page
from citewiki.store.paths import page_files
from citewiki.store.visibility import visible
from citewiki.text.folding import name_key

FILE = "ledger.sqlite"

_VERSION = 4  # of the tables below; another one is made anew
_SCHEMA = f"""
PRAGMA user_version = {_VERSION};
CREATE TABLE pages (
    path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, inode INTEGER,
    domain TEXT, owner TEXT, shared TEXT, superseded TEXT, archived INTEGER,
    slug TEXT, folded TEXT, line TEXT,  -- the last two: its place and its line in the index
    page TEXT                   -- all but the body, as JSON; NULL: the file cannot be read
) WITHOUT ROWID;
CREATE INDEX by_slug ON pages (slug);
CREATE TABLE names (key TEXT, rank INTEGER, path TEXT);
CREATE INDEX by_key ON names (key);
CREATE INDEX by_path ON names (path);
"""
TITLE, SLUG, ALIAS, FILE_NAME, OLDER, NEWER = range(6)
"""What a name is to its page; a title goes before a slug, and that before an alias.

Then the name of its file, and the slugs of pages that it supersedes, or is superseded by.
"""

_LEFT_OUT = frozenset(("body", "related", "body_line", "problems"))
"""What is not kept of a page."""


class Ledger:
    """The pages as they are now. Use it in a `with` statement, holding the wiki's lock."""

    def __init__(self, wiki: Path, cache: Path) -> None:
        """Raises WriteError when the disk refuses."""
        self._wiki = wiki
        file = cache / FILE
        try:
            cache.mkdir(parents=True, exist_ok=True)
            try:
                self._table = _opened(file)
                self._refresh()
            except sqlite3.DatabaseError as error:  # damaged, or of another version
                if "locked" in str(error):
                    raise WriteError(str(file), "is in use", hint="run this again") from error
                with suppress(AttributeError):
                    self._table.close()
                for rest in ("", "-wal", "-shm"):
                    Path(f"{file}{rest}").unlink(missing_ok=True)
                self._table = _opened(file)
                self._refresh()
        except OSError as error:
            raise write_error(file, error) from error

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._table.close()

    def __contains__(self, slug: object) -> bool:
        """Whether a page, archived or not, goes by that slug."""
        found = self._table.execute(
            "SELECT 1 FROM names WHERE key = ? AND rank = ?", (name_key(str(slug)), SLUG)
        )
        return found.fetchone() is not None

    def called(self, name: str, *owners: str, archived: bool = False) -> list[Page]:
        """The pages of these owners that go by `name`, without their bodies.

        By title before by slug or alias, those that nothing supersedes first, then by path.
        """
        marks = ",".join("?" * len(owners))
        rows = self._table.execute(
            "SELECT page FROM pages JOIN names USING (path) "
            f"WHERE key = ? AND rank <= ? AND archived = ? AND owner IN ({marks}) "
            "ORDER BY rank, superseded != '', length(path), path",
            (name_key(name), ALIAS, archived, *owners),
        )
        return list({page.path: page for page in map(_page, rows)}.values())

    def named(self, name: str, *kinds: int) -> list[Page]:
        """The pages, archived ones too, to which `name` is of these kinds; by path, no bodies."""
        marks = ",".join("?" * len(kinds))
        rows = self._table.execute(
            "SELECT DISTINCT page, path FROM pages JOIN names USING (path) "
            f"WHERE key = ? AND rank IN ({marks}) ORDER BY path",
            (name_key(name), *kinds),
        )
        return [_page((page,)) for page, _ in rows]

    def slugs_clash(self) -> bool:
        """Whether two files state, or are called by, one slug."""
        rows = self._table.execute(
            "SELECT 1 FROM pages WHERE slug != '' GROUP BY slug HAVING count(*) > 1 LIMIT 1"
        )
        return rows.fetchone() is not None

    def listed(self) -> Iterator[Row]:
        """What stands in wiki/index.md of every page."""
        rows = self._table.execute(
            "SELECT domain, folded, path, line FROM pages WHERE archived = 0"
        )
        return (Row(*row) for row in rows)

    def domains(self, viewer: Viewer) -> set[str]:
        """The domains of the pages that `viewer` sees."""
        rows = self._table.execute(
            "SELECT DISTINCT domain, owner, shared FROM pages WHERE archived = 0 AND domain != ''"
        )
        return {
            domain
            for domain, owner, shared in rows
            if visible(Page("", "", "", "", owner=owner, shared_with=_texts(shared)), viewer)
        }

    def pages(self, *, archived: bool = False) -> Iterator[Page]:
        """All pages by path, without their bodies and problems."""
        return map(
            _page,
            self._table.execute(
                "SELECT page FROM pages WHERE page IS NOT NULL AND archived <= ? ORDER BY path",
                (archived,),
            ),
        )

    def unreadable(self) -> list[str]:
        """Paths of the files that cannot be read, sorted."""
        rows = self._table.execute("SELECT path FROM pages WHERE page IS NULL ORDER BY path")
        return [path for (path,) in rows]

    def _refresh(self) -> None:
        """Read the files that changed since the last time."""
        seen: dict[str, tuple[int, int, int]] = {}
        for path, file in page_files(self._wiki, archived=True).items():
            with suppress(OSError):  # gone since it was listed
                status = file.stat()
                seen[path] = (status.st_size, status.st_mtime_ns, status.st_ino)
        known = {
            path: mark
            for path, *mark in self._table.execute("SELECT path, size, mtime, inode FROM pages")
        }
        changed = [path for path, mark in seen.items() if known.get(path) != list(mark)]
        gone = [(path,) for path in known if path not in seen]
        if not changed and not gone:
            return
        with self._table:  # one transaction
            for each in ("pages", "names"):
                drop = f"DELETE FROM {each} WHERE path = ?"
                self._table.executemany(drop, [*gone, *((path,) for path in changed)])
            for path in changed:
                self._put(path, seen[path])

    def _put(self, path: str, mark: tuple[int, int, int]) -> None:
        try:
            page = load_page(self._wiki, path)
        except PageError:  # nothing is known of it, until it changes
            row: tuple[Any, ...] = (path, *mark, "", "", "[]", "", True, "", "", "", None)
        else:
            kept = {
                field.name: getattr(page, field.name)
                for field in fields(page)
                if field.name not in _LEFT_OUT and getattr(page, field.name) not in (None, "", ())
            }
            shared = json.dumps(page.shared_with, ensure_ascii=False)
            text = json.dumps(kept, ensure_ascii=False, default=_plain)
            listed = index_row(page)
            row = (
                path, *mark, page.domain, page.owner, shared, page.superseded_by,
                is_archived(page), page.slug, listed.folded, listed.line, text,
            )  # fmt: skip
            names = [(page.title, TITLE), (page.slug, SLUG), (file_name(path), FILE_NAME)]
            names += [(alias, ALIAS) for alias in page.aliases]
            names += [(slug, OLDER) for slug in page.supersedes]
            names += [(page.superseded_by, NEWER)] if page.superseded_by else []
            called = [(name_key(name), rank, path) for name, rank in names]
            self._table.executemany("INSERT INTO names VALUES (?, ?, ?)", called)
        self._table.execute(f"INSERT INTO pages VALUES ({','.join('?' * len(row))})", row)


def file_name(path: str) -> str:
    """The name of a page's file, without its folders and its ending."""
    return path.rpartition("/")[2].removesuffix(".md")


def _opened(file: Path) -> sqlite3.Connection:
    table = sqlite3.connect(file, timeout=60)
    try:
        table.execute("PRAGMA journal_mode=WAL")
        table.execute("PRAGMA synchronous=NORMAL")
        version = table.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            table.executescript(_SCHEMA)
        elif version != _VERSION:
            raise sqlite3.DatabaseError(f"version {version}")
    except BaseException:  # also when interrupted
        table.close()
        raise
    return table


def _page(row: tuple[str]) -> Page:
    return page_from({"body": "", **json.loads(row[0])})


def _texts(text: str) -> tuple[str, ...]:
    return tuple(json.loads(text))


def _plain(value: Any) -> Any:
    """What JSON has no type for: times to the microsecond, and parts of a page."""
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else str(value)
