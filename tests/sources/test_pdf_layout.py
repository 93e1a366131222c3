"""Rows of a page to paragraphs."""

from __future__ import annotations

import pytest

from citewiki.model import Place
from citewiki.sources.pdf_layout import flowing, without_furniture
from citewiki.sources.pdf_pages import Box, Lack, PageText, Row
from citewiki.sources.pdf_sections import is_gibberish, unread_pages


def page(*lines: str, index: int = 0, lack: Lack = "") -> PageText:
    """A page of which only the words are known."""
    return PageText(index, str(index + 1), tuple(map(Row, lines)), lack)


def column(*lines: tuple[str, float, float], left: float = 70) -> PageText:
    """A page of rows 12 points apart: (text, indentation, width)."""
    rows = tuple(
        Row(text, Box(left + indent, 700 - 12 * n, left + indent + width, 710 - 12 * n, 10))
        for n, (text, indent, width) in enumerate(lines)
    )
    return PageText(0, "1", rows)


def text_of(*pages: PageText) -> str:
    return flowing([(p, p.rows) for p in pages])[0]


def test_chinese_lines_are_joined_without_a_space() -> None:
    assert text_of(page("混合检索把两个列表合成一个，", "效果比单独使用更好。")) == (
        "混合检索把两个列表合成一个，效果比单独使用更好。"
    )


def test_a_hyphen_goes_before_a_small_letter_and_stays_before_a_capital() -> None:
    assert (
        text_of(page("a mea-", "surement in Schwarz-", "Weiß")) == "a measurement in Schwarz-Weiß"
    )


def test_list_items_start_paragraphs() -> None:
    assert text_of(page("It needs", "• one thing", "• another thing that", "is long")) == (
        "It needs\n\n• one thing\n\n• another thing that is long"
    )


def test_a_paragraph_goes_on_over_the_page_and_the_place_marks_where() -> None:
    pages = [page("It begins on this page and it"), page("ends on the next.", index=1)]

    text, places = flowing([(p, p.rows) for p in pages])

    assert text == "It begins on this page and it ends on the next."
    assert places == (Place(0, "p. 1"), Place(30, "p. 2"))


def test_a_line_that_was_ended_before_the_margin_ends_its_paragraph() -> None:
    rows = column(
        ("The first paragraph is set to the full width of the", 0, 300),
        ("column and ends here", 0, 120),
        ("The second one begins without being indented at all", 0, 300),
    )

    assert text_of(rows).split("\n\n") == [
        "The first paragraph is set to the full width of the column and ends here",
        "The second one begins without being indented at all",
    ]


def test_an_indented_line_after_a_sentence_begins_a_paragraph() -> None:
    rows = column(
        ("The first paragraph fills its last line to the end.", 0, 300),
        ("The second one is indented as books do it, and it", 12, 288),
        ("goes on.", 0, 50),
    )

    assert len(text_of(rows).split("\n\n")) == 2


def test_a_larger_font_is_a_paragraph_of_its_own() -> None:
    rows = (
        Row("Heading that is long", Box(70, 700, 370, 716, 16)),
        Row("and the text below it", Box(70, 686, 370, 696, 10)),
    )

    assert text_of(PageText(0, "1", rows)) == "Heading that is long\n\nand the text below it"


def test_lines_of_a_table_of_contents_stay_apart() -> None:
    assert text_of(page("1 Search . . . . . . . 3", "2 Judge . . . . . . . 7")).count("\n\n") == 1


def test_running_heads_go_from_every_page_but_text_that_is_there_twice_stays() -> None:
    pages = [page(f"{n + 1} SEARCH", f"Text of page {n}.", "Copyright", index=n) for n in range(3)]

    assert [[row.text for row in p.rows] for p in without_furniture(pages)] == [
        ["Text of page 0."],
        ["Text of page 1."],
        ["Text of page 2."],
    ]
    assert without_furniture(pages[:2])[0].rows == (
        Row("1 SEARCH"),
        Row("Text of page 0."),
        Row("Copyright"),
    )


@pytest.mark.parametrize("number", ["1", "- 1 -", "Page 1 of 9", "1 / 9", "第 1 页"])
def test_a_page_number_goes_even_from_a_single_page(number: str) -> None:
    assert without_furniture([page("Some text.", number)])[0].rows == (Row("Some text."),)


def test_chapter_headings_at_the_top_of_pages_are_no_running_heads() -> None:
    pages = [
        page(f"Chapter {n + 5}", "Text here.", "And there.", "x", "y", index=n) for n in range(4)
    ]

    assert all(p.rows[0].text.startswith("Chapter") for p in without_furniture(pages))


def test_text_of_unmapped_glyphs_is_gibberish() -> None:
    assert is_gibberish("\ue001\ue002\ue003 ab")
    assert not is_gibberish("Some formula with \ue001 in a long enough sentence.")


def test_pages_without_text_are_named_in_runs() -> None:
    pages = [page(index=n, lack="pictures") for n in (0, 1, 2, 6)]
    pages += [page(index=4, lack="blank"), page(index=7, lack="damaged")]

    assert unread_pages(pages) == (
        "pages 1-3, 7 hold pictures only; OCR first, or install citewiki[ocr]; page 5 is blank; "
        "page 8 cannot be read: damaged"
    )
