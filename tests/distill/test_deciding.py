"""What waits is accepted or rejected: distill/deciding.py."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from citewiki.config import Config
from citewiki.distill.compile import compile_sources
from citewiki.distill.deciding import accept, reject
from citewiki.distill.ingest import take_in
from citewiki.errors import DataError
from citewiki.markdown.notes import parted
from citewiki.model import Page
from citewiki.sources.manifest import load_manifest
from citewiki.store.lifecycle import supersede
from citewiki.store.pages import edited_by_hand, load_pages
from citewiki.store.review import items, queue
from tests.conftest import NOW, MakeWiki, write_files

NOTE = "# Notes\n\n## Rank fusion\n\nRank fusion merges two lists.\n\n## Chunking\n\nChunking cuts text before rank fusion.\n"


def compiled(root: Path, note: str = NOTE, *, review: bool = True) -> list[str]:
    """Take a note in and compile it; ids of what waits then."""
    write_files(root.parent, {"notes.md": note})
    take_in(root, [root.parent / "notes.md"], now=NOW)
    compile_sources(root, Config(), now=NOW, version="1", review=review)
    return [item.id for item in items(root / ".citewiki")]


def pages(root: Path) -> dict[str, Page]:
    return {page.slug: page for page in load_pages(root / "wiki")[0]}


def decide(root: Path, ids: list[str], **more: bool) -> tuple[str, ...]:
    """Accept; the messages of what stays."""
    done = accept(root, root / ".citewiki", ids, Config(), now=NOW, who="ann", **more)
    return tuple(problem.message for problem in done.waiting)


def statuses(root: Path) -> dict[str, tuple[str, tuple[str, ...], str]]:
    (record,) = load_manifest(root).values()
    return {s.id: (s.status, s.pages, s.reason) for s in record.sections}


def edit(root: Path, slug: str, old: str, new: str) -> None:
    """As a person would: in the file."""
    path = root / "wiki" / pages(root)[slug].path
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_accepted_draft_is_the_page_that_compiling_without_review_makes(
    make_wiki: MakeWiki, tmp_path: Path
):
    root = make_wiki({})
    ids = compiled(root)
    assert pages(root) == {}
    assert decide(root, ids) == ()
    reviewed = {page.slug: (page.body, page.title, page.tags) for page in pages(root).values()}
    index, accepted = (root / "wiki/index.md").read_text(), statuses(root)
    assert items(root / ".citewiki") == []
    for path in [
        *(root / "wiki").rglob("*.md"),
        root / "raw/manifest.jsonl",
        *(root / "raw").glob("*.md"),
    ]:
        path.unlink()
    compiled(root, review=False)
    assert reviewed == {
        page.slug: (page.body, page.title, page.tags) for page in pages(root).values()
    }
    assert (index, accepted) == ((root / "wiki/index.md").read_text(), statuses(root))


def test_compiling_after_accepting_changes_nothing(make_wiki: MakeWiki):
    root = make_wiki({})
    decide(root, compiled(root))
    before = pages(root)
    assert compiled(root) == []
    assert pages(root) == before


def test_the_log_says_who_accepted_what(make_wiki: MakeWiki):
    root = make_wiki({})
    ids = compiled(root)
    decide(root, ids)
    log = (root / "wiki/log.md").read_text()
    assert log.count(" · ann · accepted “") == len(ids)


def test_a_rejected_draft_is_not_proposed_again_and_its_reason_is_in_the_manifest(
    make_wiki: MakeWiki,
):
    root = make_wiki({})
    (first, *_) = compiled(root)
    section = next(item.section for item in items(root / ".citewiki") if item.id == first)
    reject(root, root / ".citewiki", [first], now=NOW, who="ann", why="too\nthin")
    assert statuses(root)[section] == ("pending", (), "rejected by ann: too thin")
    assert first not in compiled(root)
    assert "rejected “" in (root / "wiki/log.md").read_text()


def test_a_rejection_needs_its_reason_and_an_unknown_name_decides_nothing(make_wiki: MakeWiki):
    root = make_wiki({})
    ids = compiled(root)
    with pytest.raises(DataError, match="--why"):
        reject(root, root / ".citewiki", ids, now=NOW, who="", why=" ")
    with pytest.raises(DataError, match="nothing that waits"):
        decide(root, [*ids, "ffff"])
    assert [item.id for item in items(root / ".citewiki")] == ids
    assert pages(root) == {}


def changed(root: Path) -> str:
    """A compiled note, of which one section changes under review; its item's id."""
    compiled(root, review=False)
    (waits,) = compiled(root, NOTE.replace("merges two lists", "merges many lists"))
    return waits


