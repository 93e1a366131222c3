"""The sentence that makes a link, as a reader of its target is shown it."""

from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.graph import linking_sentence, links
from citewiki.model import Page

_PIECES = [
    "Tea ",
    "grows. ",
    "It is `hot. `",
    "**not** ",
    "\n- ",
    "\n\n",
    "<b>old</b> ",
    "茶。",
    "> ",
]


def _sentences(body: str) -> list[str]:
    return [link.sentence for link in links(Page(path="p.md", title="P", slug="p", body=body))]


def test_a_link_has_the_plain_sentence_that_it_stands_in() -> None:
    assert _sentences("One. Two *is* [[Tea|the leaf]], **dried**. Three.") == [
        "Two is the leaf, dried."
    ]


def test_links_of_one_paragraph_have_each_its_own_sentence() -> None:
    assert _sentences("[[A]] came. [B](b.md) went.\n\n- [[C]] stayed") == [
        "A came.",
        "B went.",
        "C stayed",
    ]


def test_a_stop_in_the_name_of_a_link_cuts_no_name_apart() -> None:
    assert _sentences("如[[文明。——三体]]") == ["如文明。——三体"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("Move [[Notes]] by `mv a . && build` first.", "Move Notes by mv a . && build"),
        ("See [[Notes]] <!-- not yet. Later. --> there.", "See Notes"),
        ("See [[Notes]] %%not yet. Later.%%", "See Notes"),
    ],
)
def test_code_and_comments_that_hold_a_stop_are_taken_whole(body: str, sentence: str) -> None:
    assert _sentences(body)[0].startswith(sentence)
    assert "Later" not in _sentences(body)[0]


def test_a_sentence_without_end_is_cut_beside_a_link_and_not_within() -> None:
    [first, *_] = _sentences("[[Tea]] " + "and then " * 43 + "[[Coffee and cake]] " + "on " * 99)
    assert first.endswith("and then Coffee and cake")


@given(st.lists(st.sampled_from(_PIECES)), st.lists(st.sampled_from(_PIECES)))
def test_a_sentence_holds_what_its_link_shows(before: list[str], after: list[str]) -> None:
    for sentence in _sentences("".join([*before, "[[Green tea]] ", *after])):
        assert "Green tea" in sentence


def test_a_heading_right_above_is_not_part_of_the_sentence_that_links() -> None:
    body = "## Impact\nReading [[b]] alongside helped. More.\n"
    start = body.index("[[")
    assert linking_sentence(body, start, start + 5) == "Reading b alongside helped."
    heading = "## On [[b]]\nText.\n"
    assert linking_sentence(heading, 6, 11) == "On b"


def test_the_sentence_of_a_table_row_is_its_cells() -> None:
    rows = "| a | b |\n|---|---|\n| [[Tea\\|leaf]] | hot |\n| [[Ice]] | cold |\n"
    assert _sentences(rows) == ["leaf; hot", "Ice; cold"]


def test_many_links_in_one_list_or_table_take_linear_time() -> None:
    few, many = ("| [[Tea]] | hot |\n" * count for count in (300, 4_800))
    spent = []
    for body in (few, many):
        start = process_time()
        assert _sentences(body)[-1] == "Tea; hot"
        spent.append(process_time() - start)
    assert spent[1] < 60 * spent[0] + 0.2  # 16 times as much text; once 250 times as long
