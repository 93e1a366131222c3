"""Headings with their anchors, passages and sentences."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymdownx.slugs import slugify

import markdown
from citewiki.markdown.structure import headings, passages, sentences

BODY = """\
Before any heading.

# RAG

Retrieval finds pages.[^a.1] Generation writes text.

## Hybrid

- BM25 counts words.[^a.2]
- Vectors compare meanings. They need a model.

### Fusion

| Method | Formula |
|---|---|
| RRF | `1/(k+r)` |

## Limits

```py
print("No sentence. None.")
```

Part of [[Search]].

[^a.1]: raw/a.pdf, p. 1: "No sentence either."
"""


def built_anchors(text: str) -> list[str]:
    """Heading ids in the page that Python-Markdown builds."""
    page = markdown.markdown(
        text,
        extensions=[
            "toc", "attr_list", "tables", "footnotes", "pymdownx.saneheaders",
            "pymdownx.superfences", "pymdownx.tilde", "pymdownx.mark",
        ],
        extension_configs={"toc": {"slugify": slugify(case="lower")}},
    )  # fmt: skip
    return [html.unescape(found) for found in re.findall(r'<h[1-6][^>]* id="([^"]*)"', page)]


def test_headings_have_level_plain_text_and_place() -> None:
    text = "# *One* `two` ##\n\nThree [[B|b]]\n===\n\nfour\n----\n#none\n\n```\n# none\n```\n"
    found = headings(text)
    assert [(h.level, h.text, text[h.start : h.end]) for h in found] == [
        (1, "One two", "# *One* `two` ##"),
        (1, "Three b", "Three [[B|b]]\n==="),
        (2, "four", "four\n----"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "para\n\n    # indented code",
        "<!--\n# comment\n-->",
        "- # in an item",
        "> # in a quote",
        "a | b\n--- | ---\nc | d",
        "- item\n---\n",
        "text\n\n---\n\ntext",
        "two\nlines\n---",
        "[^1]: note\n    # in it",
    ],
)
def test_what_only_looks_like_a_heading_is_none(text: str) -> None:
    assert headings(text) == []


def test_anchors_are_those_of_the_built_page() -> None:
    lines = [
        "Giới thiệu về **RAG** & `BM25`!", "深度学习：入门 (2024)", "て-sequence の話", "データベース",
        "Heading", "Heading", "heading_1", "C++ / C# – what's \"new\"?", "A & B &amp; C &lt;x&gt;",
        "With [link](http://x.y 'T') and ![img](a.png) end", "Own {#my-id}", "Own { .c #my-id2 }",
        "my-id", "snake_case __bold__ _it_ *it* ***both***", "Trailing hashes ###", "#tag inside",
        "😀", "😀", "???", "<b>html</b> text", "a  b   c", "Ünïcode Straße", "Note[^1]",
        "\\*escaped\\* \\_x\\_", "~~del~~ ==mark== 2*3*4", "1.2.3 Version", "`<b> _x_` tail",
        "[Unreleased] - 2020", "https://example.org/a_b", "it's “quoted” — dash…",
    ]  # fmt: skip
    text = "\n\n".join(f"## {line}" for line in lines) + "\n\nSetext *é*\n===\n\n[^1]: x\n"
    assert [heading.anchor for heading in headings(text)] == built_anchors(text)


PIECES = st.sampled_from(
    ["a", "B", "c d", "**x**", "`y z`", "*i*", "ế", "中文", "て", "&", "&amp;", "!", "?", " - ",
     "1.2", "[l](u)", "😀", "\"", "'", "\\*", "(x)", "::", "/", "x_y", "Ø", "한국"]
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.lists(PIECES, min_size=1, max_size=4).map(" ".join), min_size=1, max_size=4))
def test_anchors_of_any_headings_are_those_of_the_built_page(lines: list[str]) -> None:
    text = "\n\n".join(f"## {line}" for line in lines)
    assert [heading.anchor for heading in headings(text)] == built_anchors(text)


def test_many_equal_headings_get_distinct_anchors_quickly() -> None:
    found = headings("# Same\n\n" * 3000)
    assert len({heading.anchor for heading in found}) == 3000
    assert found[-1].anchor == "same_2999"


def test_passages_carry_the_path_of_their_headings() -> None:
    found = passages(BODY)
    assert [(passage.heading, passage.path) for passage in found] == [
        ("", ()),
        ("RAG", ("RAG",)),
        ("Hybrid", ("RAG", "Hybrid")),
        ("Fusion", ("RAG", "Hybrid", "Fusion")),
        ("Limits", ("RAG", "Limits")),
    ]
    assert found[0].text == "Before any heading."
    assert found[1].text == "Retrieval finds pages.[^a.1] Generation writes text."
    assert found[2].anchor == "hybrid"


@pytest.mark.parametrize("body", ["", "text", "# H", "\n\n# H\n\n## I\nx"])
def test_passages_cover_the_body(body: str) -> None:
    assert "".join(body[passage.start : passage.end] for passage in passages(body)) == body


def test_sentences_are_of_prose_items_and_rows_only() -> None:
    assert [(s.text, s.heading, s.footnotes) for s in sentences(BODY)] == [
        ("Before any heading.", "", ()),
        ("Retrieval finds pages.", "RAG", ("a.1",)),
        ("Generation writes text.", "RAG", ()),
        ("BM25 counts words.", "Hybrid", ("a.2",)),
        ("Vectors compare meanings.", "Hybrid", ()),
        ("They need a model.", "Hybrid", ()),
        ("Method: RRF; Formula: 1/(k+r)", "Fusion", ()),
    ]


def test_a_quote_is_verbatim_and_without_the_references_after_it() -> None:
    body = "See **[[Vector DB|vectors]]** and `a. B`[^x] now.[^a.1][^a.2] Next [one](u.html).[^b]"
    first, second = sentences(body)
    assert first.quote == "See **[[Vector DB|vectors]]** and `a. B`[^x] now."
    assert first.text == "See vectors and a. B now."
    assert first.footnotes == ("x", "a.1", "a.2", "b")
    assert (second.quote, second.text, second.footnotes) == (
        "Next [one](u.html).",
        "Next one.",
        ("b",),
    )


def test_a_mark_between_two_sentences_belongs_to_the_one_it_marks() -> None:
    assert [s.quote for s in sentences("一。*二。*三。")] == ["一。", "*二。*", "三。"]


def test_marks_around_a_sentence_belong_to_its_quote() -> None:
    assert [s.quote for s in sentences("**Bold.** [Link](u) text. `Code` end.")] == [
        "**Bold.**",
        "[Link](u) text.",
        "`Code` end.",
    ]


@pytest.mark.parametrize(
    ("body", "texts"),
    [
        ("One line\nwrapped here. Two.", ["One line wrapped here.", "Two."]),
        ("中文换行\n继续。第二句。", ["中文换行继续。", "第二句。"]),
        ("- [x] done\n- [ ] open", ["done", "open"]),
        ("> quoted\n> text.\n\nafter", ["quoted text.", "after"]),
        ("> [!tip] Title\n> Body.", ["Body."]),
        ("1. one\n   more\n2. two", ["one more", "two"]),
        ("![A. B](x.png) Text ![[P]].", ["Text ."]),
        ("![[Page]]", []),
        ("a &amp; b \\* c <b>d</b> 5 * 6 snake_case", ["a & b * c d 5 * 6 snake_case"]),
        ("See https://a.b/c.d?e. Then", ["See https://a.b/c.d?e.", "Then"]),
        ("A claim. ^block-1", ["A claim."]),
        ("A<br>B", ["A B"]),
        ("| A |\n|---|\n| x \\| y |\n| |", ["A: x | y"]),
        ("[ref]: http://x.y\n\n[TOC]\n\n***\n\n{: .c }", []),
        ("Inline $a. B$ math. Next.", ["Inline a. B math.", "Next."]),
        ("Part of [[X]].\n\nPart of [[X]] is y.", ["Part of X is y."]),
    ],
)
def test_a_sentence_has_plain_text(body: str, texts: list[str]) -> None:
    assert [sentence.text for sentence in sentences(body)] == texts


def test_sentences_of_a_passage_are_those_inside_it() -> None:
    passage = passages(BODY)[2]
    found = sentences(BODY, passage.start, passage.end)
    assert [s.text for s in found][:2] == ["BM25 counts words.", "Vectors compare meanings."]
    assert all(sentence.heading == "Hybrid" for sentence in found)


LINES = st.lists(
    st.text(alphabet='aB. [](|)!*_`#>-1\t^:~$%<\\中。"=', max_size=30), max_size=8
).map("\n".join)


@given(LINES)
def test_quotes_of_any_text_are_verbatim_trimmed_and_in_order(body: str) -> None:
    end = 0
    for sentence in sentences(body):
        assert end <= sentence.start < sentence.end <= len(body)
        assert sentence.quote == body[sentence.start : sentence.end] == sentence.quote.strip()
        assert sentence.text == " ".join(sentence.text.split())
        end = sentence.end


@given(LINES)
def test_any_text_is_covered_by_its_passages(body: str) -> None:
    assert "".join(body[passage.start : passage.end] for passage in passages(body)) == body
    anchors = [heading.anchor for heading in headings(body)]
    assert len(set(anchors)) == len(anchors)
