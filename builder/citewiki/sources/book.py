"""Books: told by their chapters, and given an opening section that lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from citewiki.model import Section, Source
from citewiki.sources.outline import ONLY_HOLDS, START
from citewiki.sources.text_reader import chapter_number, is_chapter
from citewiki.text.phrases import generic_heading

FEWEST_CHAPTERS = 3
"""Sections called "Chapter 1", "第2章", … from which a document is a book."""

_APPENDIX = re.compile(r"\s*appendix\b", re.I)  # reports have them too
_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*[.):]?|[IVXLC]+[.)])\s+")
_SHORTEST_NAME = 2  # characters
_LONGEST_CONTENTS = 300  # lines of the opening section's list


def has_chapters(sections: Sequence[Section]) -> bool:
    """Whether the sections are a book's."""
    titles = (section.title for section in sections)
    chapters = sum(is_chapter(title) and not _APPENDIX.match(title) for title in titles)
    return chapters >= FEWEST_CHAPTERS


def as_book(source: Source) -> Source:
    """The source, with what makes it a book where it has chapters."""
    if source.authority != "book":
        if not has_chapters(source.sections):
            return source
        source = replace(source, authority="book")
    named = tuple(map(_named, source.sections))
    return with_opening(replace(source, sections=named))


def _named(section: Section) -> Section:
    """The section with its bare name as an alias, as its page's title begins with the book's."""
    name = section.title.removeprefix(chapter_number(section.title)).strip(" .:：、—–-")
    name = _NUMBERING.sub("", name)
    if len(name) < _SHORTEST_NAME or generic_heading(name) or not any(map(str.isalpha, name)):
        return section
    return replace(section, aliases=(*section.aliases, name))


def with_opening(source: Source) -> Source:
    """The book with a section in front that says what it is and what is in it.

    A book that begins with text of its own before its first chapter has one already.
    """
    first, *rest = source.sections
    if not rest or (not first.title and first.status == "pending"):
        return source
    highest = min(section.level for section in source.sections)
    listed = [
        section.title
        for section in source.sections
        if section.level <= highest + 1
        and section.title
        and (section.status == "pending" or section.reason == ONLY_HOLDS)
        and " (part " not in section.title
    ]
    by = f"{source.title}, {source.author}." if source.author else f"{source.title}."
    lines = "\n".join(f"- {title}" for title in listed[:_LONGEST_CONTENTS])
    text = "\n\n".join(filter(None, (by, source.summary, lines)))
    taken = {section.id for section in source.sections}
    id = START if START not in taken else f"{START}-of-the-book"
    opening = Section(id, "", "contents", text, level=highest)
    return replace(source, sections=(opening, *source.sections))
