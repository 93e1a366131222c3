"""Options that every command shares, and the wiki that they lead to."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

WikiOption = Annotated[
    Path,
    typer.Option(
        "--wiki",
        envvar="CITEWIKI_WIKI",
        metavar="DIR",
        help="The wiki: a folder with wiki/ in it. Default: found from here upwards.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Only results and errors.")]
VerboseOption = Annotated[bool, typer.Option("--verbose", "-v", help="Say what is being done.")]
ViewerOption = Annotated[
    str | None,
    typer.Option(
        metavar="USER", help='Read on behalf of USER ("*": anyone). Default: the operator.'
    ),
]

HERE = Path()


def moment(text: str) -> datetime:
    """A time of the command line, in ISO 8601; without an offset it is UTC."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(
            f"“{text}” is no date; write it as 2026-05-12 or 2026-05-12T14:00:00Z"
        ) from None
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


AsOfOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="DATE", help="Only what held on that day."),
]
KnownAtOption = Annotated[
    datetime | None,
    typer.Option(parser=moment, metavar="DATE", help="Only what the wiki knew on that day."),
]


def now() -> datetime:
    """The clock, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)
