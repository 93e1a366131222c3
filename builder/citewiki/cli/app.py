"""All commands, gathered; each is parsed here and imports what it needs when it runs."""

from __future__ import annotations

from typing import Annotated

import typer

from citewiki import __version__
from citewiki.cli import ask, check, make, read

app = typer.Typer(
    name="citewiki",
    help="Distil sources into a linked wiki, publish it, and answer from it: cited, or refused.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"citewiki {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


app.command()(make.init)
app.command()(make.ingest)
app.command(name="compile")(make.compile_command)
app.command()(check.lint)
app.command()(check.coverage)
app.command()(read.search)
app.command()(read.show)
app.command()(read.graph)
app.command()(ask.ask)
app.command()(check.doctor)
