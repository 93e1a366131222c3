from __future__ import annotations

import errno
import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path
from threading import Thread

import pytest
from filelock import FileLock

from citewiki.errors import WriteError
from citewiki.store.files import NEXT_NAME, clear_rests, lock, write_atomic
from citewiki.store.turns import Turns

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload([__name__])


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


def test_threads_take_turns(tmp_path: Path) -> None:
    inside: list[int] = []

    def work(number: int) -> bool:
        with lock(tmp_path):
            inside.append(number)
            alone = inside == [number]
            inside.remove(number)
            return alone

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(work, range(200)))


def test_threads_are_served_in_the_order_in_which_they_came() -> None:
    turns, served = Turns(), list[int]()

    def work(number: int) -> None:
        assert turns.take(60)
        served.append(number)
        turns.give()

    assert turns.take(0)
    threads = [Thread(target=work, args=(number,)) for number in range(20)]
    for number, thread in enumerate(threads, 1):
        thread.start()
        while len(turns) < number:
            pass
    assert not turns.take(0)  # who does not wait goes before nobody
    turns.give()
    for thread in threads:
        thread.join()
    assert served == list(range(20))
    assert turns.take(0)  # nobody has it any more


def test_who_comes_later_waits_for_the_run_that_is_next(tmp_path: Path) -> None:
    def next_one() -> FileLock:
        return FileLock(tmp_path / NEXT_NAME, timeout=0)  # as another process has it

    with next_one(), pytest.raises(WriteError, match="another run"), lock(tmp_path, timeout=0.05):
        pass
    with lock(tmp_path, timeout=0.05), next_one():
        assert True  # who has the lock is not next any more


def write_on(cache: Path, turns: Synchronized[int], began: Event, enough: Event) -> None:
    """Takes the lock again and again, and lets go of it only to take it once more."""
    while not enough.is_set():
        with lock(cache):
            turns.value += 1
            began.set()
            sum(range(1_000_000))  # some time, as a write takes


def test_a_process_that_writes_on_and_on_keeps_no_other_waiting(tmp_path: Path) -> None:
    began, enough, turns = forks.Event(), forks.Event(), forks.Value("i", 0)
    busy = forks.Process(target=write_on, args=(tmp_path, turns, began, enough))
    busy.start()
    waited = 0
    try:
        for _ in range(10):
            began.clear()
            assert began.wait(60)
            asked = turns.value
            with lock(tmp_path):
                waited += turns.value - asked
    finally:
        enough.set()
        busy.join()
    assert busy.exitcode == 0
    assert waited <= 50  # turns of the other one; hundreds, if both had to be lucky
