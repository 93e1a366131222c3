"""`delete`: a page is taken away for good."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewiki.cli.forget import choice_options, deed_options, tell
from citewiki.cli.options import login, now, output_options, wiki_option
from citewiki.cli.output import print_json, styled
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.store.deeds import Change
    from citewiki.wiki import Wiki

LINKS = 5
"""Pages that link to one that goes, named unless --verbose asks for all."""


@click.command()
@choice_options
@click.option("--yes", is_flag=True, help="Do not ask.")
@deed_options
@wiki_option
@output_options
def delete(
    pages: tuple[str, ...],
    domain: str,
    tag: str,
    query: str,
    yes: bool,
    who: str,
    why: str,
    dry_run: bool,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Delete pages for good; says what links to them, and asks. The log keeps a tombstone."""
    from citewiki.store import lifecycle
    from citewiki.store.files import lock
    from citewiki.store.selection import Where

    opened, at = open_wiki(wiki, None, quiet), now()
    planned = lifecycle.delete(
        opened.root, pages, where=Where(domain, tag, query), now=at, dry_run=True
    )
    going = [change for change in planned if not change.after]
    linked = _linked(opened, [change.path for change in going])
    if not json:
        _show(going, linked, verbose)
    ask = not (yes or dry_run)
    if ask and (json or not sys.stdin.isatty()):
        raise click.UsageError("nothing was deleted, as nobody can be asked; say --yes")
    done = not dry_run and (yes or click.confirm("Delete for good?", err=True))
    if done:
        with lock(opened.cache):
            planned = lifecycle.delete(
                opened.root,
                [change.path for change in going],
                also=_manifest_without(opened.root, going, f"its page was deleted {at:%Y-%m-%d}"),
                now=at,
                who=who or login(),
                why=why,
            )
    if json:
        print_json({"done": done, "changes": planned, "linked_from": linked})
    else:
        tell(planned, not done, json, quiet)


def _show(going: Iterable[Change], linked: Mapping[str, Sequence[str]], verbose: bool) -> None:
    from citewiki.cli.differences import harmless

    for change in going:
        print(f"{styled(harmless(change.before['title']), '1')}  wiki/{harmless(change.path)}")
        titles = linked[change.path]
        shown = titles if verbose else titles[:LINKS]
        for title in shown:
            print(f"    linked from {harmless(title)}")
        if len(shown) < len(titles):
            print(f"    … and {len(titles) - len(shown)} more (-v)")


def _linked(opened: Wiki, going: Sequence[str]) -> dict[str, list[str]]:
    """Titles of pages that stay and link to those at the paths `going`, by these."""
    from citewiki.index.graph import link_graph
    from citewiki.store.pages import is_archived, load_pages

    pages, _ = load_pages(opened.folder, archived=True)
    graph = link_graph(page for page in pages if page.path in going or not is_archived(page))
    found: dict[str, list[str]] = {}
    for path in going:
        sources = [edge.source for edge in graph.back.get(path, ()) if edge.source not in going]
        found[path] = list(dict.fromkeys(graph.pages[source].title for source in sources))
    return found


def _manifest_without(root: Path, going: Iterable[Change], reason: str) -> dict[str, str]:
    """The manifest in which sections of deleted pages are skipped: compiling makes none again.

    By path, as it will be; empty where nothing of it changes.
    """
    from dataclasses import replace

    from citewiki.sources.manifest import MANIFEST, load_manifest, render_manifest

    slugs = {change.slug for change in going}
    before = load_manifest(root)
    after = {}
    for record in before.values():
        sections = []
        for section in record.sections:
            left = tuple(slug for slug in section.pages if slug not in slugs)
            if left != section.pages:
                section = replace(section, pages=left)
                if not left and section.status == "compiled":
                    section = replace(section, status="skipped", reason=reason)
            sections.append(section)
        after[record.id] = replace(record, sections=tuple(sections))
    return {} if after == before else {MANIFEST: render_manifest(after.values())}
