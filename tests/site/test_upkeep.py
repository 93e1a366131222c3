"""The workflow that looks after pages: what it runs, and what it makes of what it finds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.site.conftest import REPOSITORY

TEMPLATE = files("citewiki.cli") / "template/.github/workflows/upkeep.yml"
GH = """#!/bin/sh
echo "$*" >> calls
[ "$1 $2" = "issue list" ] && cat open
exit 0
"""

DECAY = [{"slug": "a", "title": "A", "path": "ml/a.md", "reasons": ["held until 2026-05-01"]}]
DRIFT = [
    {
        "pages": ["b", "c"],
        "titles": ["B", "C"],
        "quotes": ["x", "y"],
        "message": "“B” says `@everyone`\n# 1, “C” says $(date) 2",
    }
]


def steps(text: str) -> list[dict[str, Any]]:
    """The steps of the workflow's one job."""
    found: list[dict[str, Any]] = yaml.safe_load(text)["jobs"]["list"]["steps"]
    return found


def test_this_repository_and_new_wikis_have_the_same_one() -> None:
    own = (REPOSITORY / ".github/workflows/upkeep.yml").read_text("utf-8")
    given = TEMPLATE.read_text("utf-8")
    assert [line for line in own.splitlines() if "make setup" not in line] == [
        line for line in given.splitlines() if "pip install" not in line
    ]


def test_it_may_only_read_and_write_issues_and_uses_no_action_of_others() -> None:
    workflow = yaml.safe_load(TEMPLATE.read_text("utf-8"))
    assert workflow["permissions"] == {"contents": "read", "issues": "write"}
    used = [step["uses"] for step in steps(TEMPLATE.read_text("utf-8")) if "uses" in step]
    assert all(name.startswith("actions/") for name in used)


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """Runs the last step on given findings; returns the calls of gh, and the issue's text."""
    if shutil.which("jq") is None:
        pytest.skip("jq is not installed: apt install jq")

    def made(decay: object, drift: object, open_issue: str = "") -> tuple[list[str], str]:
        (tmp_path / "decay.json").write_text(json.dumps(decay), encoding="utf-8")
        (tmp_path / "drift.json").write_text(json.dumps(drift), encoding="utf-8")
        (tmp_path / "open").write_text(open_issue, encoding="utf-8")
        (tmp_path / "gh").write_text(GH, encoding="utf-8")
        (tmp_path / "gh").chmod(0o755)
        script = steps(TEMPLATE.read_text("utf-8"))[-1]["run"]
        path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            check=True,
        )
        body = tmp_path / "body.md"
        calls = (tmp_path / "calls").read_text("utf-8").splitlines()
        return calls, body.read_text("utf-8") if body.exists() else ""

    return made


def test_findings_open_one_issue_that_lists_them(run: Any) -> None:
    calls, body = run(DECAY, DRIFT)
    assert [call.split(" --")[0] for call in calls] == [
        "issue list",
        "label create upkeep",
        "issue create",
    ]
    assert "## Pages to look at: 1\n\n- `a` `held until 2026-05-01`\n" in body
    assert "- `b` and `c`: `“B” says @everyone # 1, “C” says $(date) 2`" in body


def test_an_open_issue_is_written_anew(run: Any) -> None:
    calls, body = run([], DRIFT, "7\n")
    assert calls[1:] == ["issue edit 7 --body-file body.md"]
    assert "Pages to look at" not in body


def test_nothing_to_look_at_closes_it_or_leaves_all_as_it_is(run: Any) -> None:
    assert run([], [], "7\n")[0][1:] == ["issue close 7 --comment Nothing is left to look at."]


def test_nothing_to_look_at_and_no_issue_is_nothing_to_do(run: Any) -> None:
    assert len(run([], [])[0]) == 1


def test_a_long_list_is_cut_and_says_how_much_is_left(run: Any) -> None:
    _, body = run([{**DECAY[0], "reasons": ["x" * 900]}] * 1000, DRIFT)
    assert "- and 800 more" not in body  # past the end
    assert len(body.encode()) < 65_536  # what GitHub takes
    assert "- and 800 more" in run(DECAY * 1000, [])[1]
