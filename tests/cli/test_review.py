"""`citewiki review`, drafts on a branch, and the check of a proposal."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from citewiki.cli.differences import difference, harmless
from citewiki.store.pages import parse_page
from citewiki.store.review import items, queue
from tests.cli.conftest import Run
from tests.conftest import MakeWiki, write_files

NOTE = "# Notes\n\n## Rank fusion\n\nRank fusion merges two lists.\n\n## Chunking\n\nChunking cuts text.\n"


@pytest.fixture
def wiki(make_wiki: MakeWiki, run: Run) -> Path:
    """A wiki in which two drafts wait."""
    root = make_wiki({})
    write_files(root.parent, {"notes.md": NOTE})
    assert run("ingest", root.parent / "notes.md", "--wiki", root, "--review").status == 0
    return root


def git(root: Path, *arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.fixture
def repository(wiki: Path) -> Path:
    """The same in a git repository, all committed."""
    git(wiki, "init", "-q", "-b", "main")
    git(wiki, "config", "user.name", "Ann")
    git(wiki, "config", "user.email", "ann@example.org")
    write_files(wiki, {".gitignore": ".citewiki/\n"})
    git(wiki, "add", ".")
    git(wiki, "commit", "-q", "-m", "all")
    return wiki


def test_what_waits_is_listed_with_its_reason(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "80")
    out = run("review", "--wiki", wiki).out
    assert re.search(r"^[0-9a-f]{8}  new   Chunking +notes +drafts go through review *$", out, re.M)
    listed = run("review", "list", "--wiki", wiki, "--json").json
    assert [(item["title"], item["kind"]) for item in listed] == [
        ("Chunking", "new"),
        ("Rank fusion", "new"),
    ]
    assert "page_text" not in listed[0]


@pytest.mark.parametrize("columns", [80, 120])
def test_a_draft_is_shown_beside_its_evidence_within_the_width(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
):
    monkeypatch.setenv("COLUMNS", str(columns))
    first = items(wiki / ".citewiki")[0].id
    out = run("review", "show", first[:6], "--wiki", wiki).out
    lines = out.splitlines()
    assert max(map(len, lines)) <= columns
    (row,) = (line for line in lines if line.startswith("+title: Chunking"))
    assert row.rstrip().endswith("“Chunking cuts text.”")
    assert "raw/notes.md, § Chunking" in out
    assert "+Chunking cuts text.[^notes.1]" in out


def test_drafts_are_accepted_by_id_by_source_or_all_at_once(wiki: Path, run: Run):
    first, second = (item.id for item in items(wiki / ".citewiki"))
    assert run("review", "accept", first[:6], "--wiki", wiki).out == "chunking\n"
    done = run("review", "accept", "--source", "notes", "--wiki", wiki, "--json").json
    assert done == {"accepted": ["rank-fusion"], "rejected": [], "waiting": []}
    assert (wiki / "wiki/notes/rank-fusion.md").exists()
    assert run("review", "accept", second, "--wiki", wiki).status == 1
    assert run("review", "accept", "--all", "--wiki", wiki).status == 2
    assert run("lint", "--wiki", wiki).status == 0


def test_a_rejection_says_why_and_the_manifest_keeps_it(wiki: Path, run: Run):
    failed = run("review", "reject", "--all", "--wiki", wiki)
    assert (failed.status, "--why TEXT" in failed.err) == (1, True)
    done = run("review", "reject", "--all", "--why", "too short", "--as", "ann", "--wiki", wiki)
    assert done.status == 0
    assert items(wiki / ".citewiki") == []
    assert "rejected by ann: too short" in run("coverage", "--wiki", wiki).out


def changed_twice(wiki: Path, run: Run) -> str:
    """A section changed in its source, and by a person on its page; the draft's id."""
    run("review", "accept", "--all", "--wiki", wiki)
    write_files(wiki.parent, {"notes.md": NOTE.replace("two", "many")})
    run("ingest", wiki.parent / "notes.md", "--wiki", wiki, "--review")
    page = wiki / "wiki/notes/rank-fusion.md"
    page.write_text(page.read_text().replace("merges two lists.[", "joins two lists.["))
    return items(wiki / ".citewiki")[0].id


