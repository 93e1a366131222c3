"""A source is taken out again: distill/undo.py and distill/cutting.py."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.config import Config
from citewiki.distill.additions import added
from citewiki.distill.compile import compile_sources
from citewiki.distill.cutting import Origin, cut
from citewiki.distill.ingest import register, take_in
from citewiki.distill.undo import Undo, plan_undo, undo_source
from citewiki.errors import DataError
from citewiki.lint import lint_wiki
from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.notes import parted
from citewiki.model import Page
from citewiki.sources.manifest import load_manifest
from citewiki.store.pages import edited_by_hand, load_pages
from citewiki.store.review import items
from tests.conftest import NOW, MakeWiki, write_files
from tests.distill.test_deciding import Killed, edit, killed_after

FIRST = "# Search\n\n## Rank fusion\n\nRank fusion merges lists of results.\n\n## Inverted index\n\nAn inverted index maps words to pages.\n"
SECOND = "# Storage\n\n## Chunking\n\nChunking cuts text before rank fusion.\n\n## Compression\n\nCompression makes an inverted index small.\n"


def taken(root: Path, **notes: str) -> None:
    for name, text in notes.items():
        write_files(root.parent, {f"{name}.md": text})
        take_in(root, [root.parent / f"{name}.md"], now=NOW)
        compile_sources(root, Config(), now=NOW, version="1")


def undo(root: Path, name: str, *, edited: bool = False) -> Undo:
    return undo_source(root, root / ".citewiki", name, now=NOW, who="ann", edited=edited)


def pages(root: Path) -> dict[str, Page]:
    return {page.slug: page for page in load_pages(root / "wiki", archived=True)[0]}


def files(root: Path) -> dict[str, bytes]:
    """All that is the wiki's truth or evidence, but its log."""
    found = [*(root / "wiki").rglob("*"), *(root / "raw").rglob("*")]
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in found
        if path.is_file() and path.name != "log.md"
    }


def test_a_wiki_is_as_if_the_source_had_never_come(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST)
    before = files(root)
    taken(root, storage=SECOND)
    assert set(pages(root)) == {"rank-fusion", "inverted-index", "chunking", "compression"}
    undo(root, "storage")
    assert files(root) == before
    assert [problem for problem in lint_wiki(root) if problem.severity == "error"] == []


def test_taken_in_again_it_gives_the_same_pages(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST, storage=SECOND)
    before = files(root)
    undo(root, "raw/storage.md")
    taken(root, storage=SECOND)
    assert files(root) == before


def test_the_plan_names_every_page_claim_and_link_and_writes_nothing(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST, storage=SECOND)
    before = files(root)
    plan = plan_undo(root, root / ".citewiki", "search")
    assert files(root) == before
    assert {loss.title: loss.claims for loss in plan.deleted} == {
        "Rank fusion": ("Rank fusion merges lists of results.",),
        "Inverted index": ("An inverted index maps words to pages.",),
    }
    assert {(link.path, link.title, link.stays) for link in plan.links} == {
        ("notes/chunking.md", "Rank fusion", False),
        ("notes/compression.md", "Inverted index", False),
    }
    assert plan.removed == ("raw/search.md",)


def test_links_of_the_program_to_a_page_that_goes_become_words_again(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST, storage=SECOND)
    assert "[[Rank fusion|rank fusion]]" in pages(root)["chunking"].body
    undo(root, "search")
    page = pages(root)["chunking"]
    assert page.body.startswith("Chunking cuts text before rank fusion.[^")
    assert not edited_by_hand(page)


def test_a_page_that_a_person_edited_stays_unless_asked_for(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST)
    edit(root, "rank-fusion", "of results.[", "of many results.[")
    before = pages(root)["rank-fusion"]
    plan = undo(root, "search")
    assert [loss.title for loss in plan.spared] == ["Rank fusion"]
    assert pages(root) == {"rank-fusion": before}
    taken(root, again=FIRST)
    edit(root, "inverted-index", "maps words", "leads from words")
    assert undo(root, "again", edited=True).spared == ()
    assert set(pages(root)) == {"rank-fusion"}


