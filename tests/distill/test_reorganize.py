"""A new order of the wiki: every page is on the checklist, and nothing findable is lost unseen."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.config import Config
from citewiki.distill.maintain.advising import advised
from citewiki.distill.maintain.reorganize import Row, apply, only, plan
from citewiki.distill.maintain.replay import (
    Find,
    Replay,
    questions_of,
    replay,
    saved_questions,
)
from citewiki.errors import DataError, EngineRefused, EngineUnavailable
from citewiki.lint import lint_wiki
from citewiki.llm.scripted import ScriptedEngine
from citewiki.model import SourceRef
from citewiki.query.retrieve import search
from citewiki.sources.manifest import load_manifest
from citewiki.store.names import Names
from citewiki.store.pages import render_page
from citewiki.wiki import Wiki
from tests.conftest import NOW, MakeWiki, write_files
from tests.distill.test_audit import BLOATED, FUSION, page, pages, slugged, written
from tests.distill.test_compile import compiled


def first_pages(root: Path, questions: list[str]) -> list[str]:
    with Wiki.open(root).index as index:
        found = [search(index, question, limit=1) for question in questions]
    return [hits[0].slug if hits else "" for hits in found]


FIND: Find = first_pages  # type: ignore[assignment]

COPIES = (
    page("fusion", FUSION.format("a"), sources=(SourceRef("a", "raw/a.md"),)),
    page("merging-ranks", FUSION.format("b"), sources=(SourceRef("b", "raw/b.md"),)),
)
ORIGINALS = {f"raw/{n}.md": "# N\n\n" + FUSION.split("\n\n[^")[0].replace("[^{0}.1]", "")
             .replace("[^{0}.2]", "") + "\n" for n in "ab"}  # fmt: skip


def planned(root: Path) -> list[Row]:
    return plan(root, root / ".citewiki", pages(root), load_manifest(root), Config())


def actions(rows: list[Row]) -> dict[str, tuple[str, str]]:
    return {row.slug: (row.action, row.to) for row in rows}


def applied(root: Path, rows: list[Row]) -> None:
    done = apply(root, root / ".citewiki", rows, Config(), now=NOW, who="ann")
    assert done.problems == ()


def replayed(root: Path, rows: list[Row], *questions: str) -> Replay:
    asked = [*questions, *questions_of(pages(root))]
    return replay(root, root / ".citewiki", rows, Config(), asked, FIND, now=NOW, who="ann")


# -- the checklist ------------------------------------------------------------------------------


def test_every_page_is_on_the_checklist_once(make_wiki: MakeWiki):
    root = written(make_wiki, *COPIES, page("big", BLOATED), page("lone", "Nothing to do here."))
    rows = planned(root)
    assert Counter(row.slug for row in rows) == Counter(each.slug for each in pages(root))


@given(st.sets(st.sampled_from(["alpha", "beta", "gamma", "delta"]), max_size=4),
       st.sets(st.sampled_from(["alpha", "beta", "gamma", "delta"]), max_size=4))  # fmt: skip
def test_choosing_rows_leaves_no_page_out(chosen: set[str], skipped: set[str]):
    rows = [
        Row("alpha", "Alpha", "a.md", "retitle", "A"),
        Row("beta", "Beta", "b.md", "keep"),
        Row("gamma", "Gamma", "c.md", "merge", "beta"),
        Row("delta", "Delta", "d.md", "move", "x"),
    ]
    kept = only(rows, chosen, skipped)
    assert [row.slug for row in kept] == [row.slug for row in rows]
    changing = {row.slug for row in kept if row.action != "keep"}
    assert (
        changing == {"alpha", "gamma", "delta"} & (chosen or {"alpha", "gamma", "delta"}) - skipped
    )


def test_copies_merge_and_long_pages_split(make_wiki: MakeWiki):
    root = written(make_wiki, *COPIES, page("big", BLOATED.replace("raw/", "other/")))
    write_files(root, ORIGINALS)
    found = actions(planned(root))
    assert found["merging-ranks"] == ("merge", "fusion")
    assert found["fusion"] == ("keep", "")
    assert found["big"][0] == "split"


def test_a_page_whose_source_no_longer_says_it_is_kept(make_wiki: MakeWiki):
    root = written(make_wiki, *COPIES)
    write_files(root, {**ORIGINALS, "raw/b.md": "# N\n\nSomething else.\n"})
    row = next(row for row in planned(root) if row.slug == "merging-ranks")
    assert (row.action, row.quotes, row.held) == ("keep", 2, 0)
    assert "citewiki lint" in row.why


def test_a_title_that_names_only_a_part_gets_its_document_in_front(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": "# Fusion notes\n\n## Ranks\n\nRanks are numbers.\n\n"
                      "## Scores\n\nScores are weights of hits.\n"})  # fmt: skip
    compiled(root)
    ranks = root / "wiki/ml/ranks.md"
    ranks.write_text(ranks.read_text().replace("title: Ranks", "title: Overview"))
    assert actions(planned(root))["ranks"] == ("retitle", "Fusion notes: Overview")


# -- carried out --------------------------------------------------------------------------------


def test_a_new_title_keeps_slug_and_old_name(make_wiki: MakeWiki):
    linking = page("other", "See [[Fusion]] and [[fusion#Part]].")
    root = written(make_wiki, page("fusion", "Ranks.\n\n## Part\n\nText."), linking)
    body = slugged(root)["other"].body
    applied(root, [Row("fusion", "Fusion", "ml/fusion.md", "retitle", "Rank fusion")])
    now = slugged(root)
    assert (now["fusion"].title, now["fusion"].aliases) == ("Rank fusion", ("Fusion",))
    assert now["other"].body == body
    assert Names(now.values()).resolve("Fusion", "ml/other.md").path == "ml/fusion.md"
    assert "its title is “Rank fusion” now" in (root / "wiki/log.md").read_text()


def test_a_moved_page_is_found_by_its_old_path(make_wiki: MakeWiki):
    root = written(
        make_wiki, page("fusion", "Ranks."), page("other", "See [[ml/fusion]], [[../ml/fusion]].")
    )
    rows = [Row("fusion", "Fusion", "ml/fusion.md", "move", "search")]
    assert replayed(root, rows).holds
    applied(root, rows)
    fusion = slugged(root)["fusion"]
    assert (fusion.path, fusion.domain) == ("search/fusion.md", "search")
    assert Names(pages(root)).resolve("ml/fusion", "ml/other.md").path == "search/fusion.md"
    assert not (root / "wiki/ml/fusion.md").exists()


def test_a_move_that_was_killed_half_way_is_finished(make_wiki: MakeWiki):
    root = written(make_wiki, page("fusion", "Ranks."))
    (root / "wiki/search").mkdir()
    (root / "wiki/ml/fusion.md").rename(root / "wiki/search/fusion.md")
    applied(root, [Row("fusion", "Fusion", "search/fusion.md", "move", "search")])
    fusion = slugged(root)["fusion"]
    assert (fusion.path, fusion.domain) == ("search/fusion.md", "search")


def test_a_page_is_not_moved_onto_another(make_wiki: MakeWiki):
    other = page("fusion-2", "Else.", path="search/fusion.md", domain="search")
    root = written(make_wiki, page("fusion", "Ranks."), other)
    rows = [Row("fusion", "Fusion", "ml/fusion.md", "move", "search")]
    done = apply(root, root / ".citewiki", rows, Config(), now=NOW, who="ann")
    assert (done.changed, len(done.problems)) == ((), 1)
    assert (root / "wiki/ml/fusion.md").exists()


def test_three_copies_become_one(make_wiki: MakeWiki):
    third = page("list-joining", FUSION.format("a"), sources=(SourceRef("a", "raw/a.md"),))
    root = written(make_wiki, *COPIES, third)
    write_files(root, ORIGINALS)
    rows = planned(root)
    (stays,) = {row.to for row in rows if row.action == "merge"}
    applied(root, rows)
    now = slugged(root)
    gone = set(now) - {stays}
    assert {now[slug].superseded_by for slug in gone} == {stays}
    assert set(now[stays].supersedes) == gone
    assert [p for p in lint_wiki(root) if p.severity == "error" and p.code != "quote"] == []


def test_all_at_once_keeps_every_slug_and_text(make_wiki: MakeWiki):
    root = written(make_wiki, *COPIES, page("big", BLOATED.replace("raw/", "other/")))
    write_files(root, ORIGINALS)
    before = slugged(root)
    rows = planned(root)
    assert replayed(root, rows).broken == ()
    applied(root, rows)
    now = slugged(root)
    assert set(before) <= set(now)
    text = "\n".join(each.body for each in now.values())
    assert "Merging ranks" in now["fusion"].aliases
    for words in ("The tape number 7 follows rule 8.", "A few words.", "reciprocal of each rank"):
        assert words in text
    assert planned(root)[0].slug  # and planning again works
    assert {row.action for row in planned(root)} == {"keep"}


# -- the replay ---------------------------------------------------------------------------------


def test_a_replay_changes_nothing_and_finds_no_loss_in_a_good_plan(make_wiki: MakeWiki):
    root = written(make_wiki, *COPIES, page("disks", "Disks spin.\n\n## Platters\n\nThey turn."))
    write_files(root, ORIGINALS)
    files = {path: path.read_bytes() for path in (root / "wiki").rglob("*.md")}
    found = replayed(root, planned(root), "how are lists of retrievers merged?")
    assert found.holds
    assert "Platters" in [each.question for each in found.asked]
    assert {path: path.read_bytes() for path in (root / "wiki").rglob("*.md")} == files


def test_a_question_whose_page_is_lost_is_told(make_wiki: MakeWiki):
    root = written(
        make_wiki,
        page("spindles", "Rotating parts of a machine."),
        page("engines", "Engines are machines. Spindles are named once here."),
    )
    rows = [Row("engines", "Engines", "ml/engines.md", "retitle", "Rotating parts of a machine")]
    question = "rotating parts of a machine"
    lost = replayed(root, rows, question).lost
    assert [(each.question, each.before) for each in lost] == [(question, "spindles")]


def test_a_link_that_would_mean_another_page_is_told(make_wiki: MakeWiki):
    root = written(
        make_wiki,
        page("note", "Nearest note.", title="Mercury", path="ml/note.md"),
        page("mercury", "A planet.", path="sky/mercury.md", domain="sky", title="Planet Mercury"),
        page("other", "See [[Mercury]]."),
    )
    rows = [Row("note", "Mercury", "ml/note.md", "retitle", "Quicksilver")]
    (broken,) = replayed(root, rows).broken
    assert (broken.slug, broken.name, broken.before) == ("other", "Mercury", "note")


def test_saved_questions_are_lines_of_a_file(make_wiki: MakeWiki):
    root = make_wiki({"questions.txt": "# ours\nWhat is RAG?\n\nWhat is RAG?\nWho?\n"})
    assert saved_questions(root, "questions.txt") == ["What is RAG?", "Who?"]
    assert saved_questions(root, "") == []
    with pytest.raises(DataError, match="cannot be read"):
        saved_questions(root, "none.txt")


def test_pages_without_a_source_can_be_renamed_too(make_wiki: MakeWiki):
    root = make_wiki({"wiki/ml/hand.md": "# By hand\n\nA person wrote it.\n"})
    rows = planned(root)
    assert actions(rows) == {"hand": ("keep", "")}
    applied(root, [Row("hand", "By hand", "ml/hand.md", "retitle", "Hand work")])
    now = slugged(root)["hand"]
    assert (now.title, now.aliases, now.body.strip()) == (
        "Hand work",
        ("By hand",),
        "# By hand\n\nA person wrote it.",
    )
    assert render_page(now)


# -- a model's advice ---------------------------------------------------------------------------


def advice(root: Path, *changes: tuple[str, str, str]) -> dict[str, tuple[str, str]]:
    """What is left of a model's changes (page, action, to)."""
    told = [{"page": p, "action": a, "to": to, "why": "It is better."} for p, a, to in changes]
    engine = ScriptedEngine(lambda request: json.dumps({"changes": told}))
    rows, problems = advised(planned(root), pages(root), root / ".citewiki", engine, Config())
    assert problems == []
    return {slug: found for slug, found in actions(rows).items() if found[0] != "keep"}


