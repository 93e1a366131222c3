"""Inline Markdown as it is seen, and where in the body it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.markdown.inline import inline_text, shown

INLINE = st.text(alphabet="aB *_~=[]()!`\\<>&;.^$|#{}:/", max_size=60)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**a** *b* ***c*** __d__ _e_ ~~f~~ ==g==", "a b c d e f g"),
        ("snake_case 2 * 3 a_b_ *lone", "snake_case 2 * 3 a_b_ *lone"),
        ("`co_de *x*` <code>a&lt;b</code>", "co_de *x* a<b"),
        ("[text](url 'T') [a][ref] [not a link]", "text a [not a link]"),
        ("[**b** `c`](u_(x)) ![alt](i.png)", "b c "),
        ("[[A|b]] [[A#H]] ![[A]]", "b A › H "),
        ("&lt;x&gt; &#65; \\*y\\* \\a", "<x> A *y* \\a"),
        ("a[^1] <b>c</b> <!-- d --> $e_1$", "a c  e_1"),
        ("<https://a.b/c> https://a.b/x_y_z.", "https://a.b/c https://a.b/x_y_z."),
        ("a<br>b<p>c</p>", "a\nb\n\nc\n\n"),
        ("text ^block-id", "text"),
        ("a[^x.1] matches [^a-z] and [^>]", "a matches [^a-z] and [^>]"),
    ],
)
def test_a_reader_sees_words_without_markup(markdown: str, text: str) -> None:
    assert inline_text(markdown) == text


def test_every_stretch_of_the_seen_text_is_found_in_the_body() -> None:
    body = "See **bold** and [[A|link]] `code`."
    seen = shown(body, [(0, len(body))])
    assert seen.text == "See bold and link code."
    for words, source in (
        ("bold", "**bold**"),
        ("link", "[[A|link]]"),
        ("code.", "`code`."),
        ("ee b", "ee **b"),
    ):
        start = seen.text.index(words)
        first, last = seen.source(start, start + len(words))
        assert body[first:last] == source


@given(INLINE)
def test_text_without_markup_is_seen_as_it_is(markdown: str) -> None:
    words = "".join(char for char in markdown if char in "aB .")
    assert inline_text(words) == words


@given(INLINE)
def test_all_of_the_seen_text_is_in_the_body_in_order(markdown: str) -> None:
    seen = shown(markdown, [(0, len(markdown))])
    text = seen.text
    assert len(seen.unstopped) == len(text)
    for start in range(len(text)):
        first, last = seen.source(start, start + 1)
        assert 0 <= first <= last <= len(markdown)
