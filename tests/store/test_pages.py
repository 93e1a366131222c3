from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import PageError
from citewiki.model import Page, SourceRef, Verification
from citewiki.store.pages import (
    body_sha256,
    edited_by_hand,
    load_page,
    load_pages,
    parse_page,
    render_page,
)
from tests.conftest import write_files


def day(number: int) -> datetime:
    return datetime(2026, 1, number, tzinfo=UTC)


def test_a_file_with_nothing_but_a_heading_is_a_page():
    page = parse_page("# Hybrid **search**\n\nText.\n", "ml/hybrid.md")
    assert (page.title, page.slug, page.domain, page.type) == (
        "Hybrid search",
        "hybrid",
        "ml",
        "concept",
    )
    assert page.problems == ()


def test_a_file_without_a_title_goes_by_its_name():
    page = parse_page("just words", "笔记/未命名.md")
    assert (page.title, page.slug, page.domain) == ("未命名", "未命名", "笔记")


def test_a_wrong_value_is_a_problem_that_names_file_line_key_and_value():
    page = parse_page("---\ntitle: A\nconfidence: high\nvalid_from: soon\n---\nText\n", "a.md")
    assert [str(problem) for problem in page.problems] == [
        "a.md:3: error: confidence: must be a number from 0 to 1, not 'high'",
        "a.md:4: error: valid_from: must be a time such as 2026-05-12 or 2026-05-12T14:00:00Z, "
        "not 'soon'",
    ]
    assert page.title == "A"
    assert page.confidence is None


def test_values_keep_the_type_that_was_written():
    page = parse_page("---\ntitle: no\ntags: [1.10, 2024-01-01, null, yes]\n---\n", "a.md")
    assert page.title == "no"
    assert page.tags == ("1.10", "2024-01-01", "yes")


@pytest.mark.parametrize(
    ("written", "tags"),
    [("word", ("word",)), ("[null]", ()), ("2024", ("2024",)), ('"#a, b"', ("a", "b")), ("", ())],
)
def test_tags_of_any_shape_are_a_list_of_texts(written: str, tags: tuple[str, ...]):
    assert parse_page(f"---\ntags: {written}\n---\nx", "a.md").tags == tags


def test_times_are_utc_whatever_the_offset():
    text = "---\nvalid_from: 2026-05-12\nvalid_until: 2026-05-12T01:00:00+07:00\n---\n"
    page = parse_page(text, "a.md")
    assert page.valid_from == datetime(2026, 5, 12, tzinfo=UTC)
    assert page.valid_until == datetime(2026, 5, 11, 18, tzinfo=UTC)
    assert page.valid_until.utcoffset() == timedelta(0)


def test_a_time_before_the_first_year_is_a_problem_like_any_other():
    page = parse_page("---\nvalid_from: 0001-01-01T00:00:00+14:00\n---\nText\n", "a.md")
    assert [(problem.code, problem.line) for problem in page.problems] == [("front-matter", 2)]
    assert page.valid_from is None


def test_bare_sources_of_other_makers_are_read():
    page = parse_page("---\nsources:\n- 5b7ed36bd563\n- https://example.org/x\n---\n", "a.md")
    assert page.sources == (SourceRef("5b7ed36bd563"), SourceRef("https://example.org/x"))


def test_writing_an_unchanged_page_changes_nothing_but_a_missing_type():
    text = (
        "---\n# mine\ntype: concept\ntitle: 'A: B'\nzebra: [1,2]   # odd\n\nrelated: \"[[a|b]]\"\n"
        "---\nBody.\n"
    )
    assert render_page(parse_page(text, "a.md"), text) == text


def test_unknown_keys_and_comments_stay_when_a_known_key_changes():
    from dataclasses import replace

    text = "---\ntype: concept\nzebra: [1,2]   # odd\ntitle: Old\n---\nBody.\n"
    page = replace(parse_page(text, "a.md"), title="New: title")
    written = render_page(page, text)
    assert "zebra: [1,2]   # odd\n" in written
    assert parse_page(written, "a.md").title == "New: title"


def test_windows_line_ends_and_a_byte_order_mark_are_read_and_line_ends_kept():
    text = "\ufeff---\r\ntype: concept\r\ntitle: A\r\n---\r\none\r\ntwo\r\n"
    page = parse_page(text, "a.md")
    assert (page.title, page.body) == ("A", "one\ntwo\n")
    written = render_page(page, text)
    assert written.count("\r\n") == written.count("\n")


_WORDS = (
    st.text(
        st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\u2028\u2029\x85"),
        min_size=1,
        max_size=20,
    )
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
_TIMES = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)


