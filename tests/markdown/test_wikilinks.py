"""Wikilinks as Obsidian reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.wikilinks import Wikilink, replace, wikilinks


def only(text: str) -> Wikilink:
    (link,) = wikilinks(text)
    assert text[link.start : link.end].lstrip("!").startswith("[[")
    return link


@pytest.mark.parametrize(
    ("text", "target", "heading", "block", "label"),
    [
        ("[[Title]]", "Title", "", "", ""),
        ("[[Title|words]]", "Title", "", "", "words"),
        ("[[Title#Heading]]", "Title", "Heading", "", ""),
        ("[[Controllers##ReplicaSet|R]]", "Controllers", "ReplicaSet", "", "R"),
        ("[[Page#Part#Heading]]", "Page", "Heading", "", ""),
        ("[[#Heading]]", "", "Heading", "", ""),
        ("[[Page#^block-1]]", "Page", "", "block-1", ""),
        ("[[#^b]]", "", "", "b", ""),
        ("[[Page#Đề mục tiếng Việt]]", "Page", "Đề mục tiếng Việt", "", ""),
        ("[[页面#标题 一]]", "页面", "标题 一", "", ""),
        ("[[folder/Page.md#H|w]]", "folder/Page", "H", "", "w"),
        ("[[../a/./b.MD]]", "../a/./b", "", "", ""),
        ("[[ Title | words ]]", "Title", "", "", "words"),
        ("[[A|f[0]]]", "A", "", "", "f[0]"),
        ("[[A|x|y]]", "A", "", "", "x|y"),
        ("[[C#]]", "C#", "", "", ""),
        ("[[[x]]]", "x", "", "", ""),
        ("[[A|]]", "A", "", "", ""),
        ("[[A|`code`]]", "A", "", "", "`code`"),
        ("[[Page]](see below)", "Page", "", "", ""),
    ],
)
def test_every_form_of_a_link_is_read(
    text: str, target: str, heading: str, block: str, label: str
) -> None:
    link = only(text)
    assert (link.target, link.heading, link.block, link.label) == (target, heading, block, label)
    assert not link.embed


@pytest.mark.parametrize(
    ("text", "target", "label", "size"),
    [
        ("![[Page]]", "Page", "", ""),
        ("![[image.png|300]]", "image.png", "", "300"),
        ("![[image.png|300x200]]", "image.png", "", "300x200"),
        ("![[image.png|alt|300]]", "image.png", "alt", "300"),
        ("![[image.png|300|alt]]", "image.png", "alt", "300"),
        ("![[image.png|a photo]]", "image.png", "a photo", ""),
    ],
)
def test_an_embed_has_a_label_and_a_size(text: str, target: str, label: str, size: str) -> None:
    link = only(text)
    assert link.embed
    assert (link.target, link.label, link.size) == (target, label, size)


def test_a_number_after_the_bar_of_a_link_is_its_label() -> None:
    assert only("[[Page|300]]").label == "300"


def test_the_bar_in_a_table_cell_is_escaped() -> None:
    page, heading = wikilinks("| [[Page\\|words]] | [[#Network\\|n]] |")
    assert (page.target, page.label) == ("Page", "words")
    assert (heading.heading, heading.label) == ("Network", "n")


def test_all_links_of_a_line_are_found() -> None:
    links = wikilinks("[[A|x]] and [[b/B|y]], ![[c.png]]")
    assert [link.target for link in links] == ["A", "b/B", "c.png"]


@pytest.mark.parametrize(
    "text",
    [
        "[[]]",
        "[[ ]]",
        "[[#]]",
        "[[|x]]",
        "[[a]b]]",
        "[[a[b]]",
        "[[a\nb]]",
        "[a]]",
        "\\[[x]]",
        "\\\\\\[[x]]",
        "[[:space:]] and [[:^alpha:]]",
        'if [[ -n "$x" ]]; then',
        "[[ $a == b ]]",
        "[[ a -eq b ]]",
        "[[ ! -f x ]]",
        "[[1]](https://example.org) and [[2]](#cite_note-2)",
        "`[[x]]`",
        "```\n[[outputs.x]]\n```",
        "para\n\n    [[x]]",
        "<!-- [[x]] -->",
        "%%[[x]]%%",
        "$[[x]]$",
        "[[a `]] b` c",
        '<a title="[[x]]">',
    ],
)
def test_what_only_looks_like_a_link_is_none(text: str) -> None:
    assert wikilinks(text) == []


def test_an_escaped_exclamation_mark_leaves_a_link() -> None:
    link = only("\\![[x]]")
    assert (link.start, link.embed) == (2, False)
    assert only("\\\\[[y]]").target == "y"


def test_replace_changes_links_and_nothing_else() -> None:
    text = "a [[B|b]] `[[C]]` \\[[D]] [[E]]."
    assert replace(text, lambda link: f"<{link.shown}>") == "a <b> `[[C]]` \\[[D]] <E>."


def test_a_link_shows_its_label_or_else_where_it_leads() -> None:
    shown = [link.shown for link in wikilinks("[[A|b]] [[A]] [[A#H]] [[#H]]")]
    assert shown == ["b", "A", "A › H", "H"]


@given(st.text(alphabet="[]|#^!\\ab `\n$-", max_size=120))
def test_replacing_links_by_themselves_changes_nothing(text: str) -> None:
    assert replace(text, lambda link: text[link.start : link.end]) == text
    for link in wikilinks(text):
        assert link.target or link.heading or link.block
        assert text[link.start : link.end].startswith("![[" if link.embed else "[[")


NAME = st.text(alphabet="aÀđ中 -_/.(),", min_size=1, max_size=12).map(str.strip).filter(
    lambda name: any(map(str.isalnum, name))
    and not name.endswith(".md")
    and not (name[0] == name[-1] == ".")  # "[[.a.]]" is a collating symbol of shells
)  # fmt: skip


@given(NAME, st.none() | NAME, st.none() | NAME)
def test_a_link_that_is_written_is_read(
    target: str, heading: str | None, label: str | None
) -> None:
    written = f"[[{target}{'#' + heading if heading else ''}{'|' + label if label else ''}]]"
    link = only(f"See {written}.")
    assert (link.target, link.heading, link.label) == (target, heading or "", label or "")
