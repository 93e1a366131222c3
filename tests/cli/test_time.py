"""`--as-of`, `--known-at` and `--allow-stale`: what held, what was known, and what is outdated."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.conftest import MakeWiki

ASKED = "What is the retention period of archived pages?"
PAGES = {
    "wiki/first.md": "---\ntitle: Retention 2020\nslug: first\ningested_at: 2020-01-01\n"
    "valid_from: 2020-01-01\nvalid_until: 2021-01-01\nsuperseded_by: second\n"
    "superseded_at: 2021-01-02\n---\nThe retention period of archived pages is 90 days.\n",
    "wiki/second.md": "---\ntitle: Retention 2021\nslug: second\ningested_at: 2021-01-02\n"
    "valid_from: 2021-01-01\nvalid_until: 2022-01-01\nsuperseded_by: third\nsupersedes: [first]\n"
    "superseded_at: 2022-01-02\n---\nThe retention period of archived pages is 180 days.\n",
    "wiki/third.md": "---\ntitle: Keeping rules\nslug: third\ningested_at: 2022-01-02\n"
    "valid_from: 2022-01-01\nsupersedes: [second]\n---\n"
    "How long is a thing kept? A year: the retention period of archived pages is 365 days.\n",
    "wiki/other.md": "---\ntitle: Backups\nslug: other\n---\nSee [[Retention 2020]].\n",
}


@pytest.fixture
def wiki(make_wiki: MakeWiki) -> Path:
    return make_wiki(PAGES)


@pytest.mark.parametrize(
    ("when", "says", "since"),
    [
        ((), "365 days", []),
        (("--as-of", "2020-12-31"), "90 days", ["third"]),
        (("--as-of", "2021-01-01"), "180 days", ["third"]),
        (("--as-of", "2021-01-01T06:59:00+07:00"), "90 days", ["third"]),
        (("--as-of", "2030-01-01"), "365 days", []),
        (("--known-at", "2020-06-01"), "90 days", []),
        (("--known-at", "2021-06-01"), "180 days", []),
        (("--as-of", "2021-06-01", "--known-at", "2020-06-01"), "90 days", []),
        (("--as-of", "2020-06-01", "--known-at", "2021-06-01"), "90 days", ["second"]),
    ],
)
def test_ask_cites_the_page_that_was_right_then_and_says_what_superseded_it(
    run: Run, wiki: Path, when: tuple[str, ...], says: str, since: list[str]
) -> None:
    answer = run("ask", "--wiki", wiki, "--json", ASKED, *when).json
    assert says in answer["answer"]
    assert [each["newest"] for each in answer.get("warnings", ())] == since


def test_the_text_of_an_answer_names_what_superseded_its_page(run: Run, wiki: Path) -> None:
    said = run("ask", "--wiki", wiki, ASKED, "--as-of", "2020-05-01").out
    assert "“Retention 2020” held until 2021-01-01 and is superseded by “Keeping rules”" in said


def test_the_newest_of_a_chain_is_asked_although_no_word_finds_it(
    run: Run, make_wiki: MakeWiki
) -> None:
    root = make_wiki(
        {
            "wiki/old.md": "---\ntitle: The Orlo lighthouse\nsuperseded_by: middle\n---\n"
            "The keeper of the Orlo lighthouse is Anna Kern.\n",
            "wiki/middle.md": "---\ntitle: Lamps\nsuperseded_by: New staff\n---\nNothing.\n",
            "wiki/new-staff.md": "---\ntitle: New staff\n---\n"
            "Bob Miller keeps the light there.\n\n"
            "The keeper of the Orlo lighthouse is Bob Miller.\n",
        }
    )
    answer = run("ask", "--wiki", root, "--json", "Who is the keeper of the Orlo lighthouse?").json
    assert "Bob Miller" in answer["answer"]
    assert {cited["slug"] for claim in answer["claims"] for cited in claim["citations"]} == {
        "new-staff"
    }


@pytest.mark.parametrize(
    "front", ["valid_until: 2021-01-01", "valid_from: 2999-01-01", "superseded_by: nobody"]
)
def test_what_only_an_outdated_page_says_is_refused_or_answered_with_a_warning(
    run: Run, make_wiki: MakeWiki, front: str
) -> None:
    root = make_wiki(
        {
            "wiki/lamp.md": f"---\ntitle: Orlo lighthouse\n{front}\n---\n"
            "The keeper of the Orlo lighthouse is Anna Kern.\n"
        }
    )
    asked = ("ask", "--wiki", root, "Who is the keeper of the Orlo lighthouse?")
    refused = run(*asked, "--json")
    assert refused.status == 3
    assert refused.json["refusal"]["kind"] == "stale"
    assert "everify" in refused.json["refusal"]["next_action"]
    assert "warnings" not in refused.json
    allowed = run(*asked, "--json", "--allow-stale")
    assert allowed.status == 0
    assert "Anna Kern" in allowed.json["answer"]
    [warning] = allowed.json["warnings"]
    assert warning["slug"] == "lamp"
    assert f"Note: {warning['message']}." in run(*asked, "--allow-stale").out


def test_two_pages_that_supersede_each_other_by_hand_are_no_basis(
    run: Run, make_wiki: MakeWiki
) -> None:
    root = make_wiki(
        {
            f"wiki/{one}.md": f"---\ntitle: {one}\nsuperseded_by: {other}\n---\n"
            "The keeper of the Orlo lighthouse is Anna Kern.\n"
            for one, other in (("lamp", "light"), ("light", "lamp"))
        }
    )
    ran = run("ask", "--wiki", root, "--json", "Who is the keeper of the Orlo lighthouse?")
    assert ran.json["refusal"]["kind"] == "stale"


def test_show_prints_a_page_as_the_wiki_had_it(run: Run, wiki: Path) -> None:
    now = run("show", "--wiki", wiki, "first").out
    assert "holds from 2020-01-01 until 2021-01-01" in now
    assert "superseded: see [[Retention 2021]] (second)" in now
    then = run("show", "--wiki", wiki, "first", "--known-at", "2020-06-01").out
    assert "Retention 2021" not in then
    assert "until" not in then
    gone = run("show", "--wiki", wiki, "first", "--as-of", "2021-01-01")
    assert (gone.status, gone.out) == (1, "")
    assert "no page is called “first”" in gone.err


def test_graph_draws_the_pages_of_a_day(run: Run, wiki: Path) -> None:
    assert run("graph", "--wiki", wiki, "--as-of", "2020-05-01", "-q").out.splitlines() == [
        "Retention 2020 → –",
        "Backups → Retention 2020",
    ]
    assert "Backups → Retention 2020?" in run("graph", "--wiki", wiki, "--as-of", "2023-05-01").out


def test_an_archived_page_answers_for_the_time_before(run: Run, make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            **PAGES,
            "wiki/_archive/lamp.md": "---\ntitle: Orlo lighthouse\ningested_at: 2020-01-01\n"
            "archived_at: 2021-01-01\n---\nThe keeper of the Orlo lighthouse is Anna Kern.\n",
        }
    )
    asked = ("ask", "--wiki", root, "Who is the keeper of the Orlo lighthouse?", "--json")
    assert run(*asked).status == 3
    assert "Anna Kern" in run(*asked, "--known-at", "2020-12-31").json["answer"]
    assert run(*asked, "--known-at", "2021-01-01").status == 3
    assert run(*asked, "--known-at", "2019-12-31").status == 3
    assert run("show", "--wiki", root, "lamp", "--known-at", "2020-06-01").status == 0
    (root / "wiki/_archive/lamp.md").rename(root / "wiki/lamp.md")
    assert run(*asked).status == 3  # it says itself that it is archived


@pytest.mark.parametrize("command", [("ask", ASKED), ("search", "x"), ("show", "x"), ("graph",)])
@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("--as-of", "yesterday", "write it as 2026-05-12"),
        ("--as-of", "2026-13-01", "write it as 2026-05-12"),
        ("--as-of", "0001-01-01T00:00+14:00", "write it as 2026-05-12"),
        ("--known-at", "", "write it as 2026-05-12"),
        ("--known-at", "2999-01-01", "lies in the future"),
    ],
)
def test_a_date_that_cannot_be_is_told_with_an_example(
    run: Run, wiki: Path, command: tuple[str, ...], option: str, value: str, told: str
) -> None:
    ran = run(*command, "--wiki", wiki, option, value)
    assert (ran.status, ran.out) == (2, "")
    assert told in ran.err
    assert option in ran.err


def test_a_text_that_was_written_after_the_day_is_told_of(run: Run, make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/lamp.md": "---\ntitle: Orlo lighthouse\ningested_at: 2020-01-01\n"
            "generated: {by: citewiki/0.1.0, at: 2022-05-01}\n---\n"
            "The keeper of the Orlo lighthouse is Anna Kern.\n"
        }
    )
    asked = ("ask", "--wiki", root, "Who is the keeper of the Orlo lighthouse?", "--json")
    assert "warnings" not in run(*asked).json
    [warning] = run(*asked, "--known-at", "2021-01-01").json["warnings"]
    assert warning["kind"] == "rewritten"
    assert "2022-05-01" in warning["message"]


def test_an_archived_page_of_another_is_hidden_at_every_time(run: Run, make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/_archive/lamp.md": "---\ntitle: Orlo lighthouse\nowner: anna\n"
            "archived_at: 2021-01-01\n---\nThe keeper of the Orlo lighthouse is Anna Kern.\n"
        }
    )
    search = ("search", "--wiki", root, "lighthouse", "--known-at", "2020-01-01", "--json")
    assert len(run(*search, "--viewer", "anna").json) == 1
    assert run(*search, "--viewer", "bob").json == []


def test_a_successor_that_nobody_verified_for_long_is_what_the_refusal_is_about(
    run: Run, make_wiki: MakeWiki
) -> None:
    root = make_wiki(
        {
            "wiki/old.md": "---\ntitle: Orlo lighthouse\nsuperseded_by: new\n---\n"
            "The keeper of the Orlo lighthouse is Anna Kern.\n",
            "wiki/new.md": "---\ntitle: New staff\nlast_verified_at: 2020-01-01\n---\n"
            "The keeper of the Orlo lighthouse is Bob Miller.\n",
        }
    )
    asked = "Who is the current keeper of the Orlo lighthouse?"
    refusal = run("ask", "--wiki", root, "--json", asked).json["refusal"]
    assert refusal["kind"] == "stale"
    assert "“New staff” was last verified on 2020-01-01" in refusal["message"]
