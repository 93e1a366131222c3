from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Page
from citewiki.store.catalog import (
    INDEX_MARK,
    LogLine,
    append_log,
    index_with,
    read_log,
    render_index,
    write_index,
)


def page(path: str, title: str, summary: str = "") -> Page:
    return Page(
        path=path,
        slug=title.lower(),
        title=title,
        body="",
        domain=path.rpartition("/")[0],
        summary=summary,
    )


def test_the_index_has_a_line_a_page_by_domain_and_keeps_what_a_person_wrote_above():
    pages = [page("ml/b.md", "B", "Two\nlines."), page("ml/a.md", "A"), page("top.md", "[Top]")]
    first = render_index(pages, "# My wiki\n\nWelcome.\n")
    assert first == (
        f"# My wiki\n\nWelcome.\n\n{INDEX_MARK}\n\n- [\\[Top\\]](<top.md>)\n\n## ml\n\n"
        "- [A](<ml/a.md>)\n- [B](<ml/b.md>) — Two lines.\n"
    )
    assert render_index(pages, first) == first


def test_writing_the_same_index_again_does_not_touch_the_file(tmp_path: Path):
    write_index(tmp_path, [page("a.md", "A")])
    stamp = (tmp_path / "index.md").stat().st_mtime_ns
    write_index(tmp_path, [page("a.md", "A")])
    assert (tmp_path / "index.md").stat().st_mtime_ns == stamp


def test_the_log_is_newest_first_and_a_line_is_one_line(tmp_path: Path, now):
    append_log(tmp_path, now, "ann", ["first"])
    append_log(tmp_path, now.replace(day=13), "", ["second\nline"])
    append_log(tmp_path, now, "ann", [])
    assert (tmp_path / "log.md").read_text() == (
        "# Log\n\nWhat happened to this wiki, newest first.\n\n"
        "## 2026-05-13\n\n- 2026-05-13T14:00:00Z · operator · second line\n\n"
        "## 2026-05-12\n\n- 2026-05-12T14:00:00Z · ann · first\n"
    )


def test_a_log_without_headings_gets_one_for_each_day_and_keeps_what_a_person_wrote(
    tmp_path: Path, now
):
    (tmp_path / "log.md").write_text(
        "# Log\n\n- 2026-05-12T10:00:00Z · ann · b\n\nA remark.\n\n- 2026-05-11T10:00:00Z · ann · a\n"
    )
    append_log(tmp_path, now, "ann", ["c"])
    text = (tmp_path / "log.md").read_text()
    assert text == (
        "# Log\n\n## 2026-05-12\n\n- 2026-05-12T14:00:00Z · ann · c\n"
        "- 2026-05-12T10:00:00Z · ann · b\n\nA remark.\n\n"
        "## 2026-05-11\n\n- 2026-05-11T10:00:00Z · ann · a\n"
    )
    append_log(tmp_path, now.replace(hour=15), "ann", ["d"])
    assert (tmp_path / "log.md").read_text() == text.replace(
        "- 2026-05-12T14", "- 2026-05-12T15:00:00Z · ann · d\n- 2026-05-12T14", 1
    )


def test_the_log_is_read_back_without_what_a_person_wrote_into_it(tmp_path: Path, now):
    assert read_log(tmp_path) == []
    append_log(tmp_path, now, "ann · bob", ["archived “A · B” (a)"])
    log = tmp_path / "log.md"
    log.write_text(log.read_text() + "- a remark\n\nMore · of · it.\n")
    assert read_log(tmp_path) == [LogLine(now, "ann - bob", "archived “A · B” (a)")]


def test_what_a_run_has_said_already_is_not_said_again(tmp_path: Path, now):
    append_log(tmp_path, now, "ann", ["first", "second"])
    before = (tmp_path / "log.md").read_text()
    append_log(tmp_path, now, "ann", ["second"])
    assert (tmp_path / "log.md").read_text() == before


def test_archived_pages_are_not_in_the_index(now):
    pages = [page("_archive/a.md", "A"), replace(page("b.md", "B"), archived_at=now)]
    assert render_index([*pages, page("c.md", "C")]).endswith("-->\n\n- [C](<c.md>)\n")


PAGES = st.builds(
    page,
    st.sampled_from(("ml/a.md", "ml/b.md", "zoo/a.md", "top.md", "ml/sub/c.md", "ä/ö ü.md")),
    st.text(alphabet="aAß[]\\(<>)# -é", min_size=1, max_size=8).filter(str.strip),
    st.text(alphabet="a ](<ml/.d>)\n#-", max_size=20),
)


@given(st.lists(PAGES), st.lists(PAGES, min_size=1), st.sampled_from(("", "# Mine\n\nWords.\n")))
def test_bringing_some_lines_up_to_date_gives_the_list_that_is_made_anew(
    pages: list[Page], changed: list[Page], head: str
):
    before = {each.path: each for each in pages}
    after = before | {each.path: each for each in changed}
    listed = render_index(before.values(), head)
    fresh = [after[path] for path in dict.fromkeys(each.path for each in changed)]
    assert index_with(fresh, listed) == render_index(after.values(), listed)


def test_a_list_that_a_person_has_changed_is_made_anew():
    listed = render_index([page("ml/a.md", "A")])
    assert index_with([page("ml/b.md", "B")], listed + "\nWords of mine.\n") is None
    assert index_with([page("ml/b.md", "B")], "# Index\n") is None
