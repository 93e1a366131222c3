"""What people write into pages loses all that acts, and keeps all that reads."""

from __future__ import annotations

import time

import pytest

from citewiki.site.harmless import harmless


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<p onclick='x()'>a<script>b</script>c</p>", "<p>ac</p>"),
        ('<a href="javascript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<a href="JaVa\tScript:x()">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<a href="data:text/html,x">a</a>', '<a rel="noopener noreferrer">a</a>'),
        ('<img src="x.png" onerror="x()" alt="a">', '<img src="x.png" alt="a">'),
        ("<iframe src=/></iframe>a", "a"),
        ("<form action=/logout method=post><button>a</button></form>", "a"),
        ("<svg><script>x</script></svg><object data=x>b</object>a", "a"),
        ("<style>body{display:none}</style>a", "a"),
        ('<meta http-equiv="refresh" content="0"><base href="//x"><link rel="stylesheet">a', "a"),
        ('<p style="position:fixed">a</p>', "<p>a</p>"),
        ("<!-- a --><template><p>b</p></template>c", "c"),
        ('<input type="text" name="token"><input type="checkbox" checked disabled>', '<input><input type="checkbox" checked="" disabled="">'),
    ],
)  # fmt: skip
def test_nothing_that_acts_stays(html: str, left: str) -> None:
    assert harmless(html) == left


@pytest.mark.parametrize(
    "html",
    [
        '<h2 id="検索-_1">a</h2>',
        '<p id="^block">a <em>b</em> <mark id="quote">c</mark> &amp; d</p>',
        '<table><tbody><tr><td style="text-align:right">1</td></tr></tbody></table>',
        '<details class="note" open=""><summary>a</summary><p>b</p></details>',
        '<div class="admonition warning"><p class="admonition-title">a</p></div>',
        '<span class="missing" title="no page is called “a”">a</span>',
        '<video src="a.mp4" controls="controls" preload="none"></video>',
        '<pre><span></span><code>a &lt; b\n</code></pre>',
        '<sup id="fnref:1">1</sup><div class="footnote"><ol><li id="fn:1"><q>a</q></li></ol></div>',
    ],
)  # fmt: skip
def test_what_markdown_makes_stays(html: str) -> None:
    assert harmless(html) == html


@pytest.mark.parametrize(
    "part", ["<div>", "<b><i>", "<p>", "&", "<a href=x>", "<ul><li>", "</div>", "<!--", "<b>x</td>"]
)
def test_no_tangle_takes_long(part: str) -> None:
    """A page of a megabyte; what parses HTML alone would take minutes for the first and "&"."""
    start = time.process_time()
    harmless(part * (1_000_000 // len(part)))
    assert time.process_time() - start < 5


def test_what_is_tangled_is_shown_as_it_is_written() -> None:
    assert harmless("<div>" * 300 + "<script>") == f"<pre>{'&lt;div&gt;' * 300}&lt;script&gt;</pre>"
