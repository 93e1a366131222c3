"""When a page holds, when the wiki had it, and what took its place."""

from __future__ import annotations

from array import array
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.analysis import analyse
from citewiki.index.epoch import Bounds
from citewiki.model import Page, Verification
from citewiki.query.times import (
    NOT_HERE,
    Moment,
    as_seen,
    holds,
    known,
    outdated,
    since,
    standing,
    successors,
    utc,
)

DAY = timedelta(days=1)


def at(day: int) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + day * DAY


NOW = at(100)


def page(slug: str, **values: object) -> Page:
    return Page(f"{slug}.md", slug, slug.title(), "", **values)  # type: ignore[arg-type]


def by_slug(*pages: Page) -> dict[str, Page]:
    return {each.slug: each for each in pages}


def test_intervals_are_half_open_and_missing_bounds_open() -> None:
    spring = page("spring", valid_from=at(10), valid_until=at(20))
    assert [day for day in range(30) if holds(spring, at(day))] == list(range(10, 20))
    assert holds(page("open"), at(-100_000))
    assert holds(page("open"), at(100_000))
    kept = page("kept", ingested_at=at(10), archived_at=at(20))
    assert [day for day in range(30) if known(kept, at(day))] == list(range(10, 20))


def test_no_date_asks_for_nothing() -> None:
    assert holds(page("over", valid_until=at(0)), None)
    assert known(page("away", archived_at=at(0)), None)


def test_a_page_in_the_archive_that_does_not_say_since_when_was_never_there() -> None:
    away = replace(page("away"), path="_archive/away.md")
    assert not known(away, at(0))
    assert known(replace(away, archived_at=at(1)), at(0))


def test_a_time_is_the_same_moment_in_every_zone() -> None:
    hanoi = timezone(timedelta(hours=7))
    early = datetime(2026, 1, 2, 6, tzinfo=hanoi)
    assert utc(early) == datetime(2026, 1, 1, 23, tzinfo=UTC)
    assert not holds(page("new", valid_from=datetime(2026, 1, 2, tzinfo=UTC)), utc(early))
    assert utc(datetime(2026, 1, 2)) == utc(date(2026, 1, 2)) == datetime(2026, 1, 2, tzinfo=UTC)


def test_an_end_that_was_recorded_later_was_not_known() -> None:
    old = page("old", valid_until=at(10), superseded_by="new", superseded_at=at(12))
    assert not holds(old, at(11))
    assert holds(old, at(11), known_at=at(11))
    assert not holds(old, at(11), known_at=at(12))


@given(st.integers(1, 60))
def test_a_chain_of_any_length_ends_at_the_newest(length: int) -> None:
    pages = by_slug(
        *(page(f"p{number}", superseded_by=f"p{number + 1}") for number in range(length)),
        page(f"p{length}"),
    )
    chain = successors(pages["p0"], pages.get, Moment(NOW))
    assert [each.slug for each in chain] == [f"p{number}" for number in range(1, length + 1)]
    caution = outdated(pages["p0"], Moment(NOW), pages.get, 90)
    assert caution is not None
    assert caution.newest == f"p{length}"


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from("abcdefg"), min_size=1),
    st.sampled_from("abcdef"),
)
def test_chains_made_by_hand_end_and_never_come_to_the_same_page_twice(
    links: dict[str, str], start: str
) -> None:
    pages = by_slug(*(page(slug, superseded_by=links.get(slug, "")) for slug in "abcdef"))
    chain = successors(pages[start], pages.get, Moment(NOW))
    slugs = [start, *(each.slug for each in chain)]
    assert len(set(slugs)) == len(slugs)
    superseded = outdated(pages[start], Moment(NOW), pages.get, 90)
    assert (superseded is not None) == bool(pages[start].superseded_by)


def test_the_end_of_its_own_that_a_page_had_is_known_before_it_is_superseded() -> None:
    over = page(
        "over", valid_until=at(10), superseded_by="new", superseded_at=at(30),
        valid_until_before=at(20),
    )  # fmt: skip
    assert [day for day in (5, 15, 25) if holds(over, at(day), at(28))] == [5, 15]
    assert [day for day in (5, 15, 25) if holds(over, at(day))] == [5]
    (seen,) = as_seen([over], None, at(28))
    assert (seen.valid_until, seen.superseded_by) == (at(20), "")


