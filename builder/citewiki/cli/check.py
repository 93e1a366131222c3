"""`lint`, `coverage`, `doctor`: what is wrong, what was left out, what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from citewiki.cli.options import now, output_options, wiki_option
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from citewiki.model import Drift, Page, Problem

FEW_PAGES = 2_000
"""Pages among which drift is found within a second or two, so that `lint` always looks for it."""


@click.command()
@wiki_option
@click.option("--fix", is_flag=True, help="Mend what has one right answer.")
@click.option(
    "--changed", default="", metavar="BASE", help="Only what differs from this commit of git."
)
@click.option(
    "--as", "who", metavar="USER", help="With --changed: check that USER may change all of it."
)
@click.option(
    "--staged", is_flag=True, help="Only: keys and tokens in what git is about to commit."
)
@click.option(
    "--drift/--no-drift",
    default=None,
    help=f"Look for pages that disagree. Default: in a wiki of up to {FEW_PAGES:,} pages.",
)
@output_options
def lint(
    wiki: Path,
    fix: bool,
    changed: str,
    who: str | None,
    staged: bool,
    drift: bool | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find what is wrong with the wiki; exit 1 when there are errors."""
    from citewiki.cli.staged import staged_problems, tracked_private
    from citewiki.lint import fix_wiki, lint_wiki
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    publish_raw = opened.config.site.publish_raw  # a wrong setting is an error like any other
    if staged:
        if fix or changed or who is not None or drift:
            raise click.UsageError("--staged looks at what git has staged, and at nothing else")
        _print(staged_problems(opened.root, publish_raw=publish_raw), json, quiet)
        return
    if fix:
        with lock(opened.cache):
            for line in fix_wiki(opened.root, now=now()):
                say(line, quiet)
    finder = _drifts if drift else partial(_few_drifts, quiet) if drift is None else None
    problems = lint_wiki(
        opened.root,
        now=now(),
        find_drifts=finder,
        publish_raw=publish_raw,
        tracked=tracked_private(opened.root),
    )
    if changed:
        from citewiki.cli.proposal import changes, forbidden, of_changed

        found = changes(opened.root, changed)
        problems = of_changed(problems, found)
        problems += forbidden(found, who) if who is not None else ()
    _print(problems, json, quiet)


def _print(problems: Sequence[Problem], json: bool, quiet: bool) -> None:
    """The findings; exits with 1 when there are errors."""
    errors = sum(problem.severity == "error" for problem in problems)
    if json:
        print_json(problems)
    else:
        for problem in problems:
            if problem.severity == "error" or not quiet:
                print(problem)
        say(f"{errors} errors, {len(problems) - errors} warnings", quiet)
    if errors:
        raise Exit(1)


def _drifts(pages: Sequence[Page]) -> Sequence[Drift]:
    """The pairs that disagree now."""
    from citewiki.query.drift import drift_pairs
    from citewiki.query.times import Moment, standing

    return drift_pairs(standing(pages, Moment(now())))


def _few_drifts(quiet: bool, pages: Sequence[Page]) -> Sequence[Drift]:
    """The same, where it does not take long."""
    if len(pages) <= FEW_PAGES:
        return _drifts(pages)
    say(f"{len(pages):,} pages were not compared with each other; do it with --drift", quiet)
    return ()


@click.command()
@click.argument("source", default="", help="Only this source (id or path).")
@wiki_option
@output_options
def coverage(source: str, wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """For every section of every source: the page it became, or why it did not."""
    from citewiki.distill.coverage import covered
    from citewiki.model import as_json

    opened = open_wiki(wiki, None, quiet)
    records = covered(opened.root, source)
    gone_files = {record.id for record in records if not (opened.root / record.path).exists()}
    if json:
        print_json([{**as_json(each), "missing": each.id in gone_files} for each in records])
        return
    for record in records:
        done = sum(section.status == "compiled" for section in record.sections)
        gone = "; its file is gone, pages stay" if record.id in gone_files else ""
        older = f"; {len(record.versions)} earlier versions" if record.versions else ""
        told = f"{done} of {len(record.sections)} sections are pages{older}{gone}"
        print(f"{styled(record.path, '1')}  {told}")
        for section in record.sections:
            if section.status == "compiled" and quiet:
                continue
            became = ", ".join(section.pages) or section.reason
            where = section.locator or section.title or "all of it"
            print(f"  {section.status:<10} {where}: {became}")


@click.command()
@wiki_option
@output_options
def doctor(wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """What is installed, what is missing, and what to do about it; exit 1 when it is needed."""
    from citewiki.cli.doctor import examine

    findings = examine(wiki)
    if json:
        print_json(findings)
    else:
        for finding in findings:
            if finding.state != "ok" or not quiet:
                colour = {"ok": "32", "missing": "31", "optional": "33"}[finding.state]
                print(f"{styled(f'{finding.state:<9}', colour)} {finding.what}: {finding.detail}")
    if any(finding.state == "missing" for finding in findings):
        raise Exit(1)
