"""`compile` and `ingest`: drafts for review, estimates, limits."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import MakeWiki

NOTE = (
    "# Search\n\n## BM25\n\nBM25 is a ranking function. It was shown in 1994.\n\n"
    "## Fusion\n\nRank fusion merges several lists into one.\n"
)


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki({"raw/ml/notes.md": NOTE})


def pages(root: Path) -> list[str]:
    return sorted(path.name for path in (root / "wiki").glob("*/*.md"))


def test_a_dry_run_says_what_it_would_cost_and_makes_nothing(root: Path, run: Run):
    ran = run("compile", "--wiki", root, "--engine", "anthropic", "--dry-run", "--json")
    assert ran.status == 0
    assert (ran.json["sections"], ran.json["calls"]) == (2, 6)
    assert ran.json["usd"] < ran.json["usd_at_most"]
    assert "about $0.0" in ran.err
    assert pages(root) == []


def test_a_dry_run_of_the_built_in_way_costs_nothing(root: Path, run: Run):
    ran = run("compile", "--wiki", root, "--dry-run", "--json")
    assert (ran.json["sections"], ran.json["calls"], ran.json["usd"]) == (2, 0, 0.0)


def test_with_review_drafts_wait_and_nothing_is_written(root: Path, run: Run):
    ran = run("compile", "--wiki", root, "--review", "--json")
    assert ran.status == 0
    assert len(ran.json["waiting"]) == 2
    assert "2 drafts to review" in ran.err
    assert pages(root) == []


def test_with_a_branch_every_draft_is_a_commit_that_names_its_evidence(root: Path, run: Run):
    def git(*words: str) -> str:
        return subprocess.run(
            ["git", "-C", str(root), *words], check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    ran = run("compile", "--wiki", root, "--branch", "drafts")
    assert ran.status == 0
    assert "2 commits on drafts" in ran.err
    assert pages(root) == []
    log = git("log", "--format=%B", "drafts")
    assert "raw/ml/notes.md, § BM25: “BM25 is a ranking function.”" in log


@pytest.mark.parametrize("option", [("--budget", "1"), ("--batch",)])
def test_limits_of_money_need_a_model(root: Path, run: Run, option: tuple[str, ...]):
    ran = run("compile", "--wiki", root, *option)
    assert ran.status == 2
    assert "language model" in ran.err


def test_without_a_key_one_line_says_so_and_nothing_is_made(
    root: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    ran = run("compile", "--wiki", root, "--engine", "anthropic")
    assert ran.status == 1
    assert "ANTHROPIC_API_KEY" in ran.err
    assert pages(root) == []