@pytest.fixture
def shelves(make_wiki: MakeWiki) -> Path:
    food = [
        page(f"dish-{n}", f"Boil rice in the pot with salt {n} and beans.", domain="food",
             path=f"food/dish-{n}.md", shared_with=("*",)) for n in range(3)
    ]  # fmt: skip
    disks = [
        page(f"disk-{n}", f"The disk has sector {n} and blocks.", shared_with=("*",))
        for n in range(3)
    ]
    stray = page("stray", "Boil salt with rice and beans in a pot.", shared_with=("*",))
    return written(make_wiki, *food, *disks, stray)


def test_advice_that_the_pages_bear_out_is_taken(shelves: Path):
    assert advice(
        shelves, ("Stray", "move", "food"), ("Disk 0", "retitle", "Sector of the disk")
    ) == {"stray": ("move", "food"), "disk-0": ("retitle", "Sector of the disk")}
    assert advice(shelves, ("Disk 1", "merge", "Disk 2")) == {"disk-1": ("merge", "disk-2")}


@pytest.mark.parametrize(
    "change",
    [
        ("Disk 0", "retitle", "Quantum storage"),  # nobody said so
        ("Disk 0", "retitle", "Disk 1"),  # taken
        ("Disk 0", "retitle", "Overview"),
        ("Disk 0", "move", "food"),  # its words are not nearer
        ("Stray", "move", "kitchen"),  # no domain
        ("Disk 0", "merge", "Dish 0"),  # not of the same
        ("Disk 0", "merge", "Disk 0"),
        ("Nothing", "move", "food"),
    ],
)
def test_advice_that_the_pages_do_not_bear_out_is_not_taken(
    shelves: Path, change: tuple[str, str, str]
):
    assert advice(shelves, change) == {}


def test_advice_makes_no_chain_of_merges(shelves: Path):
    found = advice(shelves, ("Disk 0", "merge", "Disk 1"), ("Disk 1", "merge", "Disk 2"))
    assert found == {"disk-0": ("merge", "disk-1")}


def test_a_model_that_fails_leaves_the_plan_of_the_rules(shelves: Path):
    for failure in (EngineRefused("it said no"), EngineUnavailable("no answer")):
        engine = ScriptedEngine([failure] * 9)
        rows, problems = advised(
            planned(shelves), pages(shelves), shelves / ".citewiki", engine, Config()
        )
        assert rows == planned(shelves)
        assert problems
