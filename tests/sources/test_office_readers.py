"""Files of word processors, presentations and spreadsheets, made by libraries that write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from datetime import datetime

import docx
import openpyxl
import pptx
import pytest
from odf import dc, opendocument, table, text

from citewiki.sources.read import read_bytes

PROSE = "Hybrid search joins two ranked lists, <b> of words and of meanings."


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


def paper(*, chapters: int = 0) -> bytes:
    document = docx.Document()
    document.core_properties.author = "Ann Lee"
    document.core_properties.keywords = "search; fusion"
    document.add_heading("Hybrid search", 0)
    document.add_heading("Method", 1)
    document.add_paragraph(PROSE)
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("second", style="List Number")
    document.add_heading("Weights", 2)
    document.add_paragraph("Weights are fitted.")
    document.add_heading("Results", 1)
    grid = document.add_table(2, 2)
    for row, words in zip(grid.rows, (("k", "recall"), ("60", "97 | %")), strict=True):
        row.cells[0].text, row.cells[1].text = words
    for number in range(1, chapters + 1):
        document.add_heading(f"Chapter {number}: Topic {number}", 1)
        document.add_paragraph(PROSE)
    return saved(document.save)


def with_note(data: bytes) -> bytes:
    """The same Word document with a footnote at its first paragraph."""
    main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    note = f'<w:footnotes xmlns:w="{main}"><w:footnote w:id="2"><w:p><w:r><w:t>As in 2009.</w:t></w:r></w:p></w:footnote></w:footnotes>'
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            if name == "word/document.xml":
                mark = b'meanings.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r>'
                part = part.replace(b"meanings.</w:t></w:r>", mark)
            if name == "word/_rels/document.xml.rels":
                link = f'<Relationship Id="rIdN" Type="{kind}" Target="footnotes.xml"/></Relationships>'
                part = part.replace(b"</Relationships>", link.encode())
            new.writestr(name, part)
        new.writestr("word/footnotes.xml", note)
    return buffer.getvalue()


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    source = read_bytes(paper(), "paper.docx")
    method, results = source.sections

    assert (source.title, source.author, source.tags) == (
        "Hybrid search",
        "Ann Lee",
        ("search", "fusion"),
    )
    assert (method.locator, results.locator) == ("§ Method", "§ Results")
    assert "&lt;b> of words" in method.text  # what looks like a tag is text
    assert "- first\n\n1. second" in method.text
    assert method.places[-1].label == "§ Weights"
    assert results.text == "| k | recall |\n| --- | --- |\n| 60 | 97 \\| % |"


def test_a_lone_first_heading_is_the_title_and_those_below_it_the_sections() -> None:
    document = docx.Document()
    for level, words in ((1, "Search notes"), (2, "Method"), (2, "Results")):
        document.add_heading(words, level)
        document.add_paragraph(PROSE)
    source = read_bytes(saved(document.save), "a.docx")

    assert source.title == "Search notes"
    assert [section.title for section in source.sections] == ["", "Method", "Results"]


def test_a_footnote_stands_below_the_paragraph_that_calls_it() -> None:
    method, _ = read_bytes(with_note(paper()), "paper.docx").sections

    assert "of meanings.[1]\n\n[1] As in 2009.\n\n- first" in method.text


def test_a_word_document_with_chapters_is_a_book() -> None:
    source = read_bytes(paper(chapters=3), "book.docx")

    assert source.authority == "book"
    assert source.sections[0].locator == "contents"
    assert "- Chapter 2: Topic 2" in source.sections[0].text
    assert source.sections[-1].aliases == ("Topic 3",)


def test_an_opendocument_text_keeps_headings_notes_and_tables() -> None:
    document = opendocument.OpenDocumentText()
    document.meta.addElement(dc.Title(text="Odt paper"))
    document.text.addElement(text.H(outlinelevel=1, text="Method"))
    paragraph = text.P(text="Hybrid search")
    paragraph.addElement(text.S(c=2))
    paragraph.addText("joins lists")
    note = text.Note(noteclass="footnote")
    note.addElement(text.NoteCitation(text="1"))
    note.addElement(text.NoteBody())
    note.childNodes[1].addElement(text.P(text="See BM25."))
    paragraph.addElement(note)
    document.text.addElement(paragraph)
    document.text.addElement(text.H(outlinelevel=1, text="Results"))
    grid = table.Table()
    for words in (("k", "recall"), ("60", "97")):
        grid.addElement(row := table.TableRow())
        for word in words:
            row.addElement(cell := table.TableCell())
            cell.addElement(text.P(text=word))
    document.text.addElement(grid)
    source = read_bytes(saved(document.write), "paper.odt")

    assert source.title == "Odt paper"
    assert [(s.title, s.text) for s in source.sections] == [
        ("Method", "Hybrid search joins lists[1]\n\n[1] See BM25."),
        ("Results", "| k | recall |\n| --- | --- |\n| 60 | 97 |"),
    ]


def test_slides_become_sections_by_their_titles_with_their_numbers() -> None:
    deck = pptx.Presentation()
    for title, words in (
        ("Fusion", "It joins lists."),
        ("Fusion", "It is simple."),
        ("Results", "97 %"),
    ):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, words
    slide.notes_slide.notes_text_frame.text = "Say it slowly."
    fusion, results = read_bytes(saved(deck.save), "deck.pptx").sections

    assert (fusion.locator, results.locator) == ("slide 1 › Fusion", "slide 3 › Results")
    assert fusion.text == "It joins lists.\n\nIt is simple."
    assert [(p.offset, p.label) for p in fusion.places] == [(0, "slide 1"), (17, "slide 2")]
    assert results.text == "97 %\n\nNotes: Say it slowly."


def test_each_sheet_is_a_table_with_its_rows_named() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Cities"
    for row in (
        (),
        ("city", "people", "since"),
        ("Hanoi", 8.5, datetime(2020, 1, 1)),
        ("Huế", None, True),
    ):
        book.active.append(row)
    book.create_sheet("Empty")
    book.create_sheet("Rivers").append(["Mekong"])
    cities, rivers = read_bytes(saved(book.save), "places.xlsx").sections

    assert (cities.title, cities.locator) == ("Cities", "Cities, rows 3-4")
    assert cities.text.splitlines()[2:] == ["| Hanoi | 8.5 | 2020-01-01 |", "| Huế |  | yes |"]
    assert (rivers.title, rivers.locator) == ("Rivers", "Rivers, row 1")


def test_rich_text_is_read_with_its_escapes() -> None:
    data = rb"{\rtf1\ansi{\info{\title My note}{\author Ann}}\b Caf\'e9\b0  opens \u8220?late\u8221?.\par It closes at two.}"
    source = read_bytes(data, "note.rtf")

    assert (source.title, source.author, source.reader) == ("My note", "Ann", "rtf")
    assert source.sections[0].text == "Café opens “late”.\n\nIt closes at two."


@pytest.mark.parametrize("name", ["word/document.xml", "ppt/presentation.xml", "xl/workbook.xml"])
@pytest.mark.parametrize("content", [b"", b"<a", b"\x00\xff", b"<a><b/></a>"])
def test_a_damaged_office_file_becomes_a_section_that_says_so(name: str, content: bytes) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(name, content)

    sections = read_bytes(buffer.getvalue(), "damaged").sections

    assert sections[0].status in ("unreadable", "no_text")
    assert sections[0].reason
