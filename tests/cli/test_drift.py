"""`citewiki drift`, and `ask` on pages that disagree."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from citewiki.cli.app import app
from tests.cli.conftest import Run
from tests.conftest import MakeWiki, write_files

PAGES = {
    "wiki/norland.md": "---\ntitle: Norland\nvalid_from: 2026-01-01T00:00:00Z\n"
    "source_authority: docs\nlast_verified_at: 2026-03-04\n---\n"
    "The capital of Norland is [[Aveny]].\n",
    "wiki/cities.md": "---\ntitle: Cities of the north\nvalid_from: 2020-01-01T00:00:00Z\n"
    "ingested_at: 2021-02-03\n---\n"
    "The capital of Norland is Bergholm. Norland supports old cities.\n",
}


@pytest.fixture
def wiki(make_wiki: MakeWiki) -> Path:
    return make_wiki(PAGES)


def test_drift_prints_who_says_what_with_the_words_of_both(run: Run, wiki: Path) -> None:
    ran = run("drift", "--wiki", wiki)
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "1  “Norland” says Aveny, “Cities of the north” says Bergholm",
        "    norland: “The capital of Norland is [[Aveny]].”",
        "        source: docs · from 2026-01-01 · verified 2026-03-04",
        "    cities: “The capital of Norland is Bergholm.”",
        "        source: unknown · from 2020-01-01 · known since 2021-02-03",
    ]


def test_drift_as_json_gives_verbatim_quotes(run: Run, wiki: Path) -> None:
    [drift] = run("drift", "--wiki", wiki, "--json").json
    assert drift["pages"] == ["norland", "cities"]
    assert drift["quotes"][0] in PAGES["wiki/norland.md"]


def test_ask_refuses_where_pages_disagree_and_names_both(run: Run, wiki: Path) -> None:
    ran = run("ask", "--wiki", wiki, "--json", "What is the capital of Norland?")
    assert ran.status == 3
    refusal = ran.json["refusal"]
    assert refusal["kind"] == "conflict"
    assert set(refusal["available"]) == {"Norland", "Cities of the north"}
    assert "Aveny" in refusal["message"]
    assert "Bergholm" in refusal["message"]


def test_ask_lets_the_newest_page_win_if_told_to(run: Run, wiki: Path) -> None:
    ran = run("ask", "--wiki", wiki, "--drift", "auto", "--json", "What is the capital of Norland?")
    assert ran.status == 0
    assert "Aveny" in ran.json["answer"]
    assert "Bergholm" not in ran.json["answer"]
    assert len(ran.json["drift"]) == 1


def text(wiki: Path, name: str) -> str:
    return (wiki / "wiki" / name).read_text(encoding="utf-8")


def test_drift_as_json_gives_authority_and_times_of_both_sides(run: Run, wiki: Path) -> None:
    [drift] = run("drift", "--wiki", wiki, "--json").json
    assert drift["number"] == 1
    assert [side["slug"] for side in drift["sides"]] == drift["pages"]
    assert drift["sides"][0]["source_authority"] == "docs"
    assert drift["sides"][1]["valid_from"] == "2020-01-01T00:00:00Z"


def test_only_pages_that_hold_at_a_time_disagree_then(run: Run, wiki: Path) -> None:
    assert run("drift", "--wiki", wiki, "--as-of", "2025-12-31", "--json").json == []
    assert len(run("drift", "--wiki", wiki, "--as-of", "2026-01-01", "--json").json) == 1
    assert run("drift", "--wiki", wiki, "--known-at", "2021-02-02", "--json").json == []


def test_the_newer_page_supersedes_the_older_one(run: Run, wiki: Path) -> None:
    ran = run("drift", "--wiki", wiki, "--resolve", "1", "newer", "--why", "moved")
    assert ran.status == 0
    assert "superseded_by: norland" in text(wiki, "cities.md")
    assert "moved" in text(wiki, "log.md")
    assert run("drift", "--wiki", wiki, "--json").json == []
    answer = run("ask", "--wiki", wiki, "--json", "What is the capital of Norland?").json
    assert "Aveny" in answer["answer"]


def test_both_hold_when_one_ends_where_the_other_begins(run: Run, wiki: Path) -> None:
    ran = run("drift", "--wiki", wiki, "--resolve", "1", "scope", "--until", "2026-01-01")
    assert ran.status == 0
    assert "valid_until: 2026-01-01T00:00:00Z" in text(wiki, "cities.md")
    assert run("drift", "--wiki", wiki, "--json").json == []


def test_a_note_of_scope_settles_a_pair_until_a_sentence_changes(run: Run, wiki: Path) -> None:
    said = ("--resolve", "1", "scope", "--note", "in winter", "--page", "norland")
    assert run("drift", "--wiki", wiki, *said).status == 0
    assert "note: in winter" in text(wiki, "norland.md")
    assert run("drift", "--wiki", wiki, "--json").json == []
    answer = run("ask", "--wiki", wiki, "--json", "What is the capital of Norland?").json
    assert answer["status"] == "answered"
    assert [warning["kind"] for warning in answer["warnings"]] == ["condition"]
    assert "in winter" in answer["warnings"][0]["message"]
    page = wiki / "wiki/cities.md"
    page.write_text(page.read_text().replace("Bergholm", "Carlsund"))
    assert len(run("drift", "--wiki", wiki, "--json").json) == 1


def test_a_note_of_scope_is_taken_back(run: Run, wiki: Path) -> None:
    before = text(wiki, "cities.md")
    run("drift", "--wiki", wiki, "--resolve", "1", "scope", "--note", "in winter")
    assert run("drift", "--wiki", wiki, "--reopen", "cities").status == 0
    assert text(wiki, "cities.md") == before
    assert len(run("drift", "--wiki", wiki, "--json").json) == 1


def test_one_of_a_pair_is_put_away(run: Run, wiki: Path) -> None:
    ran = run("drift", "--wiki", wiki, "--resolve", "1", "archive", "--page", "norland")
    assert ran.status == 0
    assert (wiki / "wiki/_archive/norland.md").exists()
    assert run("drift", "--wiki", wiki, "--json").json == []


@pytest.mark.parametrize("how", [("leave",), ("newer", "--dry-run"), ("archive", "--dry-run")])
def test_what_is_left_open_or_only_tried_changes_nothing(
    run: Run, wiki: Path, how: tuple[str, ...]
) -> None:
    before = {path: path.read_bytes() for path in (wiki / "wiki").rglob("*.md")}
    assert run("drift", "--wiki", wiki, "--resolve", "1", *how).status == 0
    assert {path: path.read_bytes() for path in (wiki / "wiki").rglob("*.md")} == before


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("--resolve", "2", "newer"), "there is no pair 2"),
        (("--resolve", "1", "newer", "--resolve", "2", "newer"), "there is no pair 2"),
        (("--resolve", "1", "newer", "--resolve", "1", "archive"), "pair 1 is decided twice"),
        (("--resolve", "1", "scope"), "--note TEXT"),
        (("--resolve", "1", "archive", "--page", "nobody"), "the pair is norland and cities"),
        (("--resolve", "1", "scope", "--until", "2019-01-01"), "before it starts"),
        (("--resolve", "1", "scope", "--until", "2020-01-01"), "before it starts"),
        (("--resolve", "1", "scope", "--until", "soon"), "2026-05-12"),
        (("--resolve", "1", "newer", "--viewer", "*"), "no --viewer"),
        (("--reopen", "norland"), "has no note"),
        (("--reopen", "norlan"), "Norland"),
    ],
)
def test_a_decision_that_cannot_be_carried_out_is_told_and_changes_nothing(
    run: Run, wiki: Path, said: tuple[str, ...], told: str
) -> None:
    before = {path: path.read_bytes() for path in (wiki / "wiki").rglob("*.md")}
    ran = run("drift", "--wiki", wiki, *said)
    assert ran.status in (1, 2)
    assert told in ran.err
    assert {path: path.read_bytes() for path in (wiki / "wiki").rglob("*.md")} == before


def test_what_was_done_before_a_decision_that_it_rules_out_is_told(run: Run, wiki: Path) -> None:
    third = PAGES["wiki/norland.md"].replace("title: Norland", "title: Norland today")
    write_files(wiki, {"wiki/today.md": third.replace("Aveny", "Corin")})
    found = run("drift", "--wiki", wiki, "--json").json
    older = [each["number"] for each in found if each["pages"][1] == "cities"]
    assert len(older) == 2
    said = [word for number in older for word in ("--resolve", number, "newer")]
    ran = run("drift", "--wiki", wiki, *said)
    assert ran.status == 1
    assert ran.out.count("superseded “Cities of the north”") == 1
    assert "is superseded by" in ran.err


@pytest.mark.parametrize(
    ("typed", "name", "kept"),
    [
        ("n\n", "cities.md", "superseded_by: norland"),
        ("s\nnorland\nup north\n", "norland.md", "note: up north"),
        ("s\n\nuntil 2026-01-01\n", "cities.md", "valid_until: 2026-01-01T00:00:00Z"),
        ("s\nnorland\nfrom 2026-02-01\n", "norland.md", "valid_from: 2026-02-01T00:00:00Z"),
        ("a\nnorland\n", "_archive/norland.md", "archived_at: "),
    ],
)
def test_a_pair_is_decided_when_asked(wiki: Path, typed: str, name: str, kept: str) -> None:
    ran = CliRunner().invoke(app, ["drift", "-i", "--wiki", str(wiki)], input=typed)
    assert ran.exit_code == 0
    assert kept in text(wiki, name)


def test_what_cannot_be_done_is_told_and_asking_goes_on(wiki: Path) -> None:
    typed = "s\n\nuntil 2019-01-01\n"
    ran = CliRunner().invoke(app, ["drift", "-i", "--wiki", str(wiki)], input=typed)
    assert ran.exit_code == 0
    assert "nothing was changed: cities: would end" in ran.output
    assert "valid_until" not in text(wiki, "cities.md")


def test_asking_ends_when_told_to(wiki: Path) -> None:
    ran = CliRunner().invoke(app, ["drift", "-i", "--wiki", str(wiki)], input="q\n")
    assert ran.exit_code == 0
    assert "superseded" not in text(wiki, "cities.md")


def test_lint_warns_of_open_drift_at_the_sentence(run: Run, wiki: Path) -> None:
    ran = run("lint", "--wiki", wiki, "--json")
    [problem] = [each for each in ran.json if each["code"] == "drift"]
    assert (problem["path"], problem["severity"]) == ("wiki/norland.md", "warning")
    assert text(wiki, "norland.md").splitlines()[problem["line"] - 1].startswith("The capital")
    assert "wiki/cities.md" in problem["message"]
    codes = [each["code"] for each in run("lint", "--wiki", wiki, "--json", "--no-drift").json]
    assert "drift" not in codes
