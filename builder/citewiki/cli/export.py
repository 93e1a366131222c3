"""`export`: the pages in the forms of other programs; and what `ingest` does with such a bundle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from citewiki.cli.options import (
    PATH,
    as_of_option,
    known_at_option,
    now,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import counted, print_json, print_problems, say
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.interchange.taking_in import Imported
    from citewiki.wiki import Wiki


@click.command()
@click.argument(
    "form", type=click.Choice(("okf", "json")), metavar="okf|json", help="In what form."
)
@click.argument("folder", type=PATH, metavar="DIR", help="Where; made when missing.")
@wiki_option
@viewer_option
@as_of_option
@known_at_option
@click.option("--archived", is_flag=True, help="Also pages put away: all, or with --viewer theirs.")
@click.option("--force", is_flag=True, help="Replace what the last export wrote there.")
@output_options
def export(
    form: str,
    folder: Path,
    wiki: Path,
    viewer: str | None,
    as_of: datetime | None,
    known_at: datetime | None,
    archived: bool,
    force: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Write the pages into a folder, as an Open Knowledge Format bundle or as JSON."""
    done = open_wiki(wiki, viewer, quiet).export(
        form, folder, as_of=as_of, known_at=known_at, archived=archived, force=force
    )
    if json:
        print_json(done)
    for name in done.written if verbose and not json else ():
        print(name)
    files = counted(done.files, "other file") + " that they show; " if done.files else ""
    files += counted(len(done.written), "file") + " written"
    gone = f", {len(done.removed)} removed" if done.removed else ""
    say(f"{folder}: {counted(done.pages, 'page')}; {files}{gone}", quiet)
    if print_problems(done.problems):
        raise Exit(1)


def imported(
    opened: Wiki, paths: Sequence[Path], report: Callable[[int, int, str], None]
) -> tuple[list[Imported], list[Path]]:
    """The bundles among `paths`, their pages made; and the paths that are sources.

    The caller holds the wiki's lock.
    """
    from citewiki.errors import SourceError
    from citewiki.interchange.bundles import open_bundle
    from citewiki.interchange.taking_in import take_in_bundle

    done: list[Imported] = []
    sources: list[Path] = []
    for path in paths:
        try:
            bundle = open_bundle(path) if path.exists() else None
        except SourceError:  # a zip that is no bundle: what is wrong with it is said of the source
            bundle = None
        if bundle is None:
            sources.append(path)
            continue
        shared_with = opened.config.shared_with
        done.append(
            take_in_bundle(opened.root, bundle, now=now(), shared_with=shared_with, report=report)
        )
    return done, sources
