"""Text out of pictures: by the program tesseract where it is installed, else by rapidocr.

Both are optional (extra `[ocr]`); without them nothing is recognised and the caller says so.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 200
"""Resolution at which pages are drawn for recognition; tesseract's manual asks for 200 to 300."""

SECONDS = 60
"""For one picture; a dense page takes some 5."""

MISSING = "OCR is not installed: the program tesseract, or pip install 'citewiki[ocr]'"
"""What to say where a picture could be read but `is_installed` is False."""

_WANTED = ("eng", "vie", "chi_sim", "chi_tra", "jpn", "kor", "deu", "fra", "spa")
"""Languages of tesseract that are used where their data is installed, the first one leading."""


def is_installed() -> bool:
    """Whether `text_of` can recognise anything."""
    return bool(_tesseract_languages()) or _rapidocr() is not None


def text_of(image: bytes | Image) -> str | None:
    """The text in a picture (a file's bytes, or an image of Pillow), line by line.

    "" when there is none in it; None when nothing is installed that could tell, or when the
    picture cannot be read or takes too long.
    """
    if languages := _tesseract_languages():
        return _by_tesseract(_encoded(image), languages)
    if (engine := _rapidocr()) is not None:
        return _by_rapidocr(_encoded(image), engine)
    return None


def _encoded(image: bytes | Image) -> bytes:
    if isinstance(image, bytes):
        return image
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@cache
def _tesseract_languages() -> str:
    """The wanted languages that are there, as tesseract takes them; "" without tesseract."""
    if not shutil.which("tesseract"):
        return ""
    said = _run("--list-langs")
    found = said.split() if said else []
    return "+".join(language for language in _WANTED if language in found)


def _by_tesseract(data: bytes, languages: str) -> str | None:
    said = _run("stdin", "stdout", "-l", languages, "--dpi", str(DPI), data=data)
    return None if said is None else said.replace("\f", "\n").strip()


def _run(*arguments: str, data: bytes = b"") -> str | None:
    """What tesseract prints; None when it fails."""
    one_core = {**os.environ, "OMP_THREAD_LIMIT": "1"}  # more threads only make it slower
    try:
        done = subprocess.run(
            ["tesseract", *arguments], input=data, capture_output=True, timeout=SECONDS,
            env=one_core, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", errors="replace")


@cache
def _rapidocr() -> Any:
    """rapidocr's engine; None where it is not installed."""
    try:
        from rapidocr import RapidOCR
    except ImportError:
        return None
    return RapidOCR(params={"Global.log_level": "critical"})


def _by_rapidocr(data: bytes, engine: Any) -> str | None:
    try:
        found = engine(data)
    except (OSError, ValueError, RuntimeError):  # no picture, or too large a one
        return None
    return "\n".join(found.txts or ())
