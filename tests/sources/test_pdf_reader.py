"""PDF files: sections by bookmarks, locators by page labels, and nothing lost silently."""

from __future__ import annotations

import io
import textwrap

import pypdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf.generic import ArrayObject, NameObject, NumberObject
from reportlab.pdfgen.canvas import Canvas

from citewiki.model import Place, Section, Source
from citewiki.sources.read import read_bytes

from .conftest import MakePdf

PROSE = (
    "Dense retrieval finds passages by meaning while sparse retrieval finds them by the words\n"
    "that they share with the question, and a hybrid of both finds more than either of them."
)


def read(data: bytes, password: str = "") -> Source:
    return read_bytes(data, "paper.pdf", password=password)


def by_title(source: Source) -> dict[str, Section]:
    return {section.title: section for section in source.sections}


def test_every_bookmark_becomes_a_section_in_order(make_pdf: MakePdf) -> None:
    data = make_pdf(
        f"# 1 Search\n## 1.1 Words\n{PROSE}\n## 1.2 Vectors\n{PROSE}", f"# 2 Judge\n{PROSE}"
    )

    source = read(data)

    assert [(s.title, s.level, s.parents, s.locator, s.status) for s in source.sections] == [
        ("1 Search", 1, (), "p. 1 › 1 Search", "skipped"),
        ("1.1 Words", 2, ("1 Search",), "p. 1 › 1.1 Words", "pending"),
        ("1.2 Vectors", 2, ("1 Search",), "p. 1 › 1.2 Vectors", "pending"),
        ("2 Judge", 1, (), "p. 2 › 2 Judge", "pending"),
    ]
    assert source.sections[0].reason == "it only holds its sub-sections"


def test_two_sections_share_a_page_at_their_headings(make_pdf: MakePdf) -> None:
    data = make_pdf("# Apples\nApples are red.", "They are sweet.\n# Pears\nPears are green.")

    sections = by_title(read(data))

    assert sections["Apples"].text == "Apples are red.\n\nThey are sweet."
    assert sections["Apples"].locator == "pp. 1-2 › Apples"
    assert sections["Pears"].text == "Pears are green."
    assert sections["Pears"].locator == "p. 2 › Pears"


def test_places_tell_where_in_the_text_each_page_starts(make_pdf: MakePdf) -> None:
    section = by_title(read(make_pdf("# One\nFirst page.", "Second page.", "Third page.")))["One"]

    assert section.places == (Place(0, "p. 1"), Place(13, "p. 2"), Place(27, "p. 3"))
    assert [section.text[p.offset :].split(".")[0] for p in section.places] == [
        "First page",
        "Second page",
        "Third page",
    ]


def test_text_before_the_first_bookmark_is_a_section_of_its_own(make_pdf: MakePdf) -> None:
    source = read(make_pdf("A foreword, by a friend of the author.", f"# One\n{PROSE}"))

    assert [(s.id, s.title, s.locator) for s in source.sections] == [
        ("start", "", "p. 1"),
        ("one", "One", "p. 2 › One"),
    ]


def test_without_its_heading_in_the_text_a_bookmark_counts_by_its_height(make_pdf: MakePdf) -> None:
    reader = pypdf.PdfReader(io.BytesIO(make_pdf("Red apples.\nRed cherries.\nGreen pears.")))
    writer = pypdf.PdfWriter(reader)
    fit = pypdf.generic.Fit.xyz(left=72, top=760 - 14 + 10)
    writer.add_outline_item(title="Reddish", page_number=0)
    writer.add_outline_item(title="From the second line on", page_number=0, fit=fit)

    sections = by_title(read(written(writer)))

    assert sections["Reddish"].text == "Red apples."
    assert sections["From the second line on"].text.startswith("Red cherries.")


