"""Drafts of a pass go to the review queue, and an audit is counted in the log."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.distill.maintain.reshaping import merged, split
from citewiki.distill.placing import place
from citewiki.distill.shelf import Shelf
from citewiki.markdown.footnotes import footnotes
from citewiki.model import Draft, Page, Proposal, SourceRecord
from citewiki.model.source import ProposalKind
from citewiki.store import bases
from citewiki.store import review as queue
from citewiki.store.catalog import read_log
from citewiki.store.review import Item

AUDIT_EVERY = 15
"""Sources taken in after which an audit is due: few enough that what they doubled or left hanging
is still known to the person who took them in (a decision)."""

BY = "extractive"

_AUDITED = re.compile(r"audited \d+ pages")
_REJECTED = re.compile(r"rejected “.*?” \(([0-9a-f]{12})\)")


@dataclass(frozen=True, slots=True)
class Wanted:
    """A page as a pass would have it."""

    page: Page
    why: str
    kind: ProposalKind = "new"
    target: str = ""  # slug of the page that it changes or supersedes; "" for a new one
    after: tuple[str, ...] = ()  # slugs of new pages that take some of its text
    quotes: tuple[str, ...] = ()  # evidence; those of its footnotes when none are given
    problems: tuple[str, ...] = ()  # what a person has to decide
    by: str = BY


def queued(
    root: Path, cache: Path, shelf: Shelf, wanted: Iterable[Wanted], now: datetime
) -> list[Item]:
    """Put drafts into the review queue; those that a person has turned down are left out.

    They belong to no section, so that what is decided of them changes no section's state. The
    caller holds the wiki's lock.
    """
    turned_down = rejected(root)
    found: list[Item] = []
    for each in wanted:
        slug = each.page.slug
        current = shelf.whole(slug) if slug in shelf else None
        quotes = each.quotes or tuple(
            note.quote for note in footnotes(each.page.body).values() if note.quote
        )
        source = each.page.sources[0].id if each.page.sources else ""
        placed = place(
            Proposal(
                Draft(each.page, source, ""),
                each.kind,
                each.target,
                each.why,
                quotes,
                each.problems,
                each.by,
            ),
            current,
            cache=cache,
            now=now,
            review=True,
            previous=shelf.text(slug) if current else "",
        )
        if placed.item is None or placed.item.id in turned_down:
            continue
        item = replace(placed.item, after=each.after)
        if each.after:
            reason = f"the drafts of {', '.join(each.after)} take its text and have to go first"
            item = replace(item, reasons=(*item.reasons, reason))
        queue.queue(cache, item, current.body if current else "")
        found.append(item)
    return found


def rejected(root: Path) -> frozenset[str]:
    """Ids of drafts that were turned down, by the log; a draft that reads otherwise has another."""
    found = (_REJECTED.match(line.what) for line in read_log(root / "wiki"))
    return frozenset(line[1] for line in found if line)


def sources_since(root: Path, records: Mapping[str, SourceRecord]) -> int:
    """How many sources, new ones and new versions, were taken in since the last audit."""
    audits = [line.at for line in read_log(root / "wiki") if _AUDITED.match(line.what)]
    last = max(audits, default=None)
    return sum(last is None or record.fetched_at > last for record in records.values())


# -- what the rules draft -----------------------------------------------------------------------


def merge_wanted(stays: Page, goes: Page, why: str, cache: Path, now: datetime) -> Wanted | None:
    """The draft of `stays` with all of `goes`; None where only a person can merge them.

    It is made from what the program wrote: a person's edits of `stays` come in when it is placed.
    """
    base = bases.base_of(cache, stays)
    if base is None or not stays.generated_by:
        return None
    page = merged(replace(stays, body=base), goes, now)
    told = f"it takes in all of “{goes.title}”, which it supersedes: {why}"
    return Wanted(page, told, "supersession", goes.slug)


def split_wanted(page: Page, why: str, shelf: Shelf, cache: Path, now: datetime) -> list[Wanted]:
    """Drafts of the parts of a page, and of the page without them; none when it has no parts."""
    base = bases.base_of(cache, page)
    if base is None or base != page.body:  # a person's edits would be in the way of their text
        return []
    found = split(page, shelf.titles, shelf.slugs, now)
    if found is None:
        return []
    told = f"a part of “{page.title}”, word for word: {why}"
    parts = [Wanted(part, told) for part in found.parts]
    slugs = tuple(part.slug for part in found.parts)
    names = ", ".join(f"“{part.title}”" for part in found.parts)
    rest = Wanted(found.rest, f"its parts become pages: {names}: {why}", "update", page.slug, slugs)
    return [*parts, rest]
