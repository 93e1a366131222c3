"""Speed of reading PDF files, as a ratio within one run."""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import pypdf
from reportlab.pdfgen.canvas import Canvas

from bench.rows import Row
from citewiki.sources.read import read_bytes

PAGES = 100
_LINES = 45  # of a page of text
_LINE = (
    "the index of a wiki holds every word of a page once, and number {} is rarer than the others"
)


def run(pages: int = PAGES) -> Iterator[Row]:
    """Reading a PDF of `pages` pages with bookmarks, sections and all, against its bare text."""
    data = _paper(pages)
    ours, bare = partial(read_bytes, data, "paper.pdf"), partial(_bare_text, data)
    ours()  # imports
    bare()
    # By turns, so that a machine that slows down meanwhile slows both.
    times = [(_cpu(ours), _cpu(bare)) for _ in range(3)]
    read, base = map(statistics.median, zip(*times, strict=True))
    yield Row(f"PDF of {pages} pages as sections / its text by pypdf alone", read / base, 1.3)


def _paper(pages: int) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for page in range(pages):
        if page % 5 == 0:
            canvas.bookmarkPage(str(page))
            canvas.addOutlineEntry(f"Section {page // 5 + 1}", str(page))
        for line in range(_LINES):
            canvas.drawString(60, 780 - 16 * line, _LINE.format(page * _LINES + line))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _bare_text(data: bytes) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)


def _cpu(work: Callable[[], object]) -> float:
    """CPU seconds that it takes."""
    start = time.process_time()
    work()
    return time.process_time() - start
