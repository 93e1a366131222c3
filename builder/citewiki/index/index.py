"""The index of a wiki: one folder per viewer, made and kept up to date by itself.

It holds only what its viewer may see, and nothing that could not be made again from the pages.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar, cast

from citewiki.errors import WriteError
from citewiki.index import table, words
from citewiki.index.arrays import Arrays
from citewiki.index.current import Shown, is_current, scan
from citewiki.index.epoch import NOWHERE, seconds
from citewiki.index.postings import Bitmap, Pages, holding
from citewiki.model import ANYONE
from citewiki.store.files import lock, write_error

if TYPE_CHECKING:
    import tantivy

    from citewiki.index.refresh import Progress
    from citewiki.model import Page, Viewer
    from citewiki.store.names import Names

Made = TypeVar("Made")

VERSION = 11  # of what is kept; another version has another folder
_KNOWN = 50_000  # pages of which is kept in memory what retrieval needs …
_PAGE = 300  # … bytes each
_OUTLINE = 3_000  # bytes of a page without its text, about
_HOLDING = 32_000_000  # bytes kept in memory for the terms that were asked for
_MOMENTS = 64  # of which is kept what they leave outside, a bit a page
_NUMBER = 60  # bytes of a page number in a set
_KEPT = 512  # results that are kept of a snapshot, those asked for last …
_RESULT = 16_000  # … bytes each, about
_WAIT_FIRST = 600.0  # seconds to wait for another process that builds the first index
WAIT = 0.2  # … that refreshes an index which can be read meanwhile
_WAIT_COMMIT = 10.0  # … that is between the commits of the two parts


class Index:
    """A snapshot of a wiki as one viewer sees it. Close it, or use it in a `with` statement.

    Threads may share one: SQLite and Tantivy let them, and what is kept in memory is only ever
    added to, or put aside as a whole.
    """

    def __init__(
        self,
        database: sqlite3.Connection,
        searched: words.Words,
        current: bool = True,
        viewer: Viewer = None,
    ) -> None:
        self.viewer = viewer
        self.current = current  # False: it is the state before what another process is writing
        self._database = database
        self._lock = Lock()
        self._readers = 1
        self._kept: dict[Hashable, object] = {}  # the one asked for last at the end
        self._known: dict[int, table.Known] = {}
        self._holding: dict[str, Pages] = {}
        self._held = 0  # bytes in it
        self._outlined = 0  # bytes of outlines
        self._outside: dict[tuple[int | None, int | None], Bitmap] = {(None, None): NOWHERE}
        self.words = searched
        self.arrays = Arrays(database)
        self.multilingual = table.get_meta(database, "multilingual") > 0
        self.mean_length = max(table.get_meta(database, "mean_length"), 1)  # terms of a body

    @property
    def leaves_out(self) -> bool:
        """Whether there are files that are no page of it: put away, hidden or unreadable."""
        return table.leaves_out(self._database)

    @property
    def bytes(self) -> int:
        """About how much it keeps in memory."""
        kept = _PAGE * len(self._known) + _RESULT * len(self._kept)
        return kept + self._held + self._outlined

    def outside(self, as_of: datetime | None, known_at: datetime | None) -> Bitmap:
        """The pages that do not hold at `as_of`, or that the wiki did not have at `known_at`."""
        key = (
            None if as_of is None else seconds(as_of, 0),
            None if known_at is None else seconds(known_at, 0),
        )
        if len(self._outside) > _MOMENTS:
            self._outside = {(None, None): NOWHERE}
        outside = self._outside  # another thread may put it aside meanwhile
        if key not in outside:
            outside[key] = self.arrays.bounds.outside(*key)
        return outside[key]

    @property
    def count(self) -> int:
        """How many pages there are."""
        return int(self._database.execute("SELECT count(*) FROM pages").fetchone()[0])

    def paths(self) -> list[str]:
        """Paths of all pages, sorted."""
        return [row[0] for row in self._database.execute("SELECT path FROM pages ORDER BY path")]

    def page(self, path: str) -> Page | None:
        """The page at `path`."""
        return table.read_page(self._database, "path", path)

    def about(self, path: str) -> dict[str, str]:
        """Summary, successor and end of the page at `path`; "" for what it does not say."""
        return table.read_about(self._database, path)

    def prefixes(self, path: str) -> dict[str, str]:
        """What a model wrote about the passages of the page at `path`, by their anchors."""
        return table.read_prefixes(self._database, path)

    def by_slug(self, slug: str) -> Page | None:
        """The page that goes by `slug`."""
        return table.read_page(self._database, "slug", slug)

    def slugs(self, among: Collection[str]) -> set[str]:
        """Those of `among` that pages go by."""
        return table.read_slugs(self._database, tuple(among))

    def labels(self, pids: Sequence[int]) -> dict[int, tuple[str, str, str]]:
        """Path, slug and title of pages, by page number."""
        return table.read_labels(self._database, pids)

    def linking(self, path: str) -> list[str]:
        """Paths of the other pages that link to the one at `path`, sorted."""
        found = self._database.execute("SELECT pid FROM pages WHERE path = ?", (path,)).fetchone()
        if found is None:
            return []
        others = {pid for pid, _, _ in self.arrays.inward.of(found[0])} - {found[0]}
        return sorted(label[0] for label in self.labels(sorted(others)).values())

    def by_number(self, pid: int) -> Page | None:
        """The page that the word index knows as `pid`."""
        return table.read_page(self._database, "pid", pid)

    def pages(self) -> list[Page]:
        """All pages, by path."""
        return list(table.read_pages(self._database))

    @cached_property
    def outlines(self) -> tuple[Page, ...]:
        """All pages by path, with empty bodies, for lists; kept, as reading them takes long."""
        found = tuple(table.read_outlines(self._database))
        self._outlined = _OUTLINE * len(found)
        return found

    def names(self) -> Names:
        """What the pages are called; the viewer's own go first."""
        from citewiki.store.names import Names

        def make() -> Names:
            return Names((page for _, page in table.named_pages(self._database)), self.viewer)

        return self.kept("names", make)

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, made once for `key` while this snapshot is in use.

        It has to follow from the snapshot and `key` alone, and nobody may change it.
        """
        with self._lock:
            if key in self._kept:
                self._kept[key] = self._kept.pop(key)
                return cast("Made", self._kept[key])
        made = make()
        with self._lock:
            self._kept[key] = made
            if len(self._kept) > _KEPT:
                del self._kept[next(iter(self._kept))]
        return made

    def sentences(self, links: Sequence[int]) -> dict[int, str]:
        """The terms of the sentences that links stand in, each with a space on both sides."""
        return table.read_sentences(self._database, links)

    def known(self, pids: Iterable[int]) -> list[table.Known]:
        """What retrieval needs of pages, in the order asked for."""
        pids = list(pids)
        if len(self._known) > _KNOWN:
            self._known = {}
        known = self._known  # another thread may put it aside meanwhile
        unread = [pid for pid in pids if pid not in known]
        if unread:
            known.update((page.pid, page) for page in table.read_known(self._database, unread))
        return [known[pid] for pid in pids if pid in known]

    def holding(self, keys: Sequence[str]) -> Mapping[str, Pages]:
        """The pages that hold each of `keys`; see `postings.holding`."""
        if self._held > _HOLDING:
            self._holding, self._held = {}, 0
        held = self._holding  # another thread may put it aside meanwhile
        unread = [key for key in keys if key not in held]
        if unread:
            found = holding(self._database, unread)
            held.update(dict.fromkeys(unread, frozenset()) | found)
            self._held += sum(
                len(pages.bits) if isinstance(pages, Bitmap) else _NUMBER * (len(pages) + 4)
                for pages in found.values()
            )
        return held

    def mentioned(self, pids: Sequence[int]) -> dict[int, list[str]]:
        """The names that pages mention, by page number."""
        return table.read_names(self._database, pids)

    def shared(self) -> Index:
        """The same snapshot for one more reader, who closes it as if it were their own."""
        with self._lock:
            self._readers += 1
        return self

    def close(self) -> None:
        """Let go of the files, when no other reader has it open."""
        with self._lock:
            self._readers -= 1
            last = self._readers == 0
        if last:
            self._database.close()

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_index(
    wiki: Path,
    cache: Path,
    viewer: Viewer = None,
    progress: Progress | None = None,
    *,
    archived: bool = False,
    wait: float = WAIT,
) -> Index:
    """The index of the pages at `wiki` as `viewer` sees them, up to date.

    With `archived` it is one of its own that holds archived pages too, to be asked what the wiki
    had on a day. It is kept in `cache`, made there when missing, and made again when it is
    damaged. While another process refreshes it for longer than `wait` seconds, the state before
    is read. Raises WriteError when the disk refuses.
    """
    name = f"v{VERSION}-archived" if archived else f"v{VERSION}"
    folder = cache / "index" / _viewer_key(viewer) / name
    source = Shown(wiki, cache, viewer, archived)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return _open(folder, source, progress, wait)
    except (sqlite3.DatabaseError, ValueError):
        import shutil

        # Damaged. Under the lock, as another process may be mending it right now.
        with lock(folder.parent, timeout=_WAIT_FIRST):
            try:
                return _open(folder, source, progress, wait)
            except (sqlite3.DatabaseError, ValueError):
                shutil.rmtree(folder)
                folder.mkdir()
                return _open(folder, source, progress, wait)
    except OSError as error:
        raise write_error(folder, error) from error


def _open(folder: Path, source: Shown, progress: Progress | None, wait: float) -> Index:
    database = table.connect(folder / "pages.sqlite")
    current = True
    try:
        index = words.open_words(folder / "words")
        if not is_current(database, folder / "words", scan(source)):
            empty = table.get_meta(database, "commit") < 0
            try:
                table.begin_writing(database, _WAIT_FIRST if empty else wait)
            except table.Busy as error:
                if empty:
                    raise WriteError(
                        str(folder),
                        f"another run has been making the index for {_WAIT_FIRST:g} s",
                        hint="wait for it to end, then run this again",
                    ) from error
                current = False
            else:
                from citewiki.index.refresh import refresh

                refresh(database, index, folder / "words", source, progress)
                database.execute("COMMIT")
        return _snapshot(database, index, folder / "words", current, source.viewer)
    except BaseException:  # also when interrupted: no reader is left behind on an old state
        database.close()
        raise


def _snapshot(
    database: sqlite3.Connection,
    index: tantivy.Index,
    folder: Path,
    current: bool,
    viewer: Viewer,
) -> Index:
    """Both parts as of one commit, whatever other processes write meanwhile."""
    deadline = time.monotonic() + _WAIT_COMMIT
    while True:
        database.execute("BEGIN")
        commit = table.get_meta(database, "commit")
        index.reload()
        searched = words.Words(index)
        if commit == words.commit_stamp(folder):
            return Index(database, searched, current, viewer)
        database.execute("COMMIT")
        if time.monotonic() > deadline:
            raise WriteError(str(folder), "the index keeps changing", hint="run this again")
        time.sleep(0.005)


def _viewer_key(viewer: Viewer) -> str:
    """A folder name for a viewer, whatever characters the name has."""
    if viewer is None:
        return "operator"
    if viewer == ANYONE:
        return "anyone"
    return "user-" + hashlib.sha256(viewer.encode()).hexdigest()[:32]
