"""The docs say what is so: their commands run, their names exist, their tables are complete."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from citewiki import Wiki
from citewiki.cli.reference import command_table, settings_block
from citewiki.model import RefusalKind
from tests.conftest import write_files

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CODEMAP = (ROOT / "CODEMAP.md").read_text(encoding="utf-8")
NOTE = (
    "# Rank fusion\n\nSome notes.\n\n## Reciprocal rank fusion\n\nReciprocal rank fusion uses a "
    "constant k of 60. It needs no scores, so it merges lists of any kind.\n"
)


def test_the_consoles_of_the_readme_run_as_written(tmp_path: Path):
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    commands = [line[2:] for block in blocks for line in block.splitlines() if line[:2] == "$ "]
    assert len(commands) > 5
    write_files(tmp_path, {"notes/fusion.md": NOTE})
    shutil.copytree(ROOT / "wiki", tmp_path / "wiki")
    write_files(tmp_path, {"mkdocs.yml": "site_name: x\n"})
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "builder"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }
    for command in commands:
        ran = subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"


def test_the_library_example_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    write_files(tmp_path / "my-wiki", {"mkdocs.yml": "", "wiki/fusion.md": NOTE})
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    assert "k of 60" in capsys.readouterr().out


def test_every_command_and_setting_is_in_the_readme():
    assert command_table() in README
    assert settings_block() in README


def test_every_kind_of_refusal_and_method_of_a_wiki_is_in_the_readme():
    assert set(re.findall(r"^\| `(\w+)` \| .* \|$", README, re.MULTILINE)) >= set(
        get_args(RefusalKind)
    )
    methods = {name for name, value in vars(Wiki).items() if callable(value) and name[0] != "_"}
    assert {name for name in methods if f"`.{name}()`" not in README} == set()


def test_every_picture_and_link_of_the_docs_exists():
    for name in ("README.md", "CODEMAP.md", "AGENTS.md", "bench/README.md", "docs/mcp.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target:
                assert (ROOT / name).parent.joinpath(target).exists(), f"{name}: {target}"


def test_the_codemap_names_only_files_that_exist_and_every_long_file():
    named = set(re.findall(r"`((?:builder|hooks|tests|bench|\.ci|\.github)/[^`\s*]+)`", CODEMAP))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    files = [*ROOT.glob("builder/**/*.py"), *ROOT.glob("hooks/*.py"), *ROOT.glob("bench/*.py")]
    long = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.read_text(encoding="utf-8").count("\n") > 100
    }
    assert sorted(long - named) == []


def test_the_symbols_that_the_codemap_gives_for_a_file_are_in_it():
    rows = re.findall(r"^\| `([^`]+/[^`]+\.py)` \| [^|]* \| ([^|]*) \|", CODEMAP, re.MULTILINE)
    assert len(rows) > 50
    unknown = []
    for path, symbols in rows:
        code = (ROOT / path).read_text(encoding="utf-8")
        names = re.findall(r"`(?:\w*\.)?(\w+)`", symbols)
        unknown += [f"{path}: {name}" for name in names if not re.search(rf"\b{name}\b", code)]
    assert unknown == []


def test_the_codemap_says_who_may_import_whom_as_the_linter_does():
    rows = re.findall(r"^\| ((?:`[\w.]+`(?:, )?)+) \| ([^|`]+) \| ", CODEMAP, re.MULTILINE)
    table = {
        room.removesuffix(".py"): re.findall(r"\w+", seen)
        for rooms, seen in rows
        for room in re.findall(r"`([\w.]+)`", rooms)
        if (ROOT / "builder/citewiki" / room).exists()
    }

    def reached(room: str) -> set[str]:
        return {room}.union(*map(reached, table[room]))

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    forbidden = {
        room.removeprefix("citewiki."): {
            module.removeprefix("citewiki.") for module in contract["forbidden_modules"]
        }
        for contract in settings["tool"]["importlinter"]["contracts"]
        if " imports " in contract["name"]
        for room in contract["source_modules"]
    }
    assert table.keys() - forbidden.keys() == {"cli", "server"}
    for room, rooms in forbidden.items():
        assert rooms == table.keys() - reached(room), room


def test_no_file_of_the_package_is_longer_than_one_sitting():
    lengths = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for path in (ROOT / "builder").rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
