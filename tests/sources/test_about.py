"""What front matter and file names say about a source."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from citewiki.sources.about import about, moment, readable_title, split_about


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("rag-paper-2024.pdf", "Rag paper 2024"),
        ("2024-05-01-hybrid_search.md", "Hybrid search"),
        ("20240501_1030 notes.txt", "Notes"),
        ("2014-01-02_aa9399e00d3a.md", "2014-01-02"),
        ("report 3f2504e0-4f89-11d3-9a0c-0305e82c3301.pdf", "Report"),
        ("A%20b.html", "A b"),
        ("云原生：新范式.md", "云原生：新范式"),
        ("Nguyễn Văn Đức.md", "Nguyễn Văn Đức"),
        ("decade facade.md", "Decade facade"),
        (".md", "Md"),
        ("", "Untitled"),
        ("1984.txt", "1984"),
    ],
)
def test_a_file_name_becomes_a_readable_title(name: str, title: str) -> None:
    assert readable_title(name) == title


def test_jekyll_front_matter() -> None:
    text = (
        "---\nlayout: post\ntitle: 'Search: a tour'\ndate: 2024-05-01 10:00:00 +0800\n"
        "tags: search rag\ncategory: Golang\ndescription: A tour.\nauthor: Alice\n---\nBody\n"
    )

    found, body = split_about(text, "a.md")

    assert body == "Body\n"
    assert (found.title, found.summary, found.author) == ("Search: a tour", "A tour.", "Alice")
    assert found.date == datetime(2024, 5, 1, 2, 0, tzinfo=UTC)
    assert found.tags == ("search", "rag", "Golang")
    assert found.authority == "blog"


def test_obsidian_front_matter() -> None:
    found, _ = split_about(
        "---\naliases: [RRF, rank fusion]\ntags: '#search, #rank fusion'\nurl: https://x.org\n---\n",
        "a.md",
    )

    assert found.aliases == ("RRF", "rank fusion")
    assert found.tags == ("search", "rank fusion")
    assert found.url == "https://x.org"


def test_hugo_front_matter_in_toml() -> None:
    text = '+++\ntitle = "Search"\ndate = 2024-05-01T10:00:00Z\ntags = ["a", "b"]\n+++\nBody\n'

    found, body = split_about(text, "a.md")

    assert (found.title, found.tags, body) == ("Search", ("a", "b"), "Body\n")
    assert found.date == datetime(2024, 5, 1, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize("text", ["+++\ntitle = \n+++\nBody\n", "---\ntitle: [a\n---\nBody\n"])
def test_broken_front_matter_is_a_problem_and_the_body_is_read(text: str) -> None:
    found, body = split_about(text, "notes/a.md")

    assert body == "Body\n"
    assert found.problems
    assert found.problems[0].path == "notes/a.md"


def test_authors_may_be_names_lists_or_tables() -> None:
    assert about({"authors": ["A. Smith", {"name": "B. Jones"}]}).author == "A. Smith, B. Jones"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024/5/1", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-01T10:00:00+02:00", datetime(2024, 5, 1, 8, tzinfo=UTC)),
        ("2024-05-01 some day", datetime(2024, 5, 1, tzinfo=UTC)),
        (date(2024, 5, 1), datetime(2024, 5, 1, tzinfo=UTC)),
        ("yesterday", None),
        ("2024-13-45", None),
        ("0001-01-01T00:00:00+14:00", None),
        (None, None),
        (["2024-05-01"], None),
    ],
)
def test_dates_are_read_in_the_forms_people_write(written: object, expected: object) -> None:
    assert moment(written) == expected
