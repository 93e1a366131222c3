from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citewiki.distill.composing import Paragraph, Statement, body, sentence, whole
from citewiki.distill.ground import Quote
from citewiki.markdown.footnotes import footnotes, references
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Place, Section

LINKS = {"bm25": "BM25"}


@pytest.mark.parametrize(
    ("written", "line"),
    [
        ("[[BM25]] ranks", "[[BM25]] ranks."),
        ("[[bm25|It]] ranks.", "[[BM25|It]] ranks."),
        ("[[Other]] and [[Else|that]] rank.", "Other and that rank."),
        ("![[BM25]] is shown", "BM25 is shown."),
        ("See [here](https://evil.example/x) now", "See here now."),
        ("See https://evil.example/x now", "See now."),
        ("See https://good.example now", "See https://good.example now."),
        ("<script>alert(1)</script>Hello <b>you</b>", "alert(1)Hello you."),
        ("`<b>` is a tag", "`<b>` is a tag."),
        ("# Heading", "Heading."),
        ("> - 1. item", "item."),
        ("Two\nlines\n\nhere", "Two lines here."),
        ("Words[^9] here [^9]: x", "Words here x."),
        ("Hidden <!-- note --> words %%x%%", "Hidden words."),
        ("An odd ` mark", "An odd mark."),
        ("[[BM25", "BM25."),
        ("检索很快", "检索很快。"),
        ("Is it?", "Is it?"),
        ("", ""),
    ],
)
def test_a_statement_is_one_harmless_line(written: str, line: str):
    assert sentence(written, LINKS, "from https://good.example") == line


@given(st.text("ab[]|#^`<>!%\n -*.1:/\\$&~=“", max_size=60))
@example("#` 1")  # a heading, once the mark of code is out
@example("[^<b>1]")
def test_no_statement_brings_headings_footnotes_or_links_of_its_own(written: str):
    line = sentence(written, LINKS, "")
    assert "\n" not in line
    assert not headings(line)
    assert not references(line)
    assert all(link.target == "BM25" for link in wikilinks(line))


def test_a_body_quotes_each_piece_of_evidence_once_with_its_place():
    text = "One two three four.\n\nFive six seven eight.\n"
    section = Section("s", "S", "pp. 1-2", text, places=(Place(0, "p. 1"), Place(21, "p. 2")))
    one, five = Quote("One two three four.", 0), Quote("Five six seven eight.", 21)
    paragraphs = [
        Paragraph((Statement("Counting starts.", (one,)), Statement("It goes on.", (five, one)))),
        Paragraph((Statement("See https://a.example", (five,)),), "More", "```\ncode\n```"),
    ]
    written = whole(*body(paragraphs, section, source="n", path="raw/n.md"), up="Top")
    assert written == (
        "Counting starts.[^n.1] It goes on.[^n.2][^n.1]\n\n## More\n\n"
        "See https://a.example [^n.2]\n\n```\ncode\n```\n\nPart of [[Top]].\n\n"
        '[^n.1]: raw/n.md, p. 1: "One two three four."\n'
        '[^n.2]: raw/n.md, p. 2: "Five six seven eight."\n'
    )
    assert list(footnotes(written)) == references(written)
