"""Spellings made comparable: normal forms, case, accents, quotes."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SPACE = re.compile(r"\s+")
_QUOTES = str.maketrans(
    {
        "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "′": "'",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00ad": None,
    }
)  # fmt: skip
_UNSEEN = dict.fromkeys(
    (0xAD, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2060, 0xFE0E, 0xFE0F, 0xFEFF)
)
_LATIN_EXTRA = str.maketrans("đĐøØłŁ", "dDoOlL")  # letters that no normal form takes apart


def nfc(text: str) -> str:
    """The composed form, in which names are kept."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def fold(text: str) -> str:
    """Compatibility form without case: what words are compared by."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=65536)
def strip_marks(text: str) -> str:
    """Latin letters without their diacritics (đ→d too); other scripts stay as they are.

    Vietnamese tone and vowel marks go; Japanese voicing marks, Hangul and Thai vowels stay.
    """
    if text.isascii():
        return text
    kept: list[str] = []
    base_is_latin = False
    for char in unicodedata.normalize("NFD", text.translate(_LATIN_EXTRA)):
        if unicodedata.combining(char):
            if base_is_latin:
                continue
        else:
            base_is_latin = char.isascii() or "LATIN" in unicodedata.name(char, "")
        kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def name_key(text: str) -> str:
    """By what page names are compared: NFC, no case, white space made one, nothing unseen.

    Soft hyphens and joiners that no reader sees count for nothing; nor does the dot that is left
    of a Turkish İ.
    """
    if text.isascii():
        return _SPACE.sub(" ", text.lower()).strip()
    key = nfc(nfc(text).casefold()).translate(_UNSEEN).replace("i\u0307", "i")
    return _SPACE.sub(" ", key).strip()


def quote_key(text: str) -> str:
    """By what quotes are found in originals: NFKC, one kind of quote and dash, spaces made one.

    Layout breaks words and lines as it likes, so all white space counts as one space.
    """
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text.translate(_QUOTES))).strip()