@given(
    title=_WORDS,
    aliases=st.lists(_WORDS, max_size=3, unique=True),
    tags=st.lists(st.from_regex(r"[a-zđ中]{1,8}", fullmatch=True), max_size=3, unique=True),
    summary=_WORDS,
    confidence=st.none() | st.floats(0, 1).map(lambda number: round(number, 3)),
    moment=st.none() | _TIMES,
    body=st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=60),
)
def test_a_page_survives_being_written_and_read(
    title, aliases, tags, summary, confidence, moment, body
):
    from citewiki.text.folding import nfc

    page = Page(
        path="d/x.md",
        slug="x",
        title=nfc(title),
        body=f"{body.strip()}\n",
        aliases=tuple(dict.fromkeys(map(nfc, aliases))),
        tags=tuple(tags),
        summary=nfc(summary),
        domain="d",
        sources=(SourceRef("s", "raw/s.pdf", "ab", "p. 1 › “x”: y"),),
        confidence=confidence,
        valid_from=moment,
        shared_with=("*",),
    )
    again = parse_page(render_page(page), "d/x.md")
    for name in ("title", "aliases", "tags", "summary", "confidence", "valid_from", "sources"):
        assert getattr(again, name) == getattr(page, name)
    assert again.body.strip() == page.body.strip()
    assert again.problems == ()


def test_a_page_knows_whether_a_person_has_changed_it():
    page = Page(
        path="a.md", slug="a", title="A", body="text\n", generated_sha256=body_sha256("text")
    )
    assert not edited_by_hand(page)
    assert edited_by_hand(Page(path="a.md", slug="a", title="A", body="text\n"))


def test_two_files_never_share_a_slug_and_lint_hears_of_it(tmp_path: Path):
    wiki = write_files(
        tmp_path,
        {
            "a/note.md": "# One",
            "b/note.md": "# Two",
            "c/x.md": "---\nslug: note\n---\nThree",
            "d/y.md": "---\nslug: note\n---\nFour",
        },
    )
    pages, _ = load_pages(wiki)
    assert {page.path: page.slug for page in pages} == {
        "a/note.md": "a-note",
        "b/note.md": "b-note",
        "c/x.md": "note",
        "d/y.md": "d-note",
    }
    severities = {page.path: [problem.severity for problem in page.problems] for page in pages}
    assert severities["c/x.md"] == []
    assert severities["d/y.md"] == ["error"]


def test_a_page_that_is_not_utf8_is_one_clear_line_and_the_rest_is_read(tmp_path: Path):
    wiki = write_files(tmp_path, {"bad.md": "Café".encode("cp1252"), "good.md": "# Good"})
    pages, problems = load_pages(wiki)
    assert [page.title for page in pages] == ["Good"]
    assert [str(problem) for problem in problems] == [
        "bad.md: error: is not UTF-8 text (byte 3); save it as UTF-8"
    ]
    with pytest.raises(PageError, match="UTF-8"):
        load_page(wiki, "bad.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes on this system")
def test_a_pipe_is_one_clear_line_and_not_waited_for(tmp_path: Path):
    write_files(tmp_path, {"good.md": "# Good\n"})
    os.mkfifo(tmp_path / "pipe.md")
    pages, problems = load_pages(tmp_path)
    assert [page.title for page in pages] == ["Good"]
    assert [str(problem) for problem in problems] == ["pipe.md: error: is no regular file"]


def test_a_file_whose_name_is_no_text_is_one_clear_line(tmp_path: Path):
    write_files(tmp_path, {"good.md": "# Good\n"})
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("# Bad\n", encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    pages, problems = load_pages(tmp_path)
    assert [page.title for page in pages] == ["Good"]
    assert [str(problem) for problem in problems] == [
        "caf\ufffd.md: error: its name is not UTF-8; rename it"
    ]


def test_wikilinks_in_front_matter_are_known_and_never_rewritten():
    text = '---\ntype: concept\nsummary: "so [[x]]"\nrelated: ["[[B|b]]", "[[C#D]]"]\nup: "[[B]]"\n---\nBody.\n'
    page = parse_page(text, "a.md")
    assert page.related == ("B", "C")
    assert render_page(page, text) == text


@pytest.mark.parametrize(
    ("written", "verified"),
    [
        ("{by: human:ann, at: 2026-01-05}", (Verification("human:ann", day(5)),)),
        ("[{by: x/1, at: 2026-01-05, commit: a}]", (Verification("x/1", day(5)),)),
        (
            "\n  - {by: x/1, at: 2026-01-05}\n  - {by: x/2, at: 2026-01-06, previous: 2026-01-05}",
            (Verification("x/1", day(5)), Verification("x/2", day(6), day(5))),
        ),
        ("yes", ()),
    ],
)
def test_who_verified_a_page_is_read_and_stays_as_it_was_written(
    written: str, verified: tuple[Verification, ...]
):
    text = f"---\ntype: concept\nverified: {written}\n---\nText.\n"
    page = parse_page(text, "a.md")
    assert page.verified == verified
    assert bool(page.problems) == (written == "yes")
    assert render_page(page, text) == text


def test_an_archived_page_has_the_domain_of_the_folder_that_it_came_from():
    assert parse_page("Text.\n", "_archive/ml/deep/a.md").domain == "ml"
    assert parse_page("Text.\n", "_archive/a.md").domain == ""
