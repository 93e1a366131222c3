"""Sources as a reader sees them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.footnotes import Footnote
from citewiki.model import Page, SourceRef
from citewiki.site.evidence import (
    Evidence,
    Original,
    Part,
    Quoted,
    describe,
    evidence,
    panels,
    place,
    read_manifest,
    text_fragment,
)  # fmt: skip
from citewiki.site.urls import ROOT

PDF = Original("raw/p.pdf", "The Paper")
WEB = Original("raw/w.html", "The Post", "https://x.y/post")
KNOWN = {"raw/p.pdf": PDF, "p": PDF, "raw/w.html": WEB}


def test_an_original_has_its_title_and_no_link_unless_published() -> None:
    ref = SourceRef("p", "raw/p.pdf", locator="pp. 3-7 › 2.1")
    assert describe(ref, KNOWN, publish_raw=False) == Evidence("The Paper", "pp. 3-7 › 2.1")
    assert describe(ref, KNOWN, publish_raw=True) == Evidence(
        "The Paper", "pp. 3-7 › 2.1", f"{ROOT}raw/p.pdf#page=3"
    )


def test_what_came_from_the_web_links_to_where_it_came_from() -> None:
    ref = SourceRef("w", "raw/w.html")
    assert describe(ref, KNOWN, publish_raw=False).href == "https://x.y/post"
    bare = SourceRef("u", "https://a.b/c/")
    assert describe(bare, {}, publish_raw=False) == Evidence("a.b/c", "", "https://a.b/c/")


def test_an_unknown_source_is_named_as_the_page_names_it() -> None:
    assert describe(SourceRef("8deb"), {}, publish_raw=True) == Evidence("8deb", "")


def test_a_source_is_listed_once() -> None:
    page = Page("a.md", "a", "A", "", sources=(SourceRef("p"), SourceRef("p", "raw/p.pdf")))
    assert len(evidence(page, KNOWN, publish_raw=False)) == 1


def test_a_manifest_with_broken_lines_gives_what_it_can(tmp_path: Path) -> None:
    path = tmp_path / "manifest.jsonl"
    path.write_text(
        '{"id": "p", "path": "raw/p.pdf", "title": "The Paper", "origin": "p.pdf"}\n'
        "{broken\n[1]\n\n"
        '{"path": "raw/w.html", "title": "The Post", "origin": "https://x.y/post"}\n'
    )
    assert read_manifest(path) == {"raw/p.pdf": PDF, "p": PDF, "raw/w.html": WEB}
    assert read_manifest(tmp_path / "none") == {}


@pytest.mark.parametrize(
    ("address", "locator", "words", "rest"),
    [
        ("raw/p.pdf", "p. 4", "some words", "#page=4"),
        ("https://x.y/P.PDF?v=2", "pp. 12-13 › 2.1", "", "#page=12"),
        ("raw/p.pdf", "§ Intro", "some words", ""),
        ("https://x.y/post", "", "", ""),
        ("https://x.y/post", "§ One", "say so", "#:~:text=say%20so"),
        ("https://x.y/post#part", "", "say so", ":~:text=say%20so"),
        ("raw/w.html", "", "a-b, c & d", "#:~:text=a%2Db%2C%20c%20%26%20d"),
        ("raw/slides.pptx", "slide 3", "some words", ""),
    ],
)
def test_a_link_opens_the_original_at_the_place(
    address: str, locator: str, words: str, rest: str
) -> None:
    assert place(address, locator, words) == rest


def test_a_long_quote_is_looked_up_by_its_ends() -> None:
    words = " ".join(f"word{number}" for number in range(30))
    assert text_fragment(words) == (
        "word0%20word1%20word2%20word3%20word4,word25%20word26%20word27%20word28%20word29"
    )
    chinese = "数据库把数据写到磁盘上，以后可以读出来；" * 6 + "断电也不怕。"
    start, end = map(unquote, text_fragment(chinese).split(","))
    assert (start, end) == ("数据库把数据写到磁盘上，", "断电也不怕。")
    assert unquote(text_fragment("无标点" * 60)) == "无标点" * 60


@given(st.text())
def test_no_quote_breaks_out_of_its_link(words: str) -> None:
    assert re.fullmatch(r"[\w.~%,]*", text_fragment(words), re.ASCII)


def test_notes_of_a_source_stand_with_it_though_they_name_it_otherwise() -> None:
    page = Page("a.md", "a", "A", "", sources=(SourceRef("p", locator="pp. 3-7"),))
    notes = [
        Footnote("p.1", "", "raw/p.pdf", "p. 4", "one"),
        Footnote("w.1", "", "raw/w.html", "", "two"),
    ]
    (_, paper), (_, post) = panels(page, KNOWN, notes, publish_raw=True)
    assert (paper.title, paper.href, paper.locators) == (
        "The Paper",
        f"{ROOT}raw/p.pdf#page=3",
        ("pp. 3-7",),
    )
    assert paper.quotes == (Quoted("p. 4", "one", f"{ROOT}raw/p.pdf#page=4", "#fn:p.1"),)
    assert (post.title, post.quotes[0].href) == ("The Post", f"{ROOT}raw/w.html#:~:text=two")
    (_, paper), (_, post) = panels(page, KNOWN, notes, publish_raw=False)
    assert (paper.href, paper.quotes[0].href) == ("", "")
    assert post.quotes[0].href == "https://x.y/post#:~:text=two"


def test_the_manifest_tells_kind_time_and_sections(tmp_path: Path) -> None:
    path = tmp_path / "manifest.jsonl"
    path.write_text(
        '{"id": "p", "path": "raw/p.pdf", "media_type": "application/pdf", "owner": "alice",'
        ' "fetched_at": "2026-05-02T00:00:00Z", "sections": [{"title": "One", "locator": "p. 1",'
        ' "status": "compiled", "pages": ["a"]}]}\n'
        '{"id": "d", "path": "raw/d.docx", "fetched_at": "soon"}\n'
    )
    known = read_manifest(path)
    assert (known["p"].kind, known["p"].owner, known["p"].pages) == ("PDF", "alice", {"a"})
    assert known["p"].taken == datetime(2026, 5, 2, tzinfo=UTC)
    assert known["p"].sections == (Part("One", "p. 1", "compiled", "", ("a",)),)
    assert (known["d"].kind, known["d"].taken) == ("DOCX", None)
