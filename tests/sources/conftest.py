"""PDF files for the tests, drawn by reportlab."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

MakePdf = Callable[..., bytes]

TOP, LINE, LEFT = 760, 14, 72  # points


@pytest.fixture(scope="session")
def make_pdf() -> MakePdf:
    """`make_pdf("# Title\\nline\\nline", "page two", password="", head="")` → bytes.

    A line that starts with `#` is a heading with a bookmark of that level, `[picture]` a drawn
    shape, and an empty line a gap. `head` is a running head on every page, with the page's number.
    """

    def make(
        *pages: str, password: str = "", head: str = "", title: str = "", rotate: int = 0
    ) -> bytes:
        encrypt = StandardEncryption(password, canPrint=1) if password else None
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(595, 842), encrypt=encrypt, invariant=1)
        if title:
            canvas.setTitle(title)
        for number, page in enumerate(pages, start=1):
            if head:
                canvas.setFont("Helvetica", 8)
                canvas.drawString(LEFT, 810, f"{head} {number}")
            if rotate:
                canvas.setPageRotation(rotate)
            for place, line in enumerate(page.split("\n")):
                _draw(canvas, line, TOP - LINE * place, f"{number}-{place}")
            canvas.showPage()
        canvas.save()
        return buffer.getvalue()

    return make


def _draw(canvas: Canvas, line: str, y: float, key: str) -> None:
    if line == "[picture]":
        canvas.rect(LEFT, y - 100, 200, 100, fill=1)
    elif line.startswith("#"):
        marks, _, words = line.partition(" ")
        canvas.bookmarkHorizontal(key, 0, y + LINE)
        canvas.addOutlineEntry(words, key, level=len(marks) - 1)
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawString(LEFT, y, words)
    else:
        canvas.setFont("Helvetica", 10)
        canvas.drawString(LEFT, y, line)
