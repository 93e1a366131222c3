"""`init`, `ingest`, `compile`: a wiki, sources into it, pages out of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from citewiki import __version__
from citewiki.cli.options import PATH, now, output_options, password_option, wiki_option
from citewiki.cli.output import print_json, print_problems, progress, say
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.wiki import Wiki

if TYPE_CHECKING:
    from citewiki.distill.compile import Compiled


@click.command()
@click.argument("folder", type=PATH, metavar="DIR", help="Where; made when missing.")
@output_options
def init(folder: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """Make a new wiki: folders, mkdocs.yml, hooks, CI workflow, AGENTS.md."""
    from citewiki.cli.template import lay_down

    made = lay_down(folder)
    if json:
        print_json({"wiki": folder, "made": made})
        return
    for path in made if verbose else ():
        print(path)
    say(f"{folder} is a wiki now. Next: citewiki --help, or", quiet)
    say(f"  citewiki ingest --wiki {folder} PATH…", quiet)


@click.command()
@click.argument(
    "paths", type=PATH, nargs=-1, required=True, metavar="PATH…", help="Files or folders."
)
@wiki_option
@click.option("--no-compile", is_flag=True, help="Take them in; make no pages yet.")
@password_option
@output_options
def ingest(
    paths: tuple[Path, ...],
    wiki: Path,
    no_compile: bool,
    password: str,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Copy sources into raw/, read their sections, and make pages of them."""
    from citewiki.distill.ingest import take_in
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    with lock(opened.cache), progress("reading", quiet) as report:
        taken = take_in(opened.root, paths, now=now(), password=password, report=report)
    say(f"{len(taken.added)} sources taken in, {len(taken.known)} known already", quiet)
    done = (
        None if no_compile else _compile(opened, taken.ids, password, quiet, verbose and not json)
    )
    if json:
        print_json({"taken": taken, "compiled": done})
    if print_problems((*taken.problems, *(done.problems if done else ()))):
        raise Exit(1)


@click.command("compile")
@click.argument("sources", nargs=-1, metavar="[SOURCE…]", help="Ids or paths. Default: all.")
@wiki_option
@password_option
@output_options
def compile_command(
    sources: tuple[str, ...],
    wiki: Path,
    password: str,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Make pages of the sections that are new or changed, and link them; resumable."""
    opened = open_wiki(wiki, None, quiet)
    done = _compile(opened, sources, password, quiet, verbose and not json)
    if json:
        print_json(done)
    if print_problems(done.problems):
        raise Exit(1)


def _compile(
    opened: Wiki, only: tuple[str, ...], password: str, quiet: bool, names: bool
) -> Compiled:
    """Compile, with what was put into raw/ by hand unless sources are named; say what was done."""
    from citewiki.distill.compile import compile_sources
    from citewiki.distill.ingest import register
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.files import lock

    with lock(opened.cache), progress("compiling", quiet) as report:
        found = register(opened.root, load_manifest(opened.root), now()) if not only else None
        done = compile_sources(
            opened.root,
            opened.config,
            now=now(),
            version=__version__,
            only=only,
            password=password,
            report=report,
        )
    for slug in (*done.made, *done.updated) if names else ():
        print(slug)
    counts = ", ".join(f"{number} {status}" for status, number in sorted(done.sections.items()))
    say(
        f"{len(done.made)} pages made, {len(done.updated)} updated; sections: {counts or 'none'}",
        quiet,
    )
    return replace(done, problems=(*(found.problems if found else ()), *done.problems))
