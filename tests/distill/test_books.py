"""Books: one domain, pages called after book and chapter, and links to turn them by."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from citewiki.config import load_config
from citewiki.distill.books import with_neighbours
from citewiki.distill.compile import compile_sources
from citewiki.distill.extractive import page_title
from citewiki.distill.ingest import take_in
from citewiki.distill.running import Compiled
from citewiki.markdown.structure import sentences
from citewiki.model import Page, Section, Source
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki
from tests.sources.test_epub_reader import CHAPTERS, CONTENTS, PROSE, book


def compiled(root: Path) -> Compiled:
    return compile_sources(root, load_config(root), now=NOW, version="0")


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    root = make_wiki({})
    (root.parent / "systems.epub").write_bytes(book(CHAPTERS, CONTENTS))
    take_in(root, [root.parent / "systems.epub"], now=NOW)
    compiled(root)
    return root


def pages(root: Path) -> dict[str, Page]:
    return {page.title: page for page in load_pages(root / "wiki")[0]}


def test_a_book_is_one_domain_and_its_pages_bear_its_name(root: Path) -> None:
    found = pages(root)

    assert set(found) == {
        "Data Systems",
        "Data Systems: Chapter 1 — Storage",
        "Data Systems: B-trees",
        "Data Systems: Chapter 2 — Replication",
    }
    assert {page.domain for page in found.values()} == {"data-systems"}
    assert found["Data Systems: Chapter 2 — Replication"].aliases == ("Replication",)


def test_pages_link_up_back_and_on(root: Path) -> None:
    body = pages(root)["Data Systems: B-trees"].body

    assert (
        "Part of [[Data Systems: Chapter 1 — Storage]]. "
        "Previous: [[Data Systems: Chapter 1 — Storage]]. "
        "Next: [[Data Systems: Chapter 2 — Replication]]."
    ) in body
    assert "Part of [[Data Systems]]." in pages(root)["Data Systems: Chapter 2 — Replication"].body
    assert not any("Part of" in sentence.text for sentence in sentences(body))


def test_a_chapter_put_between_two_turns_their_links(root: Path) -> None:
    new = {
        **CHAPTERS,
        "c3.xhtml": f"<h1>Chapter 3. Sharding</h1><p>Shards hold a part. {PROSE}</p>",
    }
    contents = CONTENTS.replace(
        '<li><a href="c2.xhtml">',
        '<li><a href="c3.xhtml">Chapter 3. Sharding</a></li><li><a href="c2.xhtml">',
    )
    ordered = {name: new[name] for name in ("copy.xhtml", "c1.xhtml", "c3.xhtml", "c2.xhtml")}
    (root.parent / "systems.epub").write_bytes(book(ordered, contents))
    take_in(root, [root.parent / "systems.epub"], now=NOW)
    compiled(root)
    found = pages(root)

    assert "Next: [[Data Systems: Chapter 3 — Sharding]]." in found["Data Systems: B-trees"].body
    replication = found["Data Systems: Chapter 2 — Replication"].body
    assert replication.count("Previous:") == 1
    assert "Previous: [[Data Systems: Chapter 3 — Sharding]]." in replication


def test_a_second_run_changes_nothing(root: Path) -> None:
    before = {path: path.read_bytes() for path in (root / "wiki").rglob("*.md")}
    done = compiled(root)

    assert (done.made, done.updated, done.linked) == ((), (), ())
    assert {path: path.read_bytes() for path in (root / "wiki").rglob("*.md")} == before


@pytest.mark.parametrize(
    ("heading", "language", "title"),
    [
        ("Chapter 5. Replication", "en", "Data: Chapter 5 — Replication"),
        ("CHAPTER 5", "en", "Data: CHAPTER 5"),
        ("5 Replication", "en", "Data: Chapter 5 — Replication"),
        ("5. Sao lưu", "vi", "Data: Chương 5 — Sao lưu"),
        ("5 复制", "zh", "Data: 第5章 — 复制"),
        ("第5章 复制", "zh", "Data: 第5章 — 复制"),
        ("5 Replikation", "de", "Data: Kapitel 5 — Replikation"),
        ("5.1 Leaders", "en", "Data: Leaders"),
        ("Preface", "en", "Data: Preface"),
    ],
)
def test_a_chapter_is_called_as_its_language_does(heading: str, language: str, title: str) -> None:
    section = Section("a", heading, "", "Text.")
    source = Source("Data", "pdf", "x", (section, section), authority="book", language=language)

    assert page_title(section, source, set()) == title


def test_numbers_below_a_chapter_are_no_chapters() -> None:
    section = Section("a", "1 Leaders", "", "Text.", parents=("Chapter 5. Replication",))
    source = Source("Data", "pdf", "x", (section, section), authority="book", language="en")

    assert page_title(section, source, set()) == "Data: Leaders"
    assert page_title(section, replace(source, authority="note"), set()) == "Leaders"


def test_links_to_neighbours_can_be_changed_and_taken_out_again() -> None:
    body = 'Text.[^a.1]\n\n[^a.1]: raw/a.epub: "Text."\n'
    once = with_neighbours(body, "A", "B")

    assert once == 'Text.[^a.1]\n\nPrevious: [[A]]. Next: [[B]].\n\n[^a.1]: raw/a.epub: "Text."\n'
    assert with_neighbours(once, "A", "B") == once
    assert with_neighbours(once, None, "C").count("[[") == 1
