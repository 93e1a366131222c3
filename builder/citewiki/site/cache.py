"""What an earlier build of the same site left, so that the next does only what has changed.

Kept, in one SQLite file for each viewer and folder of the site: the files that were read and
those that were written, and of each page what other pages do not have a part in. It is used only
where settings, templates, versions, the hour and every file but some pages' texts are the same;
all else is a whole build. Values are pickled: who can write below .citewiki/ can as well write
mkdocs.yml and hooks/, whose code every build runs.
"""

from __future__ import annotations

import os
import pickle
import re
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from citewiki.site.outputs import Stamp

if TYPE_CHECKING:
    from citewiki.index.graph import Link
    from citewiki.model import Drift, Page

_MOST_SITES = 12  # of which something is kept; the oldest goes
_WAIT = 2.0  # seconds for another build that is writing
_TABLES = """
CREATE TABLE IF NOT EXISTS record (value BLOB);
CREATE TABLE IF NOT EXISTS pages (
    path TEXT PRIMARY KEY, page BLOB, links BLOB, stretches BLOB, made BLOB
);
"""

_INHERIT = re.compile(r"^INHERIT:[ ]*(.+?)[ ]*(?:#.*)?$", re.MULTILINE)

_NAME = re.compile(r"\w+")

FileStamp = tuple[int, int, int]
"""Size, time of change and time of the last change of anything about a file (ns)."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a build made of one page."""

    view: bytes  # a PageView, pickled
    entries: str  # of the search index, as JSON
    files: frozenset[str]  # under wiki/ that it shows or links


@dataclass(frozen=True, slots=True)
class Record:
    """What one build read and wrote."""

    settings: str  # digest of all that is no file of the wiki
    texts: Mapping[str, bytes]  # digest of each page's file, by path
    stamps: Mapping[str, FileStamp]  # of every file of the wiki, pages too, by path from its root
    outputs: Mapping[str, Stamp]  # of the site's files
    problems: tuple[tuple[str, str], ...] = ()  # that were told: path, words
    drifts: tuple[Drift, ...] = ()


@dataclass(frozen=True)
class Inputs:
    """The files of a wiki, as they are now."""

    texts: Mapping[str, bytes] = field(default_factory=dict)
    stamps: Mapping[str, FileStamp] = field(default_factory=dict)


class SiteCache:
    """What is kept of one site. A missing, damaged or busy file is as good as none."""

    def __init__(self, folder: Path, site: str, viewer: str, as_of: str) -> None:
        name = blake2b(
            "\0".join((_TABLES, site, viewer, as_of)).encode(), digest_size=12
        ).hexdigest()
        self._folder, self._file = folder, folder / f"{name}.sqlite"

    def record(self) -> Record | None:
        """The last build; None when nothing is known of it."""
        for (value,) in self._rows("SELECT value FROM record"):
            found = unpickled(value)
            return found if isinstance(found, Record) else None
        return None

    def pages(self) -> dict[str, Page]:
        """The pages of the last build, by path."""
        rows = self._rows("SELECT path, page FROM pages")
        return {path: page for path, value in rows if (page := unpickled(value)) is not None}

    def links(self) -> dict[str, list[Link]]:
        """The links of each page, by path."""
        from citewiki.index.graph import Link

        rows = self._rows("SELECT path, links FROM pages")
        return {
            path: [Link(*each) for each in found]
            for path, value in rows
            if (found := unpickled(value)) is not None
        }

    def stretches(self) -> dict[str, Any]:
        """What is compared of each page when it is looked for drift, by path."""
        rows = self._rows("SELECT path, stretches FROM pages")
        return {path: found for path, value in rows if (found := unpickled(value)) is not None}

    def made(self) -> dict[str, Made]:
        """What the last build made of each page, by path."""
        rows = self._rows("SELECT path, made FROM pages")
        return {path: made for path, value in rows if isinstance(made := unpickled(value), Made)}

    def keep(self, pages: Iterable[tuple[Page, list[Link], Any, Made]], *, anew: bool) -> bool:
        """Keep what was made of `pages`: all of them if it is `anew`, or those that have changed.

        It counts only when `seal` follows. Returns whether it could be kept.
        """
        rows = (
            (
                page.path, pickled(page), pickled([_values(link) for link in links]),
                pickled(stretches), pickled(made),
            )
            for page, links, stretches, made in pages
        )  # fmt: skip

        def write(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM record")
            if anew:
                database.execute("DELETE FROM pages")
            database.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?, ?, ?)", rows)

        return self._write(write)

    def seal(self, record: Record) -> None:
        """Keep the record of the build whose pages have been kept."""

        def write(database: sqlite3.Connection) -> None:
            database.execute("DELETE FROM record")
            database.execute("INSERT INTO record VALUES (?)", (pickled(record),))

        self._write(write)
        with suppress(OSError):
            self._bound()

    def _write(self, write: Callable[[sqlite3.Connection], object]) -> bool:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not self._file.exists():
                os.close(os.open(self._file, os.O_CREAT | os.O_WRONLY, 0o600))
            with closing(sqlite3.connect(self._file, timeout=_WAIT)) as database:
                database.execute("PRAGMA synchronous=OFF")
                database.executescript(_TABLES)
                with database:
                    database.execute("BEGIN IMMEDIATE")
                    write(database)
        except (OSError, sqlite3.Error):
            self.drop()
            return False
        return True

    def drop(self) -> None:
        """Forget the last build."""
        with suppress(OSError):  # a read-only folder: what is kept there stays as true as it was
            self._file.unlink(missing_ok=True)

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        if not self._file.is_file():
            return []
        try:
            with closing(sqlite3.connect(self._file, timeout=_WAIT)) as database:
                return database.execute(query).fetchall()
        except sqlite3.Error:
            return []

    def _bound(self) -> None:
        kept = sorted(self._folder.glob("*.sqlite"), key=lambda file: file.stat().st_mtime)
        for file in kept[:-_MOST_SITES]:
            file.unlink(missing_ok=True)


