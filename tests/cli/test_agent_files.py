"""What a wiki gives to agents: a skill whose commands run, configurations, entries of a registry."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from citewiki import __version__
from citewiki.cli.template import lay_down
from tests.cli.conftest import Run
from tests.conftest import write_files

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "builder/citewiki/cli/template"
SKILL = (TEMPLATE / "skills/citewiki/SKILL.md").read_text(encoding="utf-8")
HOSTS = (TEMPLATE / "MCP.md").read_text(encoding="utf-8")
NOTE = (
    "# Rank fusion\n\nSome notes.\n\n## Reciprocal rank fusion\n\nReciprocal rank fusion uses a "
    "constant k of 60. It needs no scores, so it merges lists of any kind.\n"
)


def test_a_new_wiki_has_the_files_for_agents(tmp_path: Path):
    made = lay_down(tmp_path / "wiki")
    wanted = {".mcp.json", "MCP.md", "AGENTS.md", "server.json", "skills/citewiki/SKILL.md"}
    assert wanted <= set(made)
    assert (ROOT / "skills/citewiki/SKILL.md").read_text(encoding="utf-8") == SKILL


def test_the_front_matter_of_the_skill_is_as_agents_expect_it():
    values = yaml.safe_load(SKILL.split("---\n")[1])
    assert set(values) <= {
        "name", "description", "license", "compatibility", "metadata", "allowed-tools"
    }  # fmt: skip
    assert values["name"] == "citewiki"  # that of its folder
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", values["name"])
    assert 0 < len(values["description"]) <= 1024
    assert len(values["compatibility"]) <= 500
    assert SKILL.count("\n") < 500


def test_every_command_of_the_skill_runs(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch):
    write_files(tmp_path, {"notes/fusion.md": NOTE})
    lay_down(tmp_path / "wiki")
    monkeypatch.chdir(tmp_path / "wiki")
    assert run("ingest", "../notes/fusion.md").status == 0
    blocks = re.findall(r"```console\n(.*?)```", SKILL, re.DOTALL)
    commands = re.findall(r"^ *\$ citewiki (.*)$", "\n".join(blocks), re.MULTILINE)
    assert len(commands) == "".join(blocks).count("$ ") > 10
    for command in commands:
        words, _, refused = command.partition(" || ")
        assert refused in ("", "test $? = 3")
        ran = run(*shlex.split(words))
        assert ran.status == (3 if refused else 0), f"{command}\n{ran.out}{ran.err}"


CONFIGURATIONS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", HOSTS, re.DOTALL)]


def servers(configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """The servers that a host's configuration names."""
    named = configuration.get("mcpServers") or configuration["servers"]
    return list(named.values())


def test_the_configuration_of_a_new_wiki_is_the_one_that_is_documented():
    own = json.loads((TEMPLATE / ".mcp.json").read_text(encoding="utf-8"))
    assert own == CONFIGURATIONS[0]
    (here,) = servers(json.loads((ROOT / ".mcp.json").read_text(encoding="utf-8")))
    (there,) = servers(own)
    assert here == {**there, "command": ".venv/bin/citewiki"}  # which `make setup` makes
    for name in ("Claude Code", "Claude Desktop", "Cursor", "VS Code"):
        assert f"## {name}\n" in HOSTS


def test_every_configuration_starts_the_server_or_hands_over_a_token_that_it_does_not_hold():
    assert len(CONFIGURATIONS) == 8
    for server in (one for each in CONFIGURATIONS for one in servers(each)):
        if "headers" in server:
            assert server["url"].endswith("/mcp")
            assert re.fullmatch(r"Bearer \$\{[\w:-]+\}", server["headers"]["Authorization"])
        elif server["command"] == "npx":
            assert server["args"][0] == "mcp-remote"
            assert re.fullmatch(r"Authorization:\$\{\w+\}", server["args"][-1])
        else:
            assert server["command"].endswith("citewiki")
            assert server["args"][:2] == ["mcp", "--wiki"]


def test_no_file_for_agents_holds_a_token():
    with as_file(files("citewiki.cli") / "template") as folder:
        texts = [path.read_text("utf-8") for path in folder.rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search(r"cw_[A-Za-z0-9_-]{20}", text)]


NAMED = {"type": "object", "required": ["name"]}
ARGUMENT = {
    "oneOf": [
        {
            "required": ["name"],
            "properties": {"type": {"const": "named"}, "name": {"pattern": "^-"}},
        },
        {"required": ["value"], "properties": {"type": {"const": "positional"}}},
    ],
    "required": ["type"],
}
HTTP = {
    "type": "object",
    "required": ["type", "url"],
    "properties": {
        "type": {"const": "streamable-http"},
        "url": {"pattern": r"^https?://[^\s]+$"},
        "headers": {"type": "array", "items": NAMED},
    },
}
REGISTRY = {
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "additionalProperties": False,
    "properties": {
        "$schema": {
            "const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
        },
        "name": {
            "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$",
            "minLength": 3,
            "maxLength": 200,
        },
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"pattern": r"^\d+\.\d+\.\d+$"},
        "remotes": {"type": "array", "items": HTTP},
        "packages": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "version", "transport"],
                "properties": {
                    "registryType": {"const": "pypi"},
                    "version": {"pattern": r"^\d+\.\d+\.\d+$"},
                    "transport": {"properties": {"type": {"const": "stdio"}}, "required": ["type"]},
                    "packageArguments": {"type": "array", "items": ARGUMENT},
                },
            },
        },
    },
}
"""What the registry of MCP servers asks of a server.json in its schema of 2025-12-11, as far as the
two here make use of it."""


@pytest.mark.parametrize("folder", [ROOT, TEMPLATE], ids=["program", "wiki"])
def test_the_entry_for_the_registry_is_valid_and_of_this_version(folder: Path):
    entry = json.loads((folder / "server.json").read_text(encoding="utf-8"))
    jsonschema.validate(entry, REGISTRY)
    assert entry["version"] == __version__
    assert [each["version"] for each in entry.get("packages", ())] in ([], [__version__])


def test_the_entry_of_the_program_names_its_package_and_starts_its_server():
    (package,) = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))["packages"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["identifier"] == project["name"]
    assert package["identifier"] in project["scripts"]
    assert [each.get("value") or each["name"] for each in package["packageArguments"]] == [
        "mcp",
        "--wiki",
    ]


def test_a_name_that_the_registry_would_refuse_is_found():
    entry = json.loads((ROOT / "server.json").read_text(encoding="utf-8"))
    for wrong in ({"name": "citewiki"}, {"description": "x" * 101}, {"version": "latest"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**entry, **wrong}, REGISTRY)
