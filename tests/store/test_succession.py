from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Page, Verification
from citewiki.store.succession import (
    chain,
    circles,
    closed_chains,
    resolve_chain,
    succession_problems,
)
from tests.conftest import NOW

SLUGS = st.sampled_from("abcdef")


def page(slug: str, newer: str = "", **values: object) -> Page:
    return Page(f"{slug}.md", slug, slug.upper(), "", superseded_by=newer, **values)  # type: ignore[arg-type]


def by_slug(newer: dict[str, str]) -> dict[str, Page]:
    return {slug: page(slug, after) for slug, after in newer.items()}


def test_a_chain_of_any_length_leads_to_its_newest_page():
    pages = by_slug({str(n): str(n + 1) if n < 5000 else "" for n in range(5001)})
    assert resolve_chain(pages, "0") == "5000"
    assert len(chain(pages, "0")) == 5001
    assert circles(pages) == []


def test_a_chain_ends_where_its_next_page_is_missing():
    assert resolve_chain(by_slug({"a": "b", "b": "gone"}), "a") == "b"
    assert resolve_chain({}, "a") == "a"


def test_in_a_circle_no_page_is_the_newest():
    pages = by_slug({"a": "b", "b": "c", "c": "b"})
    assert resolve_chain(pages, "a") == "a"
    assert resolve_chain(pages, "b") == "b"
    assert circles(pages) == [["b", "c"]]


@given(st.dictionaries(SLUGS, SLUGS))
def test_every_circle_is_found_once_and_no_chain_hangs(newer: dict[str, str]):
    pages = by_slug(newer)
    inside = [slug for circle in circles(pages) for slug in circle]
    assert len(inside) == len(set(inside))
    for slug in pages:
        after = chain(pages, slug)
        assert len(after) == len(set(after))
        again = pages[after[-1]].superseded_by
        assert (slug in inside) == (again == slug)
        if not set(after) & set(inside):
            assert resolve_chain(pages, slug) == after[-1]


def test_lint_names_circles_ends_before_starts_and_times_ahead():
    pages = [
        page("a", "b", supersedes=("b",)),
        page("b", "a", supersedes=("a",)),
        page("c", valid_from=NOW, valid_until=NOW - timedelta(days=1)),
        page("d", verified=(Verification("human:ann", NOW + timedelta(days=2)),)),
        page("e", "gone", ingested_at=NOW + timedelta(hours=14)),  # tomorrow, east of here
        page("f", supersedes=("c",)),
    ]
    assert [str(problem) for problem in succession_problems(pages, NOW)] == [
        "c.md: error: ends before it starts: valid_until 2026-05-11T14:00:00Z, "
        "valid_from 2026-05-12T14:00:00Z",
        "d.md: error: verified 2026-05-14T14:00:00Z lies in the future; mend it, or the clock",
        "e.md: error: is superseded by “gone”, which does not exist",
        "f.md: warning: supersedes “c”, which does not say so (superseded_by)",
        "a.md: error: supersedes itself: a → b → a; take one superseded_by out",
    ]


def test_a_chain_of_which_one_side_speaks_is_closed():
    closed = list(closed_chains([page("a", "b"), page("b", supersedes=("x",)), page("c", "c")]))
    assert [each.supersedes for each in closed] == [(), ("x", "a"), ()]