def test_a_page_by_a_person_that_cites_only_the_source_loses_the_citation_alone(
    make_wiki: MakeWiki,
):
    root = make_wiki({})
    taken(root, search=FIRST)
    mine = '# Mine\n\nI read of fusion.[^1]\n\n[^1]: raw/search.md: "Rank fusion"\n'
    write_files(root, {"wiki/mine.md": mine})
    plan = undo(root, "search", edited=True)
    assert [loss.kept for loss in plan.shared] == [("I read of fusion.",)]
    assert pages(root)["mine"].body == "# Mine\n\nI read of fusion.\n"


SHARED = """\
---
type: concept
title: Shared
slug: shared
sources:
  - {id: search, resource: raw/search.md}
  - {id: storage, resource: raw/storage.md}
---
Both say this.[^search.1][^storage.1] Search adds that.[^search.2] Storage adds more.[^storage.2]

- An item of search,
- and its second one.[^search.3]
- One of storage.[^storage.3]

## Only search

It says so.[^search.4]

    code of search

### Below it

More of it.[^search.5]

## Only storage

It says otherwise.[^storage.4]

[^search.1]: raw/search.md: "a"
[^search.2]: raw/search.md: "b"
[^search.3]: raw/search.md: "c"
[^search.4]: raw/search.md: "d"
[^search.5]: raw/search.v2.md: "e"
[^storage.1]: raw/storage.md: "f"
[^storage.2]: raw/storage.md: "g"
[^storage.3]: raw/storage.md: "h"
[^storage.4]: raw/storage.md: "i"
"""


def test_a_shared_page_loses_exactly_the_sources_claims_and_footnotes(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST, storage=SECOND)
    taken(root, search=FIRST.replace("maps", "leads"))
    body = SHARED.partition("---\nBoth")[2]
    done = cut(f"Both{body}", Origin.of(load_manifest(root)["search"]))
    assert parted(done.body)[0] == (
        "Both say this.[^storage.1] Storage adds more.[^storage.2]\n\n"
        "- One of storage.[^storage.3]\n\n## Only storage\n\nIt says otherwise.[^storage.4]"
    )
    assert list(footnotes(done.body)) == [f"storage.{n}" for n in (1, 2, 3, 4)]
    assert done.claims == (
        "Search adds that.", "An item of search,", "and its second one.", "It says so.", "code of search", "More of it.",
    )  # fmt: skip


def test_what_a_person_wrote_on_a_shared_page_stays_without_its_evidence(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST, storage=SECOND)
    write_files(root, {"wiki/shared.md": SHARED})
    plan = undo(root, "search")
    (loss,) = plan.shared
    assert loss.edited
    assert "It says so." in loss.kept
    page = pages(root)["shared"]
    assert "## Only search\n\nIt says so.\n\n    code of search" in page.body
    assert "[^search." not in page.body
    assert [ref.id for ref in page.sources] == ["storage"]


def test_all_versions_leave_raw_and_what_was_put_there_by_hand_is_moved(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST)
    taken(root, search=FIRST.replace("maps", "leads"))
    assert undo(root, "search").removed == ("raw/search.v2.md", "raw/search.md")
    assert [path.name for path in (root / "raw").iterdir()] == ["manifest.jsonl"]
    assert (root.parent / "search.md").exists()
    write_files(root, {"raw/books/mine.md": SECOND})
    register(root, load_manifest(root), NOW)
    assert undo(root, "mine").moved == ("raw/books/mine.md",)
    assert (root / "undone/books/mine.md").read_text() == SECOND
    assert register(root, load_manifest(root), NOW).added == ()


def test_its_drafts_leave_the_review_queue(make_wiki: MakeWiki):
    root = make_wiki({})
    write_files(root.parent, {"search.md": FIRST})
    take_in(root, [root.parent / "search.md"], now=NOW)
    compile_sources(root, Config(), now=NOW, version="1", review=True)
    assert len(undo(root, "search").drafts) == 2
    assert items(root / ".citewiki") == []


def test_a_page_that_was_superseded_by_one_of_it_holds_again(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST)
    write_files(
        root, {"wiki/old.md": "---\ntitle: Old\nsuperseded_by: rank-fusion\n---\nOld words.\n"}
    )
    undo(root, "search")
    assert pages(root)["old"].superseded_by == ""


