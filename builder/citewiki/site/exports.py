"""The site for programs: llms.txt, each page's Markdown, and the lists as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from citewiki.markdown import frontmatter
from citewiki.model import Page, as_json, iso
from citewiki.site.evidence import describe, evidence
from citewiki.site.graph import GraphData
from citewiki.site.model import SiteModel


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
            for item in evidence(page, model.originals, publish_raw=False)
        ],
        "confidence": _confidence(model, page),
        "last_verified_at": page.last_verified_at,
        "valid_from": page.valid_from,
        "valid_until": page.valid_until,
        "superseded_by": page.superseded_by if page.superseded_by in model.by_slug else None,
        "as_of": model.now if model.is_snapshot else None,
    }
    known = {key: value for key, value in facts.items() if value not in (None, "", [])}
    front = frontmatter.render(frontmatter.update(frontmatter.parse(""), known)).strip("\n")
    return f"---\n{front}\n---\n{page.body.strip()}\n"


def llms_txt(model: SiteModel, title: str, summary: str, base: str) -> str:
    """The site's contents by domain, each page by the address of its Markdown (llmstxt.org).

    Superseded pages and machine-readable lists stand under "Optional", which a reader short of
    room may skip. `base` is the site's address, or "/".
    """
    lines = [f"# {title}", "", f"> {_about(model, summary)}"]
    optional: list[str] = []
    for domain, pages in {"": _loose(model), **model.domains}.items():
        rows: list[str] = []
        for page in pages:
            (optional if model.is_superseded(page) else rows).append(_row(model, page, base))
        if rows:
            lines += ["", f"## {domain or 'Pages'}", "", *rows]
    lines += ["", "## Optional", "", *optional]
    lines += [
        f"- [{name}]({base}{name}): {what}"
        for name, what in (
            ("llms-full.txt", "every page's text in one file"),
            ("index.json", "every page's facts"),
            ("backlinks.json", "who links to each page, with the sentence"),
            ("graph.json", "the link graph"),
        )
    ]
    return "\n".join(lines) + "\n"


def llms_full_txt(model: SiteModel, title: str, summary: str, base: str) -> str:
    """Every page's text, each under its title and address."""
    parts = [f"# {title}\n\n> {_about(model, summary)}\n"]
    for page in model.pages.values():
        about = f"\n> {_one_line(page.summary)}\n" if page.summary else ""
        parts.append(
            f"\n---\n\n# {page.title}\n\n{_address(model, page, base)}\n{about}\n"
            f"{page.body.strip()}\n"
        )
    return "".join(parts)


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
                "last_verified_at": as_json(page.last_verified_at),
                "in_links": model.in_links[page.path],
                "sources": [
                    describe(ref, model.originals, publish_raw=False).title for ref in page.sources
                ],
            }
            for page in model.pages.values()
        ]
    )


def backlinks_json(model: SiteModel) -> str:
    """For every page that is linked to, by slug: who does, and in which sentences."""
    return _json(
        {
            model.pages[path].slug: [
                {"slug": link.page.slug, "title": link.page.title, "sentences": link.sentences}
                for link in model.backlinks(path)
            ]
            for path in sorted(model.graph.back)
        }
    )


def graph_json(data: GraphData) -> str:
    """The graph that assets/graph.js draws."""
    return _json(data.as_json())


def write_all(
    model: SiteModel,
    data: GraphData,
    title: str,
    summary: str,
    base: str,
    write: Callable[[str, str], None],
) -> None:
    """Hand every file to `write(address from the site's root, text)`."""
    for page in model.pages.values():
        write(f"{model.urls[page.path]}index.md", markdown_file(model, page))
    write("llms.txt", llms_txt(model, title, summary, base))
    write("llms-full.txt", llms_full_txt(model, title, summary, base))
    write("index.json", index_json(model))
    write("backlinks.json", backlinks_json(model))
    write("graph.json", graph_json(data))


def _row(model: SiteModel, page: Page, base: str) -> str:
    title = page.title.replace("[", "\\[").replace("]", "\\]")
    about = f": {_one_line(page.summary)}" if page.summary else ""
    return f"- [{title}]({_address(model, page, base)}index.md){about}"


def _address(model: SiteModel, page: Page, base: str) -> str:
    return f"{base}{quote(model.urls[page.path])}"


def _loose(model: SiteModel) -> tuple[Page, ...]:
    return tuple(page for page in model.pages.values() if not page.domain)


def _confidence(model: SiteModel, page: Page) -> float | None:
    trusted = model.confidence(page)
    return trusted.value if trusted else None


def _about(model: SiteModel, summary: str) -> str:
    """What the site is, and of which moment when that has passed."""
    said = _one_line(summary) or "A wiki that cites."
    return f"As of {iso(model.now)}: {said}" if model.is_snapshot else said


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
