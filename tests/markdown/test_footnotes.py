"""Footnotes: the evidence behind claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.footnotes import footnote_line, footnotes, references
from citewiki.markdown.wikilinks import wikilinks


def test_a_definition_names_source_place_and_quote() -> None:
    body = 'A claim.[^p.1]\n\n[^p.1]: raw/p.pdf, p. 4 › 2.1: "the exact words"\n'
    note = footnotes(body)["p.1"]
    assert (note.resource, note.locator, note.quote) == (
        "raw/p.pdf",
        "p. 4 › 2.1",
        "the exact words",
    )
    assert body[note.start : note.end] == '[^p.1]: raw/p.pdf, p. 4 › 2.1: "the exact words"'


@pytest.mark.parametrize(
    ("text", "resource", "locator", "quote"),
    [
        ("raw/p.pdf", "raw/p.pdf", "", ""),
        ("raw/p.pdf, p. 4", "raw/p.pdf", "p. 4", ""),
        ('raw/p.pdf: "q"', "raw/p.pdf", "", "q"),
        ('<raw/a, b.pdf>, p. 1: "q"', "raw/a, b.pdf", "p. 1", "q"),
        ('https://a.b/c, § X: "a "b" c"', "https://a.b/c", "§ X", 'a "b" c'),
        ("See [the docs](https://a.b/c) for more", "https://a.b/c", "", ""),
        ("Smith 2020, https://doi.org/10.1/x.", "https://doi.org/10.1/x.", "", ""),
        ("Only a remark.", "", "", ""),
    ],
)
def test_what_people_write_is_read_as_far_as_it_goes(
    text: str, resource: str, locator: str, quote: str
) -> None:
    note = footnotes(f"[^1]: {text}")["1"]
    assert (note.text, note.resource, note.locator, note.quote) == (text, resource, locator, quote)


def test_a_definition_goes_on_in_indented_lines() -> None:
    body = "[^a]: one\n    two\n\n    three\n\nnot it\n[^b]: four"
    notes = footnotes(body)
    assert [note.text for note in notes.values()] == ["one two three", "four"]
    assert body[notes["a"].end :].startswith("\n\nnot it")


def test_definitions_in_code_are_none_and_the_first_of_two_counts() -> None:
    notes = footnotes("```\n[^c]: no\n```\n\n[^a]: first\n[^a]: second\n")
    assert [(label, note.text) for label, note in notes.items()] == [("a", "first")]


def test_references_are_listed_once_in_order() -> None:
    body = "a[^2] b[^x.1][^2]: `[^c]` \\[^d]\n\n[^x.1]: no"
    assert references(body) == ["2", "x.1"]


WORDS = st.text(alphabet="aB1 .,:;\"'`*_[]()^$%<>&#;~=|\\{}!\n中é", max_size=60)
PATHS = st.text(alphabet="aB1 .,:/-_é中()", min_size=1, max_size=20).map(
    lambda name: "raw/" + " ".join(name.split())
)


@given(PATHS, WORDS.map(lambda text: " ".join(text.replace('"', "").split())), WORDS)
def test_a_line_that_is_written_is_read_back(resource: str, locator: str, quote: str) -> None:
    line = footnote_line("a-b.1", resource, locator, quote)
    assert "\n" not in line
    note = footnotes(f"Text.[^a-b.1]\n\n{line}\n\nMore.")["a-b.1"]
    assert note.resource == resource
    assert note.quote == " ".join(quote.split())
    if quote.strip():
        assert note.locator == locator


@given(WORDS)
def test_a_quote_never_links_and_never_refers(quote: str) -> None:
    line = footnote_line("a.1", "raw/a.md", "", quote)
    assert wikilinks(line) == []
    assert references(line) == []
