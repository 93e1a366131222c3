"""The table of commands. Only the module of the command that is called is imported."""

from __future__ import annotations

from importlib import import_module

import click

from citewiki import __version__

COMMANDS = {
    "init": (
        "make:init",
        "Make a new wiki: folders, mkdocs.yml, hooks, CI workflow, AGENTS.md.",
    ),
    "ingest": (
        "make:ingest",
        "Copy sources into raw/, read their sections, and make pages of them.",
    ),
    "compile": (
        "make:compile_command",
        "Make pages of the sections that are new or changed, and link them; resumable.",
    ),
    "lint": (
        "check:lint",
        "Find what is wrong with the wiki; exit 1 when there are errors.",
    ),
    "coverage": (
        "check:coverage",
        "For every section of every source: the page it became, or why it did not.",
    ),
    "search": (
        "read:search",
        "Find pages by words; best first.",
    ),
    "show": (
        "read:show",
        "Print one page: its state, its text, and the pages that link to it.",
    ),
    "graph": (
        "read:graph",
        "The graph of links: as a list, as JSON, or drawn.",
    ),
    "ask": (
        "ask:ask",
        "Answer from the pages with citations (exit 0), or refuse and say what to do (exit 3).",
    ),
    "drift": (
        "drift:drift",
        "Find pages that disagree: the same of the same, with another value.",
    ),
    "eval": (
        "evaluate:evaluate",
        "Measure retrieval, refusal or the judge on a set: figures, intervals, baselines.",
    ),
    "doctor": (
        "check:doctor",
        "What is installed, what is missing, and what to do about it; exit 1 when it is needed.",
    ),
}
"""Every command by name: the module in this folder and the function there, and what it does."""


class Commands(click.Group):
    """The commands of the table, each loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names, in the table's order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command called `cmd_name`; None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"citewiki.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What `citewiki --help` says of them, without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Completion by the shell: eval "$(_CITEWIKI_COMPLETE=bash_source citewiki)" in '
    "~/.bashrc; zsh_source in ~/.zshrc; fish_source for fish.",
)
@click.version_option(__version__, message="citewiki %(version)s", help="Print the version.")
def app() -> None:
    """Distil sources into a linked wiki, publish it, and answer from it: cited, or refused."""
