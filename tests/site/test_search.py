"""What the search box searches in."""

from __future__ import annotations

from citewiki.site.search import documents, own_worker


def test_a_page_is_searched_by_its_sections() -> None:
    html = (
        "<p>Top &amp; all&nbsp;of it.</p>"
        '<h2 id="one">One<a class="headerlink" href="#one">¶</a></h2>'
        '<p>First<sup id="fnref:1"><a href="#fn:1">1</a></sup> <code>a &lt; b</code></p><p>end</p>'
        "<script>no</script>"
        '<h2 id="two">Two &#x2014; too</h2>'
    )
    assert list(documents("x/", "Title", html, ("t",), "ml")) == [
        {
            "location": "x/",
            "title": "Title",
            "text": "Top &amp; all of it.",
            "tags": ["t"],
            "domain": "ml",
        },
        {"location": "x/#one", "title": "One", "text": "First a &lt; b end"},
        {"location": "x/#two", "title": "Two — too", "text": ""},
    ]


def test_a_title_is_escaped_as_the_box_shows_it_as_html() -> None:
    assert next(documents("x/", "<script> & co", ""))["title"] == "&lt;script&gt; &amp; co"


def test_our_worker_takes_the_themes_place() -> None:
    config = '"search": "../../assets/javascripts/workers/search.0a1b.min.js", "tags": null'
    assert own_worker(config) == '"search": "../../assets/search.js", "tags": null'
    assert own_worker('"base": "."') == '"base": "."'


def test_the_way_back_from_a_footnote_is_no_text() -> None:
    html = '<p>One.</p><li>Two&#160;<a class="footnote-backref" href="#fnref:1">↩</a></li>'
    assert [entry["text"] for entry in documents("a/", "A", html)] == ["One. Two"]
