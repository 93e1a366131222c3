"""`lint`, `coverage`, `doctor`: what is wrong, what was left out, what is missing."""

from __future__ import annotations

from pathlib import Path

import click
from click.exceptions import Exit

from citewiki.cli.options import now, output_options, wiki_option
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki


@click.command()
@wiki_option
@click.option("--fix", is_flag=True, help="Mend what has one right answer.")
@output_options
def lint(wiki: Path, fix: bool, json: bool, quiet: bool, verbose: bool) -> None:
    """Find what is wrong with the wiki; exit 1 when there are errors."""
    from citewiki.config import load_config
    from citewiki.lint import fix_wiki, lint_wiki
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    load_config(opened.root)  # a wrong setting is an error like any other
    if fix:
        with lock(opened.cache):
            for line in fix_wiki(opened.root, now=now()):
                say(line, quiet)
    problems = lint_wiki(opened.root)
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


@click.command()
@click.argument("source", default="", help="Only this source (id or path).")
@wiki_option
@output_options
def coverage(source: str, wiki: Path, json: bool, quiet: bool, verbose: bool) -> None:
    """For every section of every source: the page it became, or why it did not."""
    from citewiki.distill.coverage import covered

    opened = open_wiki(wiki, None, quiet)
    records = covered(opened.root, source)
    if json:
        print_json(records)
        return
    for record in records:
        done = sum(section.status == "compiled" for section in record.sections)
        print(f"{styled(record.path, '1')}  {done} of {len(record.sections)} sections are pages")
        for section in record.sections:
            if section.status == "compiled" and quiet:
                continue
            became = ", ".join(section.pages) or section.reason
            print(f"  {section.status:<10} {section.locator or section.title}: {became}")


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
