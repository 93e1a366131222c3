"""A wiki that stays open between calls: one index for each viewer, followed by its files.

Opening an index means looking at every file of the wiki. A server that is asked often looks at the
folders instead, which change whenever a file in them is made, replaced, moved or removed, as every
write of the program does; files that are changed in place are seen within about a second.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from citewiki.errors import Limited
from citewiki.index.current import Shown, scan
from citewiki.wiki import Wiki

if TYPE_CHECKING:
    from citewiki.index.index import Index
    from citewiki.model import Viewer

_EVERY = 1.0  # seconds after which every file is looked at again …
_SPARED = 20  # … or so many times what the last look took, if that is more: 5 % of the time
_TICK = 20_000_000  # ns; within so short a time two changes may bear the same time of change
_MOST = 64  # indexes open at once, those used last: each has some files open
_MOST_WIKIS = 1000  # viewers, of whom a few hundred bytes are kept
_MOST_BYTES = 128_000_000  # that they may keep in memory together
_UNUSED = 300.0  # seconds after which one is closed: an old snapshot keeps SQLite from tidying up
_WAIT = 10.0  # seconds to wait for another process that refreshes the same index
_PATIENCE = 5.0  # … and for another call that makes the first one: it takes long, threads are few
_AGAIN = 10  # seconds after which to try again then


class _Seen(NamedTuple):
    """What one look at the files found."""

    folders: dict[str, int]  # time of change (ns), before the files were looked at
    settled: bool  # whether another change would give every folder another time
    files: dict[str, tuple[int, int]]
    took: float  # seconds


class Watch:
    """Notices that the files of a wiki have changed, whoever changed them; safe among threads."""

    def __init__(self, wiki: Path, cache: Path) -> None:
        self._shown = Shown(wiki, cache, None, archived=True)
        self._lock = Lock()
        self._stamp = 0
        self._files: dict[str, tuple[int, int]] = {}
        self._folders: dict[str, int] = {}
        self._settled = False
        self._next = 0.0  # when every file is looked at again, by the monotonic clock

    def stamp(self) -> int:
        """A number that rises when files have changed since it was last asked for.

        A file that was made, replaced, moved or removed before the call counts; one that was
        changed in place, if that is about a second ago.
        """
        with self._lock:  # who comes meanwhile waits, and shares what is found
            if not self._as_it_was():
                self._note(self._look())
                return self._stamp
            if time.monotonic() < self._next:
                return self._stamp
            self._next = time.monotonic() + _EVERY
        seen = self._look()  # others go on meanwhile
        with self._lock:
            self._note(seen)
            return self._stamp

    def _as_it_was(self) -> bool:
        """Whether no folder has changed since the last look."""
        return self._settled and all(
            _changed(folder) == before for folder, before in self._folders.items()
        )

    def _look(self) -> _Seen:
        start, now = time.monotonic(), time.time_ns()
        # Before the files: what changes meanwhile is seen by the next look.
        folders = {folder: _changed(folder) for folder in _folders(self._shown.wiki)}
        settled = not any(0 <= now - changed <= _TICK for changed in folders.values())
        files = scan(self._shown)
        return _Seen(folders, settled, files, time.monotonic() - start)

    def _note(self, seen: _Seen) -> None:
        if seen.files != self._files:
            self._files = seen.files
            self._stamp += 1
        self._folders, self._settled = seen.folders, seen.settled
        self._next = time.monotonic() + max(_EVERY, _SPARED * seen.took)


@dataclass
class _Shelf:
    """The index of one viewer, while one is open. Who opens or closes it holds the lock."""

    lock: Lock = field(default_factory=Lock)
    index: Index | None = None
    stamp: int = -1  # of the files that it says the same as
    bytes: int = 0  # that it kept in memory when it was last lent
    used: float = 0.0  # when it was last asked for, by the monotonic clock
    gone: bool = False  # nobody will come for it again: nothing is to be put here

    def put(self, index: Index | None, stamp: int) -> None:
        """Put `index` in the place of the one that is here; its readers keep that."""
        if self.index is not None:
            self.index.close()
        self.index, self.stamp, self.bytes = index, stamp, 0

    def clear(self) -> None:
        """Close what is here for good."""
        self.gone = True
        self.put(None, -1)


class Opened:
    """A wiki for a server to read and write, on behalf of any number of viewers at once.

    An index is opened when it is first needed, shared by all threads that read as its viewer, and
    replaced when files have changed; who reads meanwhile keeps the snapshot that they began with.
    """

    def __init__(
        self, root: Path, cache: Path | None = None, *, patience: float = _PATIENCE
    ) -> None:
        self.root = root
        self._patience = patience
        self.cache = cache or root / ".citewiki"
        self._watch = Watch(root / "wiki", self.cache)
        self._wikis: dict[Viewer, Wiki] = {}
        self._lock = Lock()
        self._shelves: dict[tuple[Viewer, bool], _Shelf] = {}  # the one used last at the end

    def wiki(self, viewer: Viewer) -> Wiki:
        """The wiki as `viewer` sees it; its indexes are those that are open here.

        Its settings are those that it had when `viewer` first asked: they are not read every time.
        """
        wiki = self._wikis.get(viewer)
        if wiki is None:
            if len(self._wikis) > _MOST_WIKIS:
                self._wikis = {}
            wiki = self._wikis[viewer] = Wiki(self.root, self.cache, viewer, self._lend)
        return wiki

    def stamp(self) -> int:
        """A number that rises when the files of the wiki have changed."""
        return self._watch.stamp()

    def close(self) -> None:
        """Close what is open; who still reads goes on until they are done."""
        with self._lock:
            shelves = list(self._shelves.values())
            self._shelves.clear()
        for shelf in shelves:
            with shelf.lock:
                shelf.clear()

    def _lend(self, viewer: Viewer, archived: bool) -> Index:
        """The index of `viewer` as of now, for one reader.

        Raises Limited while another call is still making the first one.
        """
        wanted = self._watch.stamp()  # before the lock: a look at all files keeps nobody waiting
        shelf = self._shelf((viewer, archived))
        if not shelf.lock.acquire(timeout=self._patience if shelf.index is None else -1):
            raise Limited("the index of what you may see is being made", _AGAIN)
        try:
            return self._current(shelf, wanted, viewer, archived)
        finally:
            shelf.lock.release()

    def _current(self, shelf: _Shelf, wanted: int, viewer: Viewer, archived: bool) -> Index:
        """The index of the shelf for one more reader, opened anew if it is before `wanted`."""
        from citewiki.index.index import open_index

        index = shelf.index
        if index is None or shelf.stamp < wanted:
            stamp = self._watch.stamp()  # now: who waited for this refresh needs no other
            # The one before is closed after this is open: SQLite tidies up after the last.
            wiki = self.root / "wiki"
            index = open_index(wiki, self.cache, viewer, archived=archived, wait=_WAIT)
            if shelf.gone or not index.current:  # not current: the next reader asks again
                return index
            shelf.put(index, stamp)
        shelf.bytes = index.bytes
        return index.shared()

    def _shelf(self, key: tuple[Viewer, bool]) -> _Shelf:
        """The shelf for `key`; those that are one too many, or unused for long, are cleared."""
        now = time.monotonic()
        with self._lock:
            shelf = self._shelves.pop(key) if key in self._shelves else _Shelf()
            self._shelves[key] = shelf
            shelf.used = now
            kept = sum(each.bytes for each in self._shelves.values())
            for other in list(self._shelves)[:-1]:  # the longest unused first
                each = self._shelves[other]
                unused = now - each.used > _UNUSED
                if not (unused or kept > _MOST_BYTES or len(self._shelves) > _MOST):
                    break
                if each.lock.acquire(blocking=False):  # else it is in use after all
                    kept -= each.bytes
                    self._shelves.pop(other).clear()
                    each.lock.release()
        return shelf


def _changed(folder: str) -> int:
    """When a folder's list of files was last changed (ns); -1 when it is gone."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return -1


def _folders(wiki: Path) -> Iterator[str]:
    """The folder of the pages, and all in it that may hold some."""
    for folder, names, _ in os.walk(wiki):
        names[:] = [name for name in names if not name.startswith(".")]
        yield folder
