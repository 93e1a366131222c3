"""`citewiki history`: the life of a page along both times."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import MakeWiki

PAGE = (
    "---\ntitle: Pump\ningested_at: 2026-01-10\nlast_verified_at: 2026-01-12\n"
    "valid_from: 2025-06-01\n---\nThe pump holds 40 litres.\n"
)


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(
        {"wiki/pump.md": PAGE, "wiki/pump-2.md": "# Pump two\n\nIt holds 60 litres.\n"}
    )


def commit(root: Path, message: str) -> None:
    who = {"GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "a@example.org"}
    who |= {"GIT_COMMITTER_NAME": "Ann", "GIT_COMMITTER_EMAIL": "a@example.org"}
    for arguments in (["init", "-q"], ["add", "wiki"], ["commit", "-q", "-m", message]):
        environment = {**os.environ, **who}
        subprocess.run(["git", *arguments], cwd=root, check=True, env=environment)


def test_a_life_goes_along_both_times_with_what_the_log_says(root: Path, run: Run):
    run("reverify", "pump", "--by", "ann", "--as", "ann", "--wiki", root)
    run("supersede", "pump", "Pump two", "--why", "sold", "--as", "ann", "--wiki", root)
    run("archive", "pump", "--as", "ann", "--wiki", root)
    life = run("history", "pump", "--wiki", root, "--json").json
    told = [(event["time"], event["what"], event["who"]) for event in life]
    assert told[:3] == [
        ("decision", "holds from here on", ""),
        ("system", "taken in", ""),
        ("system", "verified", ""),
    ]
    assert ("system", "verified", "human:ann") in told
    assert ("system", "superseded by pump-2", "") in told
    assert ("decision", "holds no longer", "") in told
    assert ("log", "superseded “Pump” (pump) by “Pump two” (pump-2): sold", "ann") in told
    assert ("log", "archived “Pump” (pump)", "ann") in told
    assert [event["at"] for event in life] == sorted(event["at"] for event in life)
    successor = run("history", "pump-2", "--wiki", root).out
    assert "superseded “Pump” (pump) by “Pump two”" in successor
    assert "archived" not in successor


def test_commits_are_part_of_a_life_also_under_the_names_of_before(root: Path, run: Run):
    commit(root, "Pump taken in")
    run("archive", "pump", "--wiki", root)
    commit(root, "Pump put away")
    told = [
        (event["what"].partition(" ")[2], event["who"])
        for event in run("history", "pump", "--wiki", root, "--json").json
        if event["time"] == "git"
    ]
    assert told == [("Pump taken in", "Ann"), ("Pump put away", "Ann")]


def test_a_deleted_page_has_a_history_as_well(root: Path, run: Run):
    run("archive", "pump", "--wiki", root)
    run("delete", "pump", "--yes", "--why", "wrong", "--wiki", root)
    told = [event["what"] for event in run("history", "pump", "--wiki", root, "--json").json]
    assert told == [
        "archived “Pump” (pump)",
        "deleted “Pump” (pump), wiki/_archive/pump.md: wrong",
    ]
