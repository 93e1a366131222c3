"""`citewiki news`."""

from __future__ import annotations

from tests.cli.conftest import Run
from tests.conftest import MakeWiki


def test_a_wiki_without_feeds_says_what_to_set(make_wiki: MakeWiki, run: Run) -> None:
    ran = run("news", "--wiki", make_wiki({}))
    assert ran.status == 1
    assert ran.err.strip() == (
        "citewiki: pyproject.toml: tool.citewiki.news.feeds must be a list with the URL of a feed"
    )


def test_a_feed_that_cannot_be_read_is_a_line_on_stderr(make_wiki: MakeWiki, run: Run) -> None:
    config = '[tool.citewiki.news]\nfeeds = ["http://127.0.0.1/feed?key=secret"]\n'
    root = make_wiki({"pyproject.toml": config})
    ran = run("news", "--wiki", root, "--json")
    assert ran.status == 0
    assert ran.json == {"items": [], "problems": ["127.0.0.1: is not on the public internet"]}
    assert ran.err == "127.0.0.1: is not on the public internet\n"
