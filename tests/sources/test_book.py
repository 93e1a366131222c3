"""What makes a document a book, and what stands in front of it."""

from __future__ import annotations

from citewiki.model import Section, Source
from citewiki.sources.book import as_book


def document(*titles: str, authority: str = "note", text: str = "Words of it.") -> Source:
    sections = tuple(Section(f"s{n}", title, f"§ {title}", text) for n, title in enumerate(titles))
    return Source("Data Systems", "docx", "x", sections, authority=authority, author="Ann Lee")


def test_three_chapters_make_a_book() -> None:
    chapters = ["Chapter 1: Storage", "Chương 2. Sao lưu", "第3章 分区"]

    assert as_book(document(*chapters)).authority == "book"
    assert as_book(document(*chapters[:2])).authority == "note"
    assert as_book(document("Appendix A", "Appendix B", "Appendix C")).authority == "note"


def test_a_book_begins_with_a_section_that_lists_its_chapters() -> None:
    first, *rest = as_book(document("Chapter 1. Storage", "Notes", authority="book")).sections

    assert (first.id, first.title, first.locator) == ("start", "", "contents")
    assert first.text == "Data Systems, Ann Lee.\n\n- Chapter 1. Storage\n- Notes"
    assert len(rest) == 2


def test_a_book_with_text_before_its_chapters_begins_with_that() -> None:
    source = document("", "Chapter 1. Storage", authority="book")

    assert len(as_book(source).sections) == 2


def test_chapters_are_also_known_by_their_bare_names() -> None:
    sections = as_book(
        document("Chapter 1. Storage", "2.1 B-trees", "Introduction", authority="book")
    ).sections

    assert [section.aliases for section in sections[1:]] == [("Storage",), ("B-trees",), ()]
