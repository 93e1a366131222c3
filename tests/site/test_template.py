"""What `citewiki init` lays down."""

from __future__ import annotations

import shutil
import tomllib
from importlib.resources import as_file, files
from pathlib import Path

import pytest
import yaml

from citewiki.cli.template import lay_down
from citewiki.config import Config, load_config
from citewiki.errors import CitewikiError, WriteError
from tests.site.conftest import REPOSITORY, BuildSite

TEMPLATE = files("citewiki.cli") / "template"


def test_a_new_wiki_has_the_hooks_and_settings_of_this_repository() -> None:
    hooks = "hooks/citewiki_hooks.py"
    assert (TEMPLATE / hooks).read_text("utf-8") == (REPOSITORY / hooks).read_text("utf-8")
    own, given = (
        yaml.safe_load((place / "mkdocs.yml").read_text("utf-8"))
        for place in (REPOSITORY, TEMPLATE)
    )
    for name in ("theme", "plugins", "markdown_extensions", "hooks", "docs_dir", "extra"):
        assert own[name] == given[name]


def test_every_setting_is_shown_with_its_default(tmp_path: Path) -> None:
    text = (TEMPLATE / "pyproject.toml").read_text("utf-8")
    opened = "\n".join(
        line.removeprefix("# ") if " = " in line and line.startswith("# ") else line
        for line in text.splitlines()
    )
    table = tomllib.loads(opened)["tool"]["citewiki"]
    (tmp_path / "pyproject.toml").write_text(opened, encoding="utf-8")
    assert load_config(tmp_path) == Config()
    assert set(table) == set(Config.__dataclass_fields__)
    for name in ("site", "ask"):
        assert set(table[name]) == set(getattr(Config(), name).__dataclass_fields__)


def test_a_new_wiki_builds_strictly(build_site: BuildSite, tmp_path: Path) -> None:
    with as_file(TEMPLATE) as folder:
        shutil.copytree(folder, tmp_path / "new")
    assert (build_site({}, tmp_path / "new") / "index.html").is_file()


def test_workflows_are_readable() -> None:
    workflow = yaml.safe_load((TEMPLATE / ".github/workflows/pages.yml").read_text("utf-8"))
    commands = [step.get("run", "") for step in workflow["jobs"]["build"]["steps"]]
    assert "mkdocs build --strict" in commands


def test_a_place_that_cannot_be_a_wiki_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(CitewikiError, match="is a file; name a folder"):
        lay_down(tmp_path / "file")
    with pytest.raises(WriteError, match="cannot be written"):
        lay_down(tmp_path / "file" / "below")
