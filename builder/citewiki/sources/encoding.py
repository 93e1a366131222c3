"""Bytes to text: which encoding a file is in, and its text made uniform.

What is certain comes first (byte order marks, UTF-8, the pattern of UTF-16, a declared charset).
For the rest, every likely encoding is tried and the readings are compared by how everyday their
characters are, which is right for a single short line where statistics over bytes are not;
charset-normalizer decides where no reading looks like ordinary text.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import NamedTuple

from citewiki.sources.everyday import CANDIDATES, plausibility

BINARY_SHARE = 0.05
"""Share of control bytes from which data is not text; real texts hold none, or a few strays."""

PLAUSIBLE = 0.7
"""A reading from this plausibility on is believed, if no other has more. Of 40-character pieces,
95 % of the right readings have 0.89 and more; wrong ones reach 0.87, beside a right one of 1.0."""

DAMAGED = 0.1
"""Share of undecodable characters from which a text is not worth reading."""

_SAMPLE = 20_000  # bytes by which readings are compared; more does not change the outcome

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Names that pages declare, and what browsers read under them (WHATWG Encoding, §4.2).
_AS_BROWSERS_READ = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
_STRANGE = frozenset({"Cn", "Co"})  # characters not assigned, or for private use
_ISO_2022_JP = re.compile(rb"\x1b\$[@B]")
_CONTROL_BYTES = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b")
_LINE_END = re.compile("\r\n|[\r\f\x0b\x85\u2028\u2029]")
# C0 and C1 controls, byte order marks, lone surrogates and non-characters.
_DROPPED = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]"
)


class Decoded(NamedTuple):
    """A text and how it was read; `text` is empty when the bytes are no text."""

    text: str  # NFC, "\n" line ends, without control characters
    encoding: str  # Python's name of it; "" when the bytes are no text
    problem: str | None = None  # for a person: what was replaced, or why there is no text


def decode(data: bytes, *, declared: str = "") -> Decoded:
    """The text of `data`; `declared` is the charset that the file itself names, if any."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _replacing(data[len(mark) :], encoding)
    if encoding := _utf16_pattern(data):
        return _replacing(data, encoding)
    if is_binary(data):
        for encoding in ("utf-16-le", "utf-16-be"):  # Chinese alone has bytes of every value
            text = _strict(data, encoding)
            if text and plausibility(text[:_SAMPLE], encoding) >= PLAUSIBLE:
                return Decoded(clean(text), encoding)
        return Decoded("", "", "it is not text (bytes that no text encoding uses)")
    if _ISO_2022_JP.search(data) and (text := _strict(data, "iso2022_jp")) is not None:
        return Decoded(clean(text), "iso2022_jp")
    if (text := _strict(data, "utf-8")) is not None:
        return Decoded(clean(text), "utf-8")
    if damaged := _damaged_utf8(data):
        return damaged
    if (named := _known(declared)) and (text := _strict(data, named)) is not None:
        return Decoded(clean(text), named)
    if encoding := _most_plausible(data):
        return _replacing(data, encoding)
    if named:
        return _replacing(data, named)
    return _by_statistics(data)


def clean(text: str) -> str:
    """The text in NFC with "\\n" line ends and without characters that nobody can see or write."""
    return unicodedata.normalize("NFC", _DROPPED.sub("", _LINE_END.sub("\n", text)))


def is_binary(data: bytes) -> bool:
    """Whether so many bytes are control characters that the data cannot be text."""
    sample = data[:_SAMPLE]
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > 1 + BINARY_SHARE * len(sample)  # one stray is none


def _utf16_pattern(data: bytes) -> str:
    """UTF-16 without a mark: the zero bytes of its ASCII letters stand on one side only."""
    sample = data[: _SAMPLE & ~1]
    if len(sample) < 4 or len(data) % 2:
        return ""
    high, low = sample[1::2].count(0), sample[::2].count(0)  # of little-endian ASCII; big-endian
    pairs = len(sample) // 2
    for zeros, others, encoding in ((high, low, "utf-16-le"), (low, high, "utf-16-be")):
        if zeros > 0.02 * pairs and others <= zeros // 50:
            if zeros < pairs // 2 and _strict(data, "utf-8") is not None:
                return ""  # stray zero bytes; what is not ASCII in UTF-16 is no UTF-8
            text = data[: _SAMPLE & ~1].decode(encoding, errors="replace")
            strange = sum(unicodedata.category(char) in _STRANGE for char in text)
            if strange <= 0.01 * len(text):
                return encoding
    return ""


def _damaged_utf8(data: bytes) -> Decoded | None:
    """UTF-8 with a few foreign bytes, such as a file cut off in the middle of a character."""
    text = data.decode("utf-8", errors="replace")
    whole = sum(1 for char in text if char > "\x7f" and char != "\ufffd")
    return _replacing(data, "utf-8") if text.count("\ufffd") * 5 <= whole else None


def _most_plausible(data: bytes) -> str:
    """The candidate encoding whose reading looks most like ordinary text; "" when none does."""
    sample = data[:_SAMPLE]
    scores: dict[str, float] = {}
    for encoding in CANDIDATES:
        decoder = codecs.getincrementaldecoder(encoding)()
        try:  # not final: the sample may end inside a character
            text = decoder.decode(sample, final=len(sample) == len(data))
        except UnicodeDecodeError:
            continue
        scores[encoding] = plausibility(text, encoding)
    best = max(scores, key=lambda encoding: scores[encoding], default="")
    return best if best and scores[best] >= PLAUSIBLE else ""


def _by_statistics(data: bytes) -> Decoded:
    """What charset-normalizer makes of it, or why it is no text."""
    import charset_normalizer

    best = charset_normalizer.from_bytes(data[: 10 * _SAMPLE]).best()
    if best is None:
        return Decoded("", "", "its text encoding is unknown; save it as UTF-8")
    return _replacing(data, best.encoding)


def _replacing(data: bytes, encoding: str) -> Decoded:
    """Decode and count what could not be: some is a problem, much of it means no text."""
    text = data.decode(encoding, errors="replace")
    bad = text.count("\ufffd")
    if bad > DAMAGED * len(text):
        return Decoded("", "", f"most of it cannot be read as {encoding}; save it as UTF-8")
    count = f"{bad} characters" if bad > 1 else "a character"
    problem = f"{count} could not be read as {encoding} and became \ufffd" if bad else None
    return Decoded(clean(text), encoding, problem)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _known(declared: str) -> str:
    """Python's name of a declared charset as browsers read it; "" for none or an unknown one."""
    try:
        name = codecs.lookup(declared.strip()).name if declared.strip() else ""
    except (LookupError, ValueError):  # ValueError: a zero byte in the name
        return ""
    if name == "undefined":  # Python has a codec of that name, which refuses everything
        return ""
    # "charset=utf-16" inside a file readable as bytes is always a mistake (WHATWG HTML §13.2.3.2).
    return "" if name.startswith(("utf-16", "utf-32")) else _AS_BROWSERS_READ.get(name, name)
