"""What a page's head tells of it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from citewiki.site.evidence import Panel
from citewiki.site.head import Site, head, in_script
from tests.site.conftest import Model

SITE = Site("The Wiki", "https://wiki.example/", "en")


def test_a_page_is_an_article_with_its_dates_citations_and_place(model: Model) -> None:
    made = model(
        {
            "ml/a.md": (
                "---\ntitle: RAG\nsummary: Fetch, then write.\naliases: [retrieval]\ntags: [x]\n"
                "ingested_at: 2026-05-01T00:00:00Z\nlast_verified_at: 2026-05-02T00:00:00Z\n---\n"
            )
        }
    )
    panels = [
        Panel("The Paper", "../../raw/p.pdf#page=3"),
        Panel("The Post", "https://x.y/post#:~:text=words"),
    ]
    found = head(made, made.pages["ml/a.md"], SITE, panels)
    assert (found.url, found.changed) == ("https://wiki.example/ml/a/", "2026-05-02T00:00:00Z")
    assert json.loads(found.linked_data) == {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": "RAG",
        "description": "Fetch, then write.",
        "url": "https://wiki.example/ml/a/",
        "alternateName": ["retrieval"],
        "datePublished": "2026-05-01T00:00:00Z",
        "dateModified": "2026-05-02T00:00:00Z",
        "keywords": ["x"],
        "isPartOf": {
            "@type": "CollectionPage",
            "name": "ml",
            "url": "https://wiki.example/domains/ml/",
            "isPartOf": {
                "@type": "WebSite",
                "name": "The Wiki",
                "url": "https://wiki.example/",
            },
        },
        "citation": [
            {"@type": "CreativeWork", "name": "The Paper"},
            {"@type": "CreativeWork", "name": "The Post", "url": "https://x.y/post"},
        ],
    }


def test_without_an_address_nothing_relative_is_claimed(model: Model) -> None:
    made = model({"a.md": "Text."})
    found = head(made, made.pages["a.md"], Site("Wiki"), [])
    assert found.url == ""
    assert json.loads(found.linked_data) == {
        "@context": "https://schema.org",
        "@type": "Article",
        "headline": "a",
        "isPartOf": {"@type": "WebSite", "name": "Wiki"},
    }


@given(st.text())
def test_no_text_ends_the_script_that_it_stands_in(text: str) -> None:
    written = in_script({"headline": f"{text}</script><!--<script>]]>"})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"headline": f"{text}</script><!--<script>]]>"}