def test_a_source_that_nobody_knows_and_a_plan_that_is_out_of_date_undo_nothing(
    make_wiki: MakeWiki,
):
    root = make_wiki({})
    taken(root, search=FIRST)
    with pytest.raises(DataError, match="no source is called"):
        undo(root, "searhc")
    plan = plan_undo(root, root / ".citewiki", "search")
    edit(root, "rank-fusion", "of results.[", "of all results.[")
    with pytest.raises(DataError, match="changed since"):
        undo_source(root, root / ".citewiki", "search", now=NOW, who="", planned=plan)
    assert len(pages(root)) == 2


def test_an_undo_that_is_killed_between_any_two_writes_is_taken_up_by_the_next(make_wiki: MakeWiki):
    root = make_wiki({})
    taken(root, search=FIRST)
    before = files(root)
    taken(root, storage=SECOND + "\n## More\n\nRank fusion is chunking of lists.\n")
    write_files(root, {"wiki/shared.md": SHARED})
    shutil.copytree(root, root.parent / "full")
    writes, finished = 0, False
    while not finished:
        shutil.rmtree(root)
        shutil.copytree(root.parent / "full", root)
        try:
            with killed_after(writes):
                undo(root, "storage")
            finished = True
        except Killed:
            writes += 1
            undo(root, "storage")
        after = files(root)
        shared = after.pop("wiki/shared.md").decode()
        assert "storage" not in shared.partition("---\nBoth")[0]
        assert {name: data for name, data in after.items() if name != "wiki/index.md"} == {
            name: data for name, data in before.items() if name != "wiki/index.md"
        }
        assert (root / "wiki/log.md").read_text().count("undid raw/storage.md") == 1
    assert writes > 6


CITED = st.lists(st.sampled_from(("a.1", "a.2", "b.1", "b.2")), max_size=2, unique=True)
STATEMENTS = st.tuples(st.sampled_from("One Two Three Four".split()), CITED)
PARAGRAPHS = st.lists(STATEMENTS, min_size=1, max_size=4)


@given(st.lists(st.one_of(PARAGRAPHS, st.sampled_from(("## X", "### Y"))), min_size=1, max_size=6))
def test_what_is_left_cites_nothing_of_the_source_and_all_of_the_others(blocks: list):
    shown = [
        block if isinstance(block, str)
        else " ".join(f"{word} is said.{''.join(f'[^{each}]' for each in cited)}" for word, cited in block)
        for block in blocks
    ]  # fmt: skip
    notes = [f'[^{label}]: raw/{label[0]}.md: "x"' for label in ("a.1", "a.2", "b.1", "b.2")]
    body = "\n\n".join((*shown, "\n".join(notes))) + "\n"
    done = cut(body, Origin("a", frozenset(("raw/a.md",))))
    assert set(references(parted(done.body)[0])) == {
        label for label in references(parted(body)[0]) if label.startswith("b")
    }
    assert set(footnotes(done.body)) == {"b.1", "b.2"}
    assert cut(done.body, Origin("a", frozenset(("raw/a.md",)))).body == done.body


@pytest.mark.parametrize("ending", ["", "\n\nPart of [[Search]]."])
def test_a_part_that_was_added_under_a_heading_leaves_the_page_as_it_was(ending: str):
    body = f'Fusion merges lists.[^a.1]{ending}\n\n[^a.1]: raw/a.md: "Fusion merges lists."\n'
    addition = (
        "It needs ranks:\n\n```\nrank = 1\n```\n\n## Why\n\n- as scores differ\n- and ranks do not[^b.1]\n\n"
        '[^b.1]: raw/b.md: "and ranks do not"\n'
    )
    shared = added(body, addition, heading="By Ben", source="b")
    assert "### Why" in shared
    assert cut(shared, Origin("b", frozenset(("raw/b.md",)))).body == body
    rest = parted(cut(shared, Origin("a", frozenset(("raw/a.md",)))).body)[0]
    assert rest.startswith("## By Ben\n\nIt needs ranks:")
