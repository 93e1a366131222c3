"""What a built site holds for feed readers, search engines and old addresses."""

from __future__ import annotations

import itertools
import json
import re
import xml.etree.ElementTree as etree
from pathlib import Path

import feedparser
import pytest

from tests.site.conftest import REPOSITORY, BuildSite

BASE = "https://wiki.example/docs/"
EVIL = "A </script><script>alert(1)</script> & “page”"
PAGES = {
    "wiki/ml/a.md": (
        f"---\ntitle: '{EVIL}'\nsummary: Says <b>so</b> & more.\ntags: [x]\n"
        "ingested_at: 2026-05-02T10:00:00Z\nredirect_from: [was]\n---\nSee [[b]] and [[Nobody]].\n"
    ),
    "wiki/ml/b.md": "---\ntitle: Bee hive\n---\nText of the bee hive.\n",
    "wiki/c.md": "Ask the bee hive.\n",
    "wiki/secret.md": "---\nowner: alice\ningested_at: 2026-05-03\nredirect_from: [hushed]\n---\nx",
}


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    settings = (REPOSITORY / "mkdocs.yml").read_text("utf-8")
    settings = settings.replace('site_url: ""', f"site_url: {BASE}")
    return build_site({**PAGES, "mkdocs.yml": settings})


def page(site: Path, url: str) -> str:
    return (site / url / "index.html").read_text("utf-8")


def test_the_sitemap_lists_what_is_published_with_the_day_of_its_last_change(site: Path) -> None:
    names = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    urls = etree.parse(site / "sitemap.xml").getroot().findall("s:url", names)
    found = {url.findtext("s:loc", "", names): url.findtext("s:lastmod", "", names) for url in urls}
    assert found[f"{BASE}ml/a/"] == "2026-05-02T10:00:00Z"
    assert found[f"{BASE}ml/b/"] == ""
    assert {f"{BASE}", f"{BASE}tags/", f"{BASE}domains/ml/"} <= found.keys()
    assert not [url for url in found if "secret" in url or "was" in url]


def test_a_pages_head_tells_of_it_and_no_text_breaks_out(site: Path) -> None:
    html = page(site, "ml/a")
    assert f'<link rel="canonical" href="{BASE}ml/a/">' in html
    told = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)">', html))
    assert told["og:url"] == f"{BASE}ml/a/"
    assert told["og:description"] == "Says &lt;b&gt;so&lt;/b&gt; &amp; more."
    assert told["article:modified_time"] == "2026-05-02T10:00:00Z"
    (script,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)
    assert json.loads(script)["headline"] == EVIL
    assert "<script>alert" not in html


def test_the_page_shows_mentions_and_names_without_a_page(site: Path) -> None:
    assert "Mentioned without a link" in page(site, "ml/b")
    assert "Ask the bee hive." in page(site, "ml/b")
    assert '<span class="cw-absent">Nobody</span>' in page(site, "ml/a")


def test_feeds_and_redirects_are_there_and_named_in_the_head(site: Path) -> None:
    feed = feedparser.parse((site / "feed.xml").read_text("utf-8"))
    assert [entry.link for entry in feed.entries] == [f"{BASE}ml/a/"]
    assert json.loads((site / "feed.json").read_text("utf-8"))["home_page_url"] == BASE
    assert 'type="application/rss+xml"' in page(site, "ml/b")
    assert f'<link rel="canonical" href="{BASE}ml/a/">' in page(site, "ml/was")
    assert not (site / "hushed").exists()
    assert json.loads((site / "404.json").read_text("utf-8")) == [
        ["c", "c/"],
        [EVIL, "ml/a/", "ml/was"],
        ["Bee hive", "ml/b/"],
    ]


def test_the_404_page_stands_anywhere_and_holds_nothing_of_the_wikis(site: Path) -> None:
    html = (site / "404.html").read_text("utf-8")
    assert 'href="/docs/assets/citewiki.css"' in html
    assert '<a href="/docs/domains/" data-to="domains/">' in html
    assert "Bee hive" not in html


def test_headings_come_in_order_and_parts_are_labelled(site: Path) -> None:
    for url in ("", "ml/a", "tags", "domains", "domains/ml"):
        html = page(site, url)
        ranks = [int(rank) for rank in re.findall(r"<h([1-6])[ >]", html)]
        assert ranks[0] == 1, url
        assert ranks.count(1) == 1, url
        assert all(later - earlier <= 1 for earlier, later in itertools.pairwise(ranks))
    assert '<aside class="cw-foot" aria-label="About this page">' in page(site, "ml/a")


def test_a_snapshot_has_no_feeds_and_is_kept_out_of_search_engines(
    build_site: BuildSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CITEWIKI_AS_OF", "2026-05-03")
    then = build_site(PAGES)
    assert not (then / "feed.xml").exists()
    assert "feed.xml" not in page(then, "")
    assert '<meta name="robots" content="noindex">' in page(then, "ml/a")
    assert "<url>" not in (then / "sitemap.xml").read_text("utf-8")
