"""What is new in feeds, over HTTP on this machine, which only the test's policy lets be reached."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.fetch import read_url
from citewiki.sources.news import SUMMARY, NewsItem, news
from citewiki.wiki import Wiki
from tests.conftest import MakeWiki

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>Rank News</title>
<link>https://rank.example/</link>
<item><title>Fusion &amp; more</title><link>https://rank.example/fusion#top</link>
<pubDate>Mon, 04 May 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;Ranks are &lt;b&gt;fused&lt;/b&gt;.&lt;script&gt;alert(1)&lt;/script&gt;
&lt;/p&gt;</description></item>
<item><title>Old</title><link>https://rank.example/old</link>
<pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate><description>Long ago.</description></item>
<item><title>Undated</title><link>https://rank.example/undated</link>
<description>Some day.</description></item>
</channel></rss>"""

ATOM = """<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title>
<id>urn:a</id><updated>2026-05-05T08:00:00Z</updated>
<entry><title>Newest</title><id>urn:a:1</id><link href="https://atoms.example/newest"/>
<updated>2026-05-05T08:00:00Z</updated><summary>It is &lt;em&gt;new&lt;/em&gt;.</summary></entry>
<entry><title>Fusion again</title><id>urn:a:2</id><link href="https://rank.example/fusion"/>
<updated>2026-05-04T11:00:00Z</updated><summary>The same page.</summary></entry>
</feed>"""

JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Jason",
        "items": [
            {
                "id": "1",
                "url": "https://jason.example/long",
                "title": "Long",
                "date_published": "2026-05-03T12:00:00+02:00",
                "content_text": "Words and words. " * 400,
            }
        ],
    }
)

here = partial(read_url, timeout=5.0, allow=lambda address: address == "127.0.0.1")


@pytest.fixture
def host() -> Iterator[str]:
    """A server with feeds, and things that are none."""
    served = {
        "/rss": ("application/rss+xml", RSS),
        "/atom": ("application/atom+xml; charset=utf-8", ATOM),
        "/json": ("application/feed+json", JSON),
        "/page": ("text/html", "<html><title>No feed</title><p>Words.</p></html>"),
    }

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = served.get(self.path, ("text/plain", ""))
            self.send_response(200 if self.path in served else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_entries_of_all_kinds_of_feed_come_newest_first_and_each_once(host: str) -> None:
    found = news([f"{host}/rss", f"{host}/atom", f"{host}/json"], fetch=here)
    assert [item.title for item in found.items] == [
        "Newest",
        "Fusion again",
        "Long",
        "Old",
        "Undated",
    ]
    assert found.problems == ()
    assert found.items[0] == NewsItem(
        "Newest",
        "https://atoms.example/newest",
        datetime(2026, 5, 5, 8, tzinfo=UTC),
        "Atoms",
        "It is new.",
    )
    assert found.items[2].published == datetime(2026, 5, 3, 10, tzinfo=UTC)


def test_text_is_plain_and_bounded(host: str) -> None:
    found = news([f"{host}/rss", f"{host}/json"], fetch=here)
    by_title = {item.title: item for item in found.items}
    assert by_title["Fusion & more"].summary == "Ranks are fused."
    summary = by_title["Long"].summary
    assert len(summary) <= SUMMARY
    assert summary.startswith("Words and words. Words")
    assert summary.endswith("…")


def test_since_and_limit_choose_and_what_has_no_date_is_not_new(host: str) -> None:
    urls = [f"{host}/rss", f"{host}/atom"]
    since = datetime(2026, 5, 4, 10, tzinfo=UTC)
    assert [item.title for item in news(urls[:1], since=since, fetch=here).items] == [
        "Fusion & more"
    ]
    assert [item.title for item in news(urls, limit=1, fetch=here).items] == ["Newest"]


def test_a_feed_that_fails_is_a_line_that_tells_no_key_and_spoils_nothing(host: str) -> None:
    urls = [f"{host}/page", f"{host}/gone?key=secret", "ftp://x.example/?key=secret", f"{host}/rss"]
    found = news(urls, fetch=here)
    assert [item.title for item in found.items] == ["Fusion & more", "Old", "Undated"]
    assert found.problems == (
        "127.0.0.1: what is there is no feed",
        "127.0.0.1: the server answered 404",
        "x.example: is no web address (http:// or https://)",
    )


def test_feeds_are_read_at_once() -> None:
    meeting = threading.Barrier(3, timeout=30)

    def fetch(url: str) -> Source:
        meeting.wait()  # comes to an end only when three are there
        raise SourceError(url, "is empty")

    found = news([f"https://{n}.example/" for n in range(3)], fetch=fetch)
    assert found.problems == ("0.example: is empty", "1.example: is empty", "2.example: is empty")


def test_the_wiki_follows_its_feeds_and_never_asks_this_machine(
    make_wiki: MakeWiki, host: str
) -> None:
    config = f'[tool.citewiki.news]\nfeeds = ["{host}/atom"]\n'
    found = Wiki.open(make_wiki({"pyproject.toml": config})).news()
    assert found.items == ()
    assert found.problems == ("127.0.0.1: is not on the public internet",)
