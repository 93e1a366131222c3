"""Options that commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)


def moment(text: str) -> datetime:
    """A time of the command line, in ISO 8601; without an offset it is UTC."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(
            f"“{text}” is no date; write it as 2026-05-12 or 2026-05-12T14:00:00Z"
        ) from None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """The clock, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


wiki_option = click.option(
    "--wiki",
    type=PATH,
    default=Path(),
    envvar="CITEWIKI_WIKI",
    show_envvar=True,
    metavar="DIR",
    help="The wiki: a folder with wiki/ in it. Default: found from here upwards.",
)
domain_option = click.option("--domain", default="", help="Only pages of this domain.")
as_of_option = click.option(
    "--as-of", type=moment, metavar="DATE", help="Only what held on that day."
)
known_at_option = click.option(
    "--known-at", type=moment, metavar="DATE", help="Only what the wiki knew on that day."
)
viewer_option = click.option(
    "--viewer",
    metavar="USER",
    help='Read on behalf of USER ("*": anyone). Default: the operator.',
)
password_option = click.option("--password", default="", help="For encrypted PDF files.")


def output_options(function: Function) -> Function:
    """`--json`, `--quiet` and `--verbose`, which every command takes."""
    for option in (
        click.option("--verbose", "-v", is_flag=True, help="Say what is being done."),
        click.option("--quiet", "-q", is_flag=True, help="Only results and errors."),
        click.option("--json", is_flag=True, help="Print JSON on stdout."),
    ):
        function = option(function)
    return function
