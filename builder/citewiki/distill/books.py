"""What is special about a book: how its pages are called, and how one turns them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from citewiki.model import Page, Section, Source
from citewiki.sources.text_reader import chapter_number, is_chapter
from citewiki.store.pages import body_sha256, edited_by_hand

_NUMBER = re.compile(r"\s*(\d{1,3})[.:)]?\s+(?=\S)(?!\d)")
_CHAPTER = {
    "de": "Kapitel {}",
    "en": "Chapter {}",
    "es": "Capítulo {}",
    "fr": "Chapitre {}",
    "it": "Capitolo {}",
    "ja": "第{}章",
    "ko": "제{}장",
    "nl": "Hoofdstuk {}",
    "pt": "Capítulo {}",
    "ru": "Глава {}",
    "vi": "Chương {}",
    "zh": "第{}章",
}
_PART_OF = re.compile(r"^Part of \[\[[^\[\]\n]+\]\]\.", re.M)
_TURNING = re.compile(r"[ \n]*(?:(?:Previous|Next): \[\[[^\[\]\n]+\]\]\.[ ]?)+(?=\n|\Z)")
_FIRST_NOTE = re.compile(r"^\[\^[^\]\n]+\]:", re.M)


def is_book(source: Source) -> bool:
    """Whether it is a book with chapters, which makes it a domain of its own."""
    return source.authority == "book" and len(source.sections) > 1


def book_titles(book: str, heading: str, section: Section, language: str) -> list[str]:
    """What a book's page may be called, best first: "Book: Chapter 5 — Replication".

    `heading` is the section's title, cleaned. Chapters that only have a number are called chapters
    in the book's `language`; other sections go by their heading, then by its path too.
    """
    label, name = chapter_name(section, heading, language)
    best = f"{book}: {' — '.join(filter(None, (label, name)))}"
    path = " › ".join((*section.parents, heading))
    return [best, f"{book}: {path}"] if section.parents else [best]


def chapter_name(section: Section, heading: str, language: str) -> tuple[str, str]:
    """("Chapter 5", "Replication") of a chapter, ("", heading) of any other section."""
    label = chapter_number(section.title)
    if label:
        return label, heading.removeprefix(label).strip(" .:：、—–-")
    number = _NUMBER.match(section.title)
    if number and not any(is_chapter(p) or _NUMBER.match(p) for p in section.parents):
        return _CHAPTER.get(language, "{}").format(number[1]), heading
    return "", heading


def turned(pages: Sequence[Page]) -> Iterator[Page]:
    """Those of a book's pages, given in its order, whose links to their neighbours change.

    A page that a person edited is left alone.
    """
    titles = [None, *(page.title for page in pages), None]
    for number, page in enumerate(pages):
        if edited_by_hand(page):
            continue
        body = with_neighbours(page.body, titles[number], titles[number + 2])
        if body != page.body:
            yield replace(page, body=body, generated_sha256=body_sha256(body))


def with_neighbours(body: str, previous: str | None, following: str | None) -> str:
    """The body with links to the pages before and after it, beside the one to what it is part of.

    Without that link they stand as a paragraph of their own above the footnotes.
    """
    links = [f"Previous: [[{previous}]]."] if previous else []
    links += [f"Next: [[{following}]]."] if following else []
    body = _TURNING.sub("", body)
    if not links:
        return body
    line = " ".join(links)
    if part_of := list(_PART_OF.finditer(body)):
        end = part_of[-1].end()
        return f"{body[:end]} {line}{body[end:]}"
    notes = _FIRST_NOTE.search(body)
    cut = notes.start() if notes else len(body)
    return f"{body[:cut].rstrip()}\n\n{line}\n" + (f"\n{body[cut:]}" if notes else "")
