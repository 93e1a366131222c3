"""Markdown files as sources."""

from __future__ import annotations

from citewiki.sources.markdown_reader import read

PROSE = "Hybrid search joins two ranked lists by their ranks, and needs no training at all."


def test_the_title_is_that_of_the_front_matter_then_the_h1_then_the_file_name() -> None:
    assert read(f"---\ntitle: T\n---\n{PROSE}", "f.md").title == "T"
    assert read(f"# H\n\n{PROSE}", "f.md").title == "H"
    assert read(PROSE, "hybrid-search.md").title == "Hybrid search"


def test_a_title_heading_that_differs_is_kept_as_another_name() -> None:
    source = read(f"---\ntitle: RRF\n---\n# Reciprocal rank fusion\n\n{PROSE}", "f.md")

    assert (source.title, source.aliases) == ("RRF", ("Reciprocal rank fusion",))
    assert read(f"---\ntitle: RRF\n---\n# rrf\n\n{PROSE}", "f.md").aliases == ()


def test_front_matter_alone_is_a_source_without_text() -> None:
    (section,) = read("---\ntitle: T\n---\n", "f.md").sections

    assert (section.status, bool(section.reason)) == ("no_text", True)


def test_site_generator_tags_do_not_reach_the_sections() -> None:
    (section,) = read(f"{{% include x %}}\n{PROSE}\n<!-- more -->\n", "f.md").sections

    assert section.text == PROSE


def test_the_language_is_told_from_the_text_unless_the_source_says_it() -> None:
    chinese = "混合检索把两个列表按照名次合成一个列表。"

    assert read(chinese, "f.md").language == "zh"
    assert read(f"---\nlang: ja-JP\n---\n{chinese}", "f.md").language == "ja"
