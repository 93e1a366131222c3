"""Tiny wikis from dictionaries of files."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("citewiki", deadline=None)  # shared machines stop and go
settings.load_profile("citewiki")

NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

MakeWiki = Callable[[Mapping[str, str | bytes]], Path]


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write `files` (path → text or bytes) under `root`; returns it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def needs(what: str, found: object, remedy: str) -> pytest.MarkDecorator:
    """Marks tests that are skipped where `what` is not `found`, with the `remedy` as the reason.

    Where CITEWIKI_REQUIRE names `what`, as it does in CI, they run and fail.
    """
    required = what in os.environ.get("CITEWIKI_REQUIRE", "").split(",")
    return pytest.mark.skipif(not found and not required, reason=remedy)


@contextmanager
def _loop_of_its_own(item: pytest.Item) -> Iterator[None]:
    """Hides the loop that Playwright leaves running in this thread once a browser was started.

    Nothing else could run one of its own until the end of the session.
    """
    loop = None if item.get_closest_marker("browser") else asyncio.events._get_running_loop()
    if loop:
        asyncio.events._set_running_loop(None)
    try:
        yield
    finally:
        if loop:
            asyncio.events._set_running_loop(loop)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Fixtures of tests without a browser do not see the browser's loop."""
    with _loop_of_its_own(item):
        return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Nor do the tests themselves."""
    with _loop_of_its_own(item):
        return (yield)


@pytest.fixture
def make_wiki(tmp_path: Path) -> MakeWiki:
    """A function that makes a wiki in a temporary folder from a dictionary of files."""

    def make(files: Mapping[str, str | bytes]) -> Path:
        root = write_files(tmp_path / "wiki-root", {"mkdocs.yml": "site_name: Test\n", **files})
        (root / "wiki").mkdir(exist_ok=True)
        (root / "raw").mkdir(exist_ok=True)
        return root

    return make


@pytest.fixture
def now() -> datetime:
    """The moment at which tests take place."""
    return NOW


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, which looks for nothing in the network by itself."""
    quiet = ("quic", "background-networking", "component-update", "sync", "gpu")
    return {
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in quiet)],
    }
