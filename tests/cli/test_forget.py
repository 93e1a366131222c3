"""`archive`, `restore`, `supersede`, `reverify`, `decay`, `delete`, `list`, as the shell runs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest

from citewiki import Wiki
from citewiki.store.journal import NOTE
from tests.cli.conftest import Run
from tests.conftest import MakeWiki, write_files

NOTES = "# Notes\n\n## Pump\n\nThe pump of the cellar holds 40 litres.\n\n## Valve\n\nThe valve opens at 3 bar.\n"
FILES = {
    "wiki/ml/old.md": "---\ntitle: Old way\ntags: [rag]\n---\nThe old way takes 40 steps.\n",
    "wiki/ml/new.md": "---\ntitle: New way\ntags: [rag]\n---\nThe new way takes 60 steps.\n",
    "wiki/tour.md": "# Tour\n\nSee [[Old way]] and [[New way]].\n",
    "wiki/index.md": "# Index\n",
}


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(FILES)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Someone at a terminal, who answers what the list holds, in order."""
    answers: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda prompt: answers.pop(0))
    return answers


def unchanged(root: Path) -> bool:
    pages = {path: text for path, text in FILES.items() if not path.endswith("index.md")}
    return pages == {path: (root / path).read_text() for path in pages}


def test_an_archived_page_is_out_of_everything_and_its_links_say_so(root: Path, run: Run):
    done = run("archive", "old way", "--wiki", root, "--why", "nobody asks", "--as", "ann")
    assert done.out == "archived “Old way” (old)\n"
    assert "Old way" not in run("search", "steps", "--wiki", root).out
    assert [page.slug for page in Wiki.open(root).pages()] == ["new", "tour"]
    assert "Old way" not in (root / "wiki/index.md").read_text()
    assert "ann · archived “Old way” (old): nobody asks" in (root / "wiki/log.md").read_text()
    shown = run("show", "tour", "--wiki", root)
    assert "- Old way (old): archived 20" in shown.out
    (link,) = run("show", "tour", "--wiki", root, "--json").json["links_out_of_use"]
    assert link["slug"] == "old"
    gone = run("show", "old", "--wiki", root)
    assert gone.status == 1
    assert "is archived (wiki/_archive/ml/old.md); bring it back with: citewiki restore" in gone.err
    assert "archived" not in run("show", "old", "--wiki", root, "--viewer", "*").err
    assert "which is archived" in run("lint", "--wiki", root).out
    assert run("list", "--archived", "--wiki", root).out.startswith("old  Old way  archived 20")
    assert run("restore", "old", "--wiki", root).status == 0
    assert unchanged(root)
    assert "Old way" in (root / "wiki/index.md").read_text()


def test_a_superseded_page_says_what_came_after_it_until_that_is_undone(root: Path, run: Run):
    assert run("supersede", "old", "new", "--wiki", root, "--until", "2026-03-01").status == 0
    assert "superseded: see [[New way]] (new)" in run("show", "old", "--wiki", root).out
    assert "- Old way (old): superseded by new" in run("show", "tour", "--wiki", root).out
    assert run("list", "--superseded", "--wiki", root).out == ("old  Old way  superseded by new\n")
    assert run("supersede", "new", "old", "--wiki", root).err.startswith(
        "citewiki: new: would come after itself"
    )
    assert run("supersede", "--undo", "old", "--wiki", root).status == 0
    assert unchanged(root)


def test_what_changes_is_told_as_json(root: Path, run: Run):
    text = FILES["wiki/ml/old.md"].replace("tags", "valid_until: 2126-01-01\ntags")
    (root / "wiki/ml/old.md").write_text(text)
    told = run("supersede", "old", "new", "--until", "2026-03-01", "--wiki", root, "--json").json
    old, new = told["changes"]
    assert (old["slug"], old["path"], old["action"]) == ("old", "ml/old.md", "supersede")
    assert old["before"]["valid_until"] == "2126-01-01"
    assert old["after"]["valid_until"] == "2026-03-01T00:00:00Z"
    assert old["after"]["valid_until_before"] == "2126-01-01"
    assert new["after"] == {"supersedes": ["old"]}


