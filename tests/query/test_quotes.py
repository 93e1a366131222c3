"""Finding quotes in pages, and what is cited with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Citation, Page, SourceRef
from citewiki.query.quotes import cite, locate
from citewiki.text.folding import quote_key

BODY = """\
The [[Eiffel Tower|tower]] was **finished** in 1889.[^t.1] It’s 330\u00a0m tall — by far
the tallest in *Paris*.

## Visitors

Seven million people visit it every year. Nguyễn Văn Đức was the ﬁrst.

| Level | Height |
| --- | --- |
| First | 57 m |

[^t.1]: raw/tower.pdf, p. 4: "The tower was finished in 1889."
"""


def found(quote: str, body: str = BODY) -> str | None:
    place = locate(quote, body)
    return None if place is None else body[slice(*place)]


@pytest.mark.parametrize(
    ("quote", "stands_as"),
    [
        ("Seven million people visit it every year.", "Seven million people visit it every year."),
        ("  Seven million people\n", "Seven million people"),
        ("Seven  million\npeople", "Seven million people"),
        ("It's 330 m tall - by far the tallest", "It’s 330\u00a0m tall — by far\nthe tallest"),
        ("Nguyễn Văn Đức was the first.", "Nguyễn Văn Đức was the ﬁrst."),
        (
            "The tower was finished in 1889.",
            "The tower was finished in 1889.",  # in the footnote, letter by letter
        ),
        (
            "tower was finished in 1889. It's 330 m tall",
            "[[Eiffel Tower|tower]] was **finished** in 1889.[^t.1] It’s 330\u00a0m tall",
        ),
        ("the tallest in Paris.", "the tallest in *Paris*."),
    ],
)
def test_a_quote_is_found_as_it_stands_in_the_page(quote: str, stands_as: str) -> None:
    assert found(quote) == stands_as


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "…",
        "—",
        "The tower was finished in 1890.",
        "Seven million people … every year.",
        "seven million people",  # another case is another quote
        "Paris. Seven million",  # what stands in two blocks is no one sentence
    ],
)
def test_what_does_not_stand_in_the_page_is_not_found(quote: str) -> None:
    assert found(quote) is None


def test_a_decomposed_spelling_is_found() -> None:
    assert found("Nguyễn Văn", "Là Nguyê\u0303n Văn Đức.") == "Nguyê\u0303n Văn"


@given(st.text(max_size=40), st.text(max_size=20), st.text(max_size=40))
def test_every_part_of_a_body_is_found_as_something_with_the_same_words(
    before: str, quote: str, after: str
) -> None:
    place = locate(quote, before + quote + after)
    if not any(map(str.isalnum, quote_key(quote))):
        assert place is None
    else:
        assert place is not None
        assert quote_key((before + quote + after)[slice(*place)]) == quote_key(quote)


@given(st.lists(st.sampled_from(list("ab1 \n\u00a0’'“\"—-ﬁｱ́é한ᄒ")), max_size=30).map("".join))
def test_a_folded_spelling_of_a_body_is_found_in_it(body: str) -> None:
    key = quote_key(body)
    place = locate(key, body)
    if any(map(str.isalnum, key)):
        assert place is not None
        assert quote_key(body[slice(*place)]) == key


def page(**values: object) -> Page:
    return Page("tower.md", "tower", "Tower", BODY, **values)  # type: ignore[arg-type]


def cited(quote: str, page: Page) -> Citation:
    place = locate(quote, page.body)
    assert place
    return cite(page, *place)


def test_a_citation_names_the_heading_and_the_evidence_of_its_footnote() -> None:
    assert cited("was **finished** in 1889", page()) == Citation(
        "Tower", "tower", "", "was **finished** in 1889", "raw/tower.pdf, p. 4"
    )
    assert cited("Seven million people", page()).heading == "Visitors"


def test_without_a_footnote_the_only_source_of_the_page_is_the_evidence() -> None:
    one = SourceRef("a", "raw/a.pdf", locator="pp. 3-7")
    assert cited("Seven million", page(sources=(one,))).source == "raw/a.pdf, pp. 3-7"
    assert cited("Seven million", page(sources=(one, one))).source == ""