def test_both_sides_of_a_conflict_are_shown_and_the_person_chooses(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COLUMNS", "100")
    waits = changed_twice(wiki, run)
    failed = run("review", "accept", waits, "--wiki", wiki)
    assert failed.status == 1
    assert "changed in the same place" in failed.err
    out = run("review", "show", waits, "--wiki", wiki).out
    assert re.search(r"joins two lists.*│.*merges many lists", out)
    shown = run("review", "show", waits, "--wiki", wiki, "--json").json
    assert shown[0]["conflicts"][0]["person"].startswith("Rank fusion joins two lists.")
    assert run("review", "accept", waits, "--mine", "--wiki", wiki).status == 0
    assert "joins two lists" in (wiki / "wiki/notes/rank-fusion.md").read_text()


def test_nothing_in_a_draft_steers_the_terminal(wiki: Path, run: Run):
    first = items(wiki / ".citewiki")[0]
    evil = "\x1b[2J\x1b]0;title\x07[bold]red[/bold]\u202egnp"
    text = first.page_text.replace("Chunking cuts", f"{evil} cuts")
    queue(wiki / ".citewiki", replace(first, page_text=text, title=evil, why=evil, person=evil))
    for action in ("list", "show"):
        out = run("review", action, first.id, "--wiki", wiki).out
        assert not re.search("[\x1b\x07\u202e]", out)
        assert "[bold]red[/bold]" in out.replace("\n", "")


def test_a_damaged_file_of_the_queue_is_an_error_that_hides_no_draft(wiki: Path, run: Run):
    (wiki / ".citewiki/review/abc.json").write_text("{")
    ran = run("review", "--wiki", wiki)
    assert ran.status == 1
    assert "Chunking" in ran.out
    assert "review/abc.json" in ran.err


def test_a_difference_shows_what_a_person_reads():
    old = parse_page("---\ntitle: A\ntags: [x]\n---\nOne.\n", "a.md")
    new = parse_page("---\ntitle: A\ntags: [x, y]\n---\nOne.\n\nTwo.\n", "a.md")
    assert difference(old, new)[1:] == [
        " title: A", " summary: ", "-tags: x", "+tags: x, y", " ", " One.", "+", "+Two.",
    ]  # fmt: skip
    assert difference(None, old) == ["+title: A", "+summary: ", "+tags: x", "+", "+One."]
    assert harmless("a\tb\r\nc\x9bd") == "a    b\nc�d"


def test_a_review_by_a_model_needs_one_and_says_what_kept_it(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    ran = run("review", "--engine", "extractive", "--wiki", wiki)
    assert (ran.status, "the built-in engine reviews nothing" in ran.err) == (2, True)
    ran = run("review", "--engine", "anthropic", "--wiki", wiki)
    assert ran.status == 1
    assert "ANTHROPIC_API_KEY" in ran.err
    assert len(items(wiki / ".citewiki")) == 2


# -- git ----------------------------------------------------------------------------------------


def test_drafts_become_commits_of_one_page_each_that_name_their_evidence(
    repository: Path, run: Run
):
    head = git(repository, "rev-parse", "HEAD")
    write_files(repository, {"wiki/mine.md": "Mine.\n"})
    git(repository, "add", "wiki/mine.md")
    status = git(repository, "status", "--porcelain")
    assert run("review", "--branch", "drafts", "--wiki", repository).status == 0
    assert git(repository, "status", "--porcelain") == status
    assert git(repository, "rev-parse", "HEAD") == head
    assert git(repository, "log", "--format=%s", "main..drafts").split("\n") == [
        "New page Rank fusion",
        "New page Chunking",
    ]
    assert (
        git(repository, "show", "--format=", "--name-status", "drafts")
        == "A\twiki/notes/rank-fusion.md"
    )
    assert git(repository, "diff", "--name-only", "main", "drafts").split("\n") == [
        "wiki/notes/chunking.md",
        "wiki/notes/rank-fusion.md",
    ]
    message = git(repository, "log", "-1", "--format=%B", "drafts")
    assert "- raw/notes.md, § Rank fusion: “Rank fusion merges two lists.”" in message
    first = items(repository / ".citewiki")[1]
    assert git(repository, "show", "drafts:wiki/notes/rank-fusion.md") == first.page_text.strip()


def test_what_a_branch_holds_already_is_not_committed_again(repository: Path, run: Run):
    run("review", "--branch", "drafts", "--wiki", repository)
    tip = git(repository, "rev-parse", "drafts")
    ran = run("review", "--branch", "drafts", "--wiki", repository, "--json")
    assert ran.json == {"branch": "drafts", "commits": []}
    assert git(repository, "rev-parse", "drafts") == tip


def test_compiling_to_a_branch_writes_no_page_and_commits_the_drafts(repository: Path, run: Run):
    write_files(repository.parent, {"more.md": "# More\n\nMore is said here of fusion.\n"})
    ran = run("ingest", repository.parent / "more.md", "--wiki", repository, "--branch", "drafts")
    assert ran.status == 0
    assert git(repository, "log", "--format=%s", "main..drafts") == "New page More"
    assert not (repository / "wiki/more").exists()
    assert run("compile", "--wiki", repository, "--branch", "main").status == 1


def test_a_wiki_in_a_folder_of_a_repository_is_committed_where_it_lies(wiki: Path, run: Run):
    git(wiki.parent, "init", "-q")
    assert run("review", "--branch", "drafts", "--wiki", wiki).status == 0
    named = git(wiki.parent, "ls-tree", "-r", "--name-only", "drafts").split("\n")
    assert named == ["wiki-root/wiki/notes/chunking.md", "wiki-root/wiki/notes/rank-fusion.md"]


def test_without_a_repository_or_a_usable_branch_there_is_one_clear_line(
    wiki: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(wiki.parent))
    ran = run("review", "--branch", "drafts", "--wiki", wiki)
    assert ran.status == 1
    assert "is in no git repository" in ran.err
    assert ran.err.count("\n") == 1
    git(wiki, "init", "-q", "-b", "main")
    for name, said in (
        ("main", "is checked out"),
        ("a..b", "no name for a branch"),
        ("-x", "no name"),
    ):
        ran = run("review", f"--branch={name}", "--wiki", wiki)
        assert (ran.status, said in ran.err) == (1, True)


def test_a_proposal_may_change_its_owners_pages_and_everybodys_alone(repository: Path, run: Run):
    owned = "---\ntype: concept\ntitle: {0}\nowner: {0}\n---\nWords of {0} on [[mine]].\n"
    pages = {f"wiki/{name}.md": owned.format(name) for name in ("ann", "ben")}
    write_files(
        repository,
        {**pages, "wiki/mine.md": "---\ntype: concept\n---\n# Mine\n\nOf [[ann]], [[ben]].\n"},
    )
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "pages")
    write_files(
        repository, {path: text.replace("Words", "More words") for path, text in pages.items()}
    )
    write_files(
        repository,
        {"wiki/mine.md": "---\ntype: concept\nowner: ann\n---\n# Mine\n\nOf [[ann]], [[ben]].\n"},
    )
    ran = run("lint", "--changed", "main", "--as", "ann", "--wiki", repository)
    assert ran.status == 1
    assert "wiki/ben.md: error: belongs to ben; ann may not change it" in ran.out
    assert "wiki/ann.md" not in ran.out
    assert (
        "wiki/mine.md: error: is given to ann, by ben"
        in run("lint", "--changed", "HEAD", "--as", "ben", "--wiki", repository).out
    )
    (repository / "wiki/ben.md").unlink()
    gone = run("lint", "--changed", "main", "--as", "ann", "--wiki", repository)
    assert "belongs to ben" in gone.out


def test_a_proposal_is_checked_for_format_links_quotes_and_untouched_sources(
    repository: Path, run: Run
):
    run("review", "accept", "--all", "--wiki", repository)
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "pages")
    write_files(
        repository, {"wiki/old.md": "---\nconfidence: high\n---\nOld fault of [[nothing]].\n"}
    )
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "a fault")
    page = repository / "wiki/notes/rank-fusion.md"
    page.write_text(page.read_text().replace('"Rank fusion merges', '"Rank fusion breaks'))
    (repository / "raw/notes.md").write_text(NOTE + "\nMore.\n")
    ran = run("lint", "--changed", "main", "--wiki", repository)
    assert "does not say" in ran.out
    assert "old.md" not in ran.out
    ran = run("lint", "--changed", "main", "--as", "ann", "--wiki", repository)
    assert "raw/notes.md: error: is a source" in ran.out
    assert run("lint", "--changed", "nowhere", "--wiki", repository).err.count("\n") == 1


# -- undo ---------------------------------------------------------------------------------------


def test_a_source_is_taken_out_after_its_traces_are_shown(wiki: Path, run: Run):
    run("review", "accept", "--all", "--wiki", wiki)
    shown = run("ingest", "--undo", "notes", "--wiki", wiki, "--dry-run")
    assert shown.status == 0
    assert "Chunking (wiki/notes/chunking.md): 1 claims, 1 footnotes" in shown.out
    assert run("ingest", "--undo", "notes", "--wiki", wiki).status == 2  # nobody can be asked
    assert (wiki / "wiki/notes/chunking.md").exists()
    done = run("ingest", "--undo", "notes", "--wiki", wiki, "--yes", "--json")
    assert done.json["done"]
    assert [page["title"] for page in done.json["undo"]["deleted"]] == ["Chunking", "Rank fusion"]
    assert not (wiki / "wiki/notes").exists()
    assert run("coverage", "--wiki", wiki).out == ""
    assert run("ingest", "--undo", "notes", "--wiki", wiki, "--yes").status == 1
    assert run("ingest", "--wiki", wiki).status == 2
