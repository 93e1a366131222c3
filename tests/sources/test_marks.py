"""Places that a reader marks in a body come back as places of the sections."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.sources.about import About
from citewiki.sources.markdown_reader import source
from citewiki.sources.marks import MARK, clean_between, mark, number_of, placed

LABELS = ["", *(f"cell {n}" for n in range(1, 50))]


def test_places_stand_where_their_marks_stood() -> None:
    body = f"{mark(1)}One.\n\n{mark(2)}Two.\n\n## Next\n\nThree.\n\n{mark(3)}Four."
    found = placed(source(About(), body, "a", reader="x", media_type="y"), LABELS)
    first, second = found.sections

    assert (first.text, second.text) == ("One.\n\nTwo.", "Three.\n\nFour.")
    assert [(p.offset, p.label) for p in first.places] == [(0, "cell 1"), (6, "cell 2")]
    # What stands before a section's first mark is still where the last section ended.
    assert [(p.offset, p.label) for p in second.places] == [(0, "cell 2"), (8, "cell 3")]


def test_marks_alone_are_no_text() -> None:
    found = placed(source(About(), mark(1) + mark(2), "a", reader="x", media_type="y"), LABELS)

    assert [(s.text, s.status, s.places) for s in found.sections] == [("", "no_text", ())]


@given(st.lists(st.tuples(st.integers(0, 49), st.text(max_size=20)), max_size=8))
def test_no_text_hides_or_forges_a_mark(pieces: list[tuple[int, str]]) -> None:
    body = "".join(mark(number) + clean_between(text) for number, text in pieces)
    cleaned = clean_between(body)

    assert [number_of(found) for found in MARK.finditer(cleaned)] == [
        number for number, _ in pieces
    ]
