"""The site for programs."""

from __future__ import annotations

import json

from inline_snapshot import snapshot

from citewiki.site.exports import (
    backlinks_json,
    graph_json,
    index_json,
    llms_full_txt,
    llms_txt,
    markdown_file,
)
from citewiki.site.graph import graph_data
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

## Pages

- [Bee](https://x.y/b/index.md)

## Optional

- [Old](https://x.y/ml/old/index.md)
- [RAG \\[x\\]](https://x.y/ml/rag/index.md): Fetch, then write.
- [llms-full.txt](https://x.y/llms-full.txt): every page's text in one file
- [index.json](https://x.y/index.json): every page's facts
- [backlinks.json](https://x.y/backlinks.json): who links to each page, with the sentence
- [graph.json](https://x.y/graph.json): the link graph
"""
    )


def test_llms_full_txt_holds_every_page(model: Model) -> None:
    text = llms_full_txt(model(FILES), "Wiki", "", "/")
    assert text.count("\n---\n") == 3
    assert "/ml/rag/\n\n> Fetch, then write.\n\nUses [[Index]]ing" in text


def test_the_lists_as_json(model: Model) -> None:
    made = model(FILES)
    index = {item["slug"]: item for item in json.loads(index_json(made))}
    assert set(index) == {"rag", "old", "b"}
    assert index["rag"]["markdown"] == "ml/rag/index.md"
    assert json.loads(backlinks_json(made)) == {
        "b": [{"slug": "rag", "title": "RAG [x]", "sentences": ["Uses Indexing of b."]}]
    }
    graph = json.loads(graph_json(graph_data(made.graph, made.urls)))
    assert {node["id"] for node in graph["nodes"]} == {"rag", "old", "b", "?index"}


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
