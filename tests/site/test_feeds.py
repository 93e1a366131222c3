"""Feeds of new and changed pages."""

from __future__ import annotations

import json

import feedparser
import pytest

from citewiki.site.feeds import items, json_feed, rss
from tests.site.conftest import Model

BASE = "https://wiki.example/docs/"
FILES = {
    "ml/new.md": (
        '---\ntitle: A <b>new</b> & "odd" page\nsummary: Says so.\ntags: [x, 标签]\n'
        "ingested_at: 2026-05-02T10:00:00Z\n---\nBody."
    ),
    "vi/old.md": "---\ntitle: Đường phố\ningested_at: 2026-04-01T00:00:00Z\n---\n**Những** con đường.",
    "gone.md": "---\ningested_at: 2026-05-01\nvalid_until: 2026-05-03\n---\nOver.",
    "undated.md": "No date.",
    "secret.md": "---\nowner: alice\ningested_at: 2026-05-09\n---\nHidden.",
}


def test_the_rss_feed_is_read_by_a_feed_reader(model: Model) -> None:
    feed = feedparser.parse(rss(items(model(FILES), BASE), "The <Wiki>", "About.", BASE))
    assert not feed.bozo, feed.get("bozo_exception")
    assert (feed.version, feed.feed.title, feed.feed.link) == ("rss20", "The <Wiki>", BASE)
    first, second = feed.entries
    assert first.title == 'A <b>new</b> & "odd" page'
    assert (first.link, first.summary) == (f"{BASE}ml/new/", "Says so.")
    assert first.published_parsed[:5] == (2026, 5, 2, 10, 0)
    assert [tag.term for tag in first.tags] == ["x", "标签"]
    assert (second.link, second.summary) == (f"{BASE}vi/old/", "Những con đường.")


def test_the_json_feed_has_what_its_standard_asks_for(model: Model) -> None:
    feed = json.loads(json_feed(items(model(FILES), BASE), "Wiki", "About.", BASE))
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert (feed["title"], feed["home_page_url"]) == ("Wiki", BASE)
    assert feed["feed_url"] == f"{BASE}feed.json"
    assert [item["url"] for item in feed["items"]] == [f"{BASE}ml/new/", f"{BASE}vi/old/"]
    for item in feed["items"]:
        assert item["id"] == item["url"]
        assert item["content_text"]
        assert item["date_published"] <= item["date_modified"]


def test_without_the_sites_address_entries_lead_there_from_its_root(model: Model) -> None:
    found = items(model(FILES), "/")
    assert found[0].url == "/ml/new/"
    assert "feed_url" not in json.loads(json_feed(found, "Wiki", "", "/"))
    assert len(feedparser.parse(rss(found, "Wiki", "", "/")).entries) == 2


@pytest.mark.parametrize("base", [BASE, "/"])
def test_an_empty_wiki_has_empty_feeds(model: Model, base: str) -> None:
    assert feedparser.parse(rss(items(model({}), base), "Wiki", "", base)).entries == []
    assert json.loads(json_feed([], "Wiki", "", base))["items"] == []


def test_control_characters_do_not_break_the_feed(model: Model) -> None:
    made = model({"a.md": "---\ningested_at: 2026-05-01\n---\nA bell \x07 and \x0b a tab."})
    feed = feedparser.parse(rss(items(made, BASE), "Wiki", "", BASE))
    assert not feed.bozo
    assert "A bell" in feed.entries[0].summary


def test_only_the_newest_pages_are_in_it(model: Model) -> None:
    made = model({f"p{n}.md": f"---\ningested_at: 2026-04-{n:02}\n---\nx" for n in range(1, 9)})
    assert [item.title for item in items(made, BASE, limit=2)] == ["p8", "p7"]
