"""The wiki as it held at a moment that has passed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mkdocs.exceptions import Abort

from citewiki.config import Config
from citewiki.errors import CitewikiError
from citewiki.model import Page, Verification
from citewiki.query.times import as_seen
from citewiki.site.model import build_model
from citewiki.site.snapshot import VARIABLE, snapshot, snapshot_moment
from tests.conftest import NOW, MakeWiki
from tests.site.conftest import BuildSite

DAY = datetime(2026, 5, 1, tzinfo=UTC)
BEFORE, AFTER = DAY - timedelta(days=30), DAY + timedelta(days=5)


def page(name: str, **values: object) -> Page:
    made = Page(path=f"ml/{name}.md", slug=name, title=name, body="")
    return replace(made, **values)  # type: ignore[arg-type]


def test_a_day_is_its_first_moment_and_time_zones_are_honoured() -> None:
    assert snapshot_moment("2026-05-01", NOW) == DAY
    assert snapshot_moment(" 2026-05-01T07:00+07:00 ", NOW) == DAY
    assert snapshot_moment("", NOW) is None


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-13-01", "0001-01-01T00:00+14:00", "2027-01-01"]
)
def test_what_is_no_day_that_has_passed_is_one_line_with_an_example(text: str) -> None:
    with pytest.raises(CitewikiError, match="CITEWIKI_AS_OF=2026-05-01 mkdocs build") as error:
        snapshot_moment(text, NOW)
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_a_page_is_there_when_it_was_known_held_and_was_not_put_away() -> None:
    found = snapshot(
        [
            page("undated"),
            page("known", ingested_at=DAY, valid_from=DAY),
            page("unknown", ingested_at=AFTER),
            page("ended", valid_until=DAY),
            page("ends-later", valid_until=AFTER),
            page("begins-later", valid_from=AFTER),
            page("away", archived_at=DAY),
            page("away-later", path="_archive/ml/away-later.md", archived_at=AFTER),
            page("away-since-when", path="_archive/ml/x.md"),
        ],
        DAY,
    )
    assert [each.path for each in found.pages] == [
        "ml/away-later.md",
        "ml/ends-later.md",
        "ml/known.md",
        "ml/undated.md",
    ]
    assert [each.slug for each in found.archived] == ["away", "away-since-when"]


def test_what_came_later_is_taken_back() -> None:
    later = page(
        "old",
        ingested_at=BEFORE,
        last_verified_at=AFTER,
        verified=(Verification("human:alice", BEFORE), Verification("human:bob", AFTER)),
        superseded_by="new",
        superseded_at=AFTER,
        valid_until=AFTER,
        generated_at=AFTER,
        archived_at=AFTER,
    )
    found = snapshot([later, page("new", supersedes=("old", "unknown"))], DAY)
    new, old = found.pages
    assert (old.superseded_by, old.valid_until, old.archived_at) == ("", None, None)
    assert (old.last_verified_at, old.verified) == (BEFORE, later.verified[:1])
    assert new.supersedes == ("old",)
    assert found.rewritten == found.put_away == {"ml/old.md": AFTER}


def test_what_was_superseded_by_then_says_so_if_it_still_held() -> None:
    old = page("old", superseded_by="new", superseded_at=BEFORE, valid_until=AFTER)
    _, found = snapshot([old, page("new")], DAY).pages
    assert (found.superseded_by, found.valid_until) == ("new", AFTER)
    (alone,) = snapshot([old, page("new", ingested_at=AFTER)], DAY).pages
    assert alone.superseded_by == ""


def test_an_archived_page_does_not_take_the_path_of_one_that_is_there() -> None:
    away = page("a-2", path="_archive/ml/a.md", archived_at=AFTER)
    paths = [each.path for each in snapshot([page("a"), away, replace(away, slug="b")], DAY).pages]
    assert paths[-1] == "ml/a.md"
    assert len(paths) == 3


MOMENTS = st.none() | st.integers(0, 9).map(lambda days: DAY + timedelta(days=days))


@st.composite
def _pages(draw: st.DrawFn) -> list[Page]:
    names = draw(st.lists(st.sampled_from("abcdef"), unique=True))
    fields = ("ingested_at", "valid_from", "valid_until", "archived_at", "superseded_at")
    return [
        page(
            name,
            superseded_by=draw(st.sampled_from(["", *names])),
            last_verified_at=draw(MOMENTS),
            **{field: draw(MOMENTS) for field in fields},
        )
        for name in names
    ]


@given(_pages(), st.integers(0, 9), st.integers(1, 9))
def test_what_the_wiki_comes_to_know_later_changes_no_snapshot(
    pages: list[Page], days: int, more: int
) -> None:
    at = DAY + timedelta(days=days)
    later = at + timedelta(days=more)
    then = snapshot(pages, at)
    since = [
        replace(
            each,
            archived_at=each.archived_at or later,
            last_verified_at=later,
            verified=(
                *((Verification("x", each.last_verified_at),) if each.last_verified_at else ()),
                Verification("y", later),
            ),
        )
        for each in pages
    ]
    since.append(page("new", ingested_at=later))
    now = snapshot(since, at)
    assert [each.path for each in now.pages] == [each.path for each in then.pages]
    for one, other in zip(now.pages, then.pages, strict=True):
        assert replace(one, verified=()) == replace(other, verified=())


@given(_pages(), st.integers(0, 9))
def test_it_holds_the_pages_that_asking_sees_at_that_moment(pages: list[Page], days: int) -> None:
    at = DAY + timedelta(days=days)
    asked = [each.slug for each in as_seen(pages, at, at)]
    assert sorted(each.slug for each in snapshot(pages, at).pages) == sorted(asked)


@given(_pages(), st.integers(0, 9), st.integers(0, 9))
def test_two_snapshots_differ_by_pages_with_a_time_between_them(
    pages: list[Page], one: int, other: int
) -> None:
    low, high = (DAY + timedelta(days=days) for days in sorted((one, other)))
    names = [{each.slug for each in snapshot(pages, at).pages} for at in (low, high)]
    by_slug = {each.slug: each for each in pages}
    for slug in names[0] ^ names[1]:
        each = by_slug[slug]
        times = (
            each.ingested_at,
            each.valid_from,
            each.valid_until,
            each.archived_at,
            each.superseded_at,
        )
        assert any(time and low < time <= high for time in times)


FILES = {
    "wiki/ml/there.md": (
        "---\ntitle: There\ntags: [kept]\ningested_at: 2026-03-01\nlast_verified_at: 2026-03-01\n"
        "superseded_by: later-qqnew\nsuperseded_at: 2026-05-05\nvalid_until: 2026-05-05\n---\n"
        "It held then.\n"
    ),
    "wiki/ml/later.md": (
        "---\ntitle: QQnew\nslug: later-qqnew\naliases: [QQalias]\nsummary: QQsummary\n"
        "tags: [QQtag]\ndomain: QQdomain\ningested_at: 2026-05-02\nsupersedes: [there]\n---\n"
        "QQbody links [[There]].\n"
    ),
    "wiki/ml/over.md": (
        "---\ntitle: QQover\nslug: qqover\nvalid_until: 2026-05-01\n---\nQQbody [[There]].\n"
    ),
    "wiki/_archive/ml/away.md": (
        "---\ntitle: QQaway\nslug: qqaway\narchived_at: 2026-04-01\n---\nQQbody [[There]].\n"
    ),
    "wiki/_archive/ml/back.md": (
        "---\ntitle: Back then\narchived_at: 2026-05-03\n---\nSee [[There]].\n"
    ),
    "wiki/index.md": "# Home\n\nQQhome\n",
    "wiki/log.md": (
        "# Log\n\n"
        "- 2026-05-05T00:00:00Z · QQwho · superseded “There” (there) by “QQnew” (later-qqnew)\n"
        "- 2026-04-01T00:00:00Z · bob · archived “QQaway” (qqaway): QQwhy\n"
        "- 2026-03-01T00:00:00Z · bob · verified “There” (there) by human:bob: looked it up\n"
    ),
}


@pytest.fixture(scope="module")
def then(build_site: BuildSite) -> Iterator[Path]:
    os.environ[VARIABLE] = "2026-05-01"
    try:
        yield build_site(FILES)
    finally:
        del os.environ[VARIABLE]


def test_nothing_of_pages_that_were_not_there_is_on_any_surface(then: Path) -> None:
    files = [path for path in then.rglob("*") if path.suffix in (".html", ".json", ".txt", ".md")]
    assert {"index.json", "graph.json", "backlinks.json", "search_index.json", "llms.txt"} <= {
        path.name for path in files
    }
    for path in (*files, then / "graph.svg", then / "sitemap.xml"):
        assert "qq" not in path.read_text(encoding="utf-8").lower(), path
    assert not [path for path in then.rglob("*") if "qq" in path.name.lower()]


def test_what_was_there_is_as_it_was(then: Path) -> None:
    there = (then / "ml/there/index.html").read_text(encoding="utf-8")
    assert "cw-banner" not in there
    assert 'href="../../ml/back/">Back then</a>' in there
    assert "verified “There” (there) by human:bob" in there
    back = (then / "ml/back/index.html").read_text(encoding="utf-8")
    assert "Published as of that day; archived on 3 May 2026." in back
    home = (then / "index.html").read_text(encoding="utf-8")
    assert "<b>2</b>page" in home


def test_every_page_of_a_snapshot_says_which_day_it_shows(then: Path) -> None:
    for path in then.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert 'as it held on <time datetime="2026-05-01T00:00:00Z">1 May 2026</time>' in text
        assert '<meta name="robots" content="noindex">' in text
    assert "as_of: 2026-05-01T00:00:00Z" in (then / "ml/there/index.md").read_text("utf-8")
    assert "As of 2026-05-01T00:00:00Z" in (then / "llms.txt").read_text("utf-8")


def test_a_day_that_is_none_stops_the_build(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(VARIABLE, "2026-05-32")
    with pytest.raises(Abort):
        build_site({"wiki/a.md": "a"})
    assert "CITEWIKI_AS_OF: “2026-05-32” is no date" in caplog.text


def test_a_wiki_of_which_nothing_was_known_then_builds(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "2020-01-01")
    site = build_site({"wiki/a.md": "---\ningested_at: 2026-01-01\n---\na"})
    assert (site / "index.html").is_file()
    assert not (site / "timeline").exists()


def test_visibility_goes_before_time(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "---\nowner: alice\narchived_at: 2026-06-01\n---\nx"})
    made = build_model(root, Config(), NOW, as_of=DAY)
    assert (list(made.pages), made.unpublished, made.hides_pages) == ([], (), True)


def test_a_check_that_a_later_one_replaced_is_known_again() -> None:
    later = Verification("human:bob", AFTER, previous=BEFORE)
    (then,) = snapshot([page("a", last_verified_at=AFTER, verified=(later,))], DAY).pages
    assert (then.last_verified_at, then.verified) == (BEFORE, ())
