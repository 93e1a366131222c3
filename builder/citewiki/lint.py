"""What is wrong with a wiki: every finding one line, with the file and what to do."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from citewiki.distill.worklist import WAITS
from citewiki.errors import SourceError
from citewiki.index.graph import LinkGraph, link_graph
from citewiki.markdown.anchors import find_anchor, named_anchors
from citewiki.markdown.footnotes import Footnote, footnotes
from citewiki.markdown.plain import plain
from citewiki.model import Drift, Page, Problem, SourceRecord
from citewiki.sources.leaks import leaks_in
from citewiki.sources.manifest import MANIFEST, load_manifest
from citewiki.sources.privacy import MARK
from citewiki.sources.read import AS_IT_IS, read_source
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import write_atomic
from citewiki.store.journal import NOTE, complete
from citewiki.store.keys import KEYS, PRIVATE, USERS
from citewiki.store.names import Names
from citewiki.store.pages import is_archived, load_pages, render_page
from citewiki.store.succession import closed_chains, succession_problems
from citewiki.text.folding import name_key, quote_key
from citewiki.text.holding import absent

FindDrifts = Callable[[Sequence[Page]], Sequence[Drift]]
"""Finds the pairs among pages that disagree."""


def lint_wiki(
    root: Path,
    *,
    now: datetime | None = None,
    find_drifts: FindDrifts | None = None,
    publish_raw: bool = False,
    tracked: Collection[str] = (),
) -> list[Problem]:
    """All findings, errors first, then by file and line.

    Errors: files that cannot be read as pages, wrong front matter, shared slugs, quotes that the
    source does not hold, sections or sources of the manifest that nothing accounts for, times and
    chains of supersession that cannot be (with `now`, also those ahead of the clock), an action
    that was cut short, keys and tokens in what goes out with the wiki (originals too, if
    `publish_raw`), files of users and keys that git keeps (`tracked`: paths that it keeps).
    Warnings: links to missing or archived pages, or to missing headings, ambiguous links,
    duplicate titles, orphans, originals that never were here, what may be a password, and what
    `find_drifts` finds.
    """
    pages, problems = load_pages(root / "wiki")
    known, _ = load_pages(root / "wiki", archived=True)
    archived = Names(page for page in known if is_archived(page))
    records = load_manifest(root)
    names = Names(pages)
    graph = link_graph(pages, names)
    problems = [_in_wiki(problem) for problem in problems]
    for page in pages:
        problems += map(_in_wiki, page.problems)
    problems += _links(graph, archived)
    problems += map(_in_wiki, succession_problems(known, now))
    problems += _unfinished(root)
    problems += _titles(pages)
    problems += _orphans(graph)
    problems += _quotes(root, pages, records)
    problems += _originals(root, pages, records)
    problems += _coverage(root, records, {page.slug for page in known})
    problems += _drifts(pages, find_drifts(pages)) if find_drifts else ()
    problems += leaks_in(root, publish_raw=publish_raw)
    problems += private_problems(root, tracked)
    return sorted(problems, key=lambda p: (p.severity != "error", p.path, p.line, p.message))


def private_problems(root: Path, tracked: Collection[str] = ()) -> Iterable[Problem]:
    """What is wrong with the folder of users and keys; `tracked` are the paths that git keeps."""
    for path in sorted(tracked):
        if path.startswith(f"{PRIVATE}/"):
            message = f"is kept by git, with what it says of users; git rm --cached {path}"
            yield Problem(path, message, 0, "error", "private-tracked")
    places = (root / PRIVATE, *(root / name for name in (USERS, KEYS)))
    for place in places if os.name == "posix" else ():
        with contextlib.suppress(OSError):  # there is none
            if stat.S_IMODE(place.stat().st_mode) & 0o077:
                message = "can be read by other users of this system; mend it: chmod go="
                path = place.relative_to(root).as_posix()
                yield Problem(path, message, 0, "warning", "private-readable")


def fix_wiki(root: Path, *, now: datetime) -> list[str]:
    """Mend what has one right answer; says what was done, a line a page.

    Finishes an action that was cut short, closes chains of which only one side speaks, adds a
    missing `type`, writes list values as lists without empty entries, and brings
    wiki/index.md up to date. Nothing that a person has to decide is touched, and no body is.
    The caller holds the wiki's lock.
    """
    wiki = root / "wiki"
    finished = complete(root)
    pages, _ = load_pages(wiki)
    pages = list(closed_chains(pages))
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
    return [*finished, *done]


def _unfinished(root: Path) -> Iterable[Problem]:
    if (root / NOTE).exists():
        message = "an action on pages was cut short; finish it: citewiki lint --fix"
        yield Problem(NOTE, message, 0, "error", "unfinished-action")


def _in_wiki(problem: Problem) -> Problem:
    return replace(problem, path=f"wiki/{problem.path}")


def _links(graph: LinkGraph, archived: Names) -> Iterable[Problem]:
    anchors: dict[str, Mapping[str, str]] = {}
    for edge in graph.edges:
        page = graph.pages[edge.source]
        line = page.body_line + page.body.count("\n", 0, edge.link.start)
        where = f"wiki/{page.path}"
        shown = edge.link.name or page.title
        if not edge.target:
            if archived.resolve(edge.link.name, page.path).path:
                message, code = f"links to “{shown}”, which is archived", "archived-page"
            else:
                message, code = f"links to “{shown}”, which does not exist", "missing-page"
            yield Problem(where, message, line, "warning", code)
            continue
        if edge.others:
            message = f"“{shown}” could also mean {', '.join(edge.others)}; write the path"
            yield Problem(where, message, line, "warning", "ambiguous-link")
        heading, block = edge.link.heading, edge.link.block
        if heading or block:
            target = graph.pages[edge.target]
            if edge.target not in anchors:
                anchors[edge.target] = named_anchors(target.body)
            if heading and not find_anchor(anchors[edge.target], heading):
                message = f"“{target.title}” has no heading “{heading}”"
                yield Problem(where, message, line, "warning", "missing-heading")
            if block and f"^{block}" not in anchors[edge.target]:
                message = f"“{target.title}” has no block “^{block}”"
                yield Problem(where, message, line, "warning", "missing-block")


def _titles(pages: list[Page]) -> Iterable[Problem]:
    """Titles that two pages of one owner have; of two owners each means their own."""
    first: dict[tuple[str, str], Page] = {}
    for page in sorted(pages, key=lambda page: page.path):
        other = first.setdefault((page.owner, name_key(page.title)), page)
        if other is not page:
            message = f"has the title of wiki/{other.path}: “{page.title}”"
            yield Problem(f"wiki/{page.path}", message, 0, "warning", "duplicate-title")


def _orphans(graph: LinkGraph) -> Iterable[Problem]:
    for path in graph.pages:
        linked = any(edge.target for edge in graph.out.get(path, ()))
        if path not in graph.back and not linked:
            message = "no page links here, and it links to none"
            yield Problem(f"wiki/{path}", message, 0, "warning", "orphan")


def _drifts(pages: Iterable[Page], found: Iterable[Drift]) -> Iterable[Problem]:
    """Open drifts, at the sentence of the newer page."""
    by_slug = {page.slug: page for page in pages}
    for drift in found:
        newer, older = (by_slug[slug] for slug in drift.pages)
        line = newer.body_line + newer.body.count("\n", 0, newer.body.find(drift.quotes[0]))
        message = f"disagrees with wiki/{older.path}: {drift.message}; decide: citewiki drift"
        yield Problem(f"wiki/{newer.path}", message, line, "warning", "drift")


def _quotes(
    root: Path, pages: Iterable[Page], records: Mapping[str, SourceRecord]
) -> Iterable[Problem]:
    """Footnotes whose quote their source does not hold; sources are read once each."""
    paths = {record.path for record in records.values()}
    quoting: dict[str, list[tuple[Page, Footnote]]] = {}
    for page in pages:
        for note in footnotes(page.body).values():
            if note.quote and note.resource in paths:
                quoting.setdefault(note.resource, []).append((page, note))
    for resource, notes in quoting.items():
        text = _source_text(root / resource)
        if text is None:
            continue
        lost = absent({part for _, note in notes for part in _said(note)}, text)
        for page, note in notes if lost else ():
            if not lost.isdisjoint(_said(note)):
                line = page.body_line + page.body.count("\n", 0, note.start)
                message = f"{resource} does not say “{note.quote}” (any more)"
                yield Problem(f"wiki/{page.path}", message, line, "error", "quote")


def _originals(
    root: Path, pages: Iterable[Page], records: Mapping[str, SourceRecord]
) -> Iterable[Problem]:
    """One line for all originals that pages name and that never were here, as after an import."""
    here = {record.path for record in records.values()}
    lacking: dict[str, set[str]] = {}
    for page in pages:
        for ref in page.sources:
            if ref.resource.startswith("raw/") and ref.resource not in here:
                lacking.setdefault(ref.resource, set()).add(page.slug)
    named = [path for path in sorted(lacking) if not os.path.lexists(root / path)]
    if named:
        resting = len(set().union(*(lacking[path] for path in named)))
        few = ", ".join(named[:3]) + (", …" if len(named) > 3 else "")
        whose = "1 page" if resting == 1 else f"{resting:,} pages"
        message = (
            f"lacks {len(named):,} of the originals that pages name ({few}), so the quotes of "
            f"{whose} cannot be checked; take them in: citewiki ingest"
        )
        yield Problem(MANIFEST, message, 0, "warning", "missing-original")


def _said(note: Footnote) -> list[str]:
    """What a quote holds of its source: what stands between the marks of what was masked."""
    return [key for part in MARK.split(note.quote) if (key := quote_key(part))]


def _source_text(path: Path) -> str | None:
    try:
        source = read_source(path, privacy=AS_IT_IS)
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
                if section.reason.startswith(WAITS):
                    message = f"{where} {section.reason}; see it: citewiki review"
                elif section.reason:
                    message = f"{where} is pending: {section.reason}"
                yield Problem(record.path, message, 0, "warning", "pending")
            elif section.status not in ("compiled", "pending") and not section.reason:
                message = f"{where} of {MANIFEST} is {section.status} without a reason"
                yield Problem(record.path, message, 0, "error", "gap")
