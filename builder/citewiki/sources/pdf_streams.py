"""What a PDF's compressed streams unpack to, told before a reader unpacks them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

LARGEST_STREAM = 150 << 20
"""Bytes that the drawing of one page may unpack to. PDFium needs some twice as much memory; the
most detailed maps have a third of it."""

_MOST_RATIO = 1032  # of deflate: a shorter stream cannot unpack to more
_LONGEST_DICTIONARY = 2_000  # bytes before a stream that are looked at
_PIECE = 1 << 20
_LAYERS = 4  # filters in a row that are undone

_STREAM = re.compile(rb"stream\r?\n")
_FLATE = re.compile(rb"/Fl(?:ateDecode)?\b")


def is_too_large(data: bytes) -> bool:
    """Whether a stream of the file unpacks to more than `LARGEST_STREAM` bytes.

    Pictures do not count, as text is read without unpacking them. Nothing is kept of what is
    unpacked, and no more of it than the limit.
    """
    at = 0
    while found := _STREAM.search(data, at):
        end = data.find(b"endstream", found.end())
        end = len(data) if end < 0 else end
        head = data[max(at, found.start() - _LONGEST_DICTIONARY) : found.start()]
        head = head[head.rfind(b" obj") :]
        layers = len(_FLATE.findall(head))
        most = (end - found.end()) * _MOST_RATIO**layers
        if layers and most > LARGEST_STREAM and b"/Image" not in head:
            pieces: Iterator[bytes] = _pieces(data[found.end() : end])
            for _ in range(min(layers, _LAYERS)):
                pieces = _unpacked(pieces)
            size = 0
            for piece in pieces:
                size += len(piece)
                if size > LARGEST_STREAM:
                    return True
        at = end + len(b"endstream")
    return False


def _pieces(data: bytes) -> Iterator[bytes]:
    return (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))


def _unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What deflate made the pieces from, in pieces; ends where they are damaged."""
    inflate = zlib.decompressobj()
    try:
        for piece in pieces:
            while piece:
                yield inflate.decompress(piece, _PIECE)
                piece = inflate.unconsumed_tail
    except zlib.error:
        return
