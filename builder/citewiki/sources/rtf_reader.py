"""Rich Text Format: its words by striprtf, read as plain text."""

from __future__ import annotations

import re
from dataclasses import replace

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources import text_reader
from citewiki.sources.encoding import clean

LARGEST = 32 << 20
"""Bytes without pictures, which are taken out first."""

_PICTURE = re.compile(rb"\{\\(?:\*\\shppict|nonshppict|pict)\b[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_HEX = re.compile(rb"[0-9a-fA-F\s]{4000,}")  # what is left of a picture in nested groups
_TITLE = re.compile(rb"\{\\title\s+([^{}\\]{1,300})\}")
_AUTHOR = re.compile(rb"\{\\author\s+([^{}\\]{1,300})\}")


def read(data: bytes, name: str) -> Source:
    """The sections of a text; raises SourceError when it is damaged."""
    from striprtf.striprtf import rtf_to_text

    words = _HEX.sub(b" ", _PICTURE.sub(b"", data))
    if len(words) > LARGEST:
        raise SourceError(name, f"the text has more than {LARGEST >> 20} MB", hint="save it as PDF")
    try:
        # striprtf reads ASCII with escapes; stray bytes are of Windows' western alphabet.
        ascii_text = words.decode("cp1252", errors="replace")
        text = str(rtf_to_text(ascii_text, errors="replace"))  # type: ignore[no-untyped-call]
    except (LookupError, ValueError, IndexError, TypeError) as error:
        raise SourceError(name, f"the RTF is damaged ({type(error).__name__})") from error
    # A paragraph of RTF is one line; plain text parts them by a blank one.
    source = text_reader.read(re.sub(r"\n+", "\n\n", clean(text)), name)
    return replace(
        source,
        reader="rtf",
        media_type="application/rtf",
        title=_said(_TITLE, data) or source.title,
        author=_said(_AUTHOR, data),
    )


def _said(pattern: re.Pattern[bytes], data: bytes) -> str:
    found = pattern.search(data[:20_000])
    return clean(found[1].decode("cp1252", errors="replace")).strip() if found else ""
