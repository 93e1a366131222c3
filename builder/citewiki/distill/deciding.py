"""What a person decides of the drafts that wait: they are written, or turned down with a reason.

Writes are ordered so that a run may be killed between any two of them: pages, manifest, links,
index, log, and last the item itself. Deciding again changes nothing that was done.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.linking import link_shelf
from citewiki.distill.shelf import Shelf
from citewiki.distill.worklist import REJECTED
from citewiki.errors import DataError
from citewiki.model import Page, Problem, SectionRecord, SourceRecord
from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest
from citewiki.store import bases, review
from citewiki.store.catalog import append_log, write_index
from citewiki.store.continuity import continued
from citewiki.store.files import write_atomic
from citewiki.store.merge import Conflict, Merged, merge
from citewiki.store.pages import body_sha256, edited_by_hand
from citewiki.store.review import Item
from citewiki.store.succession import end_by


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of the items that were named."""

    accepted: tuple[str, ...] = ()  # slugs of the pages that were written
    rejected: tuple[str, ...] = ()  # ids
    waiting: tuple[Problem, ...] = ()  # items that stay in the queue, and why


def accept(
    root: Path,
    cache: Path,
    names: Iterable[str],
    config: Config,
    *,
    now: datetime,
    who: str,
    mine: bool = False,
) -> Decided:
    """Write the pages of the items named (ids, or their beginnings), and link them.

    A page that has changed since its item was made is merged with it; when both have changed the
    same, the item stays, with both sides. `mine` takes all of an item but what a person has
    written otherwise. The caller holds the wiki's lock. Raises DataError for an unknown name.
    """
    items = [review.item(cache, name) for name in dict.fromkeys(names)]
    items.sort(key=lambda item: bool(item.after))  # what others wait for goes first
    shelf = Shelf(root / "wiki")
    records = load_manifest(root)
    done: list[Item] = []
    waiting: list[Problem] = []
    changed: set[str] = set()
    for item in items:
        try:
            page = _page(item, shelf, cache, mine)
        except _Stays as stays:
            if stays.conflicts:
                review.queue(cache, _with_conflicts(item, stays))
            waiting.append(
                Problem(f"wiki/{item.path}", f"{item.id}: {stays}", 0, "error", "review")
            )
            continue
        if _write(page, item, shelf, cache, now):
            changed.add(item.id)
        done.append(item)
        if _record(records, item, status="compiled", reason="", slug=page.slug):
            changed.add(item.id)
    _write_manifest(root, records)
    if done and config.link_titles:
        link_shelf(shelf, cache)
    if done:
        write_index(root / "wiki", shelf.served())
    _log(root, now, who, [(item, "accepted", item.why) for item in done], changed)
    for item in done:
        bases.settle_front(cache, item.id, item.slug)
        review.remove(cache, item.id)
    return Decided(accepted=tuple(item.slug for item in done), waiting=tuple(waiting))


def reject(
    root: Path, cache: Path, names: Iterable[str], *, now: datetime, who: str, why: str
) -> Decided:
    """Turn items down; their sections stay pending, and the next compile is told why.

    The caller holds the wiki's lock. Raises DataError for an unknown name, or without a reason.
    """
    why = " ".join(why.split())
    if not why:
        raise DataError(review.FOLDER, "a rejection needs its reason", hint="say it: --why TEXT")
    items = [review.item(cache, name) for name in dict.fromkeys(names)]
    records = load_manifest(root)
    reason = f"{REJECTED}{who or 'operator'}: {why}"
    changed = {
        item.id
        for item in items
        if _record(records, item, status="pending", reason=reason, slug="")
    }
    _write_manifest(root, records)
    _log(root, now, who, [(item, "rejected", why) for item in items], changed)
    for item in items:
        review.remove(cache, item.id)
    return Decided(rejected=tuple(item.id for item in items))


def conflicts(cache: Path, item: Item, current: Page) -> tuple[Conflict, ...]:
    """Where a person and the item have changed the same of the page as it is now."""
    now = body_sha256(current.body)
    if not item.person and now in (item.before_sha256, body_sha256(item.page.body)):
        return ()
    try:
        return _merged(item, current, cache).conflicts
    except _Stays:
        return (Conflict("", "", item.person, ""),) if item.person else ()


# -- the page as it will be ---------------------------------------------------------------------


class _Stays(Exception):
    """The item cannot be written as it is: why, for a person."""

    def __init__(self, why: str, conflicts: tuple[Conflict, ...] = ()) -> None:
        self.conflicts = conflicts
        super().__init__(why)


