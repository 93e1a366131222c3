"""Tiny wikis from dictionaries of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("citewiki", deadline=None)  # shared machines stop and go
settings.load_profile("citewiki")

NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)

MakeWiki = Callable[[Mapping[str, str | bytes]], Path]


def write_files(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write `files` (path → text or bytes) under `root`; returns it."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


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
