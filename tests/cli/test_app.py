"""How `citewiki` is called: its commands, its help, and what comes of calling it wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from citewiki import __version__
from citewiki.cli.app import COMMANDS, app
from tests.cli.conftest import Run
from tests.conftest import MakeWiki

CONTEXT = click.Context(app)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_of_a_command_what_it_says_of_itself(name: str):
    command = app.get_command(CONTEXT, name)
    assert command is not None
    told = (command.help or "").partition("\n")[0]
    assert (command.name, told) == (name, COMMANDS[name][1])


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_prints_json_is_quiet_or_verbose_and_explains_all_it_takes(name: str):
    command = app.get_command(CONTEXT, name)
    assert command is not None
    below = command.commands.values() if isinstance(command, click.Group) else [command]
    for each in below:
        assert {"json", "quiet", "verbose"} <= {parameter.name for parameter in each.params}
        assert [given.name for given in each.params if not getattr(given, "help", None)] == []


def test_help_lists_every_command_and_loads_none():
    code = (
        "import json, sys; from citewiki.cli.app import app; app(['--help'], standalone_mode=False);"
        "print(json.dumps([name for name in sys.modules if name.startswith('citewiki')]))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *text, loaded = ran.stdout.splitlines()
    listed = [line.split()[0] for line in text if line.strip()]
    assert set(COMMANDS) <= set(listed)
    assert json.loads(loaded) == ["citewiki", "citewiki.cli", "citewiki.cli.app"]


def test_the_version_is_printed(run: Run):
    assert run("--version").out == f"citewiki {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Usage: citewiki"),
        (("nope",), "No such command 'nope'"),
        (("search",), "Missing argument 'WORDS...'"),
        (("search", "x", "--limit", "0"), "0 is not in the range 1<=x<=1000"),
        (("search", "x", "--limti", "1"), "No such option '--limti'"),
        (("ask", "x", "--as-of", "soon"), "“soon” is no date; write it as 2026-05-12"),
        (("ask", "x", "--depth", "4"), "4 is not in the range 1<=x<=3"),
    ],
)
def test_a_wrong_call_is_told_on_stderr_with_exit_status_2(
    run: Run, arguments: tuple[str, ...], said: str
):
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_the_shell_completes_commands_and_options(run: Run, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("_CITEWIKI_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_CWORD", "1")
    monkeypatch.setenv("COMP_WORDS", "citewiki co")
    assert run().out.split() == ["plain,compile", "plain,coverage"]
    monkeypatch.setenv("COMP_CWORD", "2")
    monkeypatch.setenv("COMP_WORDS", "citewiki search --vi")
    assert run().out.split() == ["plain,--viewer"]


def test_the_wiki_can_be_named_in_the_environment(
    run: Run, make_wiki: MakeWiki, monkeypatch: pytest.MonkeyPatch
):
    root = make_wiki({"wiki/fusion.md": "# Rank fusion\n\nMerges lists.\n"})
    monkeypatch.setenv("CITEWIKI_WIKI", str(root))
    assert [hit["slug"] for hit in run("search", "merges", "--json").json] == ["fusion"]


def test_a_wrong_setting_is_told_by_what_checks_a_wiki_and_by_what_uses_it(
    run: Run, make_wiki: MakeWiki
):
    root = make_wiki({"pyproject.toml": "[tool.citewiki.ask]\ndepth = 9\n"})
    said = "tool.citewiki.ask.depth must be 1, 2 or 3"
    for arguments in (("lint",), ("ask", "What is BM25?"), ("compile",)):
        ran = run(*arguments, "--wiki", root)
        assert (ran.status, said in ran.err) == (1, True), arguments
    assert said in run("doctor", "--wiki", root).out


@pytest.mark.skipif(os.name == "nt", reason="Windows tells a writer otherwise")
def test_a_reader_that_has_left_is_no_traceback(make_wiki: MakeWiki):
    root: Path = make_wiki({"wiki/fusion.md": "# Rank fusion\n\nMerges lists.\n"})
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        ran = subprocess.run(
            [sys.executable, "-m", "citewiki", "search", "--wiki", str(root), "merges"],
            stdout=pipe,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (ran.returncode, ran.stderr) == (1, "")
