"""Texts kept by key."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.store.kept import Kept


def test_what_is_kept_is_there_for_the_next_process(tmp_path: Path) -> None:
    Kept(tmp_path)["abc"] = "Việt 中文\r\n"
    assert Kept(tmp_path)["abc"] == "Việt 中文\r\n"
    assert list(Kept(tmp_path)) == ["abc"]


def test_what_is_forgotten_is_not_there(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept["abc"] = "x"
    del kept["abc"]
    assert "abc" not in kept
    assert len(kept) == 0
    with pytest.raises(KeyError):
        del kept["abc"]


def test_a_file_that_is_damaged_counts_as_not_kept(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    kept["abc"] = "x"
    (tmp_path / "ab" / "abc").write_bytes(b"\xff\xfe\x00")
    assert kept.get("abc") is None


@given(st.text(alphabet="./\\ab\0é", min_size=1, max_size=8))
def test_no_key_leads_out_of_the_folder(key: str) -> None:
    folder = Path("/nonexistent/kept")
    try:
        path = Kept(folder)._path(key)
    except KeyError:
        return
    assert path.is_relative_to(folder)
    assert ".." not in path.parts
