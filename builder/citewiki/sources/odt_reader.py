"""OpenDocument text (LibreOffice): its content renamed to HTML, and then read as that."""

from __future__ import annotations

from typing import Any

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.about import About, about
from citewiki.sources.archive import Archive
from citewiki.sources.book import as_book
from citewiki.sources.encoding import clean
from citewiki.sources.html_body import raise_headings, tree_markdown
from citewiki.sources.markdown_reader import source
from citewiki.sources.xml_tree import attribute, text_in, xml_root

MEDIA_TYPE = "application/vnd.oasis.opendocument.text"

_MANIFEST = "META-INF/manifest.xml"
_HTML = {
    "p": "p",
    "list": "ul",
    "list-item": "li",
    "table": "table",
    "table-row": "tr",
    "table-cell": "td",
    "line-break": "br",
    "a": "a",
    "span": "span",
}
_NO_TEXT = ("tracked-changes", "table-of-content", "annotation", "forms", "sequence-decls")
_MOST_SPACES = 100


def read(archive: Archive, name: str) -> Source:
    """The sections of a document; raises SourceError when it is damaged or encrypted."""
    if _MANIFEST in archive and b"encryption-data" in archive.read(_MANIFEST):
        hint = "save it without its password"
        raise SourceError(archive.name, "the document is encrypted", hint=hint)
    root = xml_root(archive.read("content.xml"), archive.name, "content.xml")
    body = next(root.iter("text"), root)
    for gone in [e for tag in _NO_TEXT for e in body.iter(tag)]:
        _cut_out(gone)
    for note in list(body.iter("note")):
        _place_note(note)
    titles = _title_styles(root)
    for element in body.iter():
        _rename(element, titles)
    raise_headings(body)
    about = _about(archive)
    text = clean(tree_markdown(body))
    return as_book(source(about, text, name, reader="odt", media_type=MEDIA_TYPE))


def _rename(element: Any, titles: frozenset[str]) -> None:
    tag = element.tag
    if tag == "h":
        level = attribute(element, "outline-level")
        element.tag = f"h{min(6, 1 + int(level))}" if level.isdecimal() else "h2"
    elif tag == "p" and attribute(element, "style-name") in titles:
        element.tag = "h1"
    elif tag in ("s", "tab"):
        count = attribute(element, "c")
        spaces = min(int(count), _MOST_SPACES) if count.isdecimal() else 1
        element.tag, element.text = "span", " " * spaces
    else:
        element.tag = _HTML.get(tag, "div" if tag in ("section", "text", "text-box") else "span")


def _title_styles(root: Any) -> frozenset[str]:
    """The names of the styles of titles: "Title", and what is made from it."""
    made = {
        attribute(style, "name")
        for style in root.iter("style")
        if attribute(style, "parent-style-name") == "Title"
    }
    return frozenset(made | {"Title"})


def _place_note(note: Any) -> None:
    """Leave a foot- or endnote's mark in place, and put its text below its paragraph."""
    from lxml import etree  # type: ignore[import-untyped]

    mark = f"[{text_in(note.find('note-citation'))}]"
    words = text_in(note.find("note-body"))
    holder = next((up for up in note.iterancestors() if up.tag in ("p", "h")), None)
    note.clear(keep_tail=True)
    note.tag, note.text = "span", mark
    if holder is not None:
        below = etree.Element("p")
        below.text = f"{mark} {words}"
        holder.addnext(below)


def _cut_out(element: Any) -> None:
    """Take an element out and leave the words that follow it."""
    tail = element.tail
    element.clear()
    element.tag, element.tail = "span", tail


def _about(archive: Archive) -> About:
    if "meta.xml" not in archive:
        return About()
    root = xml_root(archive.read("meta.xml"), archive.name, "meta.xml")

    def said(*tags: str) -> str:
        found = (clean(text_in(element)) for tag in tags for element in root.iter(tag))
        return next(filter(None, found), "")

    return about(
        {
            "title": said("title"),
            "author": said("initial-creator", "creator"),
            "description": said("description"),
            "date": said("creation-date", "date"),
            "lang": said("language"),
            "tags": [clean(text_in(keyword)) for keyword in root.iter("keyword")],
        }
    )
