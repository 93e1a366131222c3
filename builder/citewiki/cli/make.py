"""`init`, `ingest`, `compile`: a wiki, sources into it, pages out of them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from citewiki import __version__
from citewiki.cli.options import HERE, JsonOption, QuietOption, VerboseOption, WikiOption, now
from citewiki.cli.output import print_json, print_problems, progress, say
from citewiki.cli.wiki import open_wiki
from citewiki.model import Problem
from citewiki.wiki import Wiki


def init(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where; made when missing.")],
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
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


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help="Files or folders.")],
    wiki: WikiOption = HERE,
    no_compile: Annotated[
        bool, typer.Option("--no-compile", help="Take them in; make no pages yet.")
    ] = False,
    password: Annotated[str, typer.Option(help="For encrypted PDF files.")] = "",
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Copy sources into raw/, read their sections, and make pages of them."""
    from citewiki.distill.ingest import take_in
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    with lock(opened.cache), progress("reading", quiet) as report:
        taken = take_in(opened.root, paths, now=now(), password=password, report=report)
    if no_compile:
        problems = taken.problems
        if json:
            print_json(taken)
    else:
        problems = (*taken.problems, *_compile(opened, taken.ids, password, json, quiet, verbose))
    say(f"{len(taken.added)} sources taken in, {len(taken.known)} known already", quiet)
    if print_problems(problems):
        raise typer.Exit(1)


def compile_command(
    sources: Annotated[
        list[str] | None, typer.Argument(metavar="[SOURCE…]", help="Ids or paths. Default: all.")
    ] = None,
    wiki: WikiOption = HERE,
    password: Annotated[str, typer.Option(help="For encrypted PDF files.")] = "",
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
) -> None:
    """Make pages of the sections that are new or changed, and link them; resumable."""
    opened = open_wiki(wiki, None, quiet)
    problems = _compile(opened, tuple(sources or ()), password, json, quiet, verbose)
    if print_problems(problems):
        raise typer.Exit(1)


def _compile(
    opened: Wiki,
    only: tuple[str, ...],
    password: str,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> tuple[Problem, ...]:
    """Compile, say what was done, and return what went wrong."""
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
    if json:
        print_json(done)
    for slug in (*done.made, *done.updated) if verbose else ():
        print(slug)
    counts = ", ".join(f"{number} {status}" for status, number in sorted(done.sections.items()))
    say(f"{len(done.made)} pages made, {len(done.updated)} updated; sections: {counts}", quiet)
    return (*(found.problems if found else ()), *done.problems)
