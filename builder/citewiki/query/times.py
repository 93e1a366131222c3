"""When a page holds, when the wiki had it, and whether it may be the basis of an answer.

Two times (Snodgrass 1999): what a page says holds in [valid_from, valid_until), and the wiki had
the page in [ingested_at, archived_at). Both are half-open, and a bound that is missing is open.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta

from citewiki.model import Caution, Page, iso
from citewiki.store.paths import is_put_away
from citewiki.store.succession import NOT_HERE

Lookup = Callable[[str], Page | None]
"""The page of a slug, among those that may be known of; None: there is none."""


@dataclass(frozen=True, slots=True)
class Moment:
    """What a question is asked of: now, unless it names another time."""

    now: datetime
    as_of: datetime | None = None  # what held then
    known_at: datetime | None = None  # what the wiki had then

    @property
    def at(self) -> datetime:
        """The time at which a page has to be right. Who asks what was known then stands there."""
        return self.as_of or min(self.known_at or self.now, self.now)

    @property
    def present(self) -> bool:
        """Whether it is asked for what is so, and known, now."""
        return self.as_of is None and self.known_at is None


def utc(moment: date | None) -> datetime | None:
    """A time in UTC: one without an offset is taken for UTC, a day for its first moment."""
    if moment is None:
        return None
    if not isinstance(moment, datetime):
        moment = datetime.combine(moment, time())
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def holds(page: Page, as_of: datetime | None, known_at: datetime | None = None) -> bool:
    """Whether what `page` says holds at `as_of`; None asks for nothing.

    Who stands at `known_at` does not know of an end that came with a successor later.
    """
    if as_of is None:
        return True
    ends = page.valid_until_before if _settled_after(page, known_at) else page.valid_until
    return not (page.valid_from and as_of < page.valid_from) and not (ends and as_of >= ends)


def known(page: Page, at: datetime | None) -> bool:
    """Whether the wiki had `page` at `at`; None asks for nothing.

    A page in the archive that does not say since when was never there.
    """
    if at is None:
        return True
    if page.archived_at is None and is_put_away(page.path):
        return False
    return not (page.ingested_at and at < page.ingested_at) and not (
        page.archived_at and at >= page.archived_at
    )


def as_seen(
    pages: Iterable[Page], as_of: datetime | None, known_at: datetime | None = None
) -> list[Page]:
    """Of `pages` those that held at `as_of` and that the wiki had at `known_at`, as they were.

    They name no successor or predecessor that the wiki did not have, nor a check or an end that
    came later.
    """
    had = [page for page in pages if known(page, known_at)]
    slugs = {page.slug for page in had}
    return [as_it_was(page, slugs, known_at) for page in had if holds(page, as_of, known_at)]


def as_it_was(page: Page, slugs: Collection[str], known_at: datetime | None = None) -> Page:
    """`page` without what came after `known_at`; `slugs` are the pages that there were.

    Now, a successor that is not among them is `NOT_HERE`; then, nothing tells whether it was known.
    """
    settled_after = _settled_after(page, known_at)
    successor = "" if settled_after else page.superseded_by
    if successor and successor not in slugs:
        successor = "" if known_at else NOT_HERE
    supersedes = tuple(slug for slug in page.supersedes if slug in slugs)
    if known_at is None and (successor, supersedes) == (page.superseded_by, page.supersedes):
        return page
    checked, away = page.last_verified_at, page.archived_at
    return replace(
        page,
        superseded_by=successor,
        superseded_at=None if settled_after else page.superseded_at,
        supersedes=supersedes,
        valid_until=page.valid_until_before if settled_after else page.valid_until,
        valid_until_before=None if settled_after else page.valid_until_before,
        last_verified_at=None if known_at and checked and checked > known_at else checked,
        verified=tuple(
            each for each in page.verified if not (known_at and each.at and each.at > known_at)
        ),
        archived_at=None if known_at and away and away > known_at else away,
    )


def _settled_after(page: Page, known_at: datetime | None) -> bool:
    """Whether a successor, and the end that came with it, was recorded after `known_at`.

    The end that the page had before was known: `valid_until_before`.
    """
    return bool(known_at and page.superseded_at and page.superseded_at > known_at)


def successors(page: Page, lookup: Lookup, moment: Moment) -> list[Page]:
    """The pages that had taken the place of `page`, one of the other, the newest last.

    A chain of any length ends at a page that `lookup` does not know, that was not there yet, or,
    in a circle made by hand, before the first page that comes again.
    """
    found: list[Page] = []
    seen = {page.slug}
    while page.superseded_by and not _settled_after(page, moment.known_at):
        after = lookup(page.superseded_by)
        if after is None or after.slug in seen or not _took_over(after, moment):
            break
        seen.add(after.slug)
        found.append(after)
        page = after
    return found


def _took_over(page: Page, moment: Moment) -> bool:
    """Whether a successor had begun to hold; without a date it did when the wiki took it in."""
    start = page.valid_from or page.ingested_at
    return known(page, moment.known_at) and not (start and start > moment.at)


def outdated(
    page: Page,
    moment: Moment,
    lookup: Lookup,
    days: int,
    *,
    wants_current: bool = False,
    years: Collection[int] = (),
) -> Caution | None:
    """Why `page` may not be the basis of an answer at `moment`; None: it may.

    It may not when it is superseded, past its end or not begun, and, where the question asks for
    what is so now, when nobody has verified it for more than `days`. A question that names one of
    the past `years` may be answered by a page that held in it.
    """
    if any(year < moment.at.year and _held_in(page, year) for year in years):
        return None
    newest = next(reversed(successors(page, lookup, moment)), None)
    if newest is not None or _superseded(page, moment, lookup):
        return superseded(page, newest)
    if not holds(page, moment.at, moment.known_at):
        return _out_of_time(page, moment)
    checked = page.last_verified_at or page.ingested_at
    current = wants_current and moment.as_of is None
    if current and checked and moment.at - checked > timedelta(days=days):
        when = iso(checked)[:10]
        message = f"“{page.title}” was last verified on {when}, more than {days} days ago"
        return Caution(page.title, page.slug, "unverified", message)
    return None


def standing(pages: Iterable[Page], moment: Moment) -> list[Page]:
    """Those of `pages` that are neither superseded nor out of their time at `moment`."""
    every = list(pages)
    by_slug = {page.slug: page for page in every}
    return [page for page in every if outdated(page, moment, by_slug.get, days=0) is None]


def _superseded(page: Page, moment: Moment, lookup: Lookup) -> bool:
    """Whether a page is superseded though no page is found that took its place.

    Now it is: by one that was put away, may not be seen, is missing, or is part of a circle. At
    another time nothing tells when it was.
    """
    if not page.superseded_by or not moment.present:
        return False
    after = lookup(page.superseded_by)
    return after is None or _took_over(after, moment)


def superseded(page: Page, newest: Page | None) -> Caution:
    """That another page took the place of `page`: `newest`, when it may be named."""
    by = f"“{newest.title}” ({newest.slug})" if newest else "a page that is not here"
    until = f" held until {iso(page.valid_until)[:10]} and" if page.valid_until else ""
    message = f"“{page.title}”{until} is superseded by {by}"
    return Caution(page.title, page.slug, "superseded", message, newest.slug if newest else "")


def _out_of_time(page: Page, moment: Moment) -> Caution:
    if page.valid_until and page.valid_until <= moment.at:
        message = f"“{page.title}” held until {iso(page.valid_until)[:10]}"
        return Caution(page.title, page.slug, "ended", message)
    start = iso(page.valid_from)[:10] if page.valid_from else "later"
    return Caution(page.title, page.slug, "not_begun", f"“{page.title}” holds from {start} on")


def since(page: Page, moment: Moment, lookup: Lookup) -> Caution | None:
    """What became of `page` after the time that `moment` is about; None: it holds to this day.

    Nothing that the wiki learned after `known_at` is told, but that its text is not of that time.
    """
    written = page.generated_at
    if moment.known_at and written and written > moment.known_at:
        message = (
            f"the text of “{page.title}” was written on {iso(written)[:10]}; what it said before "
            f"is in the history of its file: citewiki history {page.slug}"
        )
        return Caution(page.title, page.slug, "rewritten", message)
    later = replace(moment, as_of=None)
    newest = next(reversed(successors(page, lookup, later)), None)
    if newest is not None:
        return superseded(page, newest)
    if page.valid_until and page.valid_until <= later.at and holds(page, moment.at):
        return _out_of_time(page, later)
    return None


def _held_in(page: Page, year: int) -> bool:
    """Whether what a page says held in a year, or a part of it, and has an end."""
    if page.valid_until is None or not MINYEAR <= year < MAXYEAR:
        return False
    first, next_first = (datetime(each, 1, 1, tzinfo=UTC) for each in (year, year + 1))
    return page.valid_until > first and not (page.valid_from and page.valid_from >= next_first)


def if_it_holds(caution: Caution) -> str:
    """What makes a page an answer again that is `outdated`, if what it says still holds."""
    match caution.kind:
        case "superseded":
            return f"if it still holds, run: citewiki supersede --undo {caution.slug}"
        case "ended":
            return "if it still holds, set valid_until later or take it out"
        case "not_begun":
            return "if it holds already, set valid_from earlier or take it out"
    return f"if it still holds, run: citewiki reverify {caution.slug}"
