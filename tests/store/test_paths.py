from __future__ import annotations

import os
from pathlib import Path

import pytest

from citewiki.store.pages import load_pages
from citewiki.store.paths import page_files, page_paths
from tests.conftest import write_files


def test_lists_dot_files_archived_pages_and_links_out_of_the_wiki_are_no_pages(tmp_path: Path):
    outside = write_files(tmp_path / "outside", {"secret.md": "# Secret"})
    wiki = write_files(
        tmp_path / "wiki",
        dict.fromkeys(
            ("index.md", "log.md", "a/b.md", "_archive/d/old.md", ".obsidian/x.md", "c.txt"),
            "# X\n",
        ),
    )
    os.symlink(outside / "secret.md", wiki / "secret.md")
    assert page_paths(wiki) == ["a/b.md"]
    assert page_paths(wiki, archived=True) == ["_archive/d/old.md", "a/b.md"]


def test_links_within_the_wiki_are_pages_but_linked_folders_are_not_entered(tmp_path: Path):
    wiki = write_files(tmp_path / "wiki", {"a/b.md": "# B", "e.md/f.md": "# F"})
    os.symlink(wiki / "a" / "b.md", wiki / "again.md")
    os.symlink(wiki / "a", wiki / "c")
    os.symlink(wiki / "a", wiki / "d.md")
    os.symlink(wiki / "loop.md", wiki / "loop.md")
    assert page_paths(wiki) == ["a/b.md", "again.md", "e.md/f.md", "loop.md"]
    assert sorted(page_files(wiki)) == page_paths(wiki)
    assert [problem.path for problem in load_pages(wiki)[1]] == ["loop.md"]


def test_a_wiki_named_by_a_relative_path_has_the_same_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    write_files(tmp_path, {"a/b.md": "# B", "c.md": "# C"})
    monkeypatch.chdir(tmp_path)
    assert page_paths(Path()) == page_paths(tmp_path) == ["a/b.md", "c.md"]
