"""The site for programs: llms.txt, each page's Markdown, and the lists as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlsplit

from citewiki.markdown import frontmatter
from citewiki.markdown.regions import uncommented
from citewiki.model import Page, as_json
from citewiki.site.evidence import describe, evidence
from citewiki.site.graph import GraphData
from citewiki.site.graphml import graphml
from citewiki.site.llms import FULL, Write, llms_full_txt, write_lists
from citewiki.site.mentions import clipped
from citewiki.site.model import SiteModel, last_change
from citewiki.site.urls import GRAPH

CORE = 150  # pages in the home page's graph: what is read at a glance


def markdown_file(model: SiteModel, page: Page) -> str:
    """A page's Markdown as published: its body, and what a reader may know about it.

    Owner, readers and whatever else the file's front matter holds stay at home.
    """
    facts: dict[str, Any] = {
        "type": page.type,
        "title": page.title,
        "slug": page.slug,
        "aliases": list(page.aliases),
        "summary": page.summary,
        "domain": page.domain,
        "tags": list(page.tags),
        "related": [f"[[{other.title}]]" for other in model.related(page)],
        "sources": [
            {"title": item.title, "locator": item.locator}
            for item in evidence(page, model.files.originals_of(page), publish_raw=False)
        ],
        "confidence": _confidence(model, page),
        "last_verified_at": page.last_verified_at,
        "valid_from": page.valid_from,
        "valid_until": page.valid_until,
        "superseded_by": _newer(model, page),
        "as_of": model.now if model.is_snapshot else None,
    }
    known = {key: value for key, value in facts.items() if value not in (None, "", [])}
    front = frontmatter.render(frontmatter.update(frontmatter.parse(""), known)).strip("\n")
    return f"---\n{front}\n---\n{uncommented(page.body).strip()}\n"


def index_json(model: SiteModel) -> str:
    """Every page's facts, without its text."""
    return _json(
        [
            {
                "title": page.title,
                "slug": page.slug,
                "url": quote(model.urls[page.path]),
                "markdown": quote(model.urls[page.path]) + "index.md",
                "type": page.type,
                "summary": page.summary,
                "domain": page.domain,
                "tags": list(page.tags),
                "aliases": list(page.aliases),
                "confidence": _confidence(model, page),
                "state": model.state(page),
                "superseded_by": _newer(model, page),
                "valid_from": as_json(page.valid_from),
                "valid_until": as_json(page.valid_until),
                "last_verified_at": as_json(page.last_verified_at),
                "changed_at": as_json(last_change(page)),
                "in_links": model.in_links[page.path],
                "sources": _source_titles(model, page),
            }
            for page in model.pages.values()
        ]
    )


def backlinks_json(model: SiteModel) -> str:
    """For every page that is linked to, by slug: who does, and in which sentences."""
    return _json(
        {
            (named := model.pages[path]).slug: [
                {
                    "slug": link.page.slug,
                    "title": link.page.title,
                    "sentences": [clipped(each, named.title) for each in link.sentences],
                }
                for link in model.backlinks(path)
            ]
            for path in sorted(model.graph.back)
        }
    )


def robots_txt(model: SiteModel, base: str) -> str:
    """What crawlers are told: where the sitemap is; nothing is theirs of a site made for one user.

    "" where no crawler asks for it: below the top of a host, or at an address that is not known.
    """
    address = urlsplit(base)
    if not address.scheme or address.path != "/" or model.is_snapshot:
        return ""
    if model.config.site.viewer != "*":
        return "User-agent: *\nDisallow: /\n"
    return f"User-agent: *\nAllow: /\n\nSitemap: {base}sitemap.xml\n"


def graph_json(data: GraphData) -> str:
    """The graph: nodes with what is known of each, and links as pairs of their ids."""
    return _json(data.as_json())


def write_all(
    model: SiteModel,
    data: GraphData,
    title: str,
    summary: str,
    base: str,
    write: Write,
) -> None:
    """Hand every file to `write(address from the site's root, text)`."""
    write_texts(model, model.pages.values(), title, summary, base, write)
    write_lists(model, title, summary, base, write)
    write("index.json", index_json(model))
    write("backlinks.json", backlinks_json(model))
    write("graph.json", graph_json(data))
    write("graph.graphml", graphml(data))
    write(f"{GRAPH}data.json", _json(data.columns()))
    write(f"{GRAPH}core.json", _json(data.core(CORE).columns()))


def write_texts(
    model: SiteModel,
    pages: Iterable[Page],
    title: str,
    summary: str,
    base: str,
    write: Write,
) -> None:
    """Hand to `write` what holds texts: the Markdown of `pages`, and that of all in one file."""
    for page in pages:
        write(f"{model.urls[page.path]}index.md", markdown_file(model, page))
    write(FULL, llms_full_txt(model, title, summary, base))


def _source_titles(model: SiteModel, page: Page) -> list[str]:
    known = model.files.originals_of(page)
    return [describe(ref, known, publish_raw=False).title for ref in page.sources]


def _newer(model: SiteModel, page: Page) -> str | None:
    return page.superseded_by if page.superseded_by in model.by_slug else None


def _confidence(model: SiteModel, page: Page) -> float | None:
    trusted = model.confidence(page)
    return trusted.value if trusted else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
