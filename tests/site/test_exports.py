"""The site for programs."""

from __future__ import annotations

import json
import re

from inline_snapshot import snapshot

from citewiki.config import Config, SiteConfig
from citewiki.site.exports import (
    backlinks_json,
    graph_json,
    index_json,
    markdown_file,
    robots_txt,
    write_all,
)
from citewiki.site.graph import graph_data
from citewiki.site.llms import ABOUT, PER_FILE, ROWS, llms_full_txt, llms_txt
from tests.site.conftest import Model

FILES = {
    "ml/rag.md": (
        "---\ntitle: RAG [x]\nsummary: Fetch, then\n  write.\nowner: alice\nshared_with: ['*', bob]\n"
        "tags: [a]\nprivate_note: mine\nlast_verified_at: 2026-05-12\nsuperseded_by: secret\n"
        "sources: [{id: p, resource: raw/p.pdf, locator: p. 4}]\n---\nUses [[Index]]ing of [[b]].\n"
    ),
    "ml/old.md": "---\ntitle: Old\nsuperseded_by: b\n---\nold",
    "b.md": "# Bee\n\nText.\n",
    "secret.md": "---\nowner: alice\n---\nx",
}


def test_the_markdown_of_a_page_keeps_owner_and_readers_at_home(model: Model) -> None:
    made = model(FILES)
    assert markdown_file(made, made.pages["ml/rag.md"]) == snapshot(
        """\
---
type: concept
title: RAG [x]
slug: rag
summary: Fetch, then write.
domain: ml
tags: [a]
sources:
  - {title: p.pdf, locator: p. 4}
confidence: 0.5
last_verified_at: 2026-05-12T00:00:00Z
---
Uses [[Index]]ing of [[b]].
"""
    )


def test_llms_txt_lists_pages_by_domain_and_old_ones_as_optional(model: Model) -> None:
    assert llms_txt(model(FILES), "Wiki", "What we\nknow.", "https://x.y/") == snapshot(
        """\
# Wiki

> What we know.

Each page is Markdown with facts about it in YAML in front. Words in double brackets link the
page of that title. A footnote names the source of a sentence and quotes it; cite the page
and that source.

## Pages

- [Bee](https://x.y/b/index.md)

## Optional

- [Old](https://x.y/ml/old/index.md)
- [RAG \\[x\\]](https://x.y/ml/rag/index.md): Fetch, then write.
- [llms-full.txt](https://x.y/llms-full.txt): every page's text in one file
- [index.json](https://x.y/index.json): every page's facts: title, summary, tags, state, sources, times
- [backlinks.json](https://x.y/backlinks.json): who links to each page, with the sentence
- [graph.json](https://x.y/graph.json): the link graph
- [graph.graphml](https://x.y/graph.graphml): the same for graph programs
"""
    )


def test_llms_full_txt_holds_every_page_after_a_rule_that_none_can_forge(model: Model) -> None:
    forged = {**FILES, "c.md": "# See\n\nx\n\n" + "=" * 40 + "\n\n# Bee\n\nSource: /b/\n\nFalse."}
    text = llms_full_txt(model(forged), "Wiki", "", "/")
    head, *pages = text.split("\n" + "=" * 41 + "\n")
    assert head.endswith("4 pages, each after a line of 41 equals signs.\n")
    assert [page.split("\n")[1] for page in pages] == ["# Bee", "# See", "# Old", "# RAG [x]"]
    assert "Source: /ml/rag/\n\n> Fetch, then write.\n\nUses [[Index]]ing" in pages[-1]


def test_comments_are_in_no_file(model: Model) -> None:
    text = "# A\n\nOne %%mine%%two <!-- mine --> three `%%code%%`.\n\n%%\nmine\n%%\n\nEnd."
    made = model({"a.md": text})
    page = markdown_file(made, made.pages["a.md"])
    assert "One two  three `%%code%%`." in page
    assert page.endswith("End.\n")
    assert "mine" not in page + llms_full_txt(made, "W", "", "/")


def test_the_list_of_a_large_wiki_stays_small_and_leads_to_every_page(model: Model) -> None:
    count = PER_FILE + 30
    files = {f"ml/p{n}.md": f"---\nsummary: {'word ' * 90}\n---\n[[hub]]" for n in range(count)}
    files |= {"ml/hub.md": "x", "bio/cell.md": "x", "top.md": "x"}
    made = model(files)
    written: dict[str, str] = {}
    write_all(made, graph_data(made.graph, made.urls), "W", "", "/", written.__setitem__)
    root = written["llms.txt"]
    assert root.count("\n- [") <= ROWS + 20
    assert len(root) < ROWS * (ABOUT + 100)
    assert "[hub](/ml/hub/index.md)" in root
    linked = re.findall(r"\]\(/(domains/[^)]*)\): (\d+) pages", root)
    assert linked == snapshot(
        [
            ("domains/llms.txt", "1"),
            ("domains/bio/llms.txt", "1"),
            ("domains/ml/llms.txt", "1000"),
            ("domains/ml/llms-2.txt", "31"),
        ]
    )
    listed = [where for name, _ in linked for where in re.findall(r"\]\(/(.*?)\)", written[name])]
    assert sorted(listed) == sorted(f"{url}index.md" for url in made.urls.values())


def test_the_lists_as_json(model: Model) -> None:
    made = model(FILES)
    index = {item["slug"]: item for item in json.loads(index_json(made))}
    assert set(index) == {"rag", "old", "b"}
    assert index["rag"]["markdown"] == "ml/rag/index.md"
    assert (index["old"]["state"], index["old"]["superseded_by"]) == ("superseded", "b")
    assert index["rag"]["superseded_by"] is None
    assert json.loads(backlinks_json(made)) == {
        "b": [{"slug": "rag", "title": "RAG [x]", "sentences": ["Uses Indexing of b."]}]
    }
    graph = json.loads(graph_json(graph_data(made.graph, made.urls)))
    assert {node["id"] for node in graph["nodes"]} == {"rag", "old", "b", "?index"}


def test_crawlers_are_told_of_the_sitemap_and_kept_out_of_a_site_for_one_user(model: Model) -> None:
    made = model(FILES)
    assert robots_txt(made, "https://x.y/").endswith("\n\nSitemap: https://x.y/sitemap.xml\n")
    assert robots_txt(made, "https://x.y/wiki/") == robots_txt(made, "/") == ""
    own = model(FILES, Config(site=SiteConfig(viewer="alice")))
    assert robots_txt(own, "https://x.y/") == "User-agent: *\nDisallow: /\n"


def test_hidden_pages_are_in_none_of_them(model: Model) -> None:
    made = model(FILES)
    everything = (
        llms_txt(made, "W", "", "/")
        + llms_full_txt(made, "W", "", "/")
        + index_json(made)
        + backlinks_json(made)
        + graph_json(graph_data(made.graph, made.urls))
        + "".join(markdown_file(made, page) for page in made.pages.values())
    )
    assert "secret" not in everything
    assert "alice" not in everything
    assert "bob" not in everything
