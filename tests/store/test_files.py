from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from citewiki.errors import WriteError
from citewiki.store.files import clear_rests, lock, write_atomic


def test_a_write_makes_folders_and_says_whether_it_changed_anything(tmp_path: Path):
    path = tmp_path / "a" / "b.md"
    assert write_atomic(path, "Đường\n") is True
    assert path.read_text(encoding="utf-8") == "Đường\n"
    before = path.stat().st_mtime_ns
    assert write_atomic(path, "Đường\n") is False
    assert path.stat().st_mtime_ns == before


def test_a_full_disk_leaves_the_old_file_and_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "page.md"
    write_atomic(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(WriteError, match="no space left"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["page.md"]


def test_a_folder_in_the_way_is_one_clear_line(tmp_path: Path):
    (tmp_path / "taken.md").mkdir()
    with pytest.raises(WriteError, match=r"taken\.md"):
        write_atomic(tmp_path / "taken.md", "text")


def test_a_second_writer_waits_and_then_is_told(tmp_path: Path):
    with (
        lock(tmp_path),
        pytest.raises(WriteError, match="another run"),
        lock(tmp_path, timeout=0.05),
    ):
        pass
    with lock(tmp_path, timeout=0.05):
        assert True


def test_rests_of_killed_writes_are_removed_and_nothing_else(tmp_path: Path):
    mine = [".draft.tmp", "12-34.tmp", ".12-34.tmp.md", "page.md"]
    for name in (".12-34.tmp", *mine):
        write_atomic(tmp_path / "ml" / name, "text")
    clear_rests(tmp_path)
    assert sorted(os.listdir(tmp_path / "ml")) == sorted(mine)