def _page(item: Item, shelf: Shelf, cache: Path, mine: bool) -> Page:
    """The page to write, in place of the one that is there now."""
    page = replace(item.page, slug=item.slug)
    if ".." in Path(item.path).parts or item.path.startswith("/") or not item.path.endswith(".md"):
        raise _Stays("its path leads out of wiki/")
    missing = [slug for slug in item.after if slug not in shelf]
    if missing:
        raise _Stays(f"its text goes to {', '.join(missing)}; accept the drafts of these first")
    if item.slug not in shelf:
        if item.before_sha256:
            raise _Stays("its page is gone since; reject it, or put the page back")
        if any(other.path == item.path for other in shelf.slugs.values()):
            raise _Stays(f"another page lies at {item.path}; move that, or reject this")
        return page
    current = shelf.whole(item.slug)
    now = body_sha256(current.body)
    if now == body_sha256(page.body):
        body, made = current.body, current.generated_sha256
    elif now == item.before_sha256 and not (mine and item.person):
        body, made = page.body, page.generated_sha256
    else:
        merged = _merged(item, current, cache)
        if merged.conflicts and not mine:
            raise _Stays(
                "the page was changed in the same place; see both sides: citewiki review show "
                f"{item.id}; then edit the page, or accept with --mine, or reject",
                merged.conflicts,
            )
        body = merged.body
        made = page.generated_sha256 if edited_by_hand(current) else body_sha256(body)
    page = bases.with_edits(cache, current, replace(page, body=body, generated_sha256=made))
    ended = current.valid_until or page.valid_until
    return replace(continued(current, page), valid_until=ended)


def _merged(item: Item, current: Page, cache: Path) -> Merged:
    """The item's text and that of the page as it is now."""
    page = item.page
    before = bases.kept(cache, item.before_sha256) if item.before_sha256 else ""
    if before is None or item.person:  # or it was made in spite of a person's text
        base, program = bases.base_of(cache, current), bases.kept(cache, page.generated_sha256)
        if base is None or program is None or not edited_by_hand(current):
            raise _Stays("the page has changed since; compile its source again, or reject this")
        return merge(base, current.body, program)
    merged = merge(before, current.body, page.body)
    if not item.before_sha256 and merged.body.strip() != current.body.strip():
        raise _Stays("a page of that name was made since; reject this, or rename that")
    return merged


def _with_conflicts(item: Item, stays: _Stays) -> Item:
    person = "\n\n".join(conflict.person for conflict in stays.conflicts)
    reason = "a person has changed the same since it was made"
    return replace(item, person=person, reasons=tuple(dict.fromkeys((*item.reasons, reason))))


# -- writing ------------------------------------------------------------------------------------


def _write(page: Page, item: Item, shelf: Shelf, cache: Path, now: datetime) -> bool:
    """Write a page and the front matter of those that it supersedes; whether that changed any."""
    if not edited_by_hand(page):
        bases.keep(cache, page.body)
    changed = _put(shelf, page)
    for slug in page.supersedes if item.kind == "supersession" else ():
        if slug in shelf and slug != page.slug and not shelf[slug].superseded_by:
            old = shelf.whole(slug)
            end = end_by(old, page, now)
            old = replace(
                old,
                superseded_by=page.slug,
                superseded_at=now,
                valid_until=min(old.valid_until or end, end),
                valid_until_before=old.valid_until,
            )
            changed |= _put(shelf, old)
    return changed


def _put(shelf: Shelf, page: Page) -> bool:
    """Write a page; whether its file was another one before."""
    before = shelf.text(page.slug) if page.slug in shelf else ""
    shelf.put(page)
    shelf.flush()
    return shelf.text(page.slug) != before


def _record(
    records: dict[str, SourceRecord], item: Item, *, status: str, reason: str, slug: str
) -> bool:
    """Note in `records` what became of the item's section; False when that is there already."""
    record = records.get(item.source)
    if record is None:
        return False
    sections = tuple(
        _section(section, item, status, reason, slug) if section.id == item.section else section
        for section in record.sections
    )
    records[record.id] = replace(record, sections=sections)
    return sections != record.sections


def _section(
    section: SectionRecord, item: Item, status: str, reason: str, slug: str
) -> SectionRecord:
    """One that has changed since stays to be compiled, with the pages that it has.

    One that has a page already keeps it when something else that was made of it is rejected.
    """
    pages = tuple(dict.fromkeys((*section.pages, slug))) if slug else section.pages
    if section.sha256 != item.section_sha256 or section.status == "compiled":
        return replace(section, pages=pages)
    return replace(section, status=status, reason=reason, pages=pages)  # type: ignore[arg-type]


def _write_manifest(root: Path, records: Mapping[str, SourceRecord]) -> None:
    if records:
        write_atomic(root / MANIFEST, render_manifest(records.values()))


def _log(
    root: Path, now: datetime, who: str, decided: list[tuple[Item, str, str]], changed: set[str]
) -> None:
    """A line for each item, unless a run that was killed has written it before."""
    path = root / "wiki" / "log.md"
    known = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    lines = [
        f"{verb} “{item.title}” ({item.id}){': ' + why if why else ''}"
        for item, verb, why in decided
        if item.id in changed or f"({item.id})" not in known
    ]
    append_log(root / "wiki", now, who, lines)
