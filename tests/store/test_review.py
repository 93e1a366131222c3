"""What waits for a person: store/review.py."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from citewiki.errors import DataError
from citewiki.store.bases import kept
from citewiki.store.pages import body_sha256
from citewiki.store.review import Evidence, Item, item, item_id, items, queue, remove, unreadable
from tests.conftest import NOW

ITEM = Item(
    id=item_id("paper", "intro", "fusion"),
    kind="update",
    slug="fusion",
    title="Fusion",
    path="ml/fusion.md",
    before_sha256="0" * 64,
    page_text="---\ntype: concept\ntitle: Fusion\n---\nNew words.\n",
    why="the section has changed",
    reasons=("loses 40 % of its words (10 → 6)",),
    evidence=(Evidence("New words.", "raw/paper.md", "§ Intro"),),
    source="paper",
    section="intro",
    section_sha256="1" * 64,
    by="citewiki/0.1.0+extractive",
    at=NOW,
)


def test_an_item_is_read_back_as_it_was_queued(tmp_path: Path):
    queue(tmp_path, ITEM)
    assert items(tmp_path) == [ITEM]
    assert item(tmp_path, ITEM.id[:5]) == ITEM
    assert ITEM.page.body == "New words.\n"


def test_a_newer_proposal_for_the_same_page_takes_the_place_of_the_older_one(tmp_path: Path):
    queue(tmp_path, ITEM)
    newer = replace(ITEM, page_text="Newer.\n")
    queue(tmp_path, newer)
    assert items(tmp_path) == [newer]


def test_the_oldest_item_comes_first(tmp_path: Path):
    later = replace(ITEM, id=item_id("paper", "end", "a"), at=NOW + timedelta(days=1))
    queue(tmp_path, later)
    queue(tmp_path, ITEM)
    assert items(tmp_path) == [ITEM, later]


def test_a_removed_item_is_gone_and_may_be_removed_again(tmp_path: Path):
    queue(tmp_path, ITEM)
    remove(tmp_path, ITEM.id)
    remove(tmp_path, ITEM.id)
    assert items(tmp_path) == []


def test_what_the_page_was_is_kept_with_the_item(tmp_path: Path):
    queue(tmp_path, ITEM, before="Old words.\n")
    assert kept(tmp_path, body_sha256("Old words.\n")) == "Old words.\n"


@pytest.mark.parametrize("name", ["", "ffffff", "../../etc", "*", "g"])
def test_a_name_that_is_no_ones_is_refused(tmp_path: Path, name: str):
    queue(tmp_path, ITEM)
    with pytest.raises(DataError, match="nothing that waits"):
        item(tmp_path, name)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"id": 7}', "\xff"])
def test_a_damaged_file_is_reported_and_hides_no_other(tmp_path: Path, text: str):
    queue(tmp_path, ITEM)
    (tmp_path / "review" / "abc.json").write_bytes(text.encode("latin-1"))
    assert items(tmp_path) == [ITEM]
    (problem,) = unreadable(tmp_path)
    assert problem.path == "review/abc.json"
    assert "\n" not in problem.message
