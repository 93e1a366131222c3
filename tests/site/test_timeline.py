"""What happened to the whole wiki, and to a page."""

from __future__ import annotations

from citewiki.site.history import page_history
from citewiki.site.log import published_log
from citewiki.site.timeline import timeline_views
from tests.site.conftest import Model

LIFE = {
    "ml/old.md": (
        "---\ntitle: Old\ningested_at: 2026-01-02T10:00:00Z\nvalid_from: 2026-01-02T10:00:00Z\n"
        "last_verified_at: 2026-02-03\nverified: [{by: 'human:alice', at: 2026-02-03}]\n"
        "superseded_by: new\nsuperseded_at: 2026-04-05\nvalid_until: 2026-04-01\n---\n"
    ),
    "ml/new.md": "---\ntitle: New\ningested_at: 2026-04-05\nvalid_until: 2027-01-01\n---\n",
    "ml/over.md": "---\ntitle: Over\ningested_at: 2026-01-02\nvalid_until: 2026-05-01\n---\n",
    "undated.md": "# Undated",
    "_archive/away.md": "---\ntitle: Away\ningested_at: 2026-03-01\n---\n",
    "log.md": (
        "# Log\n\nA person's words.\n\n"
        "- 2026-04-05T00:00:00Z · bob · superseded “Old” (old) by “New” (new): better\n"
        "- 2026-03-09T00:00:00Z · bob · archived “Away” (away)\n"
        "- 2026-13-09T00:00:00Z of a person\n"
    ),
}


def test_a_timeline_tells_what_came_changed_and_ended_newest_first(model: Model) -> None:
    (view,) = timeline_views(model(LIFE))
    told = [
        (group.iso, group.what, [(page.text, page.href, page.note) for page in group.pages])
        for month in view.months
        for group in month.groups
    ]
    assert told == [
        ("2026-05-01", "ended", [("Over", "../ml/over/", "")]),
        ("2026-04-05", "came", [("New", "../ml/new/", "")]),
        ("2026-04-05", "superseded", [("Old", "../ml/old/", "by New")]),
        ("2026-02-03", "verified", [("Old", "../ml/old/", "")]),
        ("2026-01-02", "came", [("Old", "../ml/old/", ""), ("Over", "../ml/over/", "")]),
    ]
    assert [month.name for month in view.months] == [
        "May 2026",
        "Apr 2026",
        "Feb 2026",
        "Jan 2026",
    ]


def test_a_wiki_without_dates_has_no_timeline(model: Model) -> None:
    assert timeline_views(model({"a.md": "a"})) == []


def test_many_events_stand_on_pages_of_their_month_each_of_them_once(model: Model) -> None:
    files = {
        f"p{number:03}.md": f"---\ningested_at: 2026-0{1 + number % 3}-01\n---\n"
        for number in range(100)
    }
    first, *pages = timeline_views(model(files), per_page=20)
    assert [(month.counts, month.groups) for month in first.months] == [
        ((("came", 33),), ()),
        ((("came", 33),), ()),
        ((("came", 34),), ()),
    ]
    assert first.months[0].href == "../timeline/2026-03/"
    assert [page.url for page in pages] == [
        "timeline/2026-03/",
        "timeline/2026-03/2/",
        "timeline/2026-02/",
        "timeline/2026-02/2/",
        "timeline/2026-01/",
        "timeline/2026-01/2/",
    ]
    shown = [
        anchor.text
        for page in pages
        for group in page.months[0].groups
        for anchor in (*group.pages, *group.more)
    ]
    assert sorted(shown) == sorted(name.removesuffix(".md") for name in files)
    assert pages[0].newer is None
    assert pages[1].older is not None
    assert (pages[1].older.text, pages[1].older.href) == ("Feb 2026", "../../../timeline/2026-02/")


def test_a_page_that_is_called_like_a_month_of_the_timeline_stands_elsewhere(model: Model) -> None:
    made = model({"timeline/2026-05.md": "a", "timeline/other.md": "b"})
    assert made.urls["timeline/2026-05.md"] == "pages/timeline/2026-05/"
    assert made.urls["timeline/other.md"] == "timeline/other/"


