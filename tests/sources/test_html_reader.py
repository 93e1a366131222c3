"""Saved web pages."""

from __future__ import annotations

import pytest

from citewiki.model import Source
from citewiki.sources.html_body import body_markdown
from citewiki.sources.kinds import declared_charset
from citewiki.sources.read import read_bytes

PROSE = (
    "Hybrid search joins the ranked list of a sparse index with that of a dense one, so that a page"
    " which either of them finds can be shown to the reader. It is used widely."
)
PAGE = f"""<!doctype html>
<html lang="en"><head><title>Hybrid search | Example</title>
<meta name="author" content="Alice Smith"><meta name="description" content="About fusion.">
<meta property="article:published_time" content="2024-05-01T10:00:00Z">
<meta name="keywords" content="search, fusion"><link rel="canonical" href="https://example.org/hybrid">
</head><body><nav><a href="/">Home</a> <a href="/all">All articles</a></nav>
<div id="cookie-banner">We use cookies. <button>Accept all</button></div>
<article><h1>Hybrid search</h1><p>{PROSE} See <a href="https://example.org/bm25">BM25</a>.</p>
<h2>Method</h2><p>{PROSE}</p><ul><li>first step</li><li>second step</li></ul>
<h2>Results</h2><p>{PROSE}</p><table><tr><th>k</th><th>recall</th></tr><tr><td>60</td><td>97 %</td></tr></table>
</article><footer>Copyright 2024 Example. All rights reserved.</footer></body></html>"""


def read(html: str, encoding: str = "utf-8") -> Source:
    return read_bytes(html.encode(encoding), "page.html")


def test_the_main_text_is_cut_at_the_page_s_headings() -> None:
    source = read(PAGE)

    assert [(s.title, s.locator) for s in source.sections] == [
        ("", "beginning"),
        ("Method", "§ Method"),
        ("Results", "§ Results"),
    ]
    assert "[BM25](https://example.org/bm25)" in source.sections[0].text
    assert "- first step" in source.sections[1].text
    assert "| 60 | 97 % |" in source.sections[2].text


def test_navigation_banners_and_footers_are_left_out() -> None:
    text = " ".join(section.text for section in read(PAGE).sections)

    assert not any(word in text for word in ("Home", "cookies", "Accept", "Copyright"))


def test_the_metadata_is_read() -> None:
    source = read(PAGE)

    assert (source.title, source.author, source.language) == ("Hybrid search", "Alice Smith", "en")
    assert (source.url, source.summary) == ("https://example.org/hybrid", "About fusion.")
    assert source.tags == ("search", "fusion")
    assert source.date is not None
    assert source.date.date().isoformat() == "2024-05-01"


def test_a_declared_charset_is_honoured() -> None:
    html = f'<html><head><meta charset="windows-1250"></head><body><p>Příliš žluťoučký kůň. {PROSE}'

    assert "Příliš žluťoučký kůň" in read(html, "cp1250").sections[0].text


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        (b'<meta charset="gbk">', "gbk"),
        (b'<META http-equiv="Content-Type" content="text/html; charset=Big5">', "Big5"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><html>', "ISO-8859-1"),
        (b"<p>charset=gbk</p>", ""),
    ],
)
def test_the_charset_is_found_where_pages_declare_it(head: bytes, charset: str) -> None:
    assert declared_charset(head) == charset


def test_a_page_without_main_text_gives_its_body() -> None:
    source = read(
        "<html><body><h2>Opening hours</h2><p>Monday to Friday, 9 to 5.</p></body></html>"
    )

    assert [(s.title, s.text) for s in source.sections] == [
        ("Opening hours", "Monday to Friday, 9 to 5.")
    ]


def test_the_body_keeps_headings_items_and_code() -> None:
    html = (
        "<body><script>x</script><h2>A <b>b</b></h2><p>one<br>two</p><ul><li><p>item</p><li>other</ul>"
        "<pre>a\n  b</pre><p hidden>secret</p><div role=navigation>menu</div>tail</body>"
    )

    assert body_markdown(html).split("\n\n") == [
        "## A b", "one two", "- item", "- other", "```\na\n  b\n```", "tail",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "html",
    [
        "<html></html>",
        "<html><body><p>unclosed <table><tr><td>cell <div></body>",
        "<html>" + "<div>" * 20_000 + "deep",
        "<html>" + "<b>" * 20_000 + "deep",
        "<html><body>" + "<ul><li>x" * 5_000,
        "<html" + "<" * 20_000,
        "<html><body>" + "&#xD800;&#0;&bogus;",
        '<?xml version="1.0" encoding="utf-8"?><html xmlns="x"><body><p>text</p></body></html>',
    ],
)
def test_malformed_and_deep_pages_do_not_crash(html: str) -> None:
    assert read(html).sections


def test_text_too_deep_for_the_parser_is_still_read() -> None:
    html = "<html><body>" + "<div>" * 20_000 + f"<p>{PROSE}</p>" + "</div>" * 20_000

    assert PROSE in read(html).sections[0].text


def test_a_large_page_gives_its_whole_body() -> None:
    html = (
        f"<html><body><p>{PROSE}</p><script>{'x' * 2_000_000}</script><p>{PROSE}</p></body></html>"
    )

    assert [section.text for section in read(html).sections] == [f"{PROSE}\n\n{PROSE}"]


def test_markdown_that_begins_with_a_tag_is_no_page() -> None:
    assert (
        read_bytes(b'<p align="center">Logo</p>\n\n# Title\n\ntext', "README.md").reader
        == "markdown"
    )
    assert read_bytes(b"<!DOCTYPE html><p>words", "README.md").reader == "html"
