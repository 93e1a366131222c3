"""What happened to the whole wiki, along both times: when it knew, and when pages held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from citewiki.model import Page
from citewiki.site.model import SiteModel

Kind = Literal["came", "verified", "rewritten", "superseded", "ended"]
KINDS: tuple[Kind, ...] = ("came", "verified", "rewritten", "superseded", "ended")
"""In the order in which they are told of one day."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a page."""

    moment: datetime
    kind: Kind
    page: Page
    successor: Page | None = None  # what took its place, when that is published


def wiki_events(model: SiteModel) -> list[Event]:
    """Everything that has happened by `model.now`, the newest day first, then by kind and title."""
    found = [event for page in model.pages.values() for event in _events(model, page)]
    found.sort(key=lambda event: (event.page.title.casefold(), event.page.path))
    found.sort(key=lambda event: (-event.moment.date().toordinal(), KINDS.index(event.kind)))
    return found


def _events(model: SiteModel, page: Page) -> Iterator[Event]:
    found = (*_came(page), *_verified(page), *_ended(model, page))
    return (event for event in found if event.moment <= model.now)


def _came(page: Page) -> Iterator[Event]:
    came, written = page.ingested_at, page.generated_at
    if came:
        yield Event(came, "came", page)
    if came and written and written.date() > came.date():
        yield Event(written, "rewritten", page)


def _verified(page: Page) -> Iterator[Event]:
    """Every check, one a day; those of the days on which the text came say nothing more."""
    came = {moment.date() for moment in (page.ingested_at, page.generated_at) if moment}
    times = {page.last_verified_at}.union(*((each.at, each.previous) for each in page.verified))
    days = {moment.date(): moment for moment in sorted(filter(None, times))}
    return (Event(at, "verified", page) for day, at in days.items() if day not in came)


def _ended(model: SiteModel, page: Page) -> Iterator[Event]:
    """Its end, or, for a page that another one replaced, when that was recorded."""
    ends = page.valid_until
    if page.superseded_by:
        recorded = page.superseded_at if model.is_superseded(page) else None
        if when := recorded or ends:
            yield Event(when, "superseded", page, model.newest_of(page))
    elif ends:
        yield Event(ends, "ended", page)
