"""`news`: what is new in the feeds that the wiki follows."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from citewiki.cli.options import moment, output_options, wiki_option
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki
from citewiki.errors import SettingError


@click.command()
@wiki_option
@click.option(
    "--limit",
    "-n",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    help="At most N entries.",
)
@click.option("--since", type=moment, metavar="DATE", help="Only entries of that day and after.")
@output_options
def news(
    wiki: Path, limit: int, since: datetime | None, json: bool, quiet: bool, verbose: bool
) -> None:
    """Print the newest entries of the feeds that the wiki follows."""
    opened = open_wiki(wiki, quiet=quiet)
    if not opened.config.news.feeds:
        raise SettingError("pyproject.toml", "news.feeds", "a list with the URL of a feed")
    found = opened.news(limit, since)
    for problem in found.problems:
        say(problem)
    if json:
        print_json(found)
        return
    for item in found.items:
        day = f"{item.published:%Y-%m-%d}" if item.published else "no date   "
        print(f"{day}  {styled(item.title, '1')} ({item.feed})")
        if item.summary:
            print(f"    {item.summary}")
        if item.url:
            print(f"    {styled(item.url, '2')}")
    if not found.items:
        say("Nothing is new.", quiet)
