from __future__ import annotations

import os
import shutil
from datetime import timedelta
from pathlib import Path

import pytest

from citewiki.config import Config
from citewiki.distill.compile import compile_sources
from citewiki.distill.coverage import covered
from citewiki.distill.ingest import register, take_in
from citewiki.distill.running import Compiled
from citewiki.errors import DataError
from citewiki.lint import lint_wiki
from citewiki.sources.manifest import load_manifest
from citewiki.store import review
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files

NOTE = (
    "---\ntitle: Search notes\ndate: 2026-01-02\n---\n\n"
    "These notes collect what we know about search, and how its parts fit together today.\n\n"
    "## BM25\n\nBM25 is a ranking function. It was shown at TREC-3 in 1994, and works well still.\n\n"
    "## Rank fusion\n\nRank fusion merges the list of BM25 with another list. Its constant is 60.\n\n"
    "## References\n\n- <https://example.org/a>\n- <https://example.org/b>\n"
)


def compiled(root: Path, days: int = 0, **more: object) -> Compiled:
    register(root, load_manifest(root), NOW + timedelta(days=days))
    config = more.pop("config", Config())
    return compile_sources(root, config, now=NOW + timedelta(days=days), version="1", **more)  # type: ignore[arg-type]


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and not path.name.startswith("ledger.sqlite")  # when files were looked at
    }


def bodies(root: Path) -> dict[str, str]:
    return {page.title: page.body for page in load_pages(root / "wiki")[0]}


