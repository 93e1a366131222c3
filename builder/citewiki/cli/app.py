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
    "review": (
        "review:review",
        "List, show, accept or reject the drafts that wait; exit 1 when one cannot be written.",
    ),
    "audit": (
        "maintain:audit",
        "Find thin, bloated, double, off-topic and orphaned pages; drafts go to review.",
    ),
    "breakdown": (
        "maintain:breakdown",
        "Rank the concepts that many pages mention and none explains; drafts go to review.",
    ),
    "reorganize": (
        "maintain:reorganize",
        "Plan merges, splits, titles and domains with a checklist of all pages; --apply does it.",
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
    "archive": (
        "forget:archive",
        "Put pages away: out of search, answers, site and graph; restore brings them back.",
    ),
    "restore": (
        "forget:restore",
        "Bring pages back from the archive.",
    ),
    "supersede": (
        "forget:supersede",
        "Record that one page replaces others: supersede OLD… NEW; both stay readable.",
    ),
    "reverify": (
        "forget:reverify",
        "Record that pages were checked against their sources and still hold.",
    ),
    "decay": (
        "decay:decay",
        "Find pages unverified for long, past their end, or of a changed source; decide on them.",
    ),
    "delete": (
        "delete:delete",
        "Delete pages for good; says what links to them, and asks. The log keeps a tombstone.",
    ),
    "share": (
        "users:share",
        "Let users read a page that one owns; unshare takes it back.",
    ),
    "unshare": (
        "users:unshare",
        "Take back that users may read a page.",
    ),
    "user": (
        "users:user",
        "Add, list and remove users; issue and revoke their tokens.",
    ),
    "list": (
        "forget:list_pages",
        "List pages with their state: archived, stale, superseded, by domain or tag.",
    ),
    "history": (
        "history:history",
        "Print a page's life: what the wiki did with it, and when what it says holds.",
    ),
    "drift": (
        "drift:drift",
        "Find pages that disagree: the same of the same, with another value; decide on them.",
    ),
    "news": (
        "news:news",
        "Print the newest entries of the feeds that the wiki follows.",
    ),
    "export": (
        "export:export",
        "Write the pages into a folder, as an Open Knowledge Format bundle or as JSON.",
    ),
    "mcp": (
        "mcp:mcp",
        "Serve the wiki to an agent over MCP, on standard input and output.",
    ),
    "serve": (
        "serve:serve",
        "Serve the site, a page to ask in, an API, and MCP at /mcp; people log in with a token.",
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
