"""A page's life as it stands under the page: both times, and what the log says of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from citewiki.model import Page
from citewiki.site.anchors import Anchor, anchor, day
from citewiki.site.model import SiteModel
from citewiki.store.catalog import LogLine
from citewiki.store.lives import Event, events


@dataclass(frozen=True, slots=True)
class Row:
    """What happened to a page at one time."""

    day: str  # "12 May 2026"
    iso: str
    what: str
    page: Anchor | None = None  # what took its place


def page_history(
    model: SiteModel, page: Page, log: Mapping[str, Sequence[LogLine]]
) -> tuple[Row, ...]:
    """The life of `page`, oldest first; an end still ahead is in it.

    `log` is by what its lines name. Pages that are not published are not named.
    """
    rows = [(event.at, _row(event.at, what)) for event, what in _lived(page, log)]
    if page.superseded_by and page.superseded_at:
        newest = model.newest_of(page)
        link = anchor(model, newest, model.urls[page.path]) if newest else None
        rows.append(
            (page.superseded_at, replace(_row(page.superseded_at, "superseded"), page=link))
        )
    return tuple(row for _, row in sorted(rows, key=lambda each: each[0]))


def _row(at: datetime, what: str) -> Row:
    return Row(day(at), at.isoformat(), what)


def _lived(page: Page, log: Mapping[str, Sequence[LogLine]]) -> Iterator[tuple[Event, str]]:
    """What is told of `page`, in one row where it happened at one moment; but no other page."""
    named = dict.fromkeys((*log.get(page.slug, ()), *log.get(page.title, ())))
    is_replaced = page.superseded_by or page.superseded_at
    alone = replace(page, superseded_by="", superseded_at=None) if is_replaced else page
    for _, alike in groupby(events(alone, named), lambda event: (event.at, event.time == "log")):
        found = list(alike)
        yield found[0], "; ".join(map(_said, found))


def _said(event: Event) -> str:
    if event.time == "log":
        return f"log: {event.what} ({event.who})"
    return f"{event.what} by {event.who}" if event.who else event.what
