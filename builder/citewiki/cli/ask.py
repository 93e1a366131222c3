"""`ask`: a question in, a cited answer or a refusal out."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click
from click.exceptions import Exit

from citewiki.cli.engines import chosen_engine, web_searcher
from citewiki.cli.options import (
    as_of_option,
    domain_option,
    known_at_option,
    now,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import print_json, styled
from citewiki.cli.wiki import open_wiki
from citewiki.model import Answer

REFUSED = 3


@click.command()
@click.argument("question", nargs=-1, required=True, help="The question, in any language.")
@wiki_option
@click.option("--strict", is_flag=True, help="Only what a page states.")
@click.option("--depth", type=click.IntRange(1, 3), help="Links to follow from the best pages.")
@domain_option
@as_of_option
@known_at_option
@viewer_option
@click.option(
    "--engine", default="", metavar="E", help="extractive, or anthropic (a language model)."
)
@click.option("--agentic", is_flag=True, help="The model looks things up itself, step by step.")
@click.option("--web", is_flag=True, help="Ask pages of the web when the wiki refuses.")
@click.option(
    "--drift",
    type=click.Choice(("refuse", "auto")),
    default="refuse",
    help="Where pages disagree: refuse, or let the newest win.",
)
@click.option(
    "--allow-stale", is_flag=True, help="Answer from pages that may no longer hold, and say so."
)
@click.option("--explain", is_flag=True, help="Show how it came about.")
@output_options
def ask(
    question: tuple[str, ...],
    wiki: Path,
    strict: bool,
    depth: int | None,
    domain: str,
    as_of: datetime | None,
    known_at: datetime | None,
    viewer: str | None,
    engine: str,
    agentic: bool,
    web: bool,
    drift: str,
    allow_stale: bool,
    explain: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Answer from the pages with citations (exit 0), or refuse and say what to do (exit 3)."""
    opened = open_wiki(wiki, viewer, quiet)
    answer = opened.ask(
        " ".join(question),
        depth=depth,
        strict=strict,
        domain=domain,
        as_of=as_of,
        known_at=known_at,
        engine=chosen_engine(opened.config.engine, engine, agentic),
        agentic=agentic,
        web=web_searcher() if web else None,
        newest_wins=drift == "auto",
        allow_stale=allow_stale,
        explain=explain,
        now=now(),
    )
    if json:
        print_json(answer)
    else:
        print_answer(answer, quiet=quiet, verbose=verbose)
        if explain:
            from citewiki.cli.explain import print_explain

            print_explain(answer)
    if answer.refusal:
        raise Exit(REFUSED)


def print_answer(answer: Answer, *, quiet: bool = False, verbose: bool = False) -> None:
    """The answer as a person reads it: sentences with numbers, then what they cite."""
    if answer.refusal:
        print(styled("No answer: ", "1;33") + answer.refusal.message)
        if answer.refusal.available:
            print("Pages at hand: " + ", ".join(answer.refusal.available))
        print("Next: " + answer.refusal.next_action)
        return
    cited = list(dict.fromkeys(c for claim in answer.claims for c in claim.citations))
    for claim in answer.claims:
        marks = "".join(f"[{cited.index(citation) + 1}]" for citation in claim.citations)
        print(f"{claim.text} {styled(marks, '36')}")
    if quiet:
        return
    from citewiki.markdown.plain import plain
    from citewiki.query.web import is_web

    said = " ".join(answer.answer.split())
    print()
    for number, citation in enumerate(cited, 1):
        where = citation.page + (f" › {citation.heading}" if citation.heading else "")
        print(f"{styled(f'[{number}]', '36')} {styled(where, '1')} ({citation.slug})")
        quote = " ".join(plain(citation.quote).split())
        if quote not in said:
            print(f"    “{quote}”")
        if citation.source:
            print(styled(f"    {citation.source}", "2"))
    if any(is_web(citation.slug) for citation in cited):
        print(styled("\nFrom the web: no page of this wiki says it.", "33"))
    for warning in answer.warnings:
        print(styled(f"\nNote: {warning.message}.", "33"))
    for each in answer.drift:
        print(styled(f"\nPages disagree: {each.message}", "33"))
    if verbose:
        print(styled(f"\n{answer.elapsed_ms:.0f} ms, engine {answer.engine}", "2"))
