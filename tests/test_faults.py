"""Runs that end in the middle: killed, out of disk, not allowed to write, two at once.

The runs are processes of their own, forked from one that has the program loaded, so that fifty of
them take seconds. Afterwards every page parses, nothing is lost or doubled, and the manifest
agrees with the wiki: the next run leaves just what a run leaves that nobody disturbed.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
import random
import shutil
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from citewiki.cli.engines import distilling_engine
from citewiki.config import load_config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import register
from citewiki.errors import WriteError
from citewiki.sources.manifest import load_manifest
from citewiki.store.files import lock
from citewiki.store.pages import load_pages
from tests.conftest import NOW, write_files
from tests.llm.server import faithful, serving

KILLS = 50
LOADED = ("anthropic", "citewiki.llm.anthropic", "citewiki.distill.drafting", "json_repair")
SOME, OTHERS = range(5), range(5, 8)
LATER = NOW + timedelta(days=1)
WORDS = (
    "storage cache index ledger snapshot journal replica quorum shard segment cursor buffer commit "
    "lease token bucket vector graph queue stream filter packet socket kernel thread"
).split()

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload([__name__, *LOADED])


def section(number: int, edition: int = 1) -> str:
    """A section about one thing, whose sentences differ from edition to edition."""
    one, two = WORDS[number % len(WORDS)], WORDS[(number * 7 + 3) % len(WORDS)]
    name = f"{one} {two} {number}".capitalize()
    return (
        f"## {name}\n\nThe {name} keeps {number + 11} entries of edition {edition}. "
        f"Its {one} is read before its {two} is written.\n\n"
        f"A {two} of kind {number} is dropped after {edition + 3} days.\n\n"
    )


def book(name: str, numbers: range, edition: int = 1) -> str:
    return f"# {name}\n\n" + "".join(section(number, edition) for number in numbers)


def compiled(root: Path, at: datetime, url: str = "") -> None:
    """One whole run, as `compile` does it."""
    os.environ.update(ANTHROPIC_API_KEY="none", ANTHROPIC_BASE_URL=url)
    config, cache = load_config(root), root / ".citewiki"
    chosen = (
        distilling_engine(config.engine, "anthropic", cache, budget=None, batch=False)
        if url
        else None
    )
    with lock(cache):
        register(root, load_manifest(root), at)
        compile_sources(
            root,
            config,
            now=at,
            version="1.0",
            engine=chosen.engine if chosen else None,
            cache=cache,
        )


def tree(root: Path) -> dict[str, str]:
    """The pages, the index and the manifest, by path."""
    files = [*(root / "wiki").rglob("*.md"), root / "raw" / "manifest.jsonl"]
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if path.name != "log.md"
    }


def start(root: Path, url: str = "") -> Path:
    """A wiki with much to do: sections that are new, changed and edited by a person."""
    write_files(root, {"mkdocs.yml": "site_name: Test\n", "raw/notes.md": book("Notes", SOME)})
    (root / "wiki").mkdir()
    assert not killed(root, 60, url, NOW)
    page = next(path for path in (root / "wiki").rglob("*.md") if "13 entries" in path.read_text())
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("\n\n[^", "\n\nA line by a person.\n\n[^", 1), encoding="utf-8")
    write_files(root, {"raw/notes.md": book("Notes", SOME, 2), "raw/more.md": book("More", OTHERS)})
    return root


def finished(root: Path, url: str = "") -> dict[str, str]:
    """What there is once the next run is through, and the sources have changed once more."""
    compiled(root, LATER, url)
    whole = tree(root)
    write_files(root, {"raw/notes.md": book("Notes", SOME, 3)})
    compiled(root, LATER + timedelta(days=1), url)
    return whole | {f"then {path}": text for path, text in tree(root).items()}


def sound(root: Path) -> None:
    """Every page parses, and so does the manifest."""
    pages, problems = load_pages(root / "wiki")
    assert not problems
    assert not [problem for page in pages for problem in page.problems]
    load_manifest(root)


def killed(root: Path, after: float, url: str = "", at: datetime = LATER) -> bool:
    """Whether a run was killed before its end, `after` seconds from its start."""
    run = forks.Process(target=compiled, args=(root, at, url))
    run.start()
    run.join(after)
    run.kill()
    run.join()
    return run.exitcode != 0


def differences(found: dict[str, str], wanted: dict[str, str]) -> list[str]:
    return sorted(path for path in found.keys() | wanted if found.get(path) != wanted.get(path))


def held(tmp_path: Path, url: str = "") -> int:
    """How many of `KILLS` runs were killed before their end; checks what the next ones make."""
    first = start(tmp_path / "start", url)
    shutil.copytree(first, tmp_path / "calm")
    began = time.monotonic()
    assert not killed(tmp_path / "calm", 60, url)
    took = time.monotonic() - began
    wanted = finished(tmp_path / "calm", url)
    moments = random.Random(4)
    broken = 0
    for _ in range(KILLS):
        root = tmp_path / "disturbed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(first, root)
        if killed(root, moments.uniform(0, took), url):
            broken += 1
        else:  # it ends sooner than the first one did
            took *= 0.9
        sound(root)
        if url:  # what the next run would ask for is at hand, to save time
            replies = ".citewiki/replies"
            shutil.copytree(tmp_path / "calm" / replies, root / replies, dirs_exist_ok=True)
        assert differences(finished(root, url), wanted) == []
        assert not list((root / "wiki").rglob(".*.tmp"))
    return broken


def test_a_run_that_is_killed_at_any_moment_is_finished_by_the_next(tmp_path: Path) -> None:
    assert held(tmp_path) > KILLS / 4


def test_a_run_with_a_model_that_is_killed_at_any_moment_is_finished_by_the_next(tmp_path):
    with serving(faithful) as server:
        assert held(tmp_path, server.url) > KILLS / 4


def test_a_run_out_of_disk_is_finished_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = start(tmp_path / "start")
    shutil.copytree(first, tmp_path / "calm")
    wanted = finished(tmp_path / "calm")
    real, told = os.fsync, set[str]()
    for writes in count():
        left = iter(range(writes))

        def fsync(descriptor: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real(descriptor)

        root = tmp_path / "disturbed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(first, root)
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            try:
                compiled(root, LATER)
                break
            except WriteError as error:
                told.add(error.reason)
        sound(root)
        assert differences(finished(root), wanted) == []
    assert told == {"no space left on the disk"}
    assert writes > len(OTHERS)


def test_two_runs_at_once_make_what_one_makes(tmp_path: Path) -> None:
    first = start(tmp_path / "start")
    shutil.copytree(first, tmp_path / "calm")
    runs = [forks.Process(target=compiled, args=(first, LATER)) for _ in range(2)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [run.exitcode for run in runs] == [0, 0]
    assert differences(finished(first), finished(tmp_path / "calm")) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_run_that_may_not_write_changes_nothing(tmp_path: Path) -> None:
    root = start(tmp_path / "start")
    before = tree(root)
    folders = [root / "wiki", *(path for path in (root / "wiki").rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    try:
        with pytest.raises(WriteError, match="not allowed to write here"):
            compiled(root, LATER)
        sound(root)
        pages = {path: text for path, text in tree(root).items() if path.endswith(".md")}
        assert pages.items() <= before.items()
    finally:
        for folder in folders:
            folder.chmod(0o755)
    calm = start(tmp_path / "calm")
    assert differences(finished(root), finished(calm)) == []
