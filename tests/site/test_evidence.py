"""Sources as a reader sees them."""

from __future__ import annotations

from pathlib import Path

from citewiki.model import Page, SourceRef
from citewiki.site.evidence import Evidence, Original, describe, evidence, read_manifest
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
