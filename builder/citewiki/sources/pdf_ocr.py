"""Pages of a PDF that hold no readable text, recognised where OCR is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from citewiki.sources import ocr
from citewiki.sources.encoding import clean
from citewiki.sources.pdf_pages import PageText, Row

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PIXELS = 20_000_000
"""Of a page as it is drawn: an A3 page at 200 dpi has 8 million."""

_POINTS = 72  # an inch


def recognised(
    document: PdfDocument, pages: Sequence[PageText], is_unreadable: Callable[[PageText], bool]
) -> tuple[list[PageText], list[PageText]]:
    """All pages, those that are unreadable with their recognised rows; and those alone."""
    wanted = {page.index for page in pages if is_unreadable(page)}
    if not wanted or not ocr.is_installed():
        return list(pages), []
    found = [_page(document, page) if page.index in wanted else page for page in pages]
    done = [page for page in found if page.index in wanted and page.rows and not page.lack]
    return found, done


def _page(document: PdfDocument, page: PageText) -> PageText:
    """The page as recognised; as it was, where nothing is."""
    from pypdfium2 import PdfiumError

    try:
        drawn = document[page.index]
        width, height = drawn.get_size()
        scale = ocr.DPI / _POINTS
        scale = min(scale, (MOST_PIXELS / max(1.0, width * height)) ** 0.5)
        text = ocr.text_of(drawn.render(scale=scale, grayscale=True).to_pil())
    except PdfiumError:
        return page
    lines = [" ".join(line.split()) for line in clean(text or "").split("\n")]
    rows = tuple(Row(line) for line in lines if line)
    return replace(page, rows=rows, lack="") if rows else page
