"""Every kind of file, from a real file to an answer that cites a place a person can look up.

A row of `FORMATS` makes the file as people's own programs do, and says what is asked of it, what
the answer has to say, and where the citation has to point.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

import docx
import nbformat
import openpyxl
import pptx
import pytest
from odf import opendocument
from odf import text as odf_text
from reportlab.pdfgen.canvas import Canvas

from citewiki import Wiki
from citewiki.config import load_config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import take_in
from tests.conftest import NOW, MakeWiki
from tests.exports import EXPORTS

FUSION = (
    "Reciprocal rank fusion merges ranked lists without training. "
    "The constant k of reciprocal rank fusion is 60. It damps the first places."
)
INTRO = "This text tells of search over notes. It was written for readers who keep a wiki at home."
QUESTION = "What is the constant k of reciprocal rank fusion?"


@dataclass(frozen=True)
class Format:
    """One kind of file."""

    name: str  # of the file
    data: Callable[[], bytes]
    where: str  # part of the citation's place in the original
    question: str = QUESTION
    says: str = "60"


def markdown_file() -> bytes:
    return f"---\ntitle: Notes\n---\n# Notes\n\n{INTRO}\n\n## Fusion\n\n{FUSION}\n".encode()


def html_file() -> bytes:
    return (
        f"<!doctype html><html lang=en><head><title>Notes</title></head><body><main><h1>Notes</h1>"
        f"<p>{INTRO} {INTRO}</p><h2>Fusion</h2><p>{FUSION}</p></main></body></html>"
    ).encode()


def pdf_file() -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for number, (title, words) in enumerate({"Start": INTRO, "Fusion": FUSION}.items()):
        canvas.bookmarkPage(str(number))
        canvas.addOutlineEntry(title, str(number))
        canvas.drawString(72, 760, title)
        for line, sentence in enumerate(words.split(". ")):
            canvas.drawString(72, 730 - 14 * line, f"{sentence.rstrip('.')}.")
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def epub_file() -> bytes:
    chapters = {"Chapter 1. Search": INTRO, "Chapter 2. Fusion": FUSION}
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>'
        for n in range(len(chapters))
    )
    links = "".join(f'<li><a href="c{n}.xhtml">{t}</a></li>' for n, t in enumerate(chapters))
    xhtml = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
        '<rootfiles><rootfile full-path="a/book.opf"/></rootfiles></container>',
        "a/book.opf": '<package xmlns="http://www.idpf.org/2007/opf"><metadata'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Searching</dc:title></metadata>'
        f'<manifest>{items}<item id="nav" href="nav.xhtml" properties="nav"'
        ' media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="c0"/><itemref idref="c1"/></spine></package>',
        "a/nav.xhtml": f'{xhtml}<body><nav epub:type="toc"><ol>{links}</ol></nav></body></html>',
    }
    for number, (title, words) in enumerate(chapters.items()):
        files[f"a/c{number}.xhtml"] = f"{xhtml}<body><h1>{title}</h1><p>{words}</p></body></html>"
    return zipped(files)


def zipped(files: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def docx_file() -> bytes:
    document = docx.Document()
    document.add_heading("Notes", 0)
    document.add_heading("Start", 1)
    document.add_paragraph(INTRO)
    document.add_heading("Fusion", 1)
    document.add_paragraph(FUSION)
    return saved(document.save)


def odt_file() -> bytes:
    document = opendocument.OpenDocumentText()
    for title, words in {"Start": INTRO, "Fusion": FUSION}.items():
        document.text.addElement(odf_text.H(outlinelevel=1, text=title))
        document.text.addElement(odf_text.P(text=words))
    return saved(document.write)


def pptx_file() -> bytes:
    deck = pptx.Presentation()
    for title, words in {"Search": INTRO, "Fusion": FUSION}.items():
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = words
    return saved(deck.save)


def xlsx_file() -> bytes:
    book = openpyxl.Workbook()
    book.active.title = "Constants"
    book.active.append(["method", "constant k", "proposed by"])
    book.active.append(["Borda count", 1, "Jean-Charles de Borda"])
    book.active.append(["Reciprocal rank fusion", 60, "Gordon Cormack"])
    return saved(book.save)


def rtf_file() -> bytes:
    return rf"{{\rtf1\ansi {INTRO}\par {FUSION}\par}}".encode()


def org_file() -> bytes:
    return f"#+TITLE: Notes\n\n{INTRO}\n\n* Fusion\n{FUSION}\n".encode()


def rst_file() -> bytes:
    return f"Notes\n=====\n\n{INTRO}\n\n.. note:: Short.\n\nFusion\n------\n\n{FUSION}\n".encode()


def notebook_file() -> bytes:
    cell, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    book = nbformat.v4.new_notebook(
        cells=[cell(f"# Notes\n\n{INTRO}"), code("k = 60"), cell(FUSION)]
    )
    return nbformat.writes(book).encode()


def csv_file() -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["title", "year", "text"])
    writer.writerow(["Borda count", 1781, f"Borda count adds up places. {INTRO}"])
    writer.writerow(["Reciprocal rank fusion", 2009, f"{FUSION} {INTRO}"])
    return buffer.getvalue().encode()


def jsonl_file() -> bytes:
    rows = [
        {"title": "Borda", "text": f"{INTRO} {INTRO}"},
        {"title": "RRF", "text": f"{FUSION} {INTRO}"},
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def text_file() -> bytes:
    return f"NOTES\n\n{INTRO}\n\n1. Start\n\n{INTRO}\n\n2. Fusion\n\n{FUSION}\n".encode("utf-16")


def saved(save: Callable[[io.BytesIO], object]) -> bytes:
    buffer = io.BytesIO()
    save(buffer)
    return buffer.getvalue()


FORMATS = {
    "markdown": Format("notes.md", markdown_file, "§ Fusion"),
    "text": Format("notes.txt", text_file, "§ 2. Fusion"),
    "html": Format("notes.html", html_file, "§ Fusion"),
    "pdf": Format("notes.pdf", pdf_file, "p. 2"),
    "epub": Format("notes.epub", epub_file, "§ Chapter 2. Fusion"),
    "docx": Format("notes.docx", docx_file, "§ Fusion"),
    "odt": Format("notes.odt", odt_file, "§ Fusion"),
    "pptx": Format("notes.pptx", pptx_file, "slide 2"),
    "xlsx": Format(
        "notes.xlsx", xlsx_file, "rows 2-3", "What is the constant k of Reciprocal rank fusion?"
    ),
    "rtf": Format("notes.rtf", rtf_file, "notes.rtf"),
    "org": Format("notes.org", org_file, "§ Fusion"),
    "rst": Format("notes.rst", rst_file, "§ Fusion"),
    "notebook": Format("notes.ipynb", notebook_file, "cell 3"),
    "csv": Format("notes.csv", csv_file, "row 3"),
    "jsonl": Format("notes.jsonl", jsonl_file, "row 2"),
    **{kind: Format(*row) for kind, row in EXPORTS.items()},
}


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_a_file_is_read_distilled_asked_and_cited(format: Format, make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    file = root.parent / format.name
    file.write_bytes(format.data())

    taken = take_in(root, [file], now=NOW)
    done = compile_sources(root, load_config(root), now=NOW, version="0")
    answer = Wiki.open(root).ask(format.question, now=NOW)

    assert (*taken.problems, *done.problems) == ()
    assert answer.status == "answered"
    assert format.says in answer.claims[0].text
    citation = answer.claims[0].citations[0]
    assert citation.quote in Wiki.open(root).page(citation.slug).body
    assert format.name in citation.source
    assert format.where in citation.source


@pytest.mark.parametrize("format", FORMATS.values(), ids=FORMATS)
def test_a_file_is_known_without_its_name(format: Format) -> None:
    from citewiki.sources.read import read_bytes

    named, unnamed = read_bytes(format.data(), format.name), read_bytes(format.data(), "download")

    assert unnamed.reader == named.reader
    assert [s.text for s in unnamed.sections] == [s.text for s in named.sections]
