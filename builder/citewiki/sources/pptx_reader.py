"""PowerPoint slides: a section for each title, with the slide's number as its place."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from citewiki.model import Section, Source
from citewiki.sources.archive import Archive
from citewiki.sources.docx_reader import core_properties
from citewiki.sources.encoding import clean
from citewiki.sources.markdown_reader import source
from citewiki.sources.marks import clean_between, mark, placed
from citewiki.sources.tables import rows_markdown
from citewiki.sources.xml_tree import attribute, text_in, xml_root

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

_PRESENTATION = "ppt/presentation.xml"
_UNNAMED = "PowerPoint Presentation"
_TITLES = ("title", "ctrTitle")
_FURNITURE = ("sldNum", "dt", "ftr", "hdr")  # slide number, date, footer, header


@dataclass(frozen=True, slots=True)
class _Slide:
    """What is written on one slide."""

    title: str
    blocks: tuple[str, ...]  # Markdown
    notes: str


def read(archive: Archive, name: str) -> Source:
    """The sections of a presentation; raises SourceError when it is damaged."""
    slides = [_slide(archive, file) for file in _slide_files(archive)]
    body = ""
    said = ""
    for number, slide in enumerate(slides, start=1):
        # A title that goes on over several slides is one section.
        if slide.title and slide.title != said:
            body += f"## {slide.title}\n\n"
        said = slide.title or said
        notes = [f"Notes: {slide.notes}"] if slide.notes else []
        body += mark(number) + "".join(f"{block}\n\n" for block in (*slide.blocks, *notes))
    facts = core_properties(archive)
    if slides and (not facts.title or facts.title == _UNNAMED):
        facts = replace(facts, title=slides[0].title)
    found = source(facts, clean_between(body), name, reader="pptx", media_type=MEDIA_TYPE)
    found = placed(found, ["", *(f"slide {number + 1}" for number in range(len(slides)))])
    return replace(found, sections=tuple(map(_located, found.sections)))


def _located(section: Section) -> Section:
    """The section with the number of its first slide in its locator."""
    if not section.places:
        return section
    where = section.places[0].label
    return replace(section, locator=f"{where} › {section.title}" if section.title else where)


def _slide_files(archive: Archive) -> Iterator[str]:
    """The slides' parts, in the order in which they are shown."""
    root = xml_root(archive.read(_PRESENTATION), archive.name, _PRESENTATION)
    targets = _relations(archive, _PRESENTATION)
    for slide in root.iter("sldId"):
        file = targets.get(attribute(slide, "id"), "")
        if file in archive:
            yield file


def _relations(archive: Archive, part: str) -> dict[str, str]:
    """Relationship id → part of what `part` refers to (ISO/IEC 29500-2, relationships)."""
    folder, file = posixpath.split(part)
    relations = f"{folder}/_rels/{file}.rels"
    if relations not in archive:
        return {}
    root = xml_root(archive.read(relations), archive.name, relations)
    return {
        attribute(one, "Id"): posixpath.normpath(
            posixpath.join("/", folder, attribute(one, "Target"))
        ).lstrip("/")
        for one in root.iter("Relationship")
    }


def _slide(archive: Archive, file: str) -> _Slide:
    root = xml_root(archive.read(file), archive.name, file)
    title, blocks = "", []
    for shape in root.iter("sp", "graphicFrame"):
        kind = _placeholder(shape)
        if shape.tag == "graphicFrame":
            blocks += [rows_markdown(_rows(table)) for table in shape.iter("tbl")]
        elif kind in _TITLES and not title:
            title = clean(text_in_paragraphs(shape, " "))
        elif kind not in _FURNITURE:
            blocks += _paragraphs(shape)
    notes = [part for part in _relations(archive, file).values() if "notesSlide" in part]
    said = " ".join(_notes(archive, part) for part in notes if part in archive)
    return _Slide(title, tuple(filter(None, blocks)), said.strip())


def _notes(archive: Archive, part: str) -> str:
    """What the speaker's notes say: the text of their body placeholder."""
    root = xml_root(archive.read(part), archive.name, part)
    bodies = (shape for shape in root.iter("sp") if _placeholder(shape) == "body")
    return " ".join(text_in_paragraphs(body, " ") for body in bodies)


def _placeholder(shape: Any) -> str:
    """The type of a placeholder ("title", "body", …); "" for a shape that is none."""
    found = next(shape.iter("ph"), None)
    return "" if found is None else attribute(found, "type") or "body"


def _paragraphs(shape: Any) -> list[str]:
    """The paragraphs of a shape; several of them in a placeholder are its list."""
    said = [words for paragraph in shape.iter("p") if (words := _words(paragraph))]
    if len(said) > 1 and _placeholder(shape):
        return ["\n".join(f"- {words}" for words in said)]
    return said


def text_in_paragraphs(element: Any, gap: str) -> str:
    """The words of all paragraphs of DrawingML in an element."""
    return gap.join(filter(None, (_words(paragraph) for paragraph in element.iter("p"))))


def _words(paragraph: Any) -> str:
    pieces = (" " if part.tag == "br" else part.text or "" for part in paragraph.iter("t", "br"))
    return " ".join("".join(pieces).split())


def _rows(table: Any) -> list[list[str]]:
    return [
        [text_in_paragraphs(cell, " ") or text_in(cell) for cell in row.iter("tc")]
        for row in table.iter("tr")
    ]
