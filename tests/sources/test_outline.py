"""Where Markdown is cut into sections."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Place, Section
from citewiki.sources.outline import outline
from citewiki.sources.words import count_words

WORDS = " ".join(["Retrieval finds the pages that answer a question."] * 8)  # 64 words


def titles(body: str) -> list[str]:
    return [section.title for section in outline(body, "Document").sections]


def document(*headings: str) -> str:
    """Every heading followed by a paragraph."""
    return "\n\n".join(part for heading in headings for part in (heading, WORDS) if part)


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (["# Title", "## A", "## B"], ["", "A", "B"]),
        (["# Title", "## A"], ["", "A"]),
        (["", "## A", "## B"], ["", "A", "B"]),
        (["# A", "## x", "# B"], ["A", "B"]),
        (["### A", "### B", "#### x"], ["A", "B"]),
        (["### A", "#### x", "## B", "### y", "## C"], ["A", "B", "C"]),
        (["### A", "#### x", "#### y"], [""]),
        (["", "### A"], [""]),
        (["###### A", "## B"], ["A", "B"]),
        (["# Title", "### A", "### B"], ["", "A", "B"]),
        (["## A", "# Late title", "## B"], ["A", "Late title"]),
    ],
)
def test_the_top_of_the_tree_of_headings_counts(headings: list[str], expected: list[str]) -> None:
    assert titles(document(*headings)) == expected


def test_the_only_h1_names_the_document_and_its_text_is_the_first_section() -> None:
    found = outline(document("# Title", "## A"))

    assert found.heading == "Title"
    assert (found.sections[0].id, found.sections[0].text) == ("start", WORDS)


def test_deeper_headings_stay_in_the_text_and_are_places() -> None:
    (section,) = outline(f"## A\n\n{WORDS}\n\n### B c\n\nmore").sections

    assert section.text == f"{WORDS}\n\n### B c\n\nmore"
    assert section.places == (Place(len(WORDS) + 2, "§ B c"),)


def test_nothing_before_the_first_heading_is_no_section() -> None:
    assert titles(document("## A", "## B")) == ["A", "B"]


def test_a_heading_without_text_is_a_section_without_text() -> None:
    found = outline(f"## A\n\n## B\n\n{WORDS}").sections

    assert [(s.title, s.status) for s in found] == [("A", "no_text"), ("B", "pending")]
    assert found[0].reason


def test_headings_in_code_cut_nothing() -> None:
    assert titles(f"{WORDS}\n\n```sh\n# comment\n## other\n```\n\n    # more\n") == [""]


def test_a_short_document_is_cut_at_its_headings_too() -> None:
    assert titles("## A\n\none line\n\n## B\n\nanother line") == ["A", "B"]


def test_ids_come_from_the_heading_path_and_are_unique() -> None:
    body = document("## Set up", "## Set up", "## 安装", "## Đức", "## !!!")
    ids = [section.id for section in outline(body).sections]

    assert ids[:4] == ["set-up", "set-up-2", "安装", "đức"]
    assert len(set(ids)) == len(ids)


def test_a_section_that_is_too_long_is_cut_at_its_inner_headings() -> None:
    inner = "\n\n".join(f"### Part {n}\n\n" + f"{WORDS}\n\n" * 35 for n in range(3))
    found = outline(f"## A\n\nintro of A\n\n{inner}\n\n## B\n\n{WORDS}").sections

    assert [(s.title, s.parents, s.level, s.locator) for s in found] == [
        ("A", (), 1, "§ A"),
        ("Part 0", ("A",), 2, "§ A › Part 0"),
        ("Part 1", ("A",), 2, "§ A › Part 1"),
        ("Part 2", ("A",), 2, "§ A › Part 2"),
        ("B", (), 1, "§ B"),
    ]


def test_a_long_document_without_headings_is_cut_between_paragraphs() -> None:
    found = outline(f"{WORDS}\n\n" * 100, "Memo").sections

    assert [s.title for s in found] == ["", "Memo (part 2)", "Memo (part 3)"]
    assert [s.locator for s in found] == ["part 1 of 3", "part 2 of 3", "part 3 of 3"]
    assert all(1_500 <= count_words(s.text) <= 2_500 for s in found)
    assert all(s.text.startswith("Retrieval") and s.text.endswith("question.") for s in found)


def test_a_document_of_up_to_2500_words_is_one_section() -> None:
    assert titles(f"{WORDS}\n\n" * 39) == [""]


def test_a_long_line_without_paragraphs_is_cut_between_sentences() -> None:
    found = outline(f"{WORDS} " * 100, "Memo").sections

    assert len(found) == 3
    assert all(s.text.endswith(".") for s in found)


def test_rules_between_sections_are_no_text() -> None:
    found = outline(f"---\n\n## A\n\n{WORDS}\n\n---\n\n## B\n\n---\n\n{WORDS}").sections

    assert [(s.title, s.text) for s in found] == [("A", WORDS), ("B", WORDS)]


PHRASES = st.lists(
    st.sampled_from(["one", "two", "café", "中文", "x1", "a"]), min_size=1, max_size=6
).map(" ".join)
LINES = PHRASES | st.builds(
    lambda level, words: f"{'#' * level} {words}", st.integers(1, 6), PHRASES
)


@given(st.lists(LINES, max_size=30).map("\n\n".join))
def test_no_word_is_lost_or_doubled(body: str) -> None:
    found = outline(body)
    words = found.heading.split()
    for section in found.sections:
        words += [*section.title.split(), *section.text.split()]

    assert sorted(words_of(" ".join(words))) == sorted(words_of(body))


@given(st.lists(LINES, max_size=30).map("\n\n".join))
def test_sections_have_ids_reasons_and_places_in_order(body: str) -> None:
    sections = outline(body).sections

    assert sections
    assert len({section.id for section in sections}) == len(sections)
    assert all(bool(s.reason) == (s.status != "pending") for s in sections)
    assert all(map(places_fit, sections))


def words_of(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def places_fit(section: Section) -> bool:
    """Every place stands at the heading it names."""
    offsets = [place.offset for place in section.places]
    return offsets == sorted(set(offsets)) and all(
        section.text[p.offset :].lstrip("# ").startswith(p.label.removeprefix("§ "))
        for p in section.places
    )
