from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import write_files

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
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
    from citewiki.cli.reference import command_table, settings_block

    assert command_table() in README
    assert settings_block() in README


def test_every_picture_and_link_of_the_docs_exists():
    for name in ("README.md", "CODEMAP.md", "AGENTS.md", "bench/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#\s]+)", text):
            if "://" not in target:
                assert (ROOT / name).parent.joinpath(target).exists(), f"{name}: {target}"


def test_the_codemap_names_only_files_that_exist_and_every_long_file():
    text = (ROOT / "CODEMAP.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`((?:builder|hooks|tests|bench|\.ci|\.github)/[^`\s*]+)`", text))
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    files = [*ROOT.glob("builder/**/*.py"), *ROOT.glob("hooks/*.py"), *ROOT.glob("bench/*.py")]
    long = {
        path.relative_to(ROOT).as_posix()
        for path in files
        if path.read_text(encoding="utf-8").count("\n") > 100
    }
    assert sorted(long - named) == []


def test_no_file_of_the_package_is_longer_than_one_sitting():
    lengths = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8").count("\n")
        for path in (ROOT / "builder").rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
