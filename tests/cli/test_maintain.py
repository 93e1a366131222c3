"""`citewiki audit`, `breakdown` and `reorganize` as the shell runs them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from citewiki.distill.maintain.queueing import AUDIT_EVERY
from citewiki.markdown.structure import sentences
from citewiki.store.pages import load_pages, render_page
from tests.cli.conftest import Run
from tests.conftest import MakeWiki, write_files
from tests.distill.models import claim, objections
from tests.distill.models import page as reply
from tests.distill.test_audit import BLOATED, page, written
from tests.distill.test_breakdown import NOTES
from tests.distill.test_reorganize import COPIES, ORIGINALS
from tests.llm.server import failure, serving

Files = dict[str, bytes]


@pytest.fixture
def wiki(make_wiki: MakeWiki) -> Path:
    """A wiki with two copies, a bloated page, and originals that say what they quote."""
    root = written(make_wiki, *COPIES, page("big", BLOATED.replace("raw/", "other/")))
    return write_files(root, ORIGINALS)


def files(root: Path) -> Files:
    return {str(path): path.read_bytes() for path in (root / "wiki/ml").rglob("*.md")}


# -- audit --------------------------------------------------------------------------------------


def test_an_audit_tells_evidence_and_proposals_and_writes_drafts_only(wiki: Path, run: Run):
    before = files(wiki)
    ran = run("audit", "--wiki", wiki)
    assert ran.status == 0
    assert "duplicate  wiki/ml/merging-ranks.md: “Fusion”: 100% of their phrases" in ran.out
    assert "→ merge: Fusion  [" in ran.out
    assert "bloated    wiki/ml/big.md" in ran.out
    assert "4 drafts to review" in ran.err
    assert files(wiki) == before
    assert (
        "audited 3 pages: 1 bloated, 1 duplicate, 3 orphaned" in (wiki / "wiki/log.md").read_text()
    )


def test_an_audit_as_json(wiki: Path, run: Run):
    found = run("audit", "--wiki", wiki, "--json").json
    kinds = {each["slug"]: each["kind"] for each in found["findings"] if each["draft"]}
    assert kinds == {"merging-ranks": "duplicate", "big": "bloated"}
    assert len(found["waiting"]) == 4


def test_drafts_of_an_audit_are_accepted_as_any_others(wiki: Path, run: Run):
    run("audit", "--wiki", wiki)
    assert run("review", "accept", "--all", "--wiki", wiki).status == 0
    pages = {each.slug: each for each in load_pages(wiki / "wiki")[0]}
    assert {"storing", "reading"} <= set(pages)
    assert pages["merging-ranks"].superseded_by == "fusion"


def test_compile_says_when_an_audit_is_due(make_wiki: MakeWiki, run: Run):
    root = make_wiki(
        {f"raw/n{n}.md": f"# Note {n}\n\nNote {n} says {n}.\n" for n in range(AUDIT_EVERY)}
    )
    assert (
        f"{AUDIT_EVERY} sources taken in since the last audit" in run("compile", "--wiki", root).err
    )
    assert run("audit", "--wiki", root).status == 0
    assert "audit" not in run("compile", "--wiki", root).err


# -- breakdown ----------------------------------------------------------------------------------


@pytest.fixture
def notes(make_wiki: MakeWiki, run: Run) -> Path:
    root = make_wiki(NOTES)
    assert run("compile", "--wiki", root).status == 0
    return root


def test_candidates_are_listed_with_the_sentences_that_mention_them(notes: Path, run: Run):
    ran = run("breakdown", "--wiki", notes)
    assert "vector index  (4 pages)" in ran.out
    listed = run("breakdown", "--wiki", notes, "--json").json
    (found,) = [each for each in listed if each["name"] == "vector index"]
    assert set(found["pages"]) == {"hybrid-search", "reranking", "sharding", "backups"}
    assert found["mentions"][0].keys() == {"slug", "title", "sentence"}


def test_named_concepts_become_drafts(notes: Path, run: Run):
    before = files(notes)
    ran = run("breakdown", "vector index", "--wiki", notes, "--json")
    assert [each["path"] for each in ran.json["drafts"]] == ["ml/vector-index.md"]
    assert files(notes) == before
    assert "Vector index" in run("review", "--wiki", notes).out


def test_the_first_candidates_become_drafts(notes: Path, run: Run):
    assert run("breakdown", "--make", "1", "--wiki", notes).status == 0
    assert run("breakdown", "x", "--make", "1", "--wiki", notes).status == 2
    assert run("breakdown", "Nothing such", "--wiki", notes).status == 1


# -- reorganize ---------------------------------------------------------------------------------


def test_a_plan_is_shown_with_its_replay_and_changes_nothing(wiki: Path, run: Run):
    before = files(wiki)
    ran = run("reorganize", "--wiki", wiki)
    assert (
        "merge    wiki/ml/merging-ranks.md: “Merging ranks” → fusion  (2/2 quotes stand)" in ran.out
    )
    assert "3 pages: 1 keep, 1 merge, 1 split" in ran.err
    assert "0 lost" in ran.err
    assert files(wiki) == before
    plan = run("reorganize", "--wiki", wiki, "--json").json["plan"]
    assert [row["slug"] for row in plan] == ["big", "fusion", "merging-ranks"]


def test_a_plan_is_applied_when_confirmed(wiki: Path, run: Run):
    assert run("reorganize", "--apply", "--wiki", wiki).status == 2  # nobody can be asked
    ran = run("reorganize", "--apply", "--yes", "--skip", "big", "--wiki", wiki)
    assert (ran.status, "1 pages changed" in ran.err) == (0, True)
    pages = {each.slug: each for each in load_pages(wiki / "wiki")[0]}
    assert set(pages) == {"big", "fusion", "merging-ranks"}
    assert pages["fusion"].supersedes == ("merging-ranks",)


def test_a_plan_may_go_to_review_instead(wiki: Path, run: Run):
    before = files(wiki)
    waiting = run("reorganize", "--review", "Merging ranks", "--wiki", wiki, "--json").json[
        "waiting"
    ]
    assert (len(waiting), files(wiki)) == (1, before)


def test_a_plan_that_loses_a_question_is_refused_unless_forced(make_wiki: MakeWiki, run: Run):
    document = "# Rotating parts of a machine\n\n## Engines\n\nEngines are machines.\n"
    root = make_wiki(
        {
            "raw/ml/parts.md": document + "\n## Wheels\n\nWheels are round.\n",
            "wiki/ml/spindles.md": render_page(page("spindles", "Rotating parts of a machine.")),
            "questions.txt": "rotating parts of a machine\n",
            "pyproject.toml": '[tool.citewiki]\nquestions = "questions.txt"\n',
        }
    )
    run("compile", "--wiki", root)
    engines = root / "wiki/ml/engines.md"
    engines.write_text(engines.read_text().replace("title: Engines", "title: Introduction"))
    ran = run("reorganize", "--apply", "--yes", "Introduction", "--wiki", root)
    assert (ran.status, "not applied" in ran.err) == (1, True)
    assert "lost     “" in ran.out
    assert "spindles → engines" in ran.out
    assert "title: Introduction" in engines.read_text()
    assert (
        run("reorganize", "--apply", "--yes", "--force", "Introduction", "--wiki", root).status == 0
    )
    assert "title: 'Rotating parts" in engines.read_text().replace('"', "'")


# -- with a language model ----------------------------------------------------------------------


def faithful(request: dict[str, Any]) -> str:
    """A good model behind a real server: writes a section's sentences, finds no fault."""
    told = "\n".join(part["text"] for part in request["messages"][0]["content"])
    if "<draft" in told:
        return objections()
    section = re.search(r"<section[^>]*>\n(.*?)\n</section>", told, re.DOTALL)
    if section is None:
        return json.dumps({"changes": []})
    return reply("Vector index", *(claim(each.text) for each in sentences(section[1])))


def test_a_model_writes_the_drafts(notes: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with serving(faithful) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        made = run("breakdown", "vector index", "--engine", "anthropic", "--wiki", notes)
        assert (made.status, "Vector index" in made.out) == (0, True)
        looked = run("audit", "--engine", "anthropic", "--wiki", notes, "--json")
        assert looked.status == 0
        planned = run("reorganize", "--engine", "anthropic", "--wiki", notes, "--json")
        assert {row["action"] for row in planned.json["plan"]} == {"keep"}
    shown = run("review", "show", made.out.split()[0], "--wiki", notes).out
    assert "A vector index is a structure" in shown


def test_a_server_that_fails_leaves_the_wiki_as_it_is(
    notes: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    before = files(notes)
    with serving(lambda request: failure(400, "invalid_request_error")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        made = run("breakdown", "vector index", "--engine", "anthropic", "--wiki", notes)
        planned = run("reorganize", "--engine", "anthropic", "--wiki", notes)
    assert (made.status, planned.status, files(notes)) == (1, 1, before)
    assert "engine" in made.err
