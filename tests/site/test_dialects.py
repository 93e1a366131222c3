"""What CommonMark, GitHub and Obsidian read and Python-Markdown by itself does not."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citewiki.site.render import Renderer
from tests.site.conftest import Html, Model, links


def flat(html: str) -> str:
    return re.sub(r"\s+", "", html)


@pytest.mark.parametrize(
    ("text", "html_of_it"),
    [
        ("#word starts a line", "<p>#word starts a line</p>"),
        ("- #word\n\n> #word", "<ul><li>#word</li></ul><blockquote><p>#word</p></blockquote>"),
        ("one\\\ntwo", "<p>one<br/>two</p>"),
        ("#include <stdio.h>", "<p>#include &lt;stdio.h&gt;</p>"),
        ("3~10 and 84%~95%", "<p>3~10 and 84%~95%</p>"),
        ("A set {a, b}", "<p>A set {a, b}</p>"),
        ("`x`{y}", "<p><code>x</code>{y}</p>"),
        ("cost: \\$5 \\~ \\@", "<p>cost: $5 ~ @</p>"),
        ("x\n\n---\n---", "<p>x</p><hr/><hr/>"),
        ("text\n```\nc\n```\nmore", "text</p><div c </div><p>more</p>"),
        ("- a\n```\nc\n```\n5. e", '</ul><div c </div><olstart="5"><li>e</li></ol>'),
        ("> q\n```\nc\n```", "</blockquote><div c </div>"),
        ("- a\n> q", "<ul><li>a</li></ul><blockquote><p>q</p></blockquote>"),
        ("> - a\n>   - b", "<li>a<ul><li>b</li></ul></li></ul></blockquote>"),
        ("> text\n> - a", "<p>text</p><ul><li>a</li></ul></blockquote>"),
        ("> text\n> | a | b |\n> |---|---|\n> | 1 | 2 |", "<td>2</td>"),
        ("| `a\\|b` | c |\n|---|---|\n| d | e |", "<th><code>a|b</code></th>"),
        ("<details>\n<summary>S</summary>\n\n**x**\n\n- y\n</details>",
         "<details><summary>S</summary><p><strong>x</strong></p><ul><li>y</li></ul></details>"),
        ('<div markdown="1">\n\n*x*\n\n</div>', "<div><p><em>x</em></p></div>"),
        ("<table><tr><td>\n\n*x*\n\n</td></tr></table>",
         "<table><tr><td><p><em>x</em></p></td></tr></table>"),
        ("<div>\n*x*\n</div>", "<div>*x*</div>"),
        ("## ```yaml:x\n\n```yaml:x\na: 1\n```", '<divclass="highlight"><pre>'),
    ],
)  # fmt: skip
def test_blocks_and_lines_are_read_as_elsewhere(html: Html, text: str, html_of_it: str) -> None:
    shown = flat(html(text))
    rest = 0
    for part in flat(html_of_it.replace("<div c </div>", "\0")).split("\0"):
        rest = shown.index(part, rest) + len(part)


def test_a_footnote_may_stand_in_the_line(html: Html) -> None:
    shown = html("Claim^[see *here* and [[b]]] and more.^[two]", {"b.md": "b"})
    assert shown.count('class="footnote-ref"') == 2
    assert "<p>see <em>here</em> and" in shown
    assert "../b/" in [address for address, _ in links(shown)]


def test_html_that_is_never_closed_hides_nothing(html: Html) -> None:
    shown = html("Before.\n\n<div>\n\nInside **it**.\n\n<details>\n\nAfter [[b]].", {"b.md": "b"})
    assert "Inside" in shown
    assert "After" in shown


def test_a_link_in_a_link_is_the_inner_one(html: Html) -> None:
    shown = html("[see [[b]] now](c.md)", {"b.md": "b", "c.md": "c"})
    assert links(shown) == [("../b/", "b")]
    assert "see" in shown
    assert "now" in shown


@pytest.mark.parametrize(
    ("link", "name"),
    [
        ("[[folder\\page]]", "folder/page.md"),
        ("[[zero\u200bwidth]]", "zerowidth.md"),
        ("[[soft\u00adhyphen]]", "softhyphen.md"),
        ("[[no\u00a0break]]", "no break.md"),
        ("[[İstanbul]]", "istanbul.md"),
        ("[[STRASSE]]", "straße.md"),
        ("[x](<with space.md>)", "with space.md"),
        ("[x](with%20space.md#top)", "with space.md"),
        ("[x](note%20\\(1\\).md)", "note (1).md"),
        ("[x](note%20(1).md)", "note (1).md"),
        ("[x](folder/)", "folder/index.md"),
    ],
)
def test_one_page_is_meant_however_its_name_is_written(html: Html, link: str, name: str) -> None:
    shown = html(link, {name: "text"})
    assert len(links(shown)) == 1
    assert "missing" not in shown


def test_a_place_in_a_file_stays_in_its_link(html: Html) -> None:
    shown = html("![[paper.pdf#page=3]] [[paper.pdf#page=3|p. 3]]", {"paper.pdf": b""})
    assert {address for address, _ in links(shown)} == {"../paper.pdf#page=3"}


def test_a_web_address_in_brackets_is_a_link_and_no_edge(model: Model) -> None:
    made = model({"a.md": "[[https://example.org/x|there]]"})
    assert links(Renderer(made).draw("a.md").body) == [("https://example.org/x", "there")]
    assert not made.graph.edges


def test_an_item_with_a_list_below_it_can_be_linked(html: Html) -> None:
    shown = html("- words ^one\n    - below ^two\n- 句子。^three3\n")
    assert 'id="^one"' in shown
    assert 'id="^two"' in shown
    assert 'id="^three3"' in shown
    assert "^one<" not in shown


def test_a_block_of_code_can_be_linked_and_embedded(html: Html) -> None:
    body = "```py\nx = 1\n```\n\n^code\n\nOther."
    assert 'id="^code"' in html(body)
    shown = html("![[b#^code]]", {"b.md": body})
    assert 'class="highlight"' in shown
    assert "Other" not in shown


def test_a_section_that_is_not_there_is_not_embedded(html: Html) -> None:
    shown = html("![[b#Nowhere]]", {"b.md": "All of it."})
    assert "All of it" not in shown
    assert "no heading “Nowhere”" in shown


def test_a_tag_is_a_link_where_pages_have_it(html: Html) -> None:
    files = {"b.md": "---\ntags: [Word, a/b]\n---\n"}
    shown = html("#word, #a/b x#word #none #1 `#word`", files)
    assert [words for _, words in links(shown)] == ["#word", "#a/b"]


HARD = [
    "[", "[[", "]", "[b](", "![", "[[b|", "`", "``` ", "> ", "*", "_a", "~~", "$", "$$", "%%", "<",
    "<div>\n\n", "</div>\n", "<details>\n", "<!--", "&", "#", "- a\n", "|a", "\\", "^[", "^[a] ",
    "[^1]", "http://", "{", "!!! note\n", "> [!note]\n", "```mermaid\n", "**a ", "[[b]] ",
]  # fmt: skip


@pytest.mark.parametrize("unit", HARD)
def test_nothing_takes_more_than_linear_time(model: Model, unit: str) -> None:
    renderer = Renderer(model({"a.md": "x"}))

    def seconds(count: int) -> float:
        start = time.process_time()
        renderer._markdown.reset()
        renderer._convert("a.md", (unit * (count // len(unit) + 1))[:count])
        return time.process_time() - start

    seconds(100)
    assert seconds(16_000) < max(0.5, 12 * seconds(4_000))


PIECES = st.lists(
    st.sampled_from(
        ["[[b]]", "![[b]]", "[x](b.md)", "**", "*", "`", "```\n", "\n", "\n\n", "> ", "- ", "    ",
         "$", "$$", "%%", "<div>", "</div>", "<details>\n", "\n\n</details>", "^x", " ^id\n\n", "#t",
         "# h\n", "|", "\n|---|---|\n", "[^1]", "[^1]: ", "^[", "]", "\\", "\\\n", "<!--", "-->",
         "==", "~~", "[!note]", "1. ", "&lt;", "页面", "\t", "{#i}", "---\n", "http://a.b", "\x02w0\x03"]
    ),
    max_size=60,
)  # fmt: skip


@pytest.fixture(scope="module")
def renderer(tmp_path_factory: pytest.TempPathFactory) -> Renderer:
    from citewiki.config import Config
    from citewiki.site.model import build_model
    from tests.conftest import NOW, write_files

    root = write_files(tmp_path_factory.mktemp("wiki"), {"wiki/a.md": "x", "wiki/b.md": "# B"})
    return Renderer(build_model(root, Config(), NOW))


@settings(max_examples=150)
@given(PIECES)
def test_any_text_becomes_html_without_a_trace_of_how(
    renderer: Renderer, pieces: list[str]
) -> None:
    renderer._kept.clear()
    shown = renderer.draw("a.md", "".join(pieces), "a/")
    assert not renderer.problems
    assert "\x02" not in shown.body + shown.heading
    assert "\x03" not in shown.body + shown.heading
    assert "wzxhzdk" not in shown.body
