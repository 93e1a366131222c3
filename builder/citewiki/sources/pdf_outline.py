"""The bookmarks of a PDF, by pypdf: any depth, named destinations, and those that lead nowhere."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from citewiki.sources.encoding import clean

if TYPE_CHECKING:
    from pypdf import PdfReader
    from pypdf.generic import Destination
    from pypdfium2 import PdfDocument

MOST_BOOKMARKS = 10_000
"""Bookmarks that are read; the largest standards documents have some 5,000."""

_BROKEN = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    OSError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What pypdf raises besides its own errors when an object is not of the type it has to be."""


@dataclass(frozen=True, slots=True)
class Bookmark:
    """One entry of the outline, in the outline's order."""

    title: str  # "" when it has none
    level: int  # from 1
    page: int | None = None  # index from 0; None: it leads nowhere
    top: float | None = None  # height on the page in points, y upwards; None: the whole page


def bookmarks(data: bytes, password: str) -> tuple[tuple[Bookmark, ...], str]:
    """The outline, empty when there is none, and what was wrong with it ("" for nothing).

    A broken file raises many kinds of error deep inside pypdf; its pages are read by PDFium all
    the same, so they only cost the outline.
    """
    import pypdf

    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it warns of every flaw on stderr
    try:
        reader = pypdf.PdfReader(io.BytesIO(data), password=password or None)
        entries = list(_flat(reader.outline))
        pages = _page_indexes(reader) if entries else {}
        found = tuple(_bookmark(*entry, pages) for entry in entries[:MOST_BOOKMARKS])
        many = f"only the first {MOST_BOOKMARKS:,} of its bookmarks are read"
        return found, many if len(entries) > MOST_BOOKMARKS else ""
    except (*_BROKEN, pypdf.errors.PyPdfError, pypdf.errors.DependencyError) as error:
        return (), f"its bookmarks cannot be read ({type(error).__name__})"
    finally:
        log.setLevel(level)


def pdfium_bookmarks(document: PdfDocument) -> tuple[Bookmark, ...]:
    """The outline as PDFium sees it, for files that pypdf cannot read."""
    found = []
    for mark in islice(document.get_toc(), MOST_BOOKMARKS):
        target = mark.get_dest()
        page = target.get_index() if target else None
        title = " ".join(clean(mark.get_title() or "").split())
        found.append(Bookmark(title, mark.level + 1, page))
    return tuple(found)


def _flat(entries: list[Any], level: int = 1) -> Iterator[tuple[Destination, int]]:
    """The nested lists of pypdf as (entry, level): a list holds what is below the one before it."""
    for entry in entries:
        if isinstance(entry, list):
            yield from _flat(entry, level + 1)
        else:
            yield entry, level


def _page_indexes(reader: PdfReader) -> dict[int, int]:
    """Object number → index of each page."""
    references = (page.indirect_reference for page in reader.pages)
    return {ref.idnum: index for index, ref in enumerate(references) if ref}


def _bookmark(entry: Destination, level: int, pages: dict[int, int]) -> Bookmark:
    title = " ".join(clean(str(entry.title or "")).split())
    target: Any = entry.page
    page = pages.get(getattr(target, "idnum", -1))
    if page is None and isinstance(target, int) and 0 <= target < len(pages):
        page = int(target)  # some programs write the page's index in the place of its reference
    top: Any = entry.top
    height = float(top) if page is not None and isinstance(top, int | float) else None
    return Bookmark(title, level, page, height)
