"""Word documents: what mammoth makes of them, with footnotes below their paragraph."""

from __future__ import annotations

import io
import zipfile
from typing import Any
from xml.parsers.expat import ExpatError

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.about import About, about
from citewiki.sources.archive import Archive
from citewiki.sources.book import as_book
from citewiki.sources.encoding import clean
from citewiki.sources.html_body import parsed, raise_headings, tree_markdown
from citewiki.sources.markdown_reader import source
from citewiki.sources.xml_tree import text_in, xml_root

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

LARGEST_XML = 16 << 20
"""Bytes of XML that mammoth is given, which builds several objects for every element: some 1,500
pages of text."""

MOST_TAGS = 600_000
"""Tags in one part; mammoth takes some 0.8 KB of memory for each."""

_DAMAGE = (LookupError, AttributeError, TypeError, ValueError, RecursionError, OSError)
"""What mammoth raises where a part is not as it has to be."""

_CORE = "docProps/core.xml"
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Heading 1'] => h2:fresh
p[style-name='Heading 2'] => h3:fresh
p[style-name='Heading 3'] => h4:fresh
p[style-name='Heading 4'] => h5:fresh
p[style-name='Heading 5'] => h6:fresh
p[style-name='heading 1'] => h2:fresh
p[style-name='heading 2'] => h3:fresh
p[style-name='heading 3'] => h4:fresh
p[style-name='heading 4'] => h5:fresh
p[style-name='heading 5'] => h6:fresh
p[style-name='Code'] => pre:separator('\n')
p[style-name='Source Code'] => pre:separator('\n')
p[style-name='HTML Preformatted'] => pre:separator('\n')
r[style-name='Verbatim Char'] => code
r[style-name='HTML Code'] => code
"""
_HOLDERS = frozenset(("p", "li", "td", "th", "h1", "h2", "h3", "h4", "h5", "h6"))


def read(archive: Archive, name: str) -> Source:
    """The sections of a document; raises SourceError when it is damaged or too large."""
    root = parsed(_html(archive))
    if root is not None:
        _place_notes(root)
        raise_headings(root)
    body = clean(tree_markdown(root)) if root is not None else ""
    found = source(core_properties(archive), body, name, reader="docx", media_type=MEDIA_TYPE)
    return as_book(found)


def _html(archive: Archive) -> str:
    """The document as HTML without its pictures."""
    import mammoth

    data = _plain_copy(archive)
    no_picture = mammoth.images.img_element(lambda image: {"src": ""})
    try:
        result = mammoth.convert_to_html(data, style_map=_STYLES, convert_image=no_picture)
    except (*_DAMAGE, ExpatError) as error:
        why = f"the document is damaged ({type(error).__name__})"
        raise SourceError(archive.name, why, hint="save it again with a word processor") from error
    return str(result.value)


def _plain_copy(archive: Archive) -> io.BytesIO:
    """The parts of the document that hold words, packed anew: read once, within the bounds."""
    parts = [name for name in archive.names if name.endswith((".xml", ".rels"))]
    if sum(map(archive.size, parts)) > LARGEST_XML:
        limit = f"more than {LARGEST_XML >> 20} MB of text and marks"
        raise SourceError(archive.name, f"the document has {limit}", hint="save it as PDF")
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as copy:
        for name in parts:
            part = archive.read(name)
            if part.count(b"<") > MOST_TAGS:
                why = f"the document has more than {MOST_TAGS:,} marks"
                raise SourceError(archive.name, why, hint="save it as PDF")
            copy.writestr(name, part)
    buffer.seek(0)
    return buffer


def _place_notes(root: Any) -> None:
    """Move every foot- and endnote from the end to below the paragraph that calls it."""
    from lxml import etree  # type: ignore[import-untyped]

    notes = {
        f"#{item.get('id')}": item
        for item in root.iter("li")
        if (item.get("id") or "").startswith(("footnote-", "endnote-"))
    }
    for link in list(root.iter("a")):
        note = notes.pop(link.get("href"), None)
        holder = next((up for up in link.iterancestors() if up.tag in _HOLDERS), None)
        if note is None or holder is None:
            continue
        words = text_in(note).removesuffix("↑").strip()
        below = etree.Element("p")
        below.text = f"{text_in(link)} {words}"
        if holder.tag in ("td", "th", "li"):
            holder.append(below)
        else:
            below.tail, holder.tail = holder.tail, None
            holder.addnext(below)
        note.getparent().remove(note)


def core_properties(archive: Archive) -> About:
    """What an office file says of itself (ISO/IEC 29500-2, core properties)."""
    if _CORE not in archive:
        return About()
    root = xml_root(archive.read(_CORE), archive.name, _CORE)

    def said(tag: str) -> str:
        return clean(text_in(next(root.iter(tag), None)))

    return about(
        {
            "title": said("title"),
            "author": said("creator"),
            "description": said("description"),
            "date": said("created"),
            "lang": said("language"),
            "tags": [tag.strip() for tag in said("keywords").replace(";", ",").split(",")],
        }
    )
