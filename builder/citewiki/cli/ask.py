"""`ask`: a question in, a cited answer or a refusal out."""

from __future__ import annotations

from typing import Annotated

import typer

from citewiki.cli.engines import chosen_engine, web_searcher
from citewiki.cli.options import (
    HERE,
    AsOfOption,
    JsonOption,
    KnownAtOption,
    QuietOption,
    VerboseOption,
    ViewerOption,
    WikiOption,
    now,
)
from citewiki.cli.output import print_json, styled
from citewiki.cli.wiki import open_wiki
from citewiki.model import Answer

REFUSED = 3


def ask(
    question: Annotated[list[str], typer.Argument(help="The question, in any language.")],
    wiki: WikiOption = HERE,
    strict: Annotated[bool, typer.Option("--strict", help="Only what a page states.")] = False,
    depth: Annotated[
        int | None, typer.Option(min=1, max=3, help="Links to follow from the best pages.")
    ] = None,
    domain: Annotated[str, typer.Option(help="Only pages of this domain.")] = "",
    as_of: AsOfOption = None,
    known_at: KnownAtOption = None,
    viewer: ViewerOption = None,
    engine: Annotated[
        str, typer.Option(metavar="E", help="extractive, or anthropic (a language model).")
    ] = "",
    agentic: Annotated[
        bool, typer.Option("--agentic", help="The model looks things up itself, step by step.")
    ] = False,
    web: Annotated[
        bool, typer.Option("--web", help="Ask pages of the web when the wiki refuses.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Show how it came about.")] = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
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
        raise typer.Exit(REFUSED)


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
    if any(citation.slug.startswith("web:") for citation in cited):
        print(styled("\nFrom the web: no page of this wiki says it.", "33"))
    for drift in answer.drift:
        print(styled(f"\nPages disagree: {drift.message}", "33"))
    if verbose:
        print(styled(f"\n{answer.elapsed_ms:.0f} ms, engine {answer.engine}", "2"))
