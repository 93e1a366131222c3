"""Names in text: what two pages have in common without a link."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.index.mentions import mentions, name_term, split_title


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A film by Tim Burton, born in Burbank.", ["tim_burton", "burbank"]),
        ("She studied at the University of Vienna.", ["university_of_vienna"]),
        ("It was John F. Kennedy's plane.", ["john_f._kennedy"]),
        ("The Sun rose. Then it set.", ["sun"]),
        ("Đại tướng Võ Nguyên Giáp sinh ở đó.", ["võ_nguyên_giáp"]),
        ("Роман написал Лев Толстой.", ["лев_толстой"]),
        ("张艺谋导演了《红高粱》。", ["红高粱"]),
        ("nothing here has a name", []),
    ],
)
def test_names_are_runs_of_capitals_or_stand_in_title_marks(text: str, names: list[str]) -> None:
    assert mentions(text) == names


def test_a_capital_at_the_start_of_a_sentence_is_a_name_only_if_it_stands_elsewhere_too() -> None:
    assert mentions("Rivers flow. Danube is one.") == []
    assert mentions("Danube is one. We saw the Danube.") == ["danube"]


def test_the_same_name_is_the_same_term_however_it_is_written() -> None:
    assert (
        name_term("The Beatles") == name_term("the  BEATLES") == name_term("Beatles’") == "beatles"
    )


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("Titanic (1997 film)", ("Titanic", "1997 film")),
        ("红高粱（电影）", ("红高粱", "电影")),
        ("C (x) y", ("C (x) y", "")),
        ("(untitled)", ("(untitled)", "")),
    ],
)
def test_a_qualifier_is_told_from_the_title(title: str, parts: tuple[str, str]) -> None:
    assert split_title(title) == parts


@given(st.text(max_size=300) | st.text(alphabet="Ab .'’-《》\n", max_size=300))
def test_any_text_gives_names_without_spaces(text: str) -> None:
    for name in mentions(text):
        assert name.split() == [name]
