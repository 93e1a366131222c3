"""Drawings that draw drawings."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.pdf_forms import draws_too_often
from citewiki.sources.read import read_bytes


def pdf(levels: int, times: int, *, packed: bool = False, apart: bool = False) -> bytes:
    """A page that draws a form, which draws the next one so many `times`, through all `levels`."""
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R"
        b"/Resources<</XObject<</X 10 0 R>>>>>>",
        4: b"<</Length 5>>\nstream\n/X Do\nendstream",
    }
    for level in range(levels):
        number = 10 + level
        last = level == levels - 1
        content = b"BT (word) Tj ET" if last else b"/X Do " * times
        resources = b"<</XObject<</X %d 0 R>>>>" % (number + 1)
        if apart:
            objects[100 + number] = resources
            resources = b"%d 0 R" % (100 + number)
        content = zlib.compress(content) if packed else content
        filters = b"/Filter/FlateDecode" if packed else b""
        objects[number] = (
            b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources %s%s/Length %d>>\nstream\n%s\nendstream"
            % (resources, filters, len(content), content)
        )
    body = b"".join(b"%d 0 obj\n%s\nendobj\n" % item for item in objects.items())
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("apart", [False, True])
def test_forms_that_multiply_are_told_and_not_drawn(packed: bool, apart: bool) -> None:
    data = pdf(7, 10, packed=packed, apart=apart)
    (section,) = read_bytes(data, "laugh.pdf").sections
    assert section.status == "unreadable"
    assert "draws more than 20,000 others" in section.reason


@pytest.mark.parametrize(("levels", "times"), [(2, 5_000), (4, 10), (3_000, 1)])
def test_many_forms_alone_are_no_bomb(levels: int, times: int) -> None:
    assert not draws_too_often(pdf(levels, times))


def test_a_form_that_draws_itself_ends() -> None:
    data = pdf(4, 2).replace(b"/X 13 0 R", b"/X 10 0 R").replace(b"/X 14 0 R", b"/X 11 0 R")
    assert not draws_too_often(data)


@given(st.binary(max_size=400), st.integers(0, 900))
def test_no_damage_stops_it(noise: bytes, at: int) -> None:
    data = pdf(5, 3)
    assert draws_too_often(data[:at] + noise + data[at:]) in (False, True)