def test_bookmarks_that_lead_nowhere_are_skipped_with_the_reason(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(pypdf.PdfReader(io.BytesIO(make_pdf(PROSE, PROSE))))
    writer.add_outline_item(title="Here", page_number=0)
    lost = writer.add_outline_item(title="Lost", page_number=1).get_object()
    lost[NameObject("/Dest")] = ArrayObject()
    lost.pop("/A", None)

    source = read(written(writer))

    assert [(s.title, s.status) for s in source.sections] == [
        ("Here", "pending"),
        ("Lost", "skipped"),
    ]
    assert "leads nowhere" in source.sections[1].reason
    assert "“Here”" in source.sections[1].reason
    assert source.sections[0].locator == "pp. 1-2 › Here"  # its text stays with what is before it


def test_a_bookmark_without_a_title_is_named_by_the_line_it_points_at(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(pypdf.PdfReader(io.BytesIO(make_pdf("Overview\nSome text."))))
    writer.add_outline_item(title="", page_number=0, fit=pypdf.generic.Fit.xyz(left=72, top=775))

    assert [(s.title, s.text) for s in read(written(writer)).sections] == [
        ("Overview", "Some text.")
    ]


def test_page_labels_of_the_document_are_used(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(pypdf.PdfReader(io.BytesIO(make_pdf("Foreword.", "# One\nText."))))
    writer.set_page_label(0, 0, "/r")
    writer.set_page_label(1, 1, "/D", start=12)

    assert [s.locator for s in read(written(writer)).sections] == ["p. i", "p. 12 › One"]


def test_without_bookmarks_a_long_document_is_cut_between_pages(make_pdf: MakePdf) -> None:
    page = "\n".join(f"Line {n} has some eight words to be counted." for n in range(50))

    source = read(make_pdf(*[page] * 10, title="Long Report"))

    assert [s.title for s in source.sections] == ["", "Long Report (part 2)"]
    assert [s.locator for s in source.sections] == ["pp. 1-5", "pp. 6-10"]
    assert all(1_500 <= len(s.text.split()) <= 2_500 for s in source.sections)


def test_running_heads_and_page_numbers_are_taken_out(make_pdf: MakePdf) -> None:
    source = read(make_pdf(*[f"{PROSE}\n{n}" for n in range(1, 6)], head="THE HANDBOOK"))

    assert "HANDBOOK" not in source.sections[0].text
    assert not any(line.strip().isdigit() for line in source.sections[0].text.splitlines())


def test_lines_are_joined_into_paragraphs_and_hyphens_at_line_ends_go(make_pdf: MakePdf) -> None:
    page = (
        "The retrieval of pages by their words has been measured over many years, and the mea-\n"
        "surements agree: it is fast, it is explained easily, and it needs no training here.\n"
        "It is cheap.\n"
        "\n"
        "A second paragraph stands below a gap."
    )

    assert read(make_pdf(page)).sections[0].text.split("\n\n") == [
        "The retrieval of pages by their words has been measured over many years, and the "
        "measurements agree: it is fast, it is explained easily, and it needs no training "
        "here. It is cheap.",
        "A second paragraph stands below a gap.",
    ]


def test_an_encrypted_file_says_that_it_needs_its_password(make_pdf: MakePdf) -> None:
    data = make_pdf(PROSE, password="sesame")

    assert [(s.status, s.reason) for s in read(data).sections] == [
        ("encrypted", "it is encrypted; give its password (--password)")
    ]
    assert read(data, "wrong").sections[0].reason == "the password does not open it"
    assert read(data, "sesame").sections[0].text.startswith("Dense retrieval")


def test_a_scanned_file_says_which_pages_hold_pictures_only(make_pdf: MakePdf) -> None:
    (section,) = read(make_pdf("[picture]", "[picture]", "[picture]")).sections

    assert section.status == "no_text"
    assert section.reason == "pages 1-3 hold pictures only; OCR first, or install citewiki[ocr]"


def test_pictures_between_pages_of_text_are_a_section_without_text(make_pdf: MakePdf) -> None:
    source = read(make_pdf(PROSE, "[picture]", PROSE))

    assert [(s.locator, s.status) for s in source.sections] == [
        ("p. 1", "pending"),
        ("p. 2", "no_text"),
        ("p. 3", "pending"),
    ]


def test_pictures_under_a_bookmark_are_reported(make_pdf: MakePdf) -> None:
    source = read(make_pdf(f"# One\n{PROSE}", "[picture]"))

    assert [p.message for p in source.problems] == [
        "page 2 holds pictures only; OCR first, or install citewiki[ocr]"
    ]


def test_rotated_pages_are_read(make_pdf: MakePdf) -> None:
    assert "Dense retrieval" in read(make_pdf(PROSE, rotate=90)).sections[0].text


def test_a_loop_of_bookmarks_ends(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(
        pypdf.PdfReader(io.BytesIO(make_pdf(f"# One\n{PROSE}\n# Two\n{PROSE}")))
    )
    outline = writer.root_object["/Outlines"]
    last = outline.raw_get("/Last")
    last.get_object()[NameObject("/Next")] = outline.raw_get("/First")

    assert {s.title for s in read(written(writer)).sections} >= {"One", "Two"}


@pytest.mark.parametrize("keep", [5, 20, 200, 900])
def test_a_file_cut_short_is_unreadable_or_read_but_no_crash(make_pdf: MakePdf, keep: int) -> None:
    source = read(make_pdf(f"# One\n{PROSE}")[:keep])

    assert source.sections
    assert all(s.reason for s in source.sections if s.status != "pending")


@given(st.binary(max_size=400))
def test_junk_after_a_pdf_header_never_crashes(junk: bytes) -> None:
    (section,) = read(b"%PDF-1.7\n" + junk).sections

    assert section.status == "unreadable"
    assert "damaged" in section.reason


def test_a_bookmark_with_a_page_index_instead_of_a_page_is_followed(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(pypdf.PdfReader(io.BytesIO(make_pdf("First.", "Second."))))
    item = writer.add_outline_item(title="Two", page_number=0).get_object()
    item.pop("/A", None)
    item[NameObject("/Dest")] = ArrayObject([NumberObject(1), NameObject("/Fit")])

    assert by_title(read(written(writer)))["Two"].text == "Second."


def test_the_metadata_gives_title_author_and_date(make_pdf: MakePdf) -> None:
    writer = pypdf.PdfWriter(pypdf.PdfReader(io.BytesIO(make_pdf(PROSE))))
    writer.add_metadata(
        {
            "/Title": "Hybrid Search",
            "/Author": "A. Smith",
            "/CreationDate": "D:20240501103000+02'00'",
        }
    )

    source = read(written(writer))

    assert (source.title, source.author) == ("Hybrid Search", "A. Smith")
    assert source.date is not None
    assert source.date.isoformat() == "2024-05-01T10:30:00+00:00"


def written(writer: pypdf.PdfWriter) -> bytes:
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


LEFT = "The left column tells how a hybrid search joins one sparse list with a dense list of pages."
RIGHT = "On the right we measure recall at ten for many questions about trees rivers and cities."


def columns(left: list[str], right: list[str], *, rotate: int = 0, turn: int = 0) -> bytes:
    """A page whose lines are drawn in turns, left and right, turned by `turn` degrees."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(842, 842), invariant=1)
    canvas.setPageRotation(rotate)
    canvas.translate(421, 421)
    canvas.rotate(turn)
    canvas.translate(-421, -421)
    canvas.drawString(60, 780, "A title over both columns")
    for number, (one, two) in enumerate(zip(left, right, strict=True)):
        canvas.drawString(60, 740 - 14 * number, one)
        canvas.drawString(440, 740 - 14 * number, two)
    canvas.save()
    return buffer.getvalue()


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(f"{text} " * 6, 44)[:11]


@pytest.mark.parametrize(
    ("rotate", "turn"), [(0, 0), (90, 0), (180, 0), (270, 0), (0, 90), (90, 90)]
)
def test_columns_drawn_in_turns_are_read_one_after_the_other(rotate: int, turn: int) -> None:
    left, right = wrapped(LEFT), wrapped(RIGHT)
    text = read_bytes(columns(left, right, rotate=rotate, turn=turn), "a.pdf").sections[0].text

    assert text.startswith("A title over both columns")
    if not turn:
        assert " ".join((*left, *right)) in " ".join(text.split())


def test_a_table_is_read_row_by_row() -> None:
    cells = [f"method {n}" for n in range(12)], [f"recall {n} %" for n in range(12)]
    text = read_bytes(columns(list(cells[0]), list(cells[1])), "a.pdf").sections[0].text

    assert "method 3 recall 3 %" in " ".join(text.split())


def test_letters_without_a_map_are_reported() -> None:
    prose = (
        "Reciprocal rank fusion merges the ranked lists of several methods into a better one. " * 4
    )
    shifted = "".join(chr(ord(c) + 3) if c.isalpha() else c for c in prose.lower())
    (section,) = read_bytes(columns(textwrap.wrap(shifted, 60), [""] * 6), "a.pdf").sections

    assert section.status == "unreadable"
    assert section.reason.startswith("its font does not tell which letters it shows")
