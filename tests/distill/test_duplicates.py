from __future__ import annotations

import pytest

from citewiki.config import Config
from citewiki.distill.duplicates import Called, loose_key, same_text, twin
from citewiki.distill.related import Related, may_join, may_mention
from citewiki.model import Page


def page(title: str, body: str = "", **more: object) -> Page:
    slug = title.lower().replace(" ", "-")
    return Page(path=f"d/{slug}.md", slug=slug, title=title, body=body, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Rank fusion", "rank-fusions", True),
        ("BM25", "BM-25", True),
        ("Tìm kiếm", "tim kiem", True),
        ("C", "C++", False),
        ("C++", "C#", False),
        ("检索", "检索 ", True),
        ("Rank fusion", "Fusion rank", False),
        ("+", "-", False),
    ],
)
def test_names_of_one_concept_have_one_key(one: str, other: str, same: bool):
    assert (loose_key(one) == loose_key(other)) is same


def test_pages_are_found_by_title_and_alias():
    called = Called([page("Reciprocal rank fusion", aliases=("RRF",)), page("BM25")])
    assert called.by(["rrf", "bm-25", "nothing"]) == ["reciprocal-rank-fusion", "bm25"]


SAID = "Rank fusion merges several lists into one by the place of each page in every list."


def test_versions_of_one_text_are_twins_whatever_their_names():
    found = twin(page("A", SAID), page("B", f"{SAID} More."), named=False)
    assert found is not None
    assert (found.slug, found.sure) == ("b", True)
    assert same_text(SAID, SAID.replace("several", "two")) is True
    assert same_text(SAID, "Tomatoes need sun and water and good soil to grow in.") is False


def test_a_shared_name_counts_only_where_the_texts_share_words():
    planet = page("Mercury", "A planet that circles the Sun in 88 days.")
    metal = page("Mercury", "Liquid metal, toxic, used by hatters long ago.")
    assert twin(metal, planet, named=True) is None
    found = twin(page("Mercury", "The planet circles the Sun fast."), planet, named=True)
    assert found is not None
    assert found.sure


def test_shared_words_and_neighbours_make_a_likely_twin_that_a_person_decides_on():
    one = page("Merging", "Merging [[Lists]] of pages by [[Place]] is called fusion by many.")
    other = page("Fusion", "Many fuse pages: fusion is merging of [[Place]] and [[Lists]].")
    found = twin(one, other, named=False)
    assert found is not None
    assert not found.sure


def test_the_nearest_pages_come_first_and_ties_by_slug():
    related = Related(
        [
            page("BM25", summary="A ranking function."),
            page("Rank fusion", summary="Merges lists of pages."),
            page("Tomatoes", summary="They need sun."),
        ]
    )
    assert related.nearest("How does one merge lists of pages by fusion of ranking?") == [
        "rank-fusion",
        "bm25",
    ]
    assert related.nearest("") == []


@pytest.mark.parametrize(
    ("owner", "shared_with", "mention", "join"),
    [
        ("", (), True, True),
        ("", ("*",), True, True),
        ("ann", (), False, False),
        ("ann", ("*",), True, False),
        ("", ("bob",), False, True),
    ],
)
def test_a_public_page_speaks_of_public_pages_only_and_joins_its_owners(
    owner: str, shared_with: tuple[str, ...], mention: bool, join: bool
):
    other = page("X", owner=owner, shared_with=shared_with)
    assert (may_mention(other, Config()), may_join(other, Config())) == (mention, join)


def test_what_is_for_a_few_does_not_go_into_a_page_for_all():
    config = Config(owner="ann", shared_with=("bob",))
    assert not may_join(page("X", owner="ann", shared_with=("*",)), config)
    assert may_join(page("X", owner="ann", shared_with=("bob",)), config)
    assert may_join(page("X", owner="ann"), config)