def test_a_successor_counts_from_when_it_holds() -> None:
    old = page("old", superseded_by="new", valid_from=at(0))
    pages = by_slug(old, page("new", valid_from=at(50), ingested_at=at(40)))
    assert successors(old, pages.get, Moment(at(49))) == []
    assert successors(old, pages.get, Moment(at(50))) == [pages["new"]]
    assert successors(old, pages.get, Moment(NOW, as_of=at(49))) == []
    assert successors(old, pages.get, Moment(NOW, known_at=at(39))) == []


def test_a_page_is_superseded_now_by_one_that_is_not_here() -> None:
    old = page("old", superseded_by="gone")
    caution = outdated(old, Moment(NOW), {}.get, 90)
    assert caution is not None
    assert (caution.kind, caution.newest) == ("superseded", "")
    assert "gone" not in caution.message
    assert outdated(old, Moment(NOW, as_of=at(5)), {}.get, 90) is None


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"valid_until": NOW}, "ended"),
        ({"valid_until": NOW + DAY}, None),
        ({"valid_from": NOW + DAY}, "not_begun"),
        ({"valid_from": NOW}, None),
        ({"last_verified_at": NOW - 91 * DAY}, "unverified"),
        ({"ingested_at": NOW - 91 * DAY, "last_verified_at": NOW - 90 * DAY}, None),
    ],
)
def test_why_a_page_may_not_be_relied_on(values: dict[str, object], kind: str | None) -> None:
    caution = outdated(page("old", **values), Moment(NOW), {}.get, 90, wants_current=True)
    assert (caution.kind if caution else None) == kind


def test_what_came_of_a_page_since_a_day_in_the_past_is_said() -> None:
    old = page("old", superseded_by="new", valid_until=at(50))
    pages = by_slug(old, page("new", ingested_at=at(50)))
    then = Moment(NOW, as_of=at(20))
    assert outdated(old, then, pages.get, 90) is None
    caution = since(old, then, pages.get)
    assert caution is not None
    assert caution.newest == "new"
    assert since(old, replace(then, known_at=at(49)), pages.get) is None


def test_pages_as_they_were_do_not_tell_what_came_later() -> None:
    old = page(
        "old", superseded_by="new", superseded_at=at(10), valid_until=at(10), archived_at=at(30),
        last_verified_at=at(12), verified=(Verification("a", at(2)), Verification("b", at(12))),
    )  # fmt: skip
    new = page("new", supersedes=("old",), ingested_at=at(8))
    assert as_seen([old, new], None, at(9)) == [
        replace(
            old, superseded_by="", superseded_at=None, valid_until=None, archived_at=None,
            last_verified_at=None, verified=(Verification("a", at(2)),),
        ),
        new,
    ]  # fmt: skip
    assert as_seen([old, new], None, at(7))[0].superseded_by == ""
    assert as_seen([new], None) == [replace(new, supersedes=())]
    assert as_seen([old], None)[0].superseded_by == NOT_HERE


def test_pages_that_stand_are_neither_superseded_nor_out_of_their_time() -> None:
    pages = [
        page("old", superseded_by="new"), page("new"), page("over", valid_until=at(1)),
        page("soon", valid_from=NOW + DAY), page("unchecked", ingested_at=at(-1000)),
    ]  # fmt: skip
    assert [each.slug for each in standing(pages, Moment(NOW))] == ["new", "unchecked"]


BOUND = st.one_of(st.none(), st.integers(-3, 10).map(at))


@given(BOUND, BOUND, BOUND, BOUND, BOUND, st.booleans(), st.integers(-3, 10), st.integers(-3, 10))
def test_the_index_leaves_outside_what_does_not_hold_or_was_not_there(
    starts: datetime | None,
    ends: datetime | None,
    came: datetime | None,
    away: datetime | None,
    settled: datetime | None,
    own_end: bool,
    as_of: int,
    known_at: int,
) -> None:
    one = page(
        "one", valid_from=starts, valid_until=ends, ingested_at=came, archived_at=away,
        superseded_at=settled, valid_until_before=ends if own_end else None,
    )  # fmt: skip
    told = analyse(one)
    names = ("starts", "ends", "known", "away", "settled")
    bounds = Bounds(*(array("q", [getattr(told, name)]) for name in names))
    for day in (at(as_of), None):
        for then in (at(known_at), None):
            seconds = [None if each is None else int(each.timestamp()) for each in (day, then)]
            inside = 0 not in bounds.outside(*seconds)
            assert inside == (holds(one, day, then) and known(one, then))
