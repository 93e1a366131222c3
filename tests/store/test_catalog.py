from __future__ import annotations

from pathlib import Path

from citewiki.model import Page
from citewiki.store.catalog import INDEX_MARK, append_log, render_index, write_index


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
        "- 2026-05-13T14:00:00Z · operator · second line\n"
        "- 2026-05-12T14:00:00Z · ann · first\n"
    )
