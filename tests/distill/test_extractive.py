from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.distill.extractive import (
    MARKUP,
    Taken,
    aliases,
    clean_title,
    distill,
    footnoted,
    page_title,
    summary,
)
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.plain import plain
from citewiki.model import Place, Section, Source, SourceRecord
from citewiki.text.folding import quote_key
from tests.conftest import NOW

RECORD = SourceRecord(
    "paper", "raw/ml/paper.pdf", "paper.pdf", "ab12", "application/pdf", 9, NOW, "pdf", "A paper"
)


def section(title: str, text: str = "", **more: object) -> Section:
    return Section(
        id=title.lower() or "start", title=title, locator=f"p. 1 › {title}", text=text, **more
    )  # type: ignore[arg-type]


def source(*sections: Section, title: str = "A paper") -> Source:
    return Source(title=title, reader="pdf", media_type="application/pdf", sections=sections)


TEXT = (
    "Rank fusion (RRF) is a way to merge lists. It was proposed in 2009.\n\n"
    "## Details\n\nThe constant is 60, by custom.\n\n```\ncode is not quoted\n```\n\n"
    "- one thing to say here\n- and another thing\n"
)


def test_every_paragraph_and_list_points_at_its_evidence_and_code_does_not():
    one = section(
        "Rank fusion", TEXT, places=(Place(0, "p. 1"), Place(TEXT.index("## Det"), "p. 2"))
    )
    body = footnoted(one, RECORD)
    notes = footnotes(body)
    assert [(note.locator, note.quote) for note in notes.values()] == [
        ("p. 1", "Rank fusion (RRF) is a way to merge lists."),
        ("p. 2", "The constant is 60, by custom."),
        ("p. 2", "one thing to say here and another thing"),
    ]
    assert "It was proposed in 2009.[^paper.1]" in body
    assert "- and another thing[^paper.3]" in body
    assert "code is not quoted\n```" in body


def test_the_words_of_a_page_are_the_words_of_its_section():
    one = section("Rank fusion", TEXT)
    body = footnoted(one, RECORD).split("\n[^")[0]
    assert quote_key(plain(body)) == quote_key(plain(TEXT))


def test_code_that_opens_a_section_keeps_its_indent():
    body = footnoted(section("Install", "    pip install [[x]]\n\nThen run it.\n"), RECORD)
    assert body.startswith("    pip install [[x]]\n\nThen run it.[^paper.1]\n")


def test_a_draft_has_all_that_a_page_needs():
    sections = (section("", "What this is about, in short."), section("Rank fusion", TEXT))
    draft = distill(
        sections[1], source(*sections), RECORD,
        domain="ml", taken=Taken((), ()), now=NOW, version="9", up="A paper",
    )  # fmt: skip
    page = draft.page
    assert (page.path, page.slug, page.title) == ("ml/rank-fusion.md", "rank-fusion", "Rank fusion")
    assert page.aliases == ("RRF",)
    assert page.summary == ("Rank fusion (RRF) is a way to merge lists. It was proposed in 2009.")
    assert page.sources[0].locator == "p. 1 › Rank fusion"
    assert page.ingested_at == page.last_verified_at == page.valid_from == NOW
    assert page.generated_by == "citewiki/9+extractive"
    assert "Part of [[A paper]]." in page.body


@pytest.mark.parametrize(
    ("heading", "taken", "title"),
    [
        ("BM25", set(), "BM25"),
        ("2.1 Hybrid search", set(), "Hybrid search"),
        ("第三章 检索", set(), "检索"),
        ("Introduction", set(), "A paper: Introduction"),
        ("总结", set(), "A paper: 总结"),
        ("BM25", {"bm25"}, "A paper: BM25"),
        ("BM25", {"bm25", "a paper: bm25"}, "A paper: BM25 (2)"),
        ("", set(), "A paper"),
        ("[[Wiki]] | #1", set(), "Wiki / ♯1"),
    ],
)
def test_a_title_is_the_heading_where_that_can_stand_alone(heading, taken, title):
    sections = (section(heading, "x"), section("Other", "y"))
    assert page_title(sections[0], source(*sections), taken) == title


def test_the_only_section_of_a_source_is_called_by_the_source():
    assert page_title(section("", "x"), source(section("", "x")), set()) == "A paper"


def test_aliases_come_from_parentheses_and_acronyms_said_right_after_the_title():
    assert aliases("位运算符(Bitwise Operators)", "") == ("位运算符", "Bitwise Operators")
    assert aliases("Titanic (1997 film)", "") == ()
    assert aliases("Large language model", "Large language models (LLMs) are big (BIG).") == (
        "LLMs",
    )


def test_a_summary_is_at_most_two_sentences_from_the_one_that_defines():
    text = (
        "We begin slowly here. BM25 is a ranking function. It is rather old now. Nobody minds that."
    )
    assert summary("BM25", text) == "BM25 is a ranking function. It is rather old now."
    assert summary(
        "检索", "首先看背景情况如何。检索是找到文档的过程。它很快，也很有用。还有别的内容在这里。"
    ).startswith("检索是")


@given(st.text(max_size=80))
def test_a_title_never_holds_what_breaks_a_link(heading: str):
    title = clean_title(heading)
    assert not set(title) & set("[]|#^\n")
    assert len(title) <= 150


@given(
    st.lists(
        st.sampled_from(
            [
                "A sentence of words.",
                "\n\n",
                "- item one\n",
                "| a | b |\n",
                "中文句子在这里。",
                "## H\n",
                "`x`",
            ]
        )
    )
)
def test_footnotes_quote_what_the_section_says(parts: list[str]):
    text = "".join(parts)
    body = footnoted(replace(section("T"), text=text), RECORD)
    said = quote_key(plain(text))
    for note in footnotes(body).values():
        assert quote_key(note.quote) in said


@given(st.text("ab 1.)-+\n\t(“”'\"!/,;:@—检ậ", max_size=40))
def test_text_without_marks_reads_as_it_is_written(text: str):
    block = text.strip()
    if "\n\n" not in block and not re.search(r"\n[ \t]+\n", block) and not MARKUP.search(block):
        assert " ".join(plain(block).split()) == " ".join(block.split())
