"""What is wrong with a wiki: every finding one line, with the file and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from citewiki.errors import SourceError
from citewiki.index.graph import LinkGraph, link_graph
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import headings
from citewiki.model import Page, Problem, SourceRecord
from citewiki.sources.manifest import MANIFEST, load_manifest
from citewiki.sources.read import read_source
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import write_atomic
from citewiki.store.names import Names
from citewiki.store.pages import load_pages, render_page
from citewiki.text.folding import name_key, quote_key


def lint_wiki(root: Path) -> list[Problem]:
    """All findings, errors first, then by file and line.

    Errors: files that cannot be read as pages, wrong front matter, shared slugs, quotes that the
    source does not hold, sections or sources of the manifest that nothing accounts for.
    Warnings: links to missing pages or headings, ambiguous links, duplicate titles, orphans.
    """
    pages, problems = load_pages(root / "wiki")
    known, _ = load_pages(root / "wiki", archived=True)
    records = load_manifest(root)
    names = Names(pages)
    graph = link_graph(pages, names)
    problems = [_in_wiki(problem) for problem in problems]
    for page in pages:
        problems += map(_in_wiki, page.problems)
    problems += _links(graph)
    problems += _titles(pages)
    problems += _orphans(graph)
    problems += _quotes(root, pages, records)
    problems += _coverage(root, records, {page.slug for page in known})
    return sorted(problems, key=lambda p: (p.severity != "error", p.path, p.line, p.message))


def fix_wiki(root: Path, *, now: datetime) -> list[str]:
    """Mend what has one right answer; says what was done, a line a page.

    Adds a missing `type`, writes list values as lists without empty entries, and brings
    wiki/index.md up to date. Nothing that a person has to decide is touched, and no body is.
    The caller holds the wiki's lock.
    """
    wiki = root / "wiki"
    pages, _ = load_pages(wiki)
    done: list[str] = []
    for page in pages:
        path = wiki / page.path
        text = path.read_text(encoding="utf-8-sig")
        if any(problem.severity == "error" for problem in page.problems):
            continue
        if write_atomic(path, render_page(replace(page, problems=()), text)):
            done.append(f"wiki/{page.path}: front matter completed")
    write_index(wiki, pages)
    append_log(wiki, now, "", [f"lint --fix completed {len(done)} pages"] if done else [])
    return done


def _in_wiki(problem: Problem) -> Problem:
    return replace(problem, path=f"wiki/{problem.path}")


def _links(graph: LinkGraph) -> Iterable[Problem]:
    anchors: dict[str, set[str]] = {}
    for edge in graph.edges:
        page = graph.pages[edge.source]
        line = page.body_line + page.body.count("\n", 0, edge.link.start)
        where = f"wiki/{page.path}"
        shown = edge.link.name or page.title
        if not edge.target:
            message = f"links to “{shown}”, which does not exist"
            yield Problem(where, message, line, "warning", "missing-page")
            continue
        if edge.others:
            message = f"“{shown}” could also mean {', '.join(edge.others)}; write the path"
            yield Problem(where, message, line, "warning", "ambiguous-link")
        if edge.link.heading:
            target = graph.pages[edge.target]
            known = anchors.setdefault(
                edge.target, {name_key(heading.text) for heading in headings(target.body)}
            )
            if name_key(edge.link.heading) not in known:
                message = f"“{target.title}” has no heading “{edge.link.heading}”"
                yield Problem(where, message, line, "warning", "missing-heading")


def _titles(pages: list[Page]) -> Iterable[Problem]:
    first: dict[str, Page] = {}
    for page in sorted(pages, key=lambda page: page.path):
        other = first.setdefault(name_key(page.title), page)
        if other is not page:
            message = f"has the title of wiki/{other.path}: “{page.title}”"
            yield Problem(f"wiki/{page.path}", message, 0, "warning", "duplicate-title")


def _orphans(graph: LinkGraph) -> Iterable[Problem]:
    for path in graph.pages:
        linked = any(edge.target for edge in graph.out.get(path, ()))
        if path not in graph.back and not linked:
            message = "no page links here, and it links to none"
            yield Problem(f"wiki/{path}", message, 0, "warning", "orphan")


def _quotes(
    root: Path, pages: Iterable[Page], records: Mapping[str, SourceRecord]
) -> Iterable[Problem]:
    """Footnotes whose quote their source does not hold; sources are read once each."""
    by_path = {record.path: record for record in records.values()}
    texts: dict[str, str | None] = {}
    for page in pages:
        for note in footnotes(page.body).values():
            if not note.quote or note.resource not in by_path:
                continue
            if note.resource not in texts:
                texts[note.resource] = _source_text(root / note.resource)
            text = texts[note.resource]
            if text is not None and quote_key(note.quote) not in text:
                line = page.body_line + page.body.count("\n", 0, note.start)
                message = f"{note.resource} does not say “{note.quote}” (any more)"
                yield Problem(f"wiki/{page.path}", message, line, "error", "quote")


def _source_text(path: Path) -> str | None:
    try:
        source = read_source(path)
    except SourceError:
        return None
    return quote_key(" ".join(plain(section.text) for section in source.sections))


def _coverage(
    root: Path, records: Mapping[str, SourceRecord], slugs: set[str]
) -> Iterable[Problem]:
    for record in records.values():
        if not (root / record.path).exists():
            message = "is in the manifest but not on disk; put it back, or remove its line"
            yield Problem(record.path, message, 0, "error", "missing-source")
        for section in record.sections:
            where = f"section “{section.locator or section.title}”"
            gone = [slug for slug in section.pages if slug not in slugs]
            if section.status == "compiled" and (gone or not section.pages):
                message = f"{where} became page {', '.join(gone) or '(none)'}, which is not there"
                yield Problem(record.path, f"{message}; run: citewiki compile", 0, "error", "gap")
            elif section.status == "pending":
                message = f"{where} has not been compiled; run: citewiki compile {record.id}"
                yield Problem(record.path, message, 0, "warning", "pending")
            elif section.status not in ("compiled", "pending") and not section.reason:
                message = f"{where} of {MANIFEST} is {section.status} without a reason"
                yield Problem(record.path, message, 0, "error", "gap")
