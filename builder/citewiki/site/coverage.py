"""/coverage/: what became of the sections of every source, for whoever may know of all of it.

A source is here for a viewer who sees a page that was made from it, and when it is theirs or the
wiki's own; of its sections those that became no page, or one that they see. What was not compiled
stands in no page, so its titles and reasons are told only of originals that are published or the
viewer's; of others, how many sections there are of each state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from citewiki.model import ANYONE
from citewiki.site.anchors import Anchor, to
from citewiki.site.evidence import Original
from citewiki.site.model import SiteModel
from citewiki.site.sources_pages import Shelf, name_of
from citewiki.site.urls import COVERAGE, part_url, up

STATES = ("compiled", "pending", "skipped", "no_text", "encrypted", "unreadable")
WORDS = {"no_text": "without text"}  # for a reader, where the state is none
PER_PAGE = 400  # sources
MOST = 40  # sections named of one source


@dataclass(frozen=True, slots=True)
class Left:
    """A section that became no page."""

    title: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class Covered:
    """One source: how much of it became pages."""

    source: Anchor  # to its entry on /sources/
    percent: int  # of the sections that hold text
    counts: tuple[tuple[str, int], ...]  # ("compiled", 12)
    left: tuple[Left, ...]
    more: int  # such sections that are not named


@dataclass(frozen=True, slots=True)
class CoverageView:
    """One page of /coverage/."""

    title: str
    url: str
    base: str
    counts: tuple[tuple[str, int], ...]  # of all sources
    sources: tuple[Covered, ...]
    newer: Anchor | None = None
    older: Anchor | None = None
    has_graph: bool = False


def coverage_views(model: SiteModel, shelf: Shelf, per_page: int = PER_PAGE) -> list[CoverageView]:
    """Every page of the list; none when there is nothing that the viewer may know.

    A snapshot has none: the manifest tells of today.
    """
    known = [] if model.is_snapshot else list(_told(model, shelf))
    total = _counts([part.status for original in known for part in original.sections])
    last = (len(known) - 1) // per_page
    views = []
    for number in range(last + 1) if known else ():
        url = part_url(COVERAGE, number)
        part = known[number * per_page : (number + 1) * per_page]
        views.append(
            CoverageView(
                title="Coverage" if not number else f"Coverage, part {number + 1}",
                url=url,
                base=up(url),
                counts=total,
                sources=tuple(_covered(model, shelf, original, url) for original in part),
                newer=_way(number - 1, url) if number else None,
                older=_way(number + 1, url) if number < last else None,
            )
        )
    return views


def _told(model: SiteModel, shelf: Shelf) -> Iterator[Original]:
    """The sources that the viewer may know, without sections whose pages are all hidden.

    What is left may not turn on hidden pages: that a source were missing would tell of them.
    """
    seen = {page.slug for page in (*model.pages.values(), *model.away, *model.unpublished)}
    viewer = model.config.site.viewer
    for original in shelf.originals:
        known = tuple(
            part
            for part in original.sections
            if not (part.pages or part.status == "compiled") or not seen.isdisjoint(part.pages)
        )
        is_seen = not original.pages or not seen.isdisjoint(original.pages)
        if known and is_seen and original.owner in ("", viewer):
            yield replace(original, sections=known)


def _covered(model: SiteModel, shelf: Shelf, original: Original, at: str) -> Covered:
    states = [part.status for part in original.sections]
    readable = sum(state in ("compiled", "pending") for state in states)
    left: list[Left] = []
    viewer = model.config.site.viewer
    if model.config.site.publish_raw or (viewer != ANYONE and original.owner == viewer):
        left = [
            Left(part.title or part.locator, WORDS.get(part.status, part.status), part.reason)
            for part in original.sections
            if part.status != "compiled"
        ]
    return Covered(
        source=Anchor(name_of(original), shelf.entry(original, at)),
        percent=100 * states.count("compiled") // readable if readable else 0,
        counts=_counts(states),
        left=tuple(left[:MOST]),
        more=max(0, len(left) - MOST),
    )


def _counts(states: list[str]) -> tuple[tuple[str, int], ...]:
    found = Counter(states)
    return tuple((WORDS.get(state, state), found[state]) for state in STATES if found[state])


def _way(number: int, at: str) -> Anchor:
    return Anchor(f"Part {number + 1}", to(part_url(COVERAGE, number), at))