def test_pages_are_verified_by_tag_and_that_is_taken_back(root: Path, run: Run):
    done = run("reverify", "--tag", "rag", "--by", "process:nightly", "--wiki", root, "--json").json
    assert done["done"] is True
    assert [change["slug"] for change in done["changes"]] == ["new", "old"]
    (event,) = json.loads(run("show", "old", "--wiki", root, "--json").out)["verified"]
    assert event["by"] == "process:nightly"
    assert run("reverify", "--undo", "--tag", "rag", "--wiki", root).status == 0
    assert unchanged(root)


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["archive", "olt"], 1, "no page is called “olt”; did you mean “Old way”"),
        (["archive"], 1, "name one, or choose by --domain, --tag or --query"),
        (["restore", "old"], 1, "old: is not archived"),
        (["supersede", "old"], 2, "which one by which? citewiki supersede OLD… NEW"),
        (["supersede", "old", "new", "--until", "May"], 2, "“May” is no date; write it as 2026-05"),
        (["delete", "old"], 2, "nothing was deleted, as nobody can be asked; say --yes"),
        (["decay", "--archive", "--reverify"], 2, "say one of --reverify, --supersede-by"),
        (["history", "olt"], 1, "did you mean “Old way”"),
    ],
)
def test_bad_input_is_one_clear_line_and_changes_nothing(
    root: Path, run: Run, arguments: list[str], status: int, message: str
):
    ran = run(*arguments, "--wiki", root)
    assert (ran.status, ran.out) == (status, ran.out)
    assert message in " ".join(ran.err.split())
    assert unchanged(root)
    assert not (root / "wiki/log.md").exists()


def test_a_dry_run_says_what_would_be_done(root: Path, run: Run):
    ran = run("archive", "--domain", "ml", "--dry-run", "--wiki", root)
    assert ran.out.splitlines() == [
        "would be: archived “New way” (new)",
        "would be: archived “Old way” (old)",
    ]
    assert ran.err == "nothing was changed\n"
    assert unchanged(root)


def test_a_deleted_page_is_named_with_what_links_to_it_and_does_not_come_back(
    make_wiki: MakeWiki, run: Run
):
    root = make_wiki({"wiki/tour.md": "# Tour\n\nSee [[Pump]].\n"})
    write_files(root.parent, {"notes.md": NOTES})
    assert run("ingest", root.parent / "notes.md", "--wiki", root).status == 0
    asked = run("delete", "Pump", "--wiki", root)
    assert asked.status == 2
    assert "linked from Tour" in asked.out
    assert run("delete", "Pump", "--yes", "--why", "sold", "--wiki", root).status == 0
    assert run("compile", "--wiki", root).status == 0
    assert {page.title for page in Wiki.open(root).pages()} == {"Tour", "Valve"}
    assert "its page was deleted" in run("coverage", "--wiki", root).out
    assert ": sold" in run("history", "pump", "--wiki", root).out
    assert run("lint", "--wiki", root).status == 0


def test_a_person_is_asked_before_a_page_is_deleted(root: Path, run: Run, asked: list[str]):
    asked += ["n"]
    ran = run("delete", "old", "--wiki", root)
    assert ran.err == "Delete for good? [y/N]: nothing was changed\n" or "nothing" in ran.err
    assert unchanged(root)
    asked += ["y"]
    assert run("delete", "old", "--wiki", root).status == 0
    assert not (root / "wiki/ml/old.md").exists()


@pytest.fixture
def aged(make_wiki: MakeWiki) -> Path:
    """A wiki in which three pages have decayed, each in its own way, and one has not."""
    return make_wiki(
        {
            "wiki/ml/a.md": "---\ntitle: A\nlast_verified_at: 2020-01-01\n---\nA.\n",
            "wiki/ml/b.md": "---\ntitle: B\nvalid_until: 2021-01-01\n---\nB.\n",
            "wiki/c.md": "---\ntitle: C\nsources:\n"
            '  - {id: n, resource: raw/n.md, sha256: "00"}\n---\nC.\n',
            "wiki/d.md": "# D\n\nD.\n",
            "raw/n.md": "# N\n\n## C\n\nAnother text.\n",
        }
    )


