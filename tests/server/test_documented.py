"""What agents can use is in docs/mcp.md: every tool with its arguments, every resource, every prompt."""

from __future__ import annotations

import re
from pathlib import Path

import anyio
from mcp.client import Client

from citewiki.cli.template import lay_down
from citewiki.config import ServerConfig
from citewiki.server.mcp import build_mcp
from citewiki.server.mcp.session import Session
from citewiki.wiki import Wiki

DOCS = (Path(__file__).parents[2] / "docs/mcp.md").read_text(encoding="utf-8")


def rows(names: str) -> dict[str, set[str]]:
    """The names in the first cell of each row of the tables, with what the last cell names."""
    found: dict[str, set[str]] = {}
    for row in re.findall(r"^\| `.*$", DOCS, re.MULTILINE):
        first, *_, last = row.strip("| ").split(" | ")
        for name in re.findall(names, first):
            found[name] = {last} if last == "the same" else set(re.findall(r"`(\w+)`", last))
    return found


def test_every_tool_resource_and_prompt_is_documented_and_no_other(tmp_path: Path):
    lay_down(tmp_path / "wiki")
    server = build_mcp(lambda request: Session(Wiki.open(tmp_path / "wiki")), ServerConfig())

    async def offered() -> tuple[dict[str, set[str]], set[str], set[str]]:
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            resources = (await client.list_resources()).resources
            templates = (await client.list_resource_templates()).resource_templates
            prompts = (await client.list_prompts()).prompts
        return (
            {tool.name: set(tool.input_schema["properties"]) for tool in tools},
            {str(each.uri) for each in resources} | {each.uri_template for each in templates},
            {prompt.name for prompt in prompts},
        )

    tools, resources, prompts = anyio.run(offered)
    documented = rows(r"`(\w+)`")
    assert set(documented) == set(tools) | prompts
    assert set(rows(r"`(wiki://[^`]+)`")) == resources
    reading = DOCS[DOCS.index("## Tools that read") : DOCS.index("## Tools that write")]
    for name, arguments in tools.items():
        if f"`{name}`" in reading and documented[name] != {"the same"}:
            assert documented[name] == arguments, name