def test_a_page_that_a_person_changed_elsewhere_meanwhile_is_merged(make_wiki: MakeWiki):
    root = make_wiki({})
    waits = changed(root)
    edit(
        root,
        "rank-fusion",
        "Rank fusion merges two lists.[^notes.1]\n",
        "Rank fusion merges two lists.[^notes.1]\n\nI like it.\n",
    )
    assert decide(root, [waits]) == ()
    page = pages(root)["rank-fusion"]
    assert parted(page.body)[0].startswith("Rank fusion merges many lists.[^notes.1]\n\nI like it.")
    assert edited_by_hand(page)


def test_a_page_that_a_person_changed_in_the_same_place_stays_and_says_so(make_wiki: MakeWiki):
    root = make_wiki({})
    waits = changed(root)
    edit(root, "rank-fusion", "merges two lists.[", "joins two lists.[")
    (message,) = decide(root, [waits])
    assert "changed in the same place" in message
    assert "joins two lists" in pages(root)["rank-fusion"].body
    (item,) = items(root / ".citewiki")
    assert item.person.startswith("Rank fusion joins two lists.")


def test_a_person_may_take_all_but_what_they_wrote_otherwise(make_wiki: MakeWiki):
    root = make_wiki({})
    waits = changed(root)
    edit(root, "rank-fusion", "merges two lists.[", "joins two lists.[")
    decide(root, [waits])
    assert decide(root, [waits], mine=True) == ()
    assert "joins two lists" in pages(root)["rank-fusion"].body
    assert statuses(root)["rank-fusion"][0] == "compiled"
    assert items(root / ".citewiki") == []


def test_front_matter_that_a_person_changed_meanwhile_stays(make_wiki: MakeWiki):
    root = make_wiki({})
    waits = changed(root)
    edit(root, "rank-fusion", "title: Rank fusion", "title: Fusing ranks\nmood: good")
    assert decide(root, [waits]) == ()
    page = pages(root)["rank-fusion"]
    assert page.title == "Fusing ranks"
    assert "merges many lists" in page.body
    assert "mood: good" in (root / "wiki" / page.path).read_text()


def test_a_summary_and_tags_that_a_person_wrote_outlast_updates_with_and_without_review(
    make_wiki: MakeWiki,
):
    root = make_wiki({})
    decide(root, compiled(root))
    edit(root, "rank-fusion", "summary: Rank fusion merges two lists.", "summary: My words.")
    edit(root, "rank-fusion", "tags: [", "tags: [mine, ")
    compiled(root, NOTE.replace("two lists", "many lists"), review=False)
    decide(root, compiled(root, NOTE.replace("two lists", "all lists")))
    page = pages(root)["rank-fusion"]
    assert "merges all lists" in page.body
    assert page.summary == "My words."
    assert "mine" in page.tags


def test_a_draft_whose_page_was_made_or_deleted_since_stays(make_wiki: MakeWiki):
    root = make_wiki({})
    ids = compiled(root)
    write_files(root, {"wiki/mine.md": "---\ntitle: Mine\nslug: rank-fusion\n---\nMy own words.\n"})
    (message,) = decide(root, ids)
    assert "was made since" in message
    assert pages(root)["rank-fusion"].body == "My own words.\n"
    (root / "wiki/mine.md").unlink()
    decide(root, [items(root / ".citewiki")[0].id])
    (waits,) = compiled(root, NOTE.replace("merges two lists", "merges many lists"))
    (root / "wiki" / pages(root)["rank-fusion"].path).unlink()
    assert "gone" in decide(root, [waits])[0]


