"""The parts of the README that are written from the program itself."""

from __future__ import annotations

import re
from importlib.resources import files

import click

from citewiki.cli.app import COMMANDS, app

_EVERYWHERE = frozenset({"wiki", "json", "quiet", "verbose", "help"})
_COMMENTED = re.compile(r"^# (?=\w+ = )", re.MULTILINE)


def command_table() -> str:
    """Every command with its arguments and what it does, as a Markdown table."""
    context = click.Context(app)
    rows = ["| command | does |", "|---|---|"]
    for name, (_, does) in COMMANDS.items():
        command = app.get_command(context, name)
        if isinstance(command, click.Group):
            rows += [_row(f"{name} {key}", each) for key, each in command.commands.items()]
        elif command:
            rows.append(_row(name, command, does))
    return "\n".join(rows) + "\n"


def _row(name: str, command: click.Command, does: str = "") -> str:
    given = [_shown(each) for each in command.params if each.name not in _EVERYWHERE]
    usage = " ".join([name, *given]).replace("|", r"\|")
    return f"| `{usage}` | {does or command.help} |"


def _shown(parameter: click.Parameter) -> str:
    """An argument or option as usage lines show it: in brackets where it may be left out."""
    value = parameter.metavar or parameter.name.upper()
    if not isinstance(parameter, click.Option):
        return value if parameter.required or value.startswith("[") else f"[{value}]"
    option = max(parameter.opts, key=len)
    shown = option if parameter.is_flag else f"{option} {value}"
    return shown if parameter.required else f"[{shown}]"


def settings_block() -> str:
    """Every setting with its default and meaning: what `init` lays down, comments taken off."""
    template = files("citewiki.cli") / "template" / "pyproject.toml"
    _, _, tables = template.read_text(encoding="utf-8").partition("\n\n")
    return f"```toml\n{_COMMENTED.sub('', tables)}```\n"
