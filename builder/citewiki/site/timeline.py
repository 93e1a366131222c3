"""/timeline/: what came, changed and ended in the whole wiki, by month, without a script.

Few events stand on one page. Of many, that page names the months with their counts, and each
month has pages of its own, so that no page grows without bound and all of them together are as
long as there are events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from citewiki.site.anchors import Anchor, anchor, day, month, to
from citewiki.site.events import KINDS, Event, wiki_events
from citewiki.site.model import SiteModel
from citewiki.site.urls import TIMELINE, up

PER_PAGE = 400  # events: some 60 kB of HTML
OPEN = 12  # pages of a group that are shown open; the rest unfolds


@dataclass(frozen=True, slots=True)
class Group:
    """What happened alike on one day."""

    day: str  # "12 May 2026"
    iso: str  # "2026-05-12"
    what: str
    pages: tuple[Anchor, ...]  # the note of a superseded one names its successor
    more: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """One month, or the part of it that stands on one page."""

    name: str  # "May 2026"
    id: str  # "2026-05"
    counts: tuple[tuple[str, int], ...]  # of the whole month: ("came", 312)
    groups: tuple[Group, ...] = ()
    href: str = ""  # of its own first page


@dataclass(frozen=True, slots=True)
class TimelineView:
    """One page of the timeline."""

    title: str
    url: str
    base: str
    months: tuple[Month, ...]
    newer: Anchor | None = None
    older: Anchor | None = None
    has_graph: bool = False


def timeline_views(model: SiteModel, per_page: int = PER_PAGE) -> list[TimelineView]:
    """Every page of the timeline, the first at /timeline/; none when nothing has a date."""
    events = wiki_events(model)
    if not events:
        return []
    months = [list(every) for _, every in groupby(events, lambda event: _id(event))]
    if len(events) <= per_page:
        shown = tuple(_month(model, every, every, TIMELINE) for every in months)
        return [TimelineView("Timeline", TIMELINE, up(TIMELINE), shown)]
    parts = [
        (f"{TIMELINE}{_id(every[0])}/" + (f"{number + 1}/" if number else ""), every, part)
        for every in months
        for number, part in enumerate(_cut(every, per_page))
    ]
    index = tuple(_month(model, every, (), TIMELINE) for every in months)
    views = [TimelineView("Timeline", TIMELINE, up(TIMELINE), index)]
    starts = [Anchor(month(every[0].moment), url) for url, every, _ in parts]
    for number, (url, every, part) in enumerate(parts):
        views.append(
            TimelineView(
                f"Timeline: {month(every[0].moment)}",
                url,
                up(url),
                (_month(model, every, part, url),),
                newer=_way(starts[number - 1], url) if number else None,
                older=_way(starts[number + 1], url) if number + 1 < len(starts) else None,
            )
        )
    return views


def _way(start: Anchor, at: str) -> Anchor:
    return Anchor(start.text, to(start.href, at))


def _id(event: Event) -> str:
    return f"{event.moment.year:04}-{event.moment.month:02}"


def _cut(events: Sequence[Event], size: int) -> Iterator[Sequence[Event]]:
    for start in range(0, len(events), size):
        yield events[start : start + size]


def _month(model: SiteModel, every: Sequence[Event], part: Sequence[Event], at: str) -> Month:
    """The month of `every`, of which `part` is shown on the page at `at`."""
    counts = Counter(event.kind for event in every)
    name = _id(every[0])
    return Month(
        name=month(every[0].moment),
        id=name,
        counts=tuple((kind, counts[kind]) for kind in KINDS if counts[kind]),
        groups=tuple(_groups(model, part, at)),
        href=to(f"{TIMELINE}{name}/", at),
    )


def _groups(model: SiteModel, events: Sequence[Event], at: str) -> Iterator[Group]:
    for (when, kind), alike in groupby(events, lambda event: (event.moment.date(), event.kind)):
        found = list(alike)
        pages = tuple(_linked(model, event, at) for event in found)
        yield Group(day(found[0].moment), when.isoformat(), kind, pages[:OPEN], pages[OPEN:])


def _linked(model: SiteModel, event: Event, at: str) -> Anchor:
    note = f"by {event.successor.title}" if event.successor else ""
    return Anchor(event.page.title, anchor(model, event.page, at).href, note)
