"""How far a page is trusted, and why."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import AUTHORITIES, Page, SourceRef
from citewiki.store.confidence import (
    CONFIDENCE,
    HALF_LIFE,
    confidence,
    independent_sources,
)
from citewiki.store.decay import DAYS
from tests.conftest import NOW


def made(authority: str = "paper", **values: object) -> Page:
    """A page as compiling writes it."""
    page = Page(
        path="a.md",
        slug="a",
        title="A",
        body="",
        sources=(SourceRef("paper", "raw/paper.pdf", "aa"),),
        source_authority=authority,
        confidence=CONFIDENCE[authority],
        last_verified_at=NOW,
        generated_by="citewiki/0.1.0+extractive",
    )
    return replace(page, **values)  # type: ignore[arg-type]


def value(page: Page, **known: object) -> float:
    found = confidence(page, now=NOW, **known)  # type: ignore[arg-type]
    assert found is not None
    return found.value


def test_every_authority_has_a_base() -> None:
    assert set(CONFIDENCE) == set(AUTHORITIES)
    assert all(value(made(authority)) == base for authority, base in CONFIDENCE.items())


def test_the_reasons_are_named() -> None:
    page = made("blog", last_verified_at=NOW - timedelta(days=DAYS) - HALF_LIFE)
    found = confidence(page, now=NOW, sources=2, drifts=1)
    assert found is not None
    assert found.reasons == (
        "from a blog",
        "2 independent sources",
        "not verified for more than 90 days",
        "another page says otherwise",
    )
    assert found.value == pytest.approx((1 - 0.4 * 0.7) / 4, abs=0.005)


def test_a_persons_value_stands_whatever_else_is_known() -> None:
    page = made("chat", confidence=0.95, last_verified_at=NOW - timedelta(days=3000))
    found = confidence(page, now=NOW, sources=4, drifts=3)
    assert found is not None
    assert (found.value, found.by_hand) == (0.95, True)
    written = made(generated_by="", confidence=0.9)
    assert confidence(written, now=NOW, drifts=1) == replace(found, value=0.9)


def test_a_page_of_which_nothing_is_known_has_none() -> None:
    page = Page(path="a.md", slug="a", title="A", body="", ingested_at=NOW)
    assert confidence(page, now=NOW) is None
    assert confidence(replace(page, source_authority="docs"), now=NOW) is not None
    assert confidence(replace(page, source_authority="a friend"), now=NOW) is None


def test_a_clock_that_was_ahead_makes_no_page_surer() -> None:
    page = made(last_verified_at=NOW + timedelta(days=400))
    assert value(page) == CONFIDENCE["paper"]


def test_versions_and_copies_of_one_original_are_one_source() -> None:
    refs = [
        SourceRef("notes", "raw/notes.md", "aa"),
        SourceRef("notes-v2", "raw/notes.v2.md", "bb"),
        SourceRef("copy", "raw/copy.md", "bb"),
        SourceRef("other", "https://example.org/v2", "cc"),
    ]
    assert independent_sources(refs) == 2
    assert independent_sources([refs[2], refs[0], refs[1]]) == 1
    assert independent_sources([]) == 0


@given(
    st.sampled_from(AUTHORITIES),
    st.integers(0, 10_000),
    st.integers(1, 9),
    st.integers(0, 5),
)
def test_more_sources_never_lower_it_and_age_and_drift_never_raise_it(
    authority: str, age: int, sources: int, drifts: int
) -> None:
    page = made(authority, last_verified_at=NOW - timedelta(days=age))
    here = value(page, sources=sources, drifts=drifts)
    assert 0 <= here < 1
    assert value(page, sources=sources + 1, drifts=drifts) >= here
    assert value(page, sources=sources, drifts=drifts + 1) <= here
    older = replace(page, last_verified_at=datetime(1990, 1, 1, tzinfo=UTC))
    assert value(older, sources=sources, drifts=drifts) <= here
