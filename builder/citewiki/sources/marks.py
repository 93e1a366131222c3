"""Marks in a Markdown body that say where in the original a text stands: a cell, a slide, a row.

A reader writes a mark where a new place begins; `placed` takes them out of the finished sections
and leaves `Place`s. A mark has no letters and is made of control characters, which no decoded text
holds, so it counts as no word and nothing can forge it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from citewiki.model import Place, Section, Source
from citewiki.sources.encoding import clean

MARK = re.compile("\x01([\x02\x03]+)\x04\n*")
"""A mark with the blank lines after it."""

NONE_IN_TEXT = dict.fromkeys(range(1, 5))
"""For `str.translate`: takes out the characters that marks are made of."""


def mark(number: int) -> str:
    """The mark of the place with this number, a paragraph of its own."""
    digits = f"{number:b}".replace("0", "\x02").replace("1", "\x03")
    return f"\x01{digits}\x04\n\n"


def number_of(found: re.Match[str]) -> int:
    """The number of a mark that `MARK` matched."""
    return int(found[1].replace("\x02", "0").replace("\x03", "1"), 2)


def clean_between(text: str) -> str:
    """`clean`, without losing the marks."""
    pieces, done = [], 0
    for found in MARK.finditer(text):
        pieces += [clean(text[done : found.start()]), found[0]]
        done = found.end()
    return "".join([*pieces, clean(text[done:])])


def placed(source: Source, labels: Sequence[str]) -> Source:
    """The source with every mark taken out, and a `Place` with `labels[number]` in its stead.

    A section that begins without a mark of its own stands where the one before it ended.
    """
    sections = []
    ruling = ""
    for section in source.sections:
        section, ruling = _section(section, labels, ruling)
        sections.append(section)
    return replace(source, sections=tuple(sections))


def _section(section: Section, labels: Sequence[str], ruling: str) -> tuple[Section, str]:
    """The section without its marks, and the label in force at its end."""
    text, done = "", 0
    places = [Place(0, ruling)] if ruling else []
    for found in MARK.finditer(section.text):
        text += section.text[done : found.start()]
        done = found.end()
        ruling = labels[number_of(found)]
        if places and places[-1].offset == len(text):
            places.pop()
        places.append(Place(len(text), ruling))
    text = (text + section.text[done:]).rstrip()
    if not places:
        return section, ruling
    kept = tuple(place for place in places if not text or place.offset < len(text))
    return replace(section, text=text, places=kept if text else ()), ruling
