"""PDF: bookmarks by pypdf, text by PDFium (eleven times faster), and sections by the bookmarks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from citewiki.model import Problem, Section, SectionStatus, Source
from citewiki.sources.about import moment, readable_title
from citewiki.sources.book import as_book
from citewiki.sources.encoding import clean
from citewiki.sources.outline import START, finished
from citewiki.sources.pdf_forms import MOST_DRAWN, draws_too_often
from citewiki.sources.pdf_layout import without_furniture
from citewiki.sources.pdf_ocr import recognised
from citewiki.sources.pdf_outline import Bookmark, bookmarks, pdfium_bookmarks
from citewiki.sources.pdf_pages import MOST_CHARACTERS, MOST_PAGES, PageText, page_texts
from citewiki.sources.pdf_sections import (
    OCR_IT,
    bookmark_sections,
    is_gibberish,
    length_sections,
    named,
    unread_pages,
)
from citewiki.sources.pdf_streams import LARGEST_STREAM, is_too_large
from citewiki.text.language import language

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MEDIA_TYPE = "application/pdf"

BOOK_PAGES = 80  # with bookmarks: a book, not an article

_PASSWORD_ERROR = 4  # FPDF_ERR_PASSWORD of fpdfview.h
_SECURITY_ERROR = 5  # FPDF_ERR_SECURITY: a security handler that PDFium does not know
_DATE = re.compile(r"D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?")
_ABSTRACT = re.compile(r"^\s*(?:abstract|zusammenfassung|résumé|摘要|tóm tắt)\b", re.I | re.M)
_MEANINGLESS_TITLE = re.compile(
    r"untitled|unbenannt|microsoft word|document\d*$|slide \d"
    r"|.*\.(?:docx?|tex|dvi|pdf|indd|pptx?|ps)$",
    re.I,
)


def read(data: bytes, name: str, *, password: str = "") -> Source:
    """The sections of a PDF; never raises for what the file holds."""
    import pypdfium2

    if is_too_large(data):
        reason = f"a part of it unpacks to more than {LARGEST_STREAM >> 20} MB"
        return _without_text(name, "unreadable", reason)
    if draws_too_often(data):
        reason = f"a part of it draws more than {MOST_DRAWN:,} others"
        return _without_text(name, "unreadable", reason)
    try:
        document = pypdfium2.PdfDocument(data, password=password or None)
    except pypdfium2.PdfiumError as error:
        return _unopened(name, getattr(error, "err_code", 0), password)
    try:
        return _read(document, data, name, password)
    finally:
        document.close()


def _read(document: PdfDocument, data: bytes, name: str, password: str) -> Source:
    problems = []
    marks, problem = bookmarks(data, password)
    if problem:
        marks = marks or pdfium_bookmarks(document)
        problems.append(problem)
    pages, by_ocr = recognised(document, list(page_texts(document)), _needs_ocr)
    if by_ocr:
        problems.append(f"{named(by_ocr)} read by OCR, which may be wrong")
    pages = without_furniture(pages)
    title = _title(document, name)
    sections = _sections(pages, marks, title)
    if len(document) > MOST_PAGES:
        sections = (*sections, _beyond(len(document)))
    if _by_bookmarks(marks) and (unread := [page for page in pages if not page.rows]):
        problems.append(unread_pages(unread))  # without bookmarks, sections of their own say it
    for page in pages:
        if page.is_cut:
            most = f"only its first {MOST_CHARACTERS:,} characters are read"
            problems.append(f"page {page.label} is too long: {most}")
    text = "\n".join(row.text for page in pages[:10] for row in page.rows)
    source = Source(
        title=title,
        reader="pdf",
        media_type=MEDIA_TYPE,
        sections=sections,
        authority=_authority(pages, marks),
        language=language(text[:20_000]),
        author=_metadata(document, "Author"),
        date=_date(_metadata(document, "CreationDate")),
        summary=_metadata(document, "Subject"),
        problems=tuple(Problem(name, p, severity="warning", code="pdf") for p in problems),
    )
    return as_book(source)


def _sections(
    pages: Sequence[PageText], marks: Sequence[Bookmark], title: str
) -> tuple[Section, ...]:
    """All sections, with ids and with their status."""
    if not any(page.rows for page in pages):
        reason = unread_pages(pages) or "the PDF has no pages"
        return (Section(START, "", _all(pages), status="no_text", reason=reason),)
    if _by_bookmarks(marks):
        found = bookmark_sections(pages, marks)
    else:
        found = length_sections(pages, title)
    return finished([_readable(section) for section in found], title)


def _needs_ocr(page: PageText) -> bool:
    """Whether the page shows something that is not readable as text."""
    return page.lack == "pictures" or is_gibberish("\n".join(row.text for row in page.rows))


def _by_bookmarks(marks: Sequence[Bookmark]) -> bool:
    """Whether a bookmark leads anywhere."""
    return any(mark.page is not None for mark in marks)


def _readable(section: Section) -> Section:
    if is_gibberish(section.text):
        reason = f"its font does not tell which letters it shows; {OCR_IT}"
        return replace(section, text="", places=(), status="unreadable", reason=reason)
    return section


def _all(pages: Sequence[PageText]) -> str:
    if len(pages) < 2:
        return "p. 1" if pages else ""
    return f"pp. {pages[0].label}-{pages[-1].label}"


def _beyond(count: int) -> Section:
    label = f"pp. {MOST_PAGES + 1}-{count}"
    reason = f"only the first {MOST_PAGES:,} pages of a PDF are read; split it"
    return Section("unread-pages", "", label, status="unreadable", reason=reason)


def _unopened(name: str, code: int, password: str) -> Source:
    """A source that says why the PDF could not be opened."""
    status: SectionStatus = "unreadable"
    if code == _PASSWORD_ERROR:
        status = "encrypted"
        reason = (
            "the password does not open it"
            if password
            else "it is encrypted; give its password (--password)"
        )
    elif code == _SECURITY_ERROR:
        status, reason = "encrypted", "it is protected in a way that only its own program can open"
    else:
        reason = "it is damaged, or no PDF at all; open and save it again with a PDF program"
    return _without_text(name, status, reason)


def _without_text(name: str, status: SectionStatus, reason: str) -> Source:
    section = Section(START, "", "", status=status, reason=reason)
    return Source(readable_title(name), "pdf", MEDIA_TYPE, (section,))


def _title(document: PdfDocument, name: str) -> str:
    given = _metadata(document, "Title")
    usable = any(map(str.isalpha, given)) and not _MEANINGLESS_TITLE.match(given)
    return given if usable else readable_title(name)


def _metadata(document: PdfDocument, key: str) -> str:
    return " ".join(clean(document.get_metadata_value(key) or "").split())


def _date(written: str) -> datetime | None:
    """A PDF date, "D:20240501103000+02'00'", to the second; its zone is left out."""
    found = _DATE.match(written)
    if not found:
        return None
    year, month, day, hour, minute, second = (group or "" for group in found.groups())
    date = f"{year}-{month or '01'}-{day or '01'}"
    return moment(f"{date}T{hour or '00'}:{minute or '00'}:{second or '00'}")


def _authority(pages: Sequence[PageText], marks: Sequence[Bookmark]) -> str:
    """A paper opens with an abstract; a long document with bookmarks is a book."""
    opening = "\n".join(row.text for page in pages[:2] for row in page.rows)
    if _ABSTRACT.search(opening):
        return "paper"
    return "book" if marks and len(pages) >= BOOK_PAGES else "unknown"
