from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.distill.crosslinks import Linker, link_pages, may_hold_heading
from citewiki.markdown.structure import headings
from citewiki.model import Page


def page(title: str, body: str = "", *aliases: str, path: str = "") -> Page:
    slug = title.lower().replace(" ", "-")
    return Page(path=path or f"d/{slug}.md", slug=slug, title=title, body=body, aliases=aliases)


def linked(body: str, *titles: str | Page, title: str = "Here") -> str:
    """The body of one page after linking, among pages of the other titles."""
    others = [other if isinstance(other, Page) else page(other) for other in titles]
    return link_pages([page(title, body), *others])[0].body


def test_the_first_mention_becomes_a_link_and_later_ones_do_not():
    assert linked("BM25 and BM25.", "BM25") == "[[BM25]] and BM25."


def test_case_is_kept_and_the_words_stay_what_they_were():
    body = "We use reciprocal rank fusion here."
    assert linked(body, "Reciprocal rank fusion") == (
        "We use [[Reciprocal rank fusion|reciprocal rank fusion]] here."
    )


def test_an_alias_links_to_the_title():
    fusion = page("Reciprocal rank fusion", "", "RRF")
    assert linked("RRF is simple.", fusion) == "[[Reciprocal rank fusion|RRF]] is simple."


def test_the_longest_name_wins():
    assert linked("Contextual retrieval helps.", "Retrieval", "Contextual retrieval") == (
        "[[Contextual retrieval]] helps."
    )


@pytest.mark.parametrize(
    ("body", "title"),
    [
        ("Google and Categories.", "Goog"),
        ("The word rag in lower case.", "RAG"),
        ("C++ is not C.", "C+"),
        ("unrelated", "late"),
        ("We go on.", "Go"),
        ("An overview of it.", "Overview"),
        ("snake_case_name", "Case"),
    ],
)
def test_parts_of_words_other_cases_of_acronyms_and_common_words_do_not_link(body, title):
    assert linked(body, title) == body


@pytest.mark.parametrize(
    "body",
    [
        "`BM25` in code",
        "```\nBM25\n```\n",
        "# BM25\n",
        "Setext BM25\n===\n",
        "[BM25](https://example.org)",
        "[[Other|BM25]]",
        "<!-- BM25 -->",
        "$BM25$",
        '[^a]: raw/x.md: "BM25"',
        "https://example.org/BM25",
        "%%BM25%%",
    ],
)
def test_code_headings_links_comments_math_footnotes_and_addresses_are_left_alone(body: str):
    assert linked(body, "BM25", "Other") == body


def test_a_page_that_is_linked_already_is_not_linked_again():
    assert linked("BM25 before [[BM25|it]].", "BM25") == "BM25 before [[BM25|it]]."


def test_a_page_does_not_link_itself():
    assert linked("Here we are.", "Other", title="Here") == "Here we are."


def test_scripts_without_spaces_link_inside_a_run_of_characters():
    assert (
        linked("我们使用倒数排名融合来合并结果。", "倒数排名融合")
        == "我们使用[[倒数排名融合]]来合并结果。"
    )


def test_vietnamese_names_link_as_whole_words():
    assert linked("Cách tìm kiếm lai hoạt động.", "Tìm kiếm lai") == (
        "Cách [[Tìm kiếm lai|tìm kiếm lai]] hoạt động."
    )
    assert linked("phố", "phổ") == "phố"


def test_names_with_signs_match_exactly():
    assert linked("In C++ and .NET.", "C++", ".NET") == "In [[C++]] and [[.NET]]."


def test_a_name_broken_over_two_lines_links_and_the_words_are_joined():
    assert linked("uses rank\nfusion now", "Rank fusion") == "uses [[Rank fusion|rank fusion]] now"


def test_a_bar_inside_a_table_is_escaped():
    assert linked("| a |\n|---|\n| rank fusion |\n", "Rank fusion").endswith(
        "| [[Rank fusion\\|rank fusion]] |\n"
    )


def test_a_name_that_two_pages_have_does_not_link_to_the_wrong_one():
    one, two = page("Mercury", path="a/m.md"), page("Mercury", path="b/mm.md")
    here = page("Here", "Mercury is near.", path="b/here.md")
    assert link_pages([here, one, two])[0].body in {"[[Mercury]] is near.", "Mercury is near."}
    assert Linker([here, one, two]).link(here) == link_pages([here, one, two])[0]


@given(
    st.lists(
        st.sampled_from(["rank fusion", "BM25", "`BM25`", "tìm kiếm", "检索", "\n\n", "x"]),
        max_size=12,
    )
)
def test_linking_twice_changes_nothing_and_the_words_stay(parts: list[str]):
    import re

    pages = [page("Here", " ".join(parts)), *map(page, ["Rank fusion", "BM25", "Tìm kiếm", "检索"])]
    once = link_pages(pages)
    assert link_pages(once) == once
    unlinked = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", once[0].body)
    assert unlinked == pages[0].body


@given(st.text("ab#=-> \n*1.\t`", max_size=40))
def test_where_no_line_could_be_a_heading_there_is_none(text: str):
    assert may_hold_heading(text) or not headings(text)
