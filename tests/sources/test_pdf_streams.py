from __future__ import annotations

import zlib

import pytest

from citewiki.sources.pdf_streams import LARGEST_STREAM, is_too_large
from citewiki.sources.read import read_bytes

ONE = b"<</Length 1/Filter/FlateDecode>>"
TWO = b"<</Filter[/FlateDecode /Fl]>>"
PICTURE = b"<</Subtype/Image/Filter/FlateDecode>>"


def pdf(dictionary: bytes, stream: bytes) -> bytes:
    head = b"%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n4 0 obj\n"
    return head + dictionary + b"\nstream\n" + stream + b"\nendstream\nendobj\n%%EOF"


@pytest.fixture(scope="module")
def bomb() -> bytes:
    """Words for a page, packed: a thousandth of what it unpacks to."""
    pack = zlib.compressobj(9)
    piece = b"BT (x) Tj ET\n" * 80_000
    pieces = [pack.compress(piece) for _ in range(LARGEST_STREAM // len(piece) + 1)]
    return b"".join((*pieces, pack.flush()))


def test_a_stream_that_unpacks_to_too_much_is_told_and_not_read(bomb: bytes) -> None:
    (section,) = read_bytes(pdf(ONE, bomb), "bomb.pdf").sections
    assert (section.status, section.text) == ("unreadable", "")
    assert "unpacks to more than 150 MB" in section.reason


def test_a_bomb_in_a_bomb_is_found_and_a_picture_is_none(bomb: bytes) -> None:
    assert is_too_large(pdf(TWO, zlib.compress(bomb)))
    assert not is_too_large(pdf(PICTURE, bomb))
    assert not is_too_large(pdf(ONE, zlib.compress(b"short")))


@pytest.mark.parametrize("stream", [b"no deflate" * 30_000, b"", b"stream\n" * 100_000])
def test_damaged_streams_are_no_bombs(stream: bytes) -> None:
    assert not is_too_large(pdf(ONE, stream))
    assert not is_too_large(pdf(ONE, stream)[:-30])
