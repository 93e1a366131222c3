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
from citewiki.index.arrays import write_arrays
from citewiki.index.current import Shown, file_key, scan
from citewiki.index.graph import resolve_name
from citewiki.index.postings import Postings, keys_of
from citewiki.model import Page
from citewiki.store.names import Names
from citewiki.store.pages import load_page, unique_slugs
from citewiki.store.prefixes import prefix_file, read_prefixes
from citewiki.store.visibility import visible

Progress = Callable[[int, int], None]
"""Told (pages done, pages to do) while pages are read."""


@dataclass
class _Changes:
    """What one look at the disk found, in page numbers."""

    new: list[int] = field(default_factory=list)  # written again
    gone: list[int] = field(default_factory=list)
    renamed: bool = False  # the set of names that pages go by is another one
    relinked: bool = False  # a page has other links than before
    hidden: bool = False  # a page that was seen may not be seen any more


def refresh(
    database: sqlite3.Connection,
    index: tantivy.Index,
    folder: Path,
    shown: Shown,
    progress: Progress | None = None,
) -> None:
    """Make the index say what the pages of `shown` say. The caller holds the write lock.

    `folder` is where `index` is. The caller commits the page table afterwards.
    """
    if table.get_meta(database, "commit") != words.commit_stamp(folder):
        _clear(database, index)
    changes = _apply(database, index, shown, progress)
    if changes.hidden:
        # Counts of words live on in a word index after their page is gone; nobody who lost
        # sight of a page may read them from a score.
        _clear(database, index)
        changes = _apply(database, index, shown, progress)
    if changes.renamed or changes.relinked:
        _resolve_links(database, changes)
        write_arrays(database)
    elif changes.new:
        write_arrays(database, links=False)
    table.set_meta(database, "multilingual", table.is_multilingual(database))
    table.set_meta(database, "mean_length", round(table.mean_length(database)))
    table.set_meta(database, "commit", words.commit_stamp(folder))


def _clear(database: sqlite3.Connection, index: tantivy.Index) -> None:
    table.clear(database)
    words.write_words(index, (), (), all_gone=True)


def _apply(
    database: sqlite3.Connection,
    index: tantivy.Index,
    shown: Shown,
    progress: Progress | None,
) -> _Changes:
    """Read what changed and write it to both parts."""
    known = table.file_states(database)
    seen = {file_key(path): (path, state) for path, state in scan(shown).items()}
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
            prefixes = prefix_file(shown.cache, path)
            digest = _digest(shown.wiki / path, prefixes)
            if before and before.sha256 == digest:
                state = table.FileState(size, mtime, digest, before.pid)
                table.put_file(database, file, state)
                continue
            page = _read(shown, path)
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
                analysed = analyse(page, read_prefixes(prefixes))
                postings.change(pid, table.read_keys(database, pid), keys_of(analysed))
                changes.relinked |= table.put_page(database, pid, page, analysed)
                yield pid, analysed

    if todo or changes.gone:
        replaced = {state.pid for state in known.values() if state.pid is not None}
        words.write_words(index, changes.gone, new_pages(), replaced=replaced - {*changes.gone})
        postings.write(database)
    return changes


def _read(shown: Shown, path: str) -> Page | None:
    """The page at `path` when it can be read and is one of `shown`."""
    try:
        page = load_page(shown.wiki, path)
    except PageError:  # `lint` tells of it
        return None
    there = shown.archived or page.archived_at is None
    return page if there and visible(page, shown.viewer) else None


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
            (pid_of.get(_meant(names, name, written, page)), target, link)
            for link, name, written, target in database.execute(
                "SELECT link, name, written, target FROM links WHERE source = ?", (pid,)
            ).fetchall()
        ]
        database.executemany(
            "UPDATE links SET target = ? WHERE link = ?",
            [(now, link) for now, before, link in found if now != before],
        )


def _meant(names: Names, name: str, written: str, page: Page) -> str:
    """Path of the page that a link on `page` leads to; "" when there is none."""
    return resolve_name(names, name, written, page.path, page.owner)[0].path or ""


def _called(page: Page | None) -> tuple[object, ...]:
    """All by which a page is called."""
    if page is None:
        return ()
    return page.path, page.slug, page.title, page.aliases, page.redirect_from, page.owner


def _digest(*files: Path) -> bytes:
    """The SHA-256 of files; one that cannot be read counts as empty."""
    digest = hashlib.sha256()
    for file in files:
        try:
            data = file.read_bytes()
        except OSError:
            data = b""
        digest.update(b"%d\n" % len(data) + data)
    return digest.digest()