def _values(link: Link) -> tuple[object, ...]:
    """What a link is made of: tuples are read in half the time."""
    return (
        link.name, link.heading, link.block, link.embed, link.start, link.sentence, link.written,
    )  # fmt: skip


def inputs(root: Path, wiki: Path, paths: Iterable[str], known: Record | None) -> Inputs:
    """The files of the wiki at `root`; `paths` are those of its pages under `wiki`.

    A file with the stamp that it had for `known` is not read again.
    """
    stamps = dict(_stamps(wiki, "wiki/"))
    texts: dict[str, bytes] = {}
    for path in paths:
        stamp = stamps.get(f"wiki/{path}")
        if known and stamp and known.stamps.get(f"wiki/{path}") == stamp and path in known.texts:
            texts[path] = known.texts[path]
            continue
        try:
            texts[path] = blake2b((wiki / path).read_bytes(), digest_size=16).digest()
        except OSError:
            texts[path] = b""
    stamps |= _stamps(root / "raw", "raw/")
    return Inputs(texts, stamps)


def changed_texts(now: Inputs, then: Record) -> frozenset[str] | None:
    """Pages with another text, if nothing but texts is another than `then`; None if more is."""
    pages = {f"wiki/{path}" for path in now.texts}
    if now.texts.keys() != then.texts.keys() or now.stamps.keys() != then.stamps.keys():
        return None
    if any(then.stamps[path] != now.stamps[path] for path in now.stamps if path not in pages):
        return None
    return frozenset(path for path, text in now.texts.items() if then.texts[path] != text)


def config_files(path: str | None) -> list[Path]:
    """mkdocs.yml at `path` and the files that it inherits from."""
    found: list[Path] = []
    while path and Path(path) not in found:
        found.append(Path(path))
        try:
            inherited = _INHERIT.search(found[-1].read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            break
        path = str(found[-1].parent / inherited[1].strip("\"' ")) if inherited else None
    return found


def named(files: Iterable[Path]) -> list[tuple[str, str]]:
    """The variables of the environment that settings may take in with `!ENV`."""
    text = "".join(file.read_text(encoding="utf-8", errors="replace") for file in files)
    names = _NAME.findall(text) if "!ENV" in text else ()
    return sorted((name, os.environ[name]) for name in {*names} if name in os.environ)


def digest(values: Iterable[object], trees: Iterable[Path]) -> str:
    """One name for `values`, the versions of what renders, and the files below `trees`."""
    import jinja2
    import pymdownx  # type: ignore[import-untyped]

    import markdown

    versions = (sys.version, jinja2.__version__, markdown.__version__)
    told = [*map(repr, (*versions, pymdownx.__version__, *values))]
    told += [repr((str(tree), sorted(_stamps(tree, "")))) for tree in trees]
    return blake2b("\n".join(told).encode(), digest_size=16).hexdigest()


def _stamps(top: Path, name: str) -> Iterator[tuple[str, FileStamp]]:
    """Every file at or below `top` with its stamp; `name` stands before its path."""
    if top.is_file():
        yield name, _stamp(top.stat())
        return
    left = [""]
    while left:
        prefix = left.pop()
        try:
            entries = list(os.scandir(top / prefix))
        except OSError:
            continue
        for entry in entries:
            if entry.name == "__pycache__":
                continue
            if entry.is_dir(follow_symlinks=False):
                left.append(f"{prefix}{entry.name}/")
                continue
            try:
                yield f"{name}{prefix}{entry.name}", _stamp(entry.stat())
            except OSError:  # gone since, or a link to nothing
                yield f"{name}{prefix}{entry.name}", (0, 0, 0)


def _stamp(status: os.stat_result) -> FileStamp:
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns


def pickled(value: Any) -> bytes:
    """`value` as it is kept."""
    return pickle.dumps(value, 5)


def unpickled(value: bytes) -> Any:
    """What `pickled` was given; None when it is damaged."""
    try:
        return pickle.loads(value)
    except Exception:  # noqa: BLE001 (a damaged pickle may raise anything, and is only a cache)
        return None
