"""A source is taken out again, with every page, claim and link that came from it.

Nothing else is touched, and the original outside of the wiki never is. Writes are ordered so that
a run may be killed between any two: pages, the queue, raw/, index and log, and last the manifest's
line. Until that is gone, undoing goes on where it stopped.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.distill.cutting import Cut, Origin, cut, unlinked
from citewiki.distill.shelf import Shelf, archived
from citewiki.errors import DataError, WriteError
from citewiki.markdown.notes import parted
from citewiki.markdown.wikilinks import Wikilink, wikilinks
from citewiki.model import Page, SourceRecord
from citewiki.sources.ingest import sha256_of
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.store import bases, review
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import write_atomic, write_error
from citewiki.store.kept import Kept
from citewiki.store.names import Names
from citewiki.store.pages import body_sha256, edited_by_hand
from citewiki.store.parts import sections

UNDONE = "undone"
"""Folder in the wiki's root for what a person had put into raw/: it may be the only copy."""


@dataclass(frozen=True, slots=True)
class PageLoss:
    """What one page loses."""

    path: str  # relative to wiki/
    title: str
    edited: bool = False  # whether a person has written on it
    claims: tuple[str, ...] = ()  # what is taken out, plain
    footnotes: int = 0
    kept: tuple[str, ...] = ()  # a person's words that lose their evidence


@dataclass(frozen=True, slots=True)
class LinkLoss:
    """A link to a page that goes."""

    path: str  # of the page that it is on
    title: str  # of the page that it leads to
    stays: bool  # a person's page keeps it, to nothing; else its words stay without it


@dataclass(frozen=True, slots=True)
class Undo:
    """All that undoing a source does."""

    source: str  # its id
    path: str
    title: str
    deleted: tuple[PageLoss, ...] = ()  # pages that come from it alone
    shared: tuple[PageLoss, ...] = ()  # pages that lose its part
    spared: tuple[PageLoss, ...] = ()  # from it alone, but edited: they stay as they are
    links: tuple[LinkLoss, ...] = ()
    drafts: tuple[str, ...] = ()  # ids in the review queue
    removed: tuple[str, ...] = ()  # files in raw/
    moved: tuple[str, ...] = ()  # files in raw/ that were put there by hand: moved to undone/


def plan_undo(root: Path, cache: Path, name: str, *, edited: bool = False) -> Undo:
    """What undoing the source of that id or path would do; nothing is written.

    `edited`: also delete pages that a person has written on. Raises DataError for an unknown name.
    """
    return _Undoing(root, cache, name, edited).plan


def undo_source(
    root: Path,
    cache: Path,
    name: str,
    *,
    now: datetime,
    who: str,
    edited: bool = False,
    planned: Undo | None = None,
) -> Undo:
    """Take a source out; what was done. The caller holds the wiki's lock.

    With `planned`, raises DataError, before anything is written, when it would be something else.
    """
    undoing = _Undoing(root, cache, name, edited)
    if planned is not None and undoing.plan != planned:
        raise DataError(name, "the wiki has changed since; look at the plan again")
    undoing.run(now, who)
    return undoing.plan