def test_decay_lists_what_may_no_longer_hold(aged: Path, run: Run):
    assert run("compile", "--wiki", aged).status == 0  # takes raw/n.md in
    found = {each["slug"]: each["reasons"] for each in run("decay", "--wiki", aged, "--json").json}
    assert found["a"][0].startswith("unverified for ")
    assert found["b"] == ["held until 2021-01-01"]
    assert found["c"][0].startswith("its source raw/n.md changed on ")
    assert set(found) == {"a", "b", "c"}
    assert len(run("decay", "--domain", "ml", "--wiki", aged, "--json").json) == 2
    stale = run("list", "--stale", "--wiki", aged, "--json").json
    assert [page["slug"] for page in stale] == ["c", "a", "b"]


def test_nothing_decayed_is_changed_without_consent(aged: Path, run: Run, asked: list[str]):
    before = (aged / "wiki/ml/a.md").read_text()
    asked += ["n"]
    assert run("decay", "--archive", "--wiki", aged).status == 0
    assert run("decay", "--archive", "--wiki", aged, "--json").status == 2
    assert (aged / "wiki/ml/a.md").read_text() == before
    assert run("decay", "a", "--reverify", "--yes", "--by", "ann", "--wiki", aged).status == 0
    assert "human:ann" in (aged / "wiki/ml/a.md").read_text()
    assert run("decay", "--domain", "ml", "--archive", "--yes", "--wiki", aged).status == 0
    assert (aged / "wiki/_archive/ml/b.md").exists()


def test_a_person_decides_on_what_decayed_page_by_page(aged: Path, run: Run, asked: list[str]):
    asked += ["s", "nothing", "s", "D"]  # the first page cannot be superseded by that
    ran = run("decay", "--interactive", "--domain", "ml", "--wiki", aged)
    assert ran.status == 0, ran.err
    assert "nothing was changed: no page is called “nothing”" in ran.err
    assert "superseded by d" in run("list", "--superseded", "--wiki", aged).out
    asked += ["v"]
    assert run("decay", "-i", "a", "b", "--wiki", aged).status == 0
    assert asked == []


def test_an_action_that_was_cut_short_is_found_by_lint_and_finished(root: Path, run: Run):
    text = FILES["wiki/tour.md"]
    note = {
        "steps": [{"path": "wiki/new-tour.md", "before": None, "after": text}],
        "said": ["- 2026-05-12T14:00:00Z · ann · restored “Tour” (new-tour)"],
    }
    write_files(root, {NOTE: json.dumps(note)})
    found = run("lint", "--wiki", root)
    assert found.status == 1
    assert "was cut short; finish it: citewiki lint --fix" in found.out
    fixed = run("lint", "--fix", "--wiki", root)
    assert "finished what was cut short: - 2026-05-12T14:00:00Z · ann · restored" in fixed.err
    assert (root / "wiki/new-tour.md").exists()
    assert "restored “Tour” (new-tour)" in (root / "wiki/log.md").read_text()


def test_lint_closes_a_chain_of_which_one_side_speaks(root: Path, run: Run):
    old = FILES["wiki/ml/old.md"].replace("tags", "superseded_by: new\ntags")
    (root / "wiki/ml/old.md").write_text(old)
    assert "which does not say so (supersedes)" in run("lint", "--wiki", root).out
    assert "does not say so" not in run("lint", "--fix", "--wiki", root).out
    circle = FILES["wiki/ml/new.md"].replace("tags", "superseded_by: old\ntags")
    (root / "wiki/ml/new.md").write_text(circle)
    found = run("lint", "--wiki", root)
    assert found.status == 1
    assert "supersedes itself: new → old → new" in found.out
