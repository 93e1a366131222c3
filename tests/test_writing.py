"""Who may write what, what it tells of what is hidden, and many who write at once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from citewiki.errors import CitewikiError, LifecycleError, NotAllowed, UnknownPage, WriteError
from citewiki.sources.manifest import load_manifest
from citewiki.store.catalog import read_log, render_index
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files
from tests.writers import LATER, TEXT, files, opened, page, read, saved


def test_nobody_writes_as_anyone(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    wiki = opened(root, "*")
    for act in (
        lambda: wiki.save_page("A", "B", now=NOW),
        lambda: wiki.ingest_text("A", now=NOW),
        lambda: wiki.archive_page("A", now=NOW),
        lambda: wiki.share("A", ["bob"], now=NOW),
    ):
        with pytest.raises(NotAllowed, match="log in"):
            act()
    assert not files(root)
    assert not files(root, "raw")


def test_what_is_shared_with_a_user_is_not_theirs_to_change(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": page("Plan", "Words.", "owner: alice", "shared_with: [bob]")})
    bob = opened(root)
    for act in (bob.archive_page, bob.reverify_page):
        with pytest.raises(NotAllowed, match="alice"):
            act("Plan", now=NOW)
    done = bob.save_page("Plan", "Mine.", now=NOW)
    assert done.action == "created"
    assert read(root, "a").body.strip() == "Words."


def test_what_a_user_does_not_see_does_not_exist_for_them(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": page("Plan", "Words.", "owner: alice")})
    bob = opened(root)
    for act in (bob.archive_page, bob.restore_page, bob.reverify_page):
        with pytest.raises(UnknownPage) as hidden:
            act("Plan", now=NOW)
        with pytest.raises(UnknownPage) as missing:
            act("Plam", now=NOW)
        assert str(hidden.value) == str(missing.value).replace("Plam", "Plan")


def test_a_page_is_put_away_brought_back_verified_and_shared(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    bob = opened(root)
    bob.save_page("Cache", "Words.", now=NOW)
    assert bob.archive_page("Cache", why="over", now=LATER).path == "_archive/notes/cache~bob.md"
    assert bob.restore_page("Cache", now=LATER).path == "notes/cache~bob.md"
    assert bob.reverify_page("Cache", now=LATER).slug == "cache~bob"
    assert bob.page("Cache").verified[-1].by == "human:bob"
    bob.share("Cache", ["carol"], now=LATER)
    assert opened(root, "carol").page("Cache").owner == "bob"
    bob.unshare("Cache", ["carol"], now=LATER)
    with pytest.raises(UnknownPage):
        opened(root, "carol").page("Cache")
    with pytest.raises(LifecycleError):
        bob.restore_page("Cache", now=LATER)


HIDDEN = {
    "wiki/quix/cache.md": page(
        "Cache tiers",
        "The cache tier keeps 12 entries. It is read before the Ledger store is written.",
        "owner: alice",
        "aliases: [Ledger store, Zefflin]",
        "tags: [cache, tier, entries]",
        "sources: [{id: storage, resource: raw/storage.md}]",
    ),
    "wiki/notes/storage.md": page("Storage", "The storage of alice.", "owner: alice"),
    "wiki/notes/broken~alice.md": b"\xff\xfe no text",
    "wiki/_archive/notes/ledger-store.md": page("Ledger store", "Old.", "owner: alice"),
}
SHARED = {
    "wiki/ml/tiers.md": page("Tiers", "All tiers.", "owner: alice", "shared_with: [bob]"),
    "wiki/ml/days.md": page("4 days", "They pass.", "shared_with: ['*']"),
}


def acted(root: Path) -> list[object]:
    """All that bob does, and what he is told."""
    bob, told = opened(root), list[object]()
    for act in (
        lambda: bob.save_page("Cache tiers", "Read [[Ledger store]].", now=NOW),
        lambda: bob.save_page("Cache tiers", "Read it.", now=NOW),
        lambda: bob.save_page("Zefflin", "Words.", domain="Quix", now=NOW),
        lambda: bob.ingest_text(TEXT, title="Storage", now=NOW),
        lambda: bob.ingest_text(TEXT.replace("12", "13"), title="Storage", now=LATER),
        lambda: bob.ingest_text("Nothing about it at all here.", name="storage.md", now=LATER),
        lambda: bob.ingest_text(TEXT, title="Drafts", review=True, now=LATER),
        lambda: bob.archive_page("Storage", now=LATER),
        lambda: bob.archive_page("Zefflin", now=LATER),
        lambda: bob.restore_page("Zefflin", now=LATER),
        lambda: bob.restore_page("broken", now=LATER),
        lambda: bob.reverify_page("Tiers", now=LATER),
    ):
        try:
            told.append(act())
        except CitewikiError as error:
            told.append(str(error))
    return told


def test_what_a_user_writes_does_not_depend_on_what_is_hidden_from_them(tmp_path: Path) -> None:
    ann = {"mkdocs.yml": "", "pyproject.toml": '[tool.citewiki]\nowner = "ann"\nshared_with = []\n'}
    bare = write_files(tmp_path / "bare", {**ann, **SHARED})
    full = write_files(tmp_path / "full", {**ann, **SHARED, **HIDDEN})
    (bare / "raw").mkdir()
    (full / "raw").mkdir()
    for viewer in ("alice", None):
        opened(full, viewer).ingest_text(TEXT, title="Storage", now=NOW)
    hidden = {**files(full), **files(full, "raw")}
    assert acted(bare) == acted(full)
    lists = ("wiki/index.md", "wiki/log.md", "raw/manifest.jsonl")
    hidden = {path: data for path, data in hidden.items() if path not in (*lists, *SHARED)}
    without, beside = ({**files(root), **files(root, "raw")} for root in (bare, full))
    assert hidden.items() <= beside.items()
    assert {p: data for p, data in beside.items() if p not in (*lists, *hidden)} == {
        p: data for p, data in without.items() if p not in lists
    }
    kept = [load_manifest(root) for root in (bare, full)]
    assert kept[0].items() <= kept[1].items()


def test_what_a_killed_run_left_of_others_is_not_told(make_wiki: MakeWiki) -> None:
    note = '{"steps": [{"path": "wiki/quix.md", "before": "", "after": ""}], "said": ["quix"]}'
    root = make_wiki({".citewiki/action.json": note, "wiki/quix.md": b"\xff\xfe"})
    for act in (
        lambda: opened(root).save_page("Cache", "Words.", now=NOW),
        lambda: opened(root).ingest_text("Words.", now=NOW),
    ):
        with pytest.raises(WriteError, match="cannot be finished") as told:
            act()
        assert "quix" not in str(told.value)


def test_what_the_operator_compiles_for_all_does_not_depend_on_what_users_hide(
    tmp_path: Path,
) -> None:
    made = []
    for name, hidden in (("bare", {}), ("full", HIDDEN)):
        hidden = {path: text for path, text in hidden.items() if "_archive" not in path}
        root = write_files(tmp_path / name, {"mkdocs.yml": "", **SHARED, **hidden})
        (root / "raw").mkdir()
        if hidden:
            opened(root, "alice").ingest_text(TEXT, title="Storage", now=NOW)
        done = opened(root, None).ingest_text(TEXT, title="Storage", now=NOW)
        made.append((done.pages, opened(root, "*").pages()))
    assert made[0] == made[1]


def test_a_link_is_made_only_where_all_readers_see_its_page(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/p.md": page("Ledger store", "Words.", "owner: bob")})
    opened(root, None).ingest_text("# Cache\n\nIt is read before the Ledger store.", now=NOW)
    assert "[[" not in opened(root, "*").page("Cache").body
    opened(root).ingest_text("# Tiers\n\nThey are read before the Ledger store.", now=NOW)
    assert "[[Ledger store]]" in opened(root).page("Tiers").body


def test_of_many_writers_at_once_none_loses_a_write(make_wiki: MakeWiki) -> None:
    root = make_wiki({})

    def write(number: int) -> str:
        user = f"user{number % 4}"
        if number % 5 == 0:
            opened(root, user).ingest_text(f"# Text {number}\n\nIt keeps {number}.", now=NOW)
            return f"text-{number}~{user}"
        return saved(root, f"Page {number}", f"Words {number}.", user).slug

    with ThreadPoolExecutor(8) as pool:
        slugs = list(pool.map(write, range(40)))
    pages, problems = load_pages(root / "wiki")
    assert not problems
    assert sorted(page.slug for page in pages) == sorted(slugs)
    assert (root / "wiki/index.md").read_text() == render_index(pages)
    assert len(read_log(root / "wiki")) == 40
    assert len(load_manifest(root)) == 8


def test_writers_of_one_page_leave_one_of_their_texts_or_a_draft_of_it(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    texts = [f"The one text.\n\nWords of writer {number}." for number in range(6)]
    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda text: saved(root, "Cache", text, why="better"), texts))
    assert {each.slug for each in done} == {"cache~bob"}
    (found,) = load_pages(root / "wiki")[0]
    assert found.body.strip() in texts
    assert [each.action for each in done].count("created") == 1


class Killed(BaseException):
    """The process is no more."""


def _dying(after: int) -> dict[str, Callable[..., None]]:
    """What changes files, as it does for a process that is killed `after` such changes."""
    left = iter(range(after))

    def until_then(real: Callable[..., None]) -> Callable[..., None]:
        def call(*names: Any, **more: Any) -> None:
            if next(left, None) is None:
                raise Killed
            real(*names, **more)

        return call

    return {name: until_then(getattr(os, name)) for name in ("replace", "unlink")}


def _save_some(root: Path) -> None:
    saved(root, "One", "First words.", now=LATER)
    saved(root, "Two", "Text of before, and more.", now=LATER)
    opened(root).ingest_text("# Three\n\nIt keeps 3 entries.", now=LATER)


def test_a_save_that_is_killed_leaves_a_whole_wiki(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write_files(tmp_path / "first", {"mkdocs.yml": ""})
    (first / "wiki").mkdir()
    saved(first, "Two", "Text of before.")
    calm = shutil.copytree(first, tmp_path / "calm")
    _save_some(calm)
    for writes in count():
        root = tmp_path / "disturbed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(first, root)
        with monkeypatch.context() as patch:
            for name, call in _dying(writes).items():
                patch.setattr(os, name, call)
            try:
                _save_some(root)
                break
            except Killed:
                pass
        pages, problems = load_pages(root / "wiki")
        assert not problems
        assert not [problem for page in pages for problem in page.problems]
        _save_some(root)
        found, wanted = ({**files(each), **files(each, "raw")} for each in (root, calm))
        assert found | {"wiki/log.md": b""} == wanted | {"wiki/log.md": b""}
        assert not (root / ".citewiki/action.json").exists()
    assert writes > 15
