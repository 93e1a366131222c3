"""`drift`: pages that disagree."""

from __future__ import annotations

from pathlib import Path

import click

from citewiki.cli.options import domain_option, output_options, viewer_option, wiki_option
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki


@click.command()
@wiki_option
@domain_option
@viewer_option
@output_options
def drift(
    wiki: Path, domain: str, viewer: str | None, json: bool, quiet: bool, verbose: bool
) -> None:
    """Find pages that disagree: the same of the same, with another value."""
    from citewiki.query.drift import drift_pairs

    pages = open_wiki(wiki, viewer, quiet).pages()
    found = drift_pairs(page for page in pages if domain in ("", page.domain))
    if json:
        print_json(found)
        return
    for each in found:
        print(styled(each.message, "1"))
        for slug, quote in zip(each.pages, each.quotes, strict=True):
            print(f"    {slug}: “{' '.join(quote.split())}”")
    say(f"{len(found)} pairs of pages disagree", quiet)
