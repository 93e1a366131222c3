"""EPUB books."""

from __future__ import annotations

import io
import zipfile

import pytest

from citewiki.model import Source
from citewiki.sources.read import read_bytes

XHTML = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
PROSE = "A leader copies every write to its followers, in the order in which it took them."


def book(
    chapters: dict[str, str],
    contents: str = "",
    *,
    ncx: str = "",
    extra: dict[str, str] | None = None,
) -> bytes:
    """An EPUB of `chapters` (file name → body); `contents` is the list of its nav document."""
    items = "".join(
        f'<item id="{n}" href="{n}" media-type="application/xhtml+xml"/>' for n in chapters
    )
    items += '<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    items += '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": "<container><rootfiles>"
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>Data Systems</dc:title><dc:creator>Ann Lee</dc:creator><dc:creator>Bo Ek</dc:creator>"
        "<dc:language>en</dc:language><dc:date>2020-03-01</dc:date></metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        **{
            f"OEBPS/{name}": f"{XHTML}<head><title/></head><body>{b}</body></html>"
            for name, b in chapters.items()
        },
        **(extra or {}),
    }
    if contents:
        files["OEBPS/nav.xhtml"] = (
            f'{XHTML}<body><nav epub:type="toc">{contents}</nav></body></html>'
        )
    if ncx:
        files["OEBPS/toc.ncx"] = (
            f'<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>{ncx}</navMap></ncx>'
        )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def read(data: bytes) -> Source:
    return read_bytes(data, "book.epub")


CHAPTERS = {
    "copy.xhtml": "<p>© 2020 Ann Lee. All rights reserved. ISBN 978-3-16-148410-0</p>",
    "c1.xhtml": f"<h1>Part I</h1><h1>Chapter 1</h1><h2>Storage</h2><p>{PROSE}</p>"
    f'<h2 id="trees">B-trees</h2><p>Trees split <code>&lt;page&gt;</code>s. {PROSE}</p>',
    "c2.xhtml": f"<h1>Chapter 2. Replication</h1><p>Here &eacute; {PROSE}</p>",
}
CONTENTS = (
    '<ol><li><a href="copy.xhtml">Copyright</a></li><li><span>Part I</span><ol>'
    '<li><a href="c1.xhtml">Chapter 1. Storage</a><ol><li><a href="c1.xhtml#trees">B-trees</a></li></ol></li>'
    '<li><a href="c2.xhtml">Chapter 2. Replication</a></li></ol></li></ol>'
)


def test_the_table_of_contents_is_the_outline_at_any_depth() -> None:
    source = read(book(CHAPTERS, CONTENTS))

    assert [(s.level, s.title, s.locator) for s in source.sections if s.title != "Part I"] == [
        (1, "", "contents"),
        (1, "Copyright", "§ Copyright"),
        (2, "Chapter 1. Storage", "§ Part I › Chapter 1. Storage"),
        (3, "B-trees", "§ Part I › Chapter 1. Storage › B-trees"),
        (2, "Chapter 2. Replication", "§ Part I › Chapter 2. Replication"),
    ]
    assert source.sections[2].text == PROSE  # the headings that say its title are not repeated
    assert source.sections[3].text == f"Trees split `<page>`s. {PROSE}"
    assert source.sections[4].text == f"Here é {PROSE}"


def test_an_entry_that_leads_nowhere_is_accounted_for() -> None:
    contents = CONTENTS.replace("c2.xhtml", "gone.xhtml")
    sections = {section.title: section for section in read(book(CHAPTERS, contents)).sections}

    assert sections["Chapter 2. Replication"].reason == "its entry leads nowhere"
    assert sections["Part I"].reason == "it only holds its sub-sections"
    assert "Here" in sections["B-trees"].text  # its words stand with what comes before


def test_the_metadata_is_read() -> None:
    source = read(book(CHAPTERS, CONTENTS))

    assert (source.title, source.author, source.language) == (
        "Data Systems",
        "Ann Lee, Bo Ek",
        "en",
    )
    assert source.authority == "book"
    assert source.date is not None
    assert source.date.year == 2020


def test_the_older_table_of_contents_is_read_too() -> None:
    ncx = (
        "<navPoint><navLabel><text>One</text></navLabel><content src='c1.xhtml'/>"
        "<navPoint><navLabel><text>Trees</text></navLabel><content src='c1.xhtml#trees'/></navPoint>"
        "</navPoint><navPoint><navLabel><text>Two</text></navLabel><content src='c2.xhtml'/></navPoint>"
    )
    source = read(book(CHAPTERS, ncx=ncx))

    assert [(s.level, s.title) for s in source.sections if s.title] == [
        (1, "One"),
        (2, "Trees"),
        (1, "Two"),
    ]


def test_without_a_table_of_contents_headings_are_the_outline() -> None:
    titles = [section.title for section in read(book(CHAPTERS)).sections]

    assert "Chapter 2. Replication" in titles


def test_a_long_chapter_is_cut_at_its_own_headings() -> None:
    long = "".join(f"<h2>Topic {n}</h2><p>{f'{PROSE} ' * 250}</p>" for n in range(3))
    source = read(book({"c1.xhtml": long}, '<ol><li><a href="c1.xhtml">Chapter 1</a></li></ol>'))

    assert [(s.title, s.parents) for s in source.sections if s.text and s.title] == [
        (f"Topic {n}", ("Chapter 1",)) for n in range(3)
    ]


@pytest.mark.parametrize(
    ("uri", "status"), [("OEBPS/c1.xhtml", "encrypted"), ("OEBPS/a.otf", "pending")]
)
def test_a_protected_book_says_so_and_protected_fonts_do_not_matter(uri: str, status: str) -> None:
    encryption = (
        f'<encryption><EncryptedData><CipherReference URI="{uri}"/></EncryptedData></encryption>'
    )
    source = read(book(CHAPTERS, CONTENTS, extra={"META-INF/encryption.xml": encryption}))

    assert source.sections[0].status == status


def test_chapters_that_are_no_xml_are_read() -> None:
    source = read(book({"c1.xhtml": f"<h1>One<p>{PROSE}<br>Unclosed & loose"}))

    assert PROSE in source.sections[0].text


def test_a_book_without_chapters_says_so() -> None:
    (section,) = read(book({})).sections

    assert section.reason == "the book lists no chapters that are in it"


def test_external_entities_are_not_resolved() -> None:
    evil = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "bbbb">]>'
    opf = f"{evil}<package><metadata><title>&a;&b;</title></metadata><manifest/><spine/></package>"

    source = read(book(CHAPTERS, extra={"OEBPS/book.opf": opf}))

    assert "root:" not in source.title
