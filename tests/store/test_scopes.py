"""Conditions under which a page holds, written on the page."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.errors import LifecycleError, UnknownPage
from citewiki.model import Drift, ScopeNote
from citewiki.store.lifecycle import supersede, unsupersede
from citewiki.store.pages import load_page, parse_page
from citewiki.store.scopes import limit, unlimit
from tests.conftest import NOW, MakeWiki

PAGE = "---\ntitle: Rules\n# kept\nvalid_from: 2026-01-01\n---\nWe keep it 90 days.\n"
DRIFT = Drift(("other", "rules"), ("Other", "Rules"), ("", ""), "", "abc")


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki({"wiki/rules.md": PAGE, "wiki/other.md": "# Other\n\nWe keep it 10 days.\n"})


def text(root: Path) -> str:
    return (root / "wiki/rules.md").read_text()


def test_a_note_is_written_once_for_each_drift_and_read_back(root: Path) -> None:
    for note in ("in\nspring", "in summer"):
        (change,) = limit(root, "Rules", DRIFT, note=note, now=NOW, who="ann", why="asked")
    assert change.action == "limit"
    page = load_page(root / "wiki", "rules.md")
    assert page.scopes == (ScopeNote("other", "in summer", "abc"),)
    assert page.problems == ()
    assert "# kept" in text(root)
    assert "limited “Rules” (rules): in summer: asked" in (root / "wiki/log.md").read_text()


def test_bounds_are_written_and_what_is_taken_back_leaves_the_file_as_it_was(root: Path) -> None:
    limit(root, "rules", DRIFT, note="in spring", now=NOW)
    unlimit(root, "rules", now=NOW)
    assert text(root) == PAGE
    limit(root, "rules", DRIFT, until=datetime(2026, 3, 1, tzinfo=UTC), now=NOW)
    assert load_page(root / "wiki", "rules.md").valid_until == datetime(2026, 3, 1, tzinfo=UTC)


def test_bounds_are_taken_back_to_those_of_before_the_first(root: Path) -> None:
    for month in (5, 3):
        limit(root, "rules", DRIFT, until=datetime(2026, month, 1, tzinfo=UTC), now=NOW)
    limit(root, "rules", DRIFT, start=datetime(2026, 2, 1, tzinfo=UTC), note="x", now=NOW)
    assert load_page(root / "wiki", "rules.md").problems == ()
    unlimit(root, "rules", now=NOW, dry_run=True)
    unlimit(root, "rules", now=NOW)
    assert text(root) == PAGE


def test_the_end_of_a_page_that_was_superseded_since_is_not_taken_back(root: Path) -> None:
    limit(root, "rules", DRIFT, until=datetime(2026, 3, 1, tzinfo=UTC), now=NOW)
    supersede(root, "rules", "other", now=NOW)
    with pytest.raises(LifecycleError, match="superseded since"):
        unlimit(root, "rules", now=NOW)
    unsupersede(root, ["rules"], now=NOW)
    unlimit(root, "rules", now=NOW)
    assert text(root) == PAGE


def test_what_cannot_be_changes_nothing(root: Path) -> None:
    first = datetime(2026, 1, 1, tzinfo=UTC)
    for bad in ({}, {"note": " "}, {"until": first}, {"start": first, "until": first}):
        with pytest.raises(LifecycleError):
            limit(root, "rules", DRIFT, now=NOW, **bad)  # type: ignore[arg-type]
    with pytest.raises(LifecycleError):
        unlimit(root, "rules", now=NOW)
    with pytest.raises(UnknownPage):
        limit(root, "ruels", DRIFT, note="x", now=NOW)
    assert text(root) == PAGE


def test_notes_of_a_wrong_form_are_problems_of_the_page() -> None:
    page = parse_page("---\ntitle: A\nscopes: [in spring]\n---\n", "a.md")
    assert page.scopes == ()
    assert "must be a list of {beside: slug, note: condition}" in page.problems[0].message
