"""The life of a page along both times: what the wiki did with it, and when what it says holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from citewiki.model import Page
from citewiki.store.catalog import LogLine

Time = Literal["system", "decision", "log", "git"]


@dataclass(frozen=True, slots=True)
class Event:
    """Something in a page's life."""

    at: datetime  # UTC
    time: Time  # "system": when the wiki knew; "decision": when it holds; else where it is told
    what: str
    who: str = ""


def events(page: Page, log: Iterable[LogLine] = ()) -> list[Event]:
    """A page's life, the oldest first: from its front matter, and from the lines of the log."""
    return sorted((*_of_page(page), *told(page.slug, page.title, log)), key=lambda event: event.at)


def told(slug: str, title: str, log: Iterable[LogLine]) -> Iterator[Event]:
    """What the log tells of a page of that slug or title, also of one that is gone."""
    by_slug, by_title = f"({slug})", f"“{title}”"
    for line in log:
        without_slugs = line.what.replace(f"{by_title} (", "")
        if by_slug in line.what or (title and by_title in without_slugs):
            yield Event(line.at, "log", line.what, line.who)


def _of_page(page: Page) -> Iterator[Event]:
    dated = [
        (page.ingested_at, "system", "taken in", ""),
        (page.generated_at, "system", "text written", page.generated_by),
        *((at, "system", "verified", by) for at, by in _verifications(page).items()),
        (page.superseded_at, "system", f"superseded by {page.superseded_by}", ""),
        (page.archived_at, "system", "archived", ""),
        (page.valid_from, "decision", "holds from here on", ""),
        (page.valid_until, "decision", "holds no longer", ""),
    ]
    for at, time, what, who in dated:
        if at is not None:
            yield Event(at, time, what, who)  # type: ignore[arg-type]


def _verifications(page: Page) -> dict[datetime, str]:
    """Every time that a page was verified, and by whom; "" where that is not known."""
    found = {each.at: each.by for each in page.verified if each.at}
    for at in (page.last_verified_at, *(each.previous for each in page.verified)):
        if at:
            found.setdefault(at, "")
    return dict(sorted(found.items()))
