"""Options that commands share, as decorators."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import click

from citewiki.text.folding import nfc

Function = TypeVar("Function", bound=Callable[..., Any])

PATH = click.Path(path_type=Path)


def moment(text: str) -> datetime:
    """A time of the command line, in ISO 8601; without an offset it is UTC.

    A day alone is its first moment.
    """
    from citewiki.model.plain import moment as written

    try:
        return written(text)
    except ValueError:
        raise click.BadParameter(
            f"“{text}” is no date; write it as 2026-05-12 or 2026-05-12T14:00:00+07:00"
        ) from None


def past(text: str) -> datetime:
    """A time of the command line that has come; a day may have begun elsewhere before it does here.

    What the wiki will know some day nobody can say.
    """
    value = moment(text)
    if value > now() + timedelta(days=1):
        raise click.BadParameter(
            f"“{text}” lies in the future; give a day that has come, such as {now():%Y-%m-%d}"
        )
    return value


def now() -> datetime:
    """The clock, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)


def viewer_name(text: str) -> str:
    """A user's name as pages have it."""
    name = nfc(text.strip())
    if not name:
        raise click.BadParameter("it names nobody; name a user, or “*” for anyone")
    return name


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
    "--as-of",
    type=moment,
    metavar="DATE",
    help="Only what held on that day (its first moment, in UTC, unless it says more).",
)
known_at_option = click.option(
    "--known-at", type=past, metavar="DATE", help="Only what the wiki knew on that day (likewise)."
)
viewer_option = click.option(
    "--viewer",
    type=viewer_name,
    metavar="USER",
    help='Read on behalf of USER ("*": anyone). Default: the operator.',
)
acting_option = click.option(
    "--viewer",
    type=viewer_name,
    metavar="USER",
    help="Act on behalf of USER: see and change what they may. Default: the operator.",
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


def login() -> str:
    """The name under which an action is logged, when none is given."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user
        return ""
