"""`mcp`: the wiki for an agent on this machine, over standard input and output."""

from __future__ import annotations

from pathlib import Path

import click

from citewiki.cli.engines import served_engines
from citewiki.cli.options import output_options, viewer_option, wiki_option
from citewiki.cli.output import say
from citewiki.cli.wiki import open_wiki


@click.command()
@wiki_option
@viewer_option
@click.option("--read-only", is_flag=True, help="Offer no tool that writes.")
@output_options
def mcp(
    wiki: Path, viewer: str | None, read_only: bool, json: bool, quiet: bool, verbose: bool
) -> None:
    """Serve the wiki to an agent over MCP, on standard input and output.

    It acts as --viewer, else as the user of [tool.citewiki.server], else as the operator. What is
    printed is the protocol, which is JSON; --verbose says on stderr for whom it acts.
    """
    opened = open_wiki(wiki, viewer, quiet=True)
    config = opened.config
    from citewiki.server.mcp.server import build_mcp
    from citewiki.server.mcp.session import Session
    from citewiki.server.opened import Opened

    acts_as = viewer or config.server.user or None
    say(f"{opened.root}, on behalf of {acts_as or 'the operator'}", quiet or not verbose)
    kept = Opened(opened.root, opened.cache)
    session = Session(
        kept.wiki(acts_as),
        read_only=read_only,
        engines=served_engines(config.engine, opened.cache),
    )
    try:
        build_mcp(lambda _: session, config.server, kept.stamp).run("stdio")
    finally:
        kept.close()
