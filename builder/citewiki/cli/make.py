"""`init`, `ingest`, `compile`: a wiki, sources into it, pages out of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from citewiki.cli.compiling import How, compile_options, compile_wiki, estimate_wiki
from citewiki.cli.options import PATH, now, output_options, password_option, wiki_option
from citewiki.cli.output import counted, print_json, print_problems, progress, say
from citewiki.cli.undoing import undo_ingest, undo_options
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.distill.estimate import Estimate
    from citewiki.distill.running import Compiled
    from citewiki.model import Problem
    from citewiki.wiki import Wiki

OF_A_KIND = 10
"""Warnings of a kind that are printed, lest a folder of letters hides what went wrong."""


@click.command()
@click.argument("folder", type=PATH, metavar="DIR", help="Where; made when missing.")
@output_options
def init(folder: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """Make a new wiki: folders, mkdocs.yml, hooks, CI workflow, AGENTS.md."""
    from citewiki.cli.template import lay_down, switch_on

    made = lay_down(folder)
    if json:
        print_json({"wiki": folder, "made": made})
        return
    for path in made if verbose else ():
        print(path)
    say(f"{folder} is a wiki now. Next: citewiki --help, or", quiet)
    say(f"  citewiki ingest --wiki {folder} PATH…", quiet)
    say("Let git look for keys and tokens before every commit:", quiet)
    say(f"  {switch_on(folder)}", quiet)


@click.command()
@click.argument("names", nargs=-1, metavar="[PATH|URL…]", help="Files, folders, web pages.")
@wiki_option
@click.option("--no-compile", is_flag=True, help="Take them in; make no pages yet.")
@undo_options
@compile_options
@password_option
@output_options
def ingest(
    names: tuple[str, ...],
    wiki: Path,
    no_compile: bool,
    undo: str,
    yes: bool,
    edited: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
    **how: Any,
) -> None:
    """Copy sources into raw/, read their sections, and make pages of them."""
    from citewiki.cli.export import imported
    from citewiki.distill.ingest import take_in
    from citewiki.sources.web import is_url
    from citewiki.store.files import lock

    if bool(names) == bool(undo):
        raise click.UsageError("name what to take in, or with --undo one source to take out")
    opened, options = open_wiki(wiki, None, quiet), How(**how)
    if undo:
        shown = {"json": json, "quiet": quiet, "verbose": verbose, "dry_run": options.dry_run}
        undo_ingest(opened, undo, yes=yes, edited=edited, **shown)
        return
    with lock(opened.cache), progress("reading", quiet) as report:
        urls = [name for name in names if is_url(name)]
        named = [Path(name) for name in names if not is_url(name)]
        bundles, paths = imported(opened, named, report)
        taken = take_in(
            opened.root,
            paths,
            urls=urls,
            now=now(),
            password=options.password,
            privacy=opened.config.privacy,
            report=report,
        )
    for each in bundles:
        pages = f"{counted(len(each.made), 'page')} made, {len(each.unchanged)} there already"
        pages += f"; {counted(len(each.files), 'other file')} made" if each.files else ""
        say(f"{each.bundle} is a bundle of pages: {pages}", quiet)
    if paths or urls:
        new = counted(len(taken.added), "source")
        say(f"{new} taken in, {len(taken.known)} known already", quiet)
    elif bundles:
        no_compile = True
    done = None if no_compile else _made(opened, taken.ids, options, quiet, verbose and not json)
    if json:
        print_json({"taken": taken, "imported": bundles, "compiled": done})
    left_out = [problem for each in bundles for problem in each.problems]
    if _told((*left_out, *taken.problems, *_problems(done)), verbose, quiet):
        raise Exit(1)


@click.command("compile")
@click.argument("sources", nargs=-1, metavar="[SOURCE…]", help="Ids or paths. Default: all.")
@wiki_option
@compile_options
@password_option
@output_options
def compile_command(
    sources: tuple[str, ...],
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
    **how: Any,
) -> None:
    """Make pages of the sections that are new or changed, and link them; resumable."""
    opened = open_wiki(wiki, None, quiet)
    done = _made(opened, sources, How(**how), quiet, verbose and not json)
    if json:
        print_json(done)
    if _told(_problems(done), verbose, quiet):
        raise Exit(1)


def _made(
    opened: Wiki, only: tuple[str, ...], how: How, quiet: bool, names: bool
) -> Compiled | Estimate:
    """What compiling did, or with --dry-run would cost; `names`: print slugs, one a line."""
    if how.dry_run:
        return estimate_wiki(opened, only, how, quiet=quiet)
    done = compile_wiki(opened, only, how, quiet=quiet)
    for slug in (*done.made, *done.updated) if names else ():
        print(slug)
    return done


def _told(problems: Sequence[Problem], verbose: bool, quiet: bool) -> int:
    """Print problems, of warnings the first of each kind; how many are errors."""
    counts: Counter[str] = Counter()
    shown = []
    for problem in problems:
        counts[problem.code] += problem.severity != "error"
        if verbose or problem.severity == "error" or counts[problem.code] <= OF_A_KIND:
            shown.append(problem)
    errors = print_problems(shown)
    if len(shown) < len(problems):
        say(f"{len(problems) - len(shown)} more warnings of these kinds; all: -v or --json", quiet)
    return errors


def _problems(done: Compiled | Estimate | None) -> tuple[Problem, ...]:
    return getattr(done, "problems", ())
