from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from citewiki.model import Page, SourceRef
from citewiki.store.decay import Original, decayed
from tests.conftest import NOW

FRESH = Page("a.md", "a", "A", "", last_verified_at=NOW - timedelta(days=10))
SOURCED = replace(FRESH, sources=(SourceRef("n", "raw/n.md", "one"), SourceRef("n", "raw/n.md")))


def reasons(page: Page, **originals: Original) -> tuple[str, ...]:
    found = decayed([page], now=NOW, originals={f"raw/{n}.md": o for n, o in originals.items()})
    return found[0].reasons if found else ()


def days_ago(days: int) -> datetime:
    return NOW - timedelta(days=days)


def test_a_page_decays_when_unverified_for_longer_than_the_days():
    assert reasons(FRESH) == ()
    assert reasons(replace(FRESH, last_verified_at=days_ago(90))) == ()
    assert reasons(replace(FRESH, last_verified_at=days_ago(91))) == ("unverified for 91 days",)
    taken_in = replace(FRESH, last_verified_at=None, ingested_at=days_ago(200))
    assert reasons(taken_in) == ("unverified for 200 days",)
    assert reasons(replace(FRESH, last_verified_at=None)) == ()  # it has no age


def test_a_page_decays_past_its_end():
    assert reasons(replace(FRESH, valid_until=NOW)) == ("held until 2026-05-12",)
    assert reasons(replace(FRESH, valid_until=NOW + timedelta(days=1))) == ()


def test_a_page_decays_when_its_source_changed_after_it_was_verified():
    assert reasons(SOURCED, n=Original("one", days_ago(1))) == ()
    assert reasons(SOURCED, n=Original("two", days_ago(11))) == ()
    assert reasons(SOURCED, n=Original("two", days_ago(9))) == (
        "its source raw/n.md changed on 2026-05-03",
    )
    assert reasons(SOURCED, n=Original("two")) == ("its source raw/n.md has changed",)


def test_what_was_settled_does_not_decay_and_the_oldest_comes_first():
    old = replace(FRESH, last_verified_at=days_ago(100))
    older = replace(FRESH, slug="b", path="b.md", last_verified_at=days_ago(200))
    settled = [
        replace(old, superseded_by="b"),
        replace(old, archived_at=NOW),
        replace(old, path="_archive/a.md"),
    ]
    assert decayed(settled, now=NOW) == []
    assert [each.slug for each in decayed([old, older], now=NOW)] == ["b", "a"]