def test_a_draft_that_would_lie_outside_of_the_wiki_stays(make_wiki: MakeWiki):
    root = make_wiki({})
    (first, _) = compiled(root)
    (item, _) = items(root / ".citewiki")
    for path in ("../out.md", "/tmp/out.md", "x/../../out.md", "run.sh"):
        queue(root / ".citewiki", replace(item, path=path))
        assert decide(root, [first]) == (f"{first}: its path leads out of wiki/",)
    assert not (root / "out.md").exists()


def test_a_section_with_a_page_keeps_it_when_something_else_made_of_it_is_rejected(
    make_wiki: MakeWiki,
):
    root = make_wiki({})
    (item, _) = compiled(root) and items(root / ".citewiki")
    decide(root, [item.id])
    before = statuses(root)
    queue(root / ".citewiki", replace(item, id="abc", kind="contradiction", slug="rank-fusion"))
    reject(root, root / ".citewiki", ["abc"], now=NOW, who="ann", why="both hold")
    assert statuses(root) == before


def test_a_section_that_changed_since_is_still_to_be_compiled(make_wiki: MakeWiki):
    root = make_wiki({})
    ids = compiled(root)
    write_files(root.parent, {"notes.md": NOTE.replace("two lists", "three lists")})
    take_in(root, [root.parent / "notes.md"], now=NOW)
    decide(root, ids)
    assert statuses(root)["rank-fusion"][:2] == ("pending", ("rank-fusion",))
    assert statuses(root)["chunking"][0] == "compiled"


class Killed(BaseException):
    """What ends a run at once."""


@contextmanager
def killed_after(writes: int) -> Iterator[None]:
    """The process ends before the disk takes the next change (of a file's place or being)."""
    left = [writes]
    real = {name: getattr(os, name) for name in ("replace", "unlink")}

    def counted(name: str):
        def call(*arguments, **more):
            temporary = name == "unlink" and str(arguments[0]).endswith(".tmp")
            if not temporary and not str(arguments[-1]).endswith("lock"):
                if not left[0]:
                    raise Killed
                left[0] -= 1
            return real[name](*arguments, **more)

        return call

    try:
        for name in real:
            setattr(os, name, counted(name))
        yield
    finally:
        for name, function in real.items():
            setattr(os, name, function)


def test_a_run_that_is_killed_between_any_two_writes_is_taken_up_by_the_next(make_wiki: MakeWiki):
    root = make_wiki({})
    outcomes = []
    for writes in range(40):
        shutil.rmtree(root)
        (root / "wiki").mkdir(parents=True)
        ids = compiled(root)
        try:
            with killed_after(writes):
                decide(root, ids)
            finished = True
        except Killed:
            finished = False
            left = [item.id for item in items(root / ".citewiki")]
            assert set(left) <= set(ids)
            decide(root, left)
        assert items(root / ".citewiki") == []
        log = (root / "wiki/log.md").read_text()
        outcomes.append((pages(root), statuses(root), (root / "wiki/index.md").read_text(), log))
        if finished:
            break
    assert finished
    assert writes > 6
    assert all(outcome == outcomes[-1] for outcome in outcomes)


def test_a_page_that_was_superseded_while_its_draft_waited_stays_at_its_end(
    make_wiki: MakeWiki,
) -> None:
    root = make_wiki({"wiki/other.md": "# Other\n\nMerging is done otherwise.\n"})
    compiled(root, review=False)
    waiting = compiled(root, NOTE.replace("two lists", "many lists"))
    supersede(root, "rank-fusion", "other", now=NOW)
    before = pages(root)["rank-fusion"]
    assert decide(root, waiting) == ()
    after = pages(root)["rank-fusion"]
    assert "many lists" in after.body
    assert (after.superseded_by, after.valid_until) == ("other", before.valid_until)
    assert before.valid_until is not None
