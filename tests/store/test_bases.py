"""What the program wrote is kept, so that edits can be told from it: store/bases.py."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from citewiki.model import Page
from citewiki.store.bases import (
    base_of,
    front_of,
    keep,
    keep_front,
    kept,
    settle_front,
    with_edits,
)
from citewiki.store.pages import body_sha256


def test_the_base_of_an_edited_page_is_what_the_program_wrote(tmp_path: Path):
    keep(tmp_path, "By the program.\n")
    page = Page("p.md", "p", "P", "By me.\n", generated_sha256=body_sha256("By the program."))
    assert base_of(tmp_path, page) == "By the program.\n"


def test_a_page_that_nobody_has_edited_needs_no_cache(tmp_path: Path):
    page = Page("p.md", "p", "P", "As it was.\n", generated_sha256=body_sha256("As it was.\n"))
    assert base_of(tmp_path / "none", page) == "As it was.\n"


def test_the_base_is_not_known_of_a_page_by_a_person_or_after_the_cache_is_gone(tmp_path: Path):
    assert base_of(tmp_path, Page("p.md", "p", "P", "Mine.\n")) is None
    page = Page("p.md", "p", "P", "Mine.\n", generated_sha256="../../etc/passwd")
    assert base_of(tmp_path, page) is None


def test_a_damaged_base_is_none(tmp_path: Path):
    keep(tmp_path, "Whole.\n")
    (file,) = (tmp_path / "bases").rglob("*/*")
    file.write_text("Half", encoding="utf-8")
    assert kept(tmp_path, body_sha256("Whole.")) is None


OLD = Page("p.md", "p", "P", "", summary="By the program.", tags=("a", "b"), confidence=0.5)


def test_what_a_person_changed_in_the_front_matter_stays(tmp_path: Path):
    keep_front(tmp_path, "p", OLD)
    current = replace(OLD, summary="By me.", tags=("b", "mine"), type="entity")
    new = replace(OLD, summary="By the program, again.", tags=("A", "b", "c"), confidence=0.9)
    assert with_edits(tmp_path, current, new) == replace(
        new, summary="By me.", tags=("b", "c", "mine"), type="entity"
    )
    assert with_edits(tmp_path, OLD, new) == new


def test_where_nothing_is_known_names_and_tags_are_kept_and_the_rest_is_new(tmp_path: Path):
    new = replace(OLD, summary="New.", tags=("c",))
    assert with_edits(tmp_path, OLD, new) == replace(new, tags=("c", "a", "b"))


def test_what_was_kept_for_a_draft_holds_for_its_page_once_that_is_written(tmp_path: Path):
    keep_front(tmp_path, "p", OLD)
    keep_front(tmp_path, "draft", replace(OLD, summary="New."))
    assert (front_of(tmp_path, "p", OLD) or {})["summary"] == "By the program."
    settle_front(tmp_path, "draft", "p")
    settle_front(tmp_path, "draft", "p")
    assert (front_of(tmp_path, "p", OLD) or {})["summary"] == "New."
    assert front_of(tmp_path, "draft", OLD) is None


def test_a_run_that_ended_before_its_page_was_written_makes_nobody_an_editor(tmp_path: Path):
    old = replace(OLD, generated_at=datetime(2026, 5, 12, tzinfo=UTC))
    new = replace(old, summary="New.", generated_at=datetime(2026, 5, 13, tzinfo=UTC))
    keep_front(tmp_path, "p", old)
    keep_front(tmp_path, "p", new)
    assert with_edits(tmp_path, old, new) == new
    assert with_edits(tmp_path, new, replace(new, summary="Newer.")).summary == "Newer."
