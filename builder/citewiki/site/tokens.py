"""Marks that stand in a page's text and HTML for what is put there later.

All hold a control character that Python-Markdown strips from its input: no page can forge one.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

STX, ETX = "\x02", "\x03"

TOKEN = re.compile(f"{STX}w(\\d+){ETX}")
"""A wikilink or a named source, by its number on the page."""

EMBED_TEXT = f"{STX}embed:"
EMBED = re.compile(f"<span>{EMBED_TEXT}([^|{ETX}]*)\\|([^{ETX}]*){ETX}</span>")
"""The text of another page: (quoted path, quoted anchor or "")."""

BEFORE_HASH = f"{STX}h{ETX}"
"""Keeps a `#word` at the start of a line from being read as a heading."""

_SIZE = re.compile(r"(\d+)(?:x(\d+))?\Z")


def set_size(element: etree.Element, size: str) -> None:
    """Width, or width and height, of a picture: "300" or "300x200" pixels."""
    if found := _SIZE.match(size):
        element.set("width", found[1])
        if found[2]:
            element.set("height", found[2])