def test_the_history_of_a_page_goes_along_both_times_and_tells_what_the_log_says(
    model: Model,
) -> None:
    made = model(LIFE)
    rows = page_history(made, made.pages["ml/old.md"], published_log(made).about)
    assert [(row.day, row.what, row.page.href if row.page else "") for row in rows] == [
        ("2 Jan 2026", "taken in; holds from here on", ""),
        ("3 Feb 2026", "verified by human:alice", ""),
        ("1 Apr 2026", "holds no longer", ""),
        ("5 Apr 2026", "log: superseded “Old” (old) by “New” (new) (bob)", ""),
        ("5 Apr 2026", "superseded", "../../ml/new/"),
    ]
    ahead = page_history(made, made.pages["ml/new.md"], {})
    assert [row.what for row in ahead] == ["taken in", "holds no longer"]


def test_the_history_names_no_page_that_is_not_published(model: Model) -> None:
    made = model(
        {
            "a.md": (
                "---\nvalid_from: 2026-01-01\nsupersedes: [hidden]\nsuperseded_by: hidden\n"
                "superseded_at: 2026-02-01\n---\n"
            ),
            "hidden.md": "---\nowner: alice\n---\n",
        }
    )
    told = [(row.what, row.page) for row in page_history(made, made.pages["a.md"], {})]
    assert told == [("holds from here on", None), ("superseded", None)]


def test_the_log_is_shown_as_lines_on_published_pages_whether_or_not_others_are_hidden(
    model: Model,
) -> None:
    line = "- 2026-05-01T00:00:00Z · al · superseded “New” (new) by “Secret” (secret)\n"
    hidden = {
        **LIFE,
        "secret.md": "---\nowner: alice\n---\n",
        "log.md": LIFE["log.md"].replace("words.\n\n", f"words.\n\n{line}"),
    }
    log = published_log(model(hidden))
    assert log == published_log(model(LIFE))
    shown = "2026-04-05T00:00:00Z · bob · superseded “Old” (old) by “New” (new)"
    assert [row for row in log.markdown.splitlines() if row.startswith("-")] == [f"- {shown}"]
    assert list(log.about) == ["old", "new"]
    line = "- 2026-04-05T00:00:00Z · bob · deleted “X” (x), a page that not everybody could read\n"
    assert published_log(model({"a.md": "a", "log.md": f"# Log\n\n{line}"})).markdown == ""


def test_a_site_without_hidden_pages_shows_all_that_was_compiled(model: Model) -> None:
    now = "ingested_at: 2026-04-05"
    ref = "sources: [{id: a, resource: raw/a b.md}, {id: a, resource: raw/a b.md, locator: p. 2}]"
    log = (
        "# Log\n\nWhat happened to this wiki, newest first.\n\n## 2026-04-05\n\n"
        "- 2026-04-05T00:00:00Z · operator · compiled raw/a b.md: 2 new pages, 1 updated\n"
    )
    files = {
        "a.md": f"---\n{now}\n{ref}\n---\n",
        "b.md": f"---\n{now}\ngenerated: {{at: 2026-04-05}}\n{ref}\n---\n",
        "c.md": f"---\ningested_at: 2026-04-01\ngenerated: {{at: 2026-04-05}}\n{ref}\n---\n",
        "log.md": log,
    }
    shown = log.replace("2 new pages, 1 updated", "3 pages")
    assert published_log(model(files)).markdown == shown
    fewer = {**files, "b.md": files["b.md"].replace("---\n", "---\nowner: alice\n", 1)}
    del files["b.md"]
    told = published_log(model(fewer))
    assert told == published_log(model(files))
    assert "compiled raw/a b.md: 2 pages" in told.markdown


def test_a_log_that_cannot_be_read_is_none(model: Model) -> None:
    assert published_log(model({"a.md": "a", "log.md": b"\xff\xfe"})).markdown == ""
