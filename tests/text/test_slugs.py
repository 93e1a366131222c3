"""Slugs: what becomes of titles in every script, and what no slug ever is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.text.folding import name_key
from citewiki.text.slugs import MOST_BYTES, MOST_CHARS, owned_slug, slugify

TITLES = st.text(max_size=120) | st.text(alphabet="aÀđß中あ한हि😀️\u200d-_. /#+'", max_size=200)


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("RAG Hybrid Search", "rag-hybrid-search"),
        ("Nguyễn Văn Đức", "nguyễn-văn-đức"),
        ("深度学习：入门", "深度学习-入门"),
        ("データベース", "データベース"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("ภาษาที่ใช้", "ภาษาที่ใช้"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("Issue #5", "issue-5"),
        ("it's Bob’s", "its-bobs"),
        ('a/b\\c: d? *e* "f" <g> |h| #i', "a-b-c-d-e-f-g-h-i"),
        ("...hidden. ", "hidden"),
        ("snake_case name", "snake-case-name"),
        ("ＡＢＣ ﬁne", "abc-fine"),
    ],
)
def test_a_slug_keeps_the_letters_of_its_title(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_composed_and_decomposed_spellings_have_one_slug() -> None:
    title = "Đường phố Hà Nội"
    assert slugify(unicodedata.normalize("NFD", title)) == slugify(title) == "đường-phố-hà-nội"


@pytest.mark.parametrize("title", ["", "   ", "!?", "😀", "❤️", "——", "\u200d"])
def test_a_title_without_letters_gets_a_slug_of_its_own(title: str) -> None:
    assert slugify(title).startswith("page-")
    assert slugify(title) != slugify(title + "😀")


@pytest.mark.parametrize("title", ["CON", "aux", "Nul", "com1", "LPT9", "index", "README", "Log"])
def test_names_that_a_system_reserves_are_not_used(title: str) -> None:
    assert slugify(title) == f"{title.lower()}-page"


def test_a_slug_in_use_is_numbered() -> None:
    assert slugify("Go", {"go", "go-2"}) == "go-3"
    assert slugify("x" * 100, {"x" * 80}) == "x" * 78 + "-2"
    assert slugify("Straße", {name_key("STRASSE")}) == "straße-2"


def test_a_long_title_is_cut_at_a_word() -> None:
    assert slugify("word " * 30) == "-".join(["word"] * 16)
    assert len(slugify("đề mục " * 40).encode()) <= MOST_BYTES


@given(TITLES)
def test_every_slug_is_a_safe_name_and_its_own_slug(title: str) -> None:
    slug = slugify(title)
    assert slug
    assert len(slug) <= MOST_CHARS
    assert len(slug.encode()) <= MOST_BYTES
    assert unicodedata.is_normalized("NFC", slug)
    assert not set(slug) & set('/\\:?*"<>|#. \t\n\0')
    assert not slug.startswith((".", "-", "_"))
    assert slugify(slug) == slug


@given(TITLES, st.integers(1, 5))
def test_titles_never_share_a_slug(title: str, count: int) -> None:
    taken: set[str] = set()
    for _ in range(count):
        slug = slugify(title, taken)
        assert name_key(slug) not in taken
        assert len(slug) <= MOST_CHARS
        assert len(slug.encode()) <= MOST_BYTES
        taken.add(name_key(slug))
    assert len(taken) == count


def test_an_owners_slug_says_whose_it_is():
    assert owned_slug("Vector DB", "bob") == "vector-db~bob"
    assert owned_slug("Vector DB", "") == "vector-db"
    assert owned_slug("Vector DB", "bob", {"vector-db~bob"}) == "vector-db-2~bob"
    assert owned_slug("Vector DB", "bob", {"vector-db", "vector-db~alice"}) == "vector-db~bob"


@given(TITLES, st.text(min_size=1, max_size=64))
def test_no_title_gives_the_slug_of_an_owner_and_every_one_is_a_file_name(title: str, owner: str):
    slug = owned_slug(title, owner)
    assert "~" not in slugify(title)
    assert slug.count("~") == 1
    assert len(slug.encode()) <= 250
    assert slug.endswith(f"~{slugify(owner)}")
