"""The parts of the README that are written from the program itself."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

_EVERYWHERE = frozenset({"wiki", "json", "quiet", "verbose", "help"})
_COMMENTED = re.compile(r"^# (?=\w+ = )", re.MULTILINE)


def command_table() -> str:
    """Every command with its arguments and what it does, as a Markdown table."""
    import typer

    from citewiki.cli.app import app

    group: Any = typer.main.get_command(app)
    rows = ["| command | does |", "|---|---|"]
    for name, command in group.commands.items():
        given = [_parameter(each) for each in command.params if str(each.name) not in _EVERYWHERE]
        usage = " ".join([name, *given]).replace("|", r"\|")
        rows.append(f"| `{usage}` | {command.help.splitlines()[0]} |")
    return "\n".join(rows) + "\n"


def _parameter(parameter: Any) -> str:
    """An argument or option as usage lines show it: in brackets where it may be left out."""
    value = str(parameter.metavar or parameter.name.upper())
    if parameter.param_type_name == "argument":
        return value if parameter.required or value.startswith("[") else f"[{value}]"
    option = max(parameter.opts, key=len)
    return f"[{option}]" if parameter.is_flag else f"[{option} {value}]"


def settings_block() -> str:
    """Every setting with its default and meaning: what `init` lays down, comments taken off."""
    template = files("citewiki.cli") / "template" / "pyproject.toml"
    _, _, tables = template.read_text(encoding="utf-8").partition("\n\n")
    return f"```toml\n{_COMMENTED.sub('', tables)}```\n"