class _Undoing:
    """One source, what stands in the wiki because of it, and what will stand there then."""

    def __init__(self, root: Path, cache: Path, name: str, edited: bool) -> None:
        self.root, self.cache = root, cache
        self.records = load_manifest(root)
        self.record = self._record(name)
        self.shelf = Shelf(root / "wiki")
        self.writes: dict[str, Page] = {}
        self.deletes: dict[str, Page] = {}
        self._bases: list[str] = []  # what the program's texts will be
        self.plan = self._plan(edited)

    def _record(self, name: str) -> SourceRecord:
        for record in self.records.values():
            if name in (record.id, record.path, record.origin):
                return record
        raise DataError(
            MANIFEST, f"no source is called “{name}”", hint="list them: citewiki coverage"
        )

    def _plan(self, edited: bool) -> Undo:
        origin = Origin.of(self.record, self.records.values())
        deleted: list[PageLoss] = []
        shared: list[PageLoss] = []
        spared: list[PageLoss] = []
        for page in self._pages():
            if not origin.on(page):
                continue
            by_hand = edited_by_hand(page)
            if not origin.alone_on(page) or not page.generated_sha256:  # a person's own page stays
                shared.append(self._cut(page, origin))
            elif by_hand and not edited:
                spared.append(PageLoss(page.path, page.title, True))
            else:
                deleted.append(_whole(page, origin, by_hand))
                self.deletes[page.slug] = page
        links = tuple(self._unlink())
        self._unsupersede()
        by_hand = self.record.origin == self.record.path
        files = tuple(self._files())
        return Undo(
            self.record.id,
            self.record.path,
            self.record.title,
            tuple(deleted),
            tuple(shared),
            tuple(spared),
            links,
            tuple(each.id for each in review.items(self.cache) if each.source == self.record.id),
            () if by_hand else files,
            files if by_hand else (),
        )

    def _pages(self) -> Iterator[Page]:
        for slug in sorted(self.shelf.slugs):
            yield self.writes.get(slug) or self.shelf.whole(slug)

    def _cut(self, page: Page, origin: Origin) -> PageLoss:
        """Plan the page without the source's part; the program's own text likewise."""
        by_hand = edited_by_hand(page)
        base = bases.base_of(self.cache, page) if by_hand else None
        own = _keys(page.body) - _keys(base or "") if by_hand else set()
        done: Cut = cut(page.body, origin, own)
        program = cut(base, origin).body if base else "" if by_hand else done.body
        paths, id_ = origin.paths, origin.id
        self.writes[page.slug] = replace(
            page,
            body=done.body,
            sources=tuple(r for r in page.sources if r.id != id_ and r.resource not in paths),
            generated_sha256=body_sha256(program) if program else page.generated_sha256,
        )
        if program:
            self._bases.append(program)
        return PageLoss(page.path, page.title, by_hand, done.claims, done.footnotes, done.kept)

    def _unlink(self) -> Iterator[LinkLoss]:
        """Plan other pages without the program's links to pages that go."""
        gone = {page.path: page.title for page in self.deletes.values()}
        names = Names(page for page in self.shelf.slugs.values() if not archived(page))
        for page in self._pages():
            if page.slug in self.deletes:
                continue

            def target(link: Wikilink, page: Page = page) -> str | None:
                path = names.resolve(link.target, page.path, page.owner).path
                return path if path in gone else None

            lost = [path for link in wikilinks(page.body) if (path := target(link))]
            if not lost:
                continue
            by_hand = edited_by_hand(page)
            if not by_hand:
                body = unlinked(page.body, lambda link: target(link) is not None)
                self.writes[page.slug] = replace(
                    page, body=body, generated_sha256=body_sha256(body)
                )
                self._bases.append(body)
            for path in dict.fromkeys(lost):
                yield LinkLoss(page.path, gone[path], by_hand)

    def _unsupersede(self) -> None:
        for page in self._pages():
            if page.slug in self.deletes or not {page.superseded_by, *page.supersedes} & {
                *self.deletes
            }:
                continue
            by = self.deletes.get(page.superseded_by)
            self.writes[page.slug] = replace(
                page,
                superseded_by="" if by else page.superseded_by,
                valid_until=None if by and page.valid_until == by.valid_from else page.valid_until,
                supersedes=tuple(slug for slug in page.supersedes if slug not in self.deletes),
            )

    def _files(self) -> Iterator[str]:
        """The source's files in raw/; an earlier version only while its bytes are the same."""
        if (self.root / self.record.path).exists():
            yield self.record.path
        taken = {record.path for record in self.records.values()}
        for version in self.record.versions:
            file = self.root / version.path
            if version.path in taken or not file.is_file():
                continue
            if sha256_of(file.read_bytes()) == version.sha256:
                yield version.path

    def run(self, now: datetime, who: str) -> None:
        """Do it."""
        for body in self._bases:
            bases.keep(self.cache, body)
        for page in self.writes.values():
            self.shelf.write(page)
        for page in self.deletes.values():
            _delete(self.root / "wiki" / page.path, self.root / "wiki")
        for page in self.deletes.values():
            with contextlib.suppress(KeyError):
                del Kept(self.cache / bases.FOLDER)[page.generated_sha256]
        for id_ in self.plan.drafts:
            review.remove(self.cache, id_)
        for path in self.plan.removed:
            _delete(self.root / path, self.root / "raw")
        for path in self.plan.moved:
            _move(self.root / path, self.root / UNDONE / path.removeprefix("raw/"))
        served = [page for page in self.shelf.served() if page.slug not in self.deletes]
        write_index(self.root / "wiki", served)
        self._log(now, who)
        rest = [record for record in self.records.values() if record.id != self.record.id]
        write_atomic(self.root / MANIFEST, render_manifest(rest))

    def _log(self, now: datetime, who: str) -> None:
        log = self.root / "wiki" / "log.md"
        before = log.read_text(encoding="utf-8-sig") if log.exists() else ""
        newest = before.partition("\n- ")[2].partition("\n- ")[0]
        what = f"undid {self.record.path}: "
        if what not in newest:  # else a run that was killed has said it
            pages, shared = len(self.plan.deleted), len(self.plan.shared)
            append_log(
                self.root / "wiki",
                now,
                who,
                [f"{what}{pages} pages deleted, {shared} lost its part"],
            )


def _whole(page: Page, origin: Origin, by_hand: bool) -> PageLoss:
    gone = cut(page.body, origin)
    return PageLoss(page.path, page.title, by_hand, gone.claims, gone.footnotes)


def _keys(body: str) -> set[str]:
    return {unit.key for section in sections(parted(body)[0], 0) for unit in section.all}


def _delete(file: Path, top: Path) -> None:
    """Delete a file, and the folders below `top` that it leaves empty."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(file, error) from error
    _without_empty(file.parent, top)


def _move(file: Path, target: Path) -> None:
    if target.exists():
        raise WriteError(str(target), "is there already; move it elsewhere, then run this again")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file.replace(target)
    except OSError as error:
        raise write_error(target, error) from error


def _without_empty(folder: Path, top: Path) -> None:
    with contextlib.suppress(OSError):  # it is not empty, or not ours to remove
        while folder != top and folder.is_relative_to(top):
            folder.rmdir()
            folder = folder.parent
