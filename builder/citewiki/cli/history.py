"""`history`: the life of a page along both times."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from citewiki.cli.options import output_options, viewer_option, wiki_option
from citewiki.cli.output import print_json, styled
from citewiki.cli.wiki import open_wiki
from citewiki.errors import DataError, UnknownPage

if TYPE_CHECKING:
    from citewiki.store.lives import Event

COMMITS = 200
"""Commits of one page that are told at most."""


@click.command()
@click.argument("page", help="Title, alias, slug or path; or the slug of a page that was deleted.")
@viewer_option
@wiki_option
@output_options
def history(
    page: str, viewer: str | None, wiki: Path, json: bool, quiet: bool, verbose: bool
) -> None:
    """Print a page's life: what the wiki did with it, and when what it says holds."""
    from citewiki.cli.differences import harmless
    from citewiki.query.times import as_it_was
    from citewiki.store.catalog import read_log, readable
    from citewiki.store.lives import events, told
    from citewiki.store.pages import load_pages
    from citewiki.store.selection import select

    opened = open_wiki(wiki, viewer, quiet)
    pages, _ = load_pages(opened.folder, archived=True, viewer=viewer)
    if viewer is not None:
        slugs = {each.slug for each in pages}
        pages = [as_it_was(each, slugs) for each in pages]
    log = readable(read_log(opened.folder), pages, viewer)
    try:
        (found,) = select(pages, [page], viewer=viewer)
    except UnknownPage:
        life = list(reversed(list(told(page, "", log))))
        if not life:
            raise
    else:
        # what a commit's message tells, and of which other pages, nobody can say
        commits = _commits(opened.root, found.path) if viewer is None else ()
        life = sorted((*events(found, log), *commits), key=_when)
    if json:
        print_json(life)
        return
    for event in life:
        who = styled(f"  ({harmless(event.who)})", "2") if event.who else ""
        print(f"{event.at:%Y-%m-%d %H:%M}  {event.time:<8}  {harmless(event.what)}{who}")


def _when(event: Event) -> datetime:
    return event.at


def _commits(root: Path, path: str) -> Iterator[Event]:
    """Commits that touched the page, under all its paths, oldest first; none without git."""
    from citewiki.cli.git import Git
    from citewiki.store.lives import Event

    try:
        git = Git(root)
        said = git(
            "log", "--follow", f"--max-count={COMMITS}", "--format=%aI%x09%an%x09%h %s", "--",
            f"wiki/{path}",
        )  # fmt: skip
    except DataError:  # no git, no repository, or no commit yet
        return
    for line in reversed(said.splitlines()):
        when, who, what = line.split("\t", 2)
        yield Event(datetime.fromisoformat(when).astimezone(UTC), "git", what, who)
