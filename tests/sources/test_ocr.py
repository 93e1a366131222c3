"""Pictures of text, with a stand-in for the program tesseract that says what it is told to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from citewiki.sources import ocr
from citewiki.sources.read import read_bytes
from tests.sources.conftest import MakePdf

SAYS = "Hybrid search joins two ranked lists.\nIt was made in 2019."


@pytest.fixture
def no_ocr(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A path on which there is no tesseract; the folder may be given one."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(ocr, "_rapidocr", lambda: None)
    ocr._tesseract_languages.cache_clear()
    yield tmp_path
    ocr._tesseract_languages.cache_clear()


@pytest.fixture
def tesseract(no_ocr: Path) -> Path:
    program = no_ocr / "tesseract"
    program.write_text(
        "#!/bin/sh\n"
        'if [ "$1" = --list-langs ]; then echo "List (3):"; echo osd; echo eng; echo vie; exit; fi\n'
        "head -c 4 | grep -q PNG || exit 1\n"
        f'echo "$4"; printf "%s\\n" "{SAYS}"\n'
    )
    program.chmod(0o755)
    return program


@pytest.mark.usefixtures("tesseract")
def test_a_scanned_page_is_recognised_and_reported(make_pdf: MakePdf) -> None:
    source = read_bytes(make_pdf("[picture]", "Written text on this page."), "scan.pdf")
    text = "\n".join(section.text for section in source.sections)

    assert "Hybrid search joins two ranked lists. It was made in 2019." in " ".join(text.split())
    assert "eng+vie" in text  # the languages that are there, of those that are wanted
    assert [p.message for p in source.problems] == ["page 1 read by OCR, which may be wrong"]


@pytest.mark.usefixtures("no_ocr")
def test_without_ocr_a_scanned_page_says_what_to_install(make_pdf: MakePdf) -> None:
    (section,) = read_bytes(make_pdf("[picture]"), "scan.pdf").sections

    assert section.status == "no_text"
    assert "citewiki[ocr]" in section.reason
    assert ocr.text_of(b"\x89PNG") is None


@pytest.mark.usefixtures("tesseract")
def test_what_is_no_picture_gives_nothing() -> None:
    assert ocr.text_of(b"text") is None
