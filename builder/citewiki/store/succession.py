"""Chains of pages, each superseded by the next: the newest of one, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from citewiki.model import Page, Problem, iso

NOT_HERE = "(not here)"
"""In place of a slug: of a page that was put away, may not be seen, or is missing."""

SKEW = timedelta(days=1)
"""How far ahead of the clock a time may be: a day written down where it has begun already."""


def chain(pages: Mapping[str, Page], slug: str) -> list[str]:
    """The slug and those that came after it, the newest last.

    `pages` are by slug. A chain ends at a slug that no page has; in a circle, made by hand, at
    the page before the first one that comes again.
    """
    found: dict[str, None] = {}
    while slug and slug not in found and (slug in pages or not found):
        found[slug] = None
        slug = pages[slug].superseded_by if slug in pages else ""
    return list(found)


def resolve_chain(pages: Mapping[str, Page], slug: str) -> str:
    """The newest slug that `slug` was superseded by, over any number of steps.

    In a circle none is the newest, and `slug` itself is given; `succession_problems` tells of it.
    """
    found = chain(pages, slug)
    last = pages.get(found[-1])
    return slug if last is not None and last.superseded_by in found else found[-1]


def end_by(page: Page, newer: Page, now: datetime) -> datetime:
    """When `page` ceases to hold as `newer` takes its place: when that one begins to hold.

    Now, where that is not known, or would leave `page` no time at all; never before its own start.
    """
    start, end = page.valid_from, newer.valid_from or now
    return max(now, start) if start and end <= start else end


def succession_problems(pages: Iterable[Page], now: datetime | None = None) -> Iterator[Problem]:
    """What is wrong with pages' times and chains, as an edit by hand can leave them.

    Paths are relative to wiki/. With `now`, times of the clock that lie ahead of it are found too.
    """
    by_slug = {page.slug: page for page in pages}
    for page in by_slug.values():
        yield from _of_times(page, now)
        yield from _of_links(page, by_slug)
    for circle in circles(by_slug):
        page = by_slug[circle[0]]
        names = " → ".join((*circle, circle[0]))
        message = f"supersedes itself: {names}; take one superseded_by out"
        yield Problem(page.path, message, 0, "error", "supersession-circle")


def closed_chains(pages: Iterable[Page]) -> Iterator[Page]:
    """The pages, where one that others say they are superseded by says so too."""
    pages = list(pages)
    older: dict[str, list[str]] = {}
    for page in pages:
        if page.superseded_by and page.superseded_by != page.slug:
            older.setdefault(page.superseded_by, []).append(page.slug)
    for page in pages:
        both = tuple(dict.fromkeys((*page.supersedes, *older.get(page.slug, ()))))
        yield replace(page, supersedes=both) if both != page.supersedes else page


def circles(pages: Mapping[str, Page]) -> list[list[str]]:
    """Every circle of pages that supersede each other, from its first slug; linear."""
    seen: dict[str, str] = {}  # slug → the slug that its chain was entered by
    found: list[list[str]] = []
    for start in sorted(pages):
        slug = start
        while slug in pages and slug not in seen:
            seen[slug] = start
            slug = pages[slug].superseded_by
        if slug in pages and seen[slug] == start:
            circle = chain(pages, slug)
            first = circle.index(min(circle))
            found.append(circle[first:] + circle[:first])
    return found


def future_time(page: Page, now: datetime) -> tuple[str, datetime] | None:
    """Name and value of a time of the clock that lies in the future; None: there is none."""
    times = [
        ("ingested_at", page.ingested_at),
        ("last_verified_at", page.last_verified_at),
        ("superseded_at", page.superseded_at),
        ("archived_at", page.archived_at),
        *(("verified", each.at) for each in page.verified),
    ]
    return next(((name, at) for name, at in times if at and at > now + SKEW), None)


def _of_times(page: Page, now: datetime | None) -> Iterator[Problem]:
    if page.valid_from and page.valid_until and page.valid_until < page.valid_from:
        message = (
            f"ends before it starts: valid_until {iso(page.valid_until)}, "
            f"valid_from {iso(page.valid_from)}"
        )
        yield Problem(page.path, message, 0, "error", "ends-before-start")
    ahead = future_time(page, now) if now else None
    if ahead:
        message = f"{ahead[0]} {iso(ahead[1])} lies in the future; mend it, or the clock"
        yield Problem(page.path, message, 0, "error", "future-time")


def _of_links(page: Page, by_slug: Mapping[str, Page]) -> Iterator[Problem]:
    if page.superseded_by and page.superseded_by not in by_slug:
        message = f"is superseded by “{page.superseded_by}”, which does not exist"
        yield Problem(page.path, message, 0, "error", "supersession")
    elif page.superseded_by and page.slug not in by_slug[page.superseded_by].supersedes:
        message = f"is superseded by “{page.superseded_by}”, which does not say so (supersedes)"
        yield Problem(page.path, message, 0, "warning", "supersession")
    for slug in page.supersedes:
        if slug not in by_slug:
            message = f"supersedes “{slug}”, which does not exist"
            yield Problem(page.path, message, 0, "warning", "supersession")
        elif by_slug[slug].superseded_by != page.slug:
            message = f"supersedes “{slug}”, which does not say so (superseded_by)"
            yield Problem(page.path, message, 0, "warning", "supersession")
