"""Bringing the index up to date with the pages on disk: only what changed is read again.

Order of writing: the word index commits first, then the page table, which notes the number of
that commit. A crash between the two leaves numbers that differ, and the next run builds anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import tantivy

from citewiki.errors import PageError
from citewiki.index import table, words
from citewiki.index.analysis import Analysed, analyse
from citewiki.index.current import file_key, scan
from citewiki.index.postings import Postings, keys_of
from citewiki.model import Page, Viewer
from citewiki.store.names import Names
from citewiki.store.pages import load_page, unique_slugs
from citewiki.store.visibility import visible

Progress = Callable[[int, int], None]
"""Told (pages done, pages to do) while pages are read."""


@dataclass
class _Changes:
    """What one look at the disk found, in page numbers."""

    new: list[int] = field(default_factory=list)  # written again
    gone: list[int] = field(default_factory=list)
    renamed: bool = False  # the set of names that pages go by is another one
    hidden: bool = False  # a page that was seen may not be seen any more


def refresh(
    database: sqlite3.Connection,
    index: tantivy.Index,
    folder: Path,
    wiki: Path,
    viewer: Viewer,
    progress: Progress | None = None,
) -> None:
    """Make the index say what the pages at `wiki` say. The caller holds the write lock.

    `folder` is where `index` is. The caller commits the page table afterwards.
    """
    if table.get_meta(database, "commit") != words.commit_stamp(folder):
        _clear(database, index)
    changes = _apply(database, index, wiki, viewer, progress)
    if changes.hidden:
        # Counts of words live on in a word index after their page is gone; nobody who lost
        # sight of a page may read them from a score.
        _clear(database, index)
        changes = _apply(database, index, wiki, viewer, progress)
    if changes.new or changes.gone:
        _resolve_links(database, changes)
    table.set_meta(database, "multilingual", table.is_multilingual(database))
    table.set_meta(database, "mean_length", round(table.mean_length(database)))
    table.set_meta(database, "commit", words.commit_stamp(folder))


def _clear(database: sqlite3.Connection, index: tantivy.Index) -> None:
    table.clear(database)
    words.write_words(index, (), (), all_gone=True)


def _apply(
    database: sqlite3.Connection,
    index: tantivy.Index,
    wiki: Path,
    viewer: Viewer,
    progress: Progress | None,
) -> _Changes:
    """Read what changed and write it to both parts."""
    known = table.file_states(database)
    seen = {file_key(path): (path, state) for path, state in scan(wiki).items()}
    changes = _Changes()
    postings = Postings()
    for file in known.keys() - seen.keys():
        if (pid := known[file].pid) is not None:
            changes.gone.append(pid)
            changes.renamed = True
            postings.change(pid, table.read_keys(database, pid), ())
            table.drop_page(database, pid)
        database.execute("DELETE FROM files WHERE file = ?", (file,))
    todo = [
        (file, path, state)
        for file, (path, state) in sorted(seen.items(), key=lambda item: item[1][0])
        if file not in known or (known[file].size, known[file].mtime) != state
    ]

    def new_pages() -> Iterator[tuple[int, Analysed]]:
        last = database.execute("SELECT coalesce(max(pid), 0) FROM pages").fetchone()[0]
        for done, (file, path, (size, mtime)) in enumerate(todo, 1):
            if progress:
                progress(done, len(todo))
            before = known.get(file)
            digest = _digest(wiki / path)
            if before and before.sha256 == digest:
                state = table.FileState(size, mtime, digest, before.pid)
                table.put_file(database, file, state)
                continue
            page = _read(wiki, path, viewer)
            pid = before.pid if before else None
            if page is None:
                if pid is not None:
                    changes.gone.append(pid)
                    changes.renamed = changes.hidden = True
            elif pid is None:
                pid = last = last + 1
                changes.renamed = True
            elif not changes.renamed:
                changes.renamed = _called(page) != _called(table.read_page(database, "pid", pid))
            table.put_file(
                database, file, table.FileState(size, mtime, digest, pid if page else None)
            )
            if page is not None and pid is not None:
                changes.new.append(pid)
                analysed = analyse(page)
                postings.change(pid, table.read_keys(database, pid), keys_of(analysed))
                table.put_page(database, pid, page, analysed)
                yield pid, analysed

    if todo or changes.gone:
        replaced = {state.pid for state in known.values() if state.pid is not None}
        words.write_words(index, changes.gone, new_pages(), replaced=replaced - {*changes.gone})
        postings.write(database)
    return changes


def _read(wiki: Path, path: str, viewer: Viewer) -> Page | None:
    """The page at `path` when it can be read, is in use, and `viewer` may see it."""
    try:
        page = load_page(wiki, path)
    except PageError:  # `lint` tells of it
        return None
    return page if visible(page, viewer) and page.archived_at is None else None


def _resolve_links(database: sqlite3.Connection, changes: _Changes) -> None:
    """Look up where links lead: those of new pages, or all when names changed."""
    numbered = dict(table.named_pages(database))
    if changes.renamed:
        unique = unique_slugs(list(numbered.values()))
        database.executemany(
            "UPDATE pages SET slug = ? WHERE pid = ? AND slug <> ?",
            [(page.slug, pid, page.slug) for pid, page in zip(numbered, unique, strict=True)],
        )
    names = Names(numbered.values())
    pid_of = {page.path: pid for pid, page in numbered.items()}
    wanted = numbered if changes.renamed else changes.new
    for pid in wanted:
        page = numbered[pid]
        found = [
            (pid_of.get(names.resolve(name, page.path, page.owner).path or ""), target, row)
            for row, name, target in database.execute(
                "SELECT rowid, name, target FROM links WHERE source = ?", (pid,)
            ).fetchall()
        ]
        database.executemany(
            "UPDATE links SET target = ?, fan = NULL WHERE rowid = ?",
            [(now, row) for now, before, row in found if now != before],
        )
    database.execute(_FANS)


_FANS = """
WITH pairs AS (SELECT DISTINCT source, target FROM links WHERE target <> source),
     outward AS (SELECT source AS pid, count(*) AS pages FROM pairs GROUP BY source),
     inward AS (SELECT target AS pid, count(*) AS pages FROM pairs GROUP BY target)
UPDATE links SET fan = max(o.pages, i.pages) FROM outward o, inward i
WHERE o.pid = links.source AND i.pid = links.target AND links.source <> links.target
  AND fan IS NOT max(o.pages, i.pages)
"""
"""How many pages the source of each link leads to, or its target is reached from: the larger."""


def _called(page: Page | None) -> tuple[object, ...]:
    """All by which a page is called."""
    return (page.path, page.slug, page.title, page.aliases, page.owner) if page else ()


def _digest(path: Path) -> bytes:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return b""