def test_every_section_becomes_a_page_or_says_why_not(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    done = compiled(root)
    assert len(done.made) == 3
    record = covered(root)[0]
    assert [(s.title, s.status, bool(s.pages), bool(s.reason)) for s in record.sections] == [
        ("", "compiled", True, False),
        ("BM25", "compiled", True, False),
        ("Rank fusion", "compiled", True, False),
        ("References", "skipped", False, True),
    ]
    pages, problems = load_pages(root / "wiki")
    assert problems == []
    assert {page.domain for page in pages} == {"ml"}
    assert "merges the list of [[BM25]] with" in bodies(root)["Rank fusion"]
    assert [p for p in lint_wiki(root) if p.severity == "error"] == []


def test_compiling_again_changes_nothing(make_wiki: MakeWiki):
    root = make_wiki(
        {"raw/ml/notes.md": NOTE, "raw/other.txt": "A short text about BM25 and more."}
    )
    compiled(root)
    before = snapshot(root)
    again = compiled(root, days=3)
    assert (again.made, again.updated, again.linked) == ((), (), ())
    assert snapshot(root) == before


def test_only_the_section_that_changed_is_compiled_again_and_its_page_keeps_its_identity(
    make_wiki: MakeWiki,
):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    before = {page.slug: page for page in load_pages(root / "wiki")[0]}
    write_files(root, {"raw/ml/notes.md": NOTE.replace("constant is 60", "constant is 20")})
    done = compiled(root, days=1)
    assert done.updated == ("rank-fusion",)
    after = {page.slug: page for page in load_pages(root / "wiki")[0]}
    assert "constant is 20" in after["rank-fusion"].body
    assert "constant is 60" not in after["rank-fusion"].body
    assert after["rank-fusion"].ingested_at == NOW
    assert after["rank-fusion"].last_verified_at == NOW + timedelta(days=1)
    assert after["bm25"] == before["bm25"]


def test_what_a_person_changed_and_what_the_source_changed_both_stand(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    path = root / "wiki/ml/rank-fusion.md"
    path.write_text(path.read_text() + "\nMy own remark.\n")
    write_files(root, {"raw/ml/notes.md": NOTE.replace("constant is 60", "constant is 20")})
    done = compiled(root, days=1)
    body = bodies(root)["Rank fusion"]
    assert "My own remark." in body
    assert "constant is 20" in body
    assert "constant is 60" not in body
    assert (done.updated, done.problems) == (("rank-fusion",), ())
    again = compiled(root, days=2)
    assert (again.updated, bodies(root)["Rank fusion"]) == ((), body)


@pytest.mark.parametrize("known", [True, False], ids=["base kept", "base lost"])
def test_where_a_person_and_the_source_change_the_same_the_page_stays_and_both_wait(
    make_wiki: MakeWiki, known: bool
):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    path = root / "wiki/ml/rank-fusion.md"
    path.write_text(path.read_text().replace("constant is 60.[", "constant is 61, I think.["))
    edited = path.read_text()
    write_files(root, {"raw/ml/notes.md": NOTE.replace("constant is 60", "constant is 20")})
    if not known:
        shutil.rmtree(root / ".citewiki")
    done = compiled(root, days=1)
    assert path.read_text() == edited
    assert [problem.code for problem in done.problems] == ["review"]
    (item,) = review.items(root / ".citewiki")
    assert "constant is 61, I think." in item.person
    assert "constant is 20" in item.page_text
    (waits,) = [s for s in covered(root)[0].sections if s.title == "Rank fusion"]
    assert (waits.status, waits.reason) == ("pending", f"waits for review ({item.id})")
    assert compiled(root, days=2).problems == ()


def test_a_source_that_vanished_deletes_nothing_and_is_reported(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    pages = bodies(root)
    (root / "raw/ml/notes.md").unlink()
    done = compiled(root)
    assert bodies(root) == pages
    assert [problem.code for problem in done.problems] == ["missing-source"]
    assert "missing-source" in {problem.code for problem in lint_wiki(root)}


def test_a_section_that_left_its_source_keeps_its_page_and_is_reported(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    write_files(
        root,
        {
            "raw/ml/notes.md": NOTE.split("## Rank fusion")[0]
            + "## Other\n\nSome other words, enough of them to be a section of its own.\n"
        },
    )
    done = compiled(root, days=1)
    assert [problem.code for problem in done.problems] == ["section-gone"]
    assert "Rank fusion" in bodies(root)


def test_a_run_that_was_killed_before_its_pages_were_written_makes_them_once(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    whole = snapshot(root)
    (root / "wiki/ml/bm25.md").unlink()
    (root / "wiki/ml/rank-fusion.md").unlink()
    done = compiled(root)
    assert sorted(done.made) == ["bm25", "rank-fusion"]
    assert set(snapshot(root)) == set(whole)
    assert snapshot(root)["wiki/ml/rank-fusion.md"] == whole["wiki/ml/rank-fusion.md"]


OTHER = (
    "# Other notes\n\nSome words of another person on how one looks for things in a library.\n\n"
    "## BM25\n\nRobertson and his students built this formula over the course of a decade.\n\n"
    "## Rank fusion\n\nA trick from the nineties: sum up one over the place in every list.\n"
)


def test_titles_of_two_sources_that_are_the_same_make_two_pages(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/a.md": NOTE, "raw/ml/b.md": OTHER})
    compiled(root)
    assert {"BM25", "Other notes: BM25"} <= set(bodies(root))
    assert len({page.slug for page in load_pages(root / "wiki")[0]}) == 6


VERSION = NOTE.replace("Search notes", "Other notes").replace("1994", "1995")


def test_another_version_of_a_text_goes_into_the_page_that_there_is(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/a.md": NOTE, "raw/ml/b.md": VERSION})
    done = compiled(root)
    assert set(bodies(root)) == {"Search notes", "BM25", "Rank fusion", "Other notes"}
    body = bodies(root)["BM25"]
    assert body.index("in 1994") < body.index("## Other notes: BM25") < body.index("in 1995")
    assert '[^b.1]: raw/ml/b.md, § BM25: "BM25 is a ranking function."' in body
    fusion = next(page for page in load_pages(root / "wiki")[0] if page.slug == "rank-fusion")
    assert [ref.id for ref in fusion.sources] == ["a", "b"]
    assert fusion.body.count("Its constant is 60.") == 1
    assert done.sections == {"compiled": 6, "skipped": 2}
    assert [p for p in lint_wiki(root) if p.severity == "error"] == []
    assert compiled(root, days=1).updated == ()


def test_each_source_of_a_page_brings_its_own_part_up_to_date(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/a.md": NOTE, "raw/ml/b.md": VERSION})
    compiled(root)
    write_files(root, {"raw/ml/b.md": VERSION.replace("1995", "1996")})
    compiled(root, days=1)
    body = bodies(root)["BM25"]
    assert ("in 1994" in body, "in 1995" in body, "in 1996" in body) == (True, False, True)
    write_files(root, {"raw/ml/a.md": NOTE.replace("works well still", "works well enough")})
    compiled(root, days=2)
    body = bodies(root)["BM25"]
    assert body.index("well enough") < body.index("## Other notes: BM25") < body.index("in 1996")
    assert [p for p in lint_wiki(root) if p.severity == "error"] == []


def test_an_unknown_source_is_one_clear_line(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    with pytest.raises(DataError, match="no source is called “nope”"):
        compiled(root, only=["nope"])


def test_the_index_and_the_log_are_kept(make_wiki: MakeWiki):
    root = make_wiki({"raw/ml/notes.md": NOTE})
    compiled(root)
    index = (root / "wiki/index.md").read_text()
    assert "## ml\n\n- [BM25](<ml/bm25.md>) — BM25 is a ranking function." in index
    assert (
        "operator · compiled raw/ml/notes.md: 3 new pages, 0 updated"
        in (root / "wiki/log.md").read_text()
    )


def test_files_of_every_sorry_kind_are_reported_and_the_rest_goes_on(
    tmp_path: Path, make_wiki: MakeWiki
):
    root = make_wiki({})
    inbox = write_files(
        tmp_path / "inbox",
        {
            "empty.md": b"",
            "junk.bin": bytes(range(256)) * 20,
            "broken.pdf": b"%PDF-1.7\nnothing of the kind",
            "front.md": "---\ntitle: [unclosed\n\tbad\n---\n\nStill some words to read here.\n",
            "gbk.txt": "这是一个用旧编码写的文件，内容是关于检索的笔记。".encode("gbk"),
            "same.md": NOTE,
            "copy.md": NOTE,
        },
    )
    taken = take_in(root, [inbox, tmp_path / "missing.md"], now=NOW)
    done = compiled(root)
    assert [(p.path, p.severity) for p in taken.problems] == [
        (f"{tmp_path}/missing.md", "error"),
        ("raw/inbox/broken.pdf", "error"),
        ("raw/inbox/empty.md", "error"),
        ("raw/inbox/junk.bin", "error"),
    ]
    assert [p.path for p in done.problems] == ["raw/inbox/front.md"]
    assert len(taken.known) == 1
    statuses = {
        Path(record.path).name: {section.status for section in record.sections}
        for record in load_manifest(root).values()
    }
    assert statuses["empty.md"] == {"no_text"}
    assert statuses["junk.bin"] == {"unreadable"}
    assert statuses["broken.pdf"] == {"unreadable"}
    assert statuses["gbk.txt"] == {"compiled"}
    assert len([name for name in statuses if name in ("same.md", "copy.md")]) == 1
    assert any("检索的笔记" in body for body in bodies(root).values())
    assert [p for p in lint_wiki(root) if p.severity == "error"] == []
    assert done.sections["compiled"] >= 5


def test_a_file_whose_name_is_no_text_is_taken_in_under_one_that_is(
    tmp_path: Path, make_wiki: MakeWiki
):
    root = make_wiki({})
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    try:
        (inbox / os.fsdecode(b"caf\xe9.md")).write_text(NOTE, encoding="utf-8")
    except OSError:
        pytest.skip("this file system takes no such name")
    taken = take_in(root, [inbox], now=NOW)
    compiled(root)
    (record,) = load_manifest(root).values()
    assert (record.path, taken.problems) == ("raw/inbox/caf\ufffd.md", ())
    assert [page for section in record.sections for page in section.pages]
    (root / "raw" / os.fsdecode(b"\xff.md")).write_text("# Other\n\nWords.\n", encoding="utf-8")
    problems = register(root, load_manifest(root), NOW).problems
    assert [p.message for p in problems] == ["its name is not UTF-8; rename it"]


def test_links_in_a_folder_that_are_not_followed_are_named(tmp_path: Path, make_wiki: MakeWiki):
    root = make_wiki({})
    inbox = write_files(tmp_path, {"in/note.md": NOTE, "out/other.md": NOTE + "More.\n"}) / "in"
    (inbox / "away.md").symlink_to(tmp_path / "out/other.md")
    (inbox / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (inbox / "same.md").symlink_to(inbox / "note.md")
    taken = take_in(root, [inbox], now=NOW)
    assert [(Path(p.path).name, p.severity) for p in taken.problems] == [
        ("away.md", "warning"),
        ("gone.md", "warning"),
    ]
    assert (len(taken.added), len(taken.known)) == (1, 1)


def test_two_files_of_one_name_from_two_folders_are_two_sources(
    tmp_path: Path, make_wiki: MakeWiki
):
    root = make_wiki({})
    one = write_files(
        tmp_path, {"a/notes.md": NOTE, "b/notes.md": "# Gardens\n\nTomatoes need sun and water.\n"}
    )
    take_in(root, [one / "a/notes.md", one / "b/notes.md"], now=NOW)
    records = load_manifest(root)
    assert {record.path for record in records.values()} == {"raw/notes.md", "raw/notes.v2.md"}
    assert len(records) == 2


def test_a_changed_file_is_a_new_version_and_both_are_kept(tmp_path: Path, make_wiki: MakeWiki):
    root = make_wiki({})
    file = write_files(tmp_path, {"in/notes.md": NOTE}) / "in/notes.md"
    take_in(root, [file], now=NOW)
    compiled(root)
    file.write_text(NOTE.replace("constant is 60", "constant is 20"))
    taken = take_in(root, [file], now=NOW)
    assert len(taken.added) == 1
    done = compiled(root, days=1)
    assert done.updated == ("rank-fusion",)
    assert done.made == ()
    assert sorted(path.name for path in (root / "raw").glob("*.md")) == ["notes.md", "notes.v2.md"]


def test_a_wiki_without_originals_compiles_to_itself(make_wiki: MakeWiki):
    root = make_wiki({"wiki/a.md": "# A\n\nSee [[B]].\n"})
    (root / "raw").rmdir()
    done = compiled(root)
    assert (done.made, done.problems) == ((), ())
    assert (root / "wiki/a.md").read_text() == "# A\n\nSee [[B]].\n"
