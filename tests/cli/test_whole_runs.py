"""Whole runs of `compile` against a server that speaks the Messages API, well or badly."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import pytest

from citewiki.cli import compiling
from citewiki.sources.manifest import load_manifest
from citewiki.store.pages import load_pages
from citewiki.store.review import items
from tests.cli.conftest import Run
from tests.conftest import MakeWiki
from tests.llm.server import (
    BUSY,
    HTML,
    NO_JSON,
    OVERLOADED,
    REFUSAL,
    Served,
    Wire,
    cut_off,
    failure,
    faithful,
    serving,
)

NOTE = (
    "# Search\n\n## BM25\n\nBM25 is a ranking function of 1994. It weighs rare words more.\n\n"
    "## Fusion\n\nRank fusion merges several lists into one. Its constant is 60.\n\n"
    "## Chunking\n\nChunking cuts a long text into passages of 200 words.\n"
)


@pytest.fixture
def root(make_wiki: MakeWiki, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    return make_wiki({"raw/ml/notes.md": NOTE})


def compile_with(run: Run, root: Path, server: Served, *options: str) -> Any:
    """A run against the server: how it ended, and what it says of itself in JSON."""
    (root / "pyproject.toml").write_text(
        f'[tool.citewiki.engine]\nbase_url = "{server.url}"\nretries = 2\ntimeout = 5\n'
    )
    ran = run("compile", "--wiki", root, "--engine", "anthropic", "--json", *options)
    assert "Traceback" not in ran.err
    return ran


def pages(root: Path) -> list[str]:
    found, problems = load_pages(root / "wiki")
    assert not problems
    return sorted(page.slug for page in found)


def reasons(root: Path) -> dict[str, str]:
    """Why sections are no pages, by their titles."""
    (record,) = load_manifest(root).values()
    return {each.title: each.reason for each in record.sections if each.status != "compiled"}


ALL = ["bm25", "chunking", "fusion"]


def about(request: dict[str, Any], title: str) -> bool:
    return f'title="{title}"' in json.dumps(request["messages"], ensure_ascii=False).replace(
        '\\"', '"'
    )


def test_a_run_makes_a_page_of_every_section_and_the_next_asks_nothing(root: Path, run: Run):
    with serving(faithful) as server:
        done = compile_with(run, root, server)
        asked = len(server.requests)
        again = compile_with(run, root, server)
    assert (done.status, pages(root), reasons(root)) == (0, ALL, {})
    assert done.json["usage"]["usd"] > 0
    assert (again.json["made"], len(server.requests)) == ([], asked)


def test_a_server_that_is_busy_costs_time_only(root: Path, run: Run):
    said: Iterator[Wire | None] = chain((BUSY, OVERLOADED, BUSY), repeat(None))
    with serving(lambda request: next(said) or faithful(request)) as server:
        done = compile_with(run, root, server)
    assert (done.status, pages(root)) == (0, ALL)


@pytest.mark.parametrize(
    "wire", [BUSY, OVERLOADED, failure(500), failure(401, "authentication_error")]
)
def test_a_server_that_serves_nobody_stops_the_run_and_the_next_goes_on(
    root: Path, run: Run, wire: Wire
):
    with serving(lambda request: wire) as server:
        done = compile_with(run, root, server)
    assert done.status == 1
    assert done.json["stopped"]
    assert "run it again to go on" in done.err
    assert (pages(root), set(reasons(root).values())) == ([], {""})
    with serving(faithful) as server:
        assert compile_with(run, root, server).status == 0
    assert pages(root) == ALL


@pytest.mark.parametrize(
    "wire", [HTML, NO_JSON, REFUSAL, Wire(text="Sure! Here it is."), cut_off('{"title": "Fus')]
)
def test_a_section_that_a_model_does_not_manage_says_why_and_the_others_are_made(
    root: Path, run: Run, wire: Wire
):
    with serving(lambda request: wire if about(request, "Fusion") else faithful(request)) as server:
        compile_with(run, root, server)
    assert pages(root) == ["bm25", "chunking"]
    assert list(reasons(root)) == ["Fusion"]
    assert reasons(root)["Fusion"]
    with serving(faithful) as server:
        compile_with(run, root, server)
    assert pages(root) == ALL


def test_what_the_section_does_not_say_never_becomes_a_page(root: Path, run: Run):
    def liar(request: dict[str, Any]) -> str:
        return (
            faithful(request).replace("1994", "1884").replace("Its constant", "Its best constant")
        )

    with serving(liar) as server:
        compile_with(run, root, server)
    text = "".join(path.read_text() for path in (root / "wiki").rglob("*.md"))
    assert "1884" not in text
    assert "best constant" not in text


def test_a_budget_that_no_call_fits_in_asks_nothing_and_the_next_run_goes_on(root: Path, run: Run):
    with serving(faithful) as server:
        done = compile_with(run, root, server, "--budget", "0.05")
        assert (done.status, pages(root), server.requests) == (1, [], [])
        assert "run it again to go on" in done.err
        assert compile_with(run, root, server, "--budget", "5").json["usage"]["usd"] < 5
    assert pages(root) == ALL


def test_a_batch_makes_the_same_pages(root: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(compiling, "PAUSE", 0.0)
    with serving(faithful) as server:
        done = compile_with(run, root, server, "--batch")
    assert (done.status, pages(root), reasons(root)) == (0, ALL, {})
    assert server.requests == []
    assert sum(map(len, server.batches.values())) == 6


def test_drafts_for_review_and_for_a_branch_touch_no_page(root: Path, run: Run):
    subprocess.run(["git", "-C", str(root), "init", "--quiet"], check=True)
    with serving(faithful) as server:
        done = compile_with(run, root, server, "--review")
        assert len(done.json["waiting"]) == 3
        asked = len(server.requests)
        compile_with(run, root, server, "--branch", "drafts")
        assert len(server.requests) == asked
    assert pages(root) == []
    assert run("review", "accept", "--all", "--wiki", root).status == 0
    assert (pages(root), items(root / ".citewiki")) == (ALL, [])
