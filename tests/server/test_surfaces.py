"""Nothing that a server offers tells of a page that its caller may not see; see `tests/hidden.py`.

Every tool, resource and prompt of MCP, and every route of HTTP, is asked the same of two wikis
that differ by pages which alice keeps to herself.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from citewiki.config import ServerConfig
from citewiki.server.mcp import build_mcp
from citewiki.server.mcp.session import Session
from citewiki.server.mcp.tools import WRITING
from citewiki.server.opened import Opened
from tests import surfaces
from tests.conftest import write_files
from tests.hidden import files, same, signs, wiki_files

Call = Callable[[Client], Awaitable[Any]]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wiki with the hidden pages, and the one without."""
    folder = tmp_path_factory.mktemp("walk")
    return made(folder, True), made(folder, False)


def made(folder: Path, hidden: bool) -> Path:
    return write_files(folder / ("with" if hidden else "without"), wiki_files(hidden))


@asynccontextmanager
async def connected(root: Path, viewer: str | None) -> AsyncIterator[Client]:
    """A client of the wiki at `root`, on behalf of `viewer`."""
    kept = Opened(root)
    session = Session(kept.wiki(viewer), base_url="https://wiki.example")
    async with Client(build_mcp(lambda _: session, ServerConfig(), kept.stamp)) as client:
        yield client
    kept.close()


def replies(root: Path, viewer: str | None, calls: Iterable[Call]) -> list[str]:
    """What each call brings, errors included."""

    async def told() -> list[str]:
        found = []
        async with connected(root, viewer) as client:
            for call in calls:
                try:
                    found.append(once(same((await call(client)).model_dump_json())))
                except MCPError as error:
                    found.append(same(repr(error)))
        return found

    return anyio.run(told)


def once(told: str) -> str:
    """The same, where it is the log, without what turns on whether two calls share a second."""
    rows = re.sub(r"\d+ new pages, \d+ updated", "pages", told).split("\\n")
    return "\\n".join(dict.fromkeys(rows)) if '"uri":"wiki://log"' in told else told


def tool(name: str, arguments: Mapping[str, Any]) -> Call:
    return lambda client: client.call_tool(name, dict(arguments))


def resource(uri: str) -> Call:
    return lambda client: client.read_resource(uri)


def prompt(name: str, arguments: Mapping[str, str]) -> Call:
    return lambda client: client.get_prompt(name, dict(arguments))


READING: Mapping[str, list[tuple[str, Call]]] = {
    **{
        name: [(str(each), tool(name, each)) for each in every]
        for name, every in surfaces.TOOLS.items()
    },
    **{
        name: [(str(each), tool(name, each)) for each in surfaces.TOOLS[other][1::6]]
        for name, other in surfaces.SAME_TOOLS.items()
    },
    "resources": [(uri, resource(uri)) for uri in surfaces.RESOURCES],
    "prompts": [(str(each), prompt(name, each)) for name, each in surfaces.PROMPTS.items()],
    "lists": [
        ("", lambda client: client.list_tools()),
        ("", lambda client: client.list_resources()),
        ("", lambda client: client.list_resource_templates()),
        ("", lambda client: client.list_prompts()),
    ],
}
TELL_NOBODY = ("prompts", "lists", "wiki_news")
"""What says the same to everybody."""


@pytest.mark.parametrize("name", READING)
def test_nothing_that_reads_over_mcp_tells_of_hidden_pages(
    places: tuple[Path, Path], name: str
) -> None:
    asked, calls = zip(*READING[name], strict=True)
    for viewer in ("bob", "*"):
        with_them, without = (replies(root, viewer, calls) for root in places)
        for question, told, other in zip(asked, with_them, without, strict=True):
            assert told == other, (viewer, question)
            assert signs(told, question) == [], (viewer, question)
    if name not in TELL_NOBODY:
        for viewer in ("alice", None):
            with_them, without = (replies(root, viewer, calls) for root in places)
            assert with_them != without, f"{viewer} is not told, so nothing has been tried"


@pytest.mark.parametrize("viewer", ["bob", "carol"])
def test_nothing_that_writes_over_mcp_tells_of_hidden_pages_or_turns_on_them(
    tmp_path: Path, viewer: str
) -> None:
    roots = made(tmp_path, True), made(tmp_path, False)
    for name in ("wiki_save_page", "wiki_ingest_text"):  # alice has done it all before, for herself
        calls = [
            tool(name, {**arguments, **({"shared_with": []} if "body" in arguments else {})})
            for arguments in surfaces.WRITING_TOOLS[name]
            if arguments.get("title") != "Keeping rules"  # which all may read
        ]
        assert '"is_error":true' not in str(replies(roots[0], "alice", calls))
    before, others = map(files, roots)
    hidden = {path: before[path] for path in before.keys() - others.keys()}
    for name, every in surfaces.WRITING_TOOLS.items():
        with_them, without = (
            replies(root, viewer, [tool(name, e) for e in every]) for root in roots
        )
        for arguments, told, other in zip(every, with_them, without, strict=True):
            assert told == other, (name, arguments)
            assert signs(told, str(surfaces.WRITING_TOOLS)) == [], (name, arguments)
        after, without_after = map(files, roots)
        assert after == {**without_after, **hidden}, name
    again = ("wiki_query", "wiki_list_pages", "resources") if viewer == "bob" else ("resources",)
    walked = [call for name in again for _, call in READING[name]]
    for reader in (viewer, "*"):
        assert replies(roots[0], reader, walked) == replies(roots[1], reader, walked), reader


def test_every_tool_resource_and_prompt_is_walked(places: tuple[Path, Path]) -> None:
    async def offered() -> tuple[set[str], set[str], set[str], set[str]]:
        async with connected(places[0], None) as client:
            tools = {each.name for each in (await client.list_tools()).tools}
            resources = {str(each.uri) for each in (await client.list_resources()).resources}
            listed = (await client.list_resource_templates()).resource_templates
            prompts = {each.name for each in (await client.list_prompts()).prompts}
        return tools, resources, {each.uri_template for each in listed}, prompts

    tools, resources, templates, prompts = anyio.run(offered)
    assert tools == {*surfaces.TOOLS, *surfaces.SAME_TOOLS, *surfaces.WRITING_TOOLS}
    assert set(surfaces.WRITING_TOOLS) == WRITING
    assert resources <= set(surfaces.RESOURCES)
    assert templates == set(surfaces.TEMPLATES)
    assert prompts == set(surfaces.PROMPTS)
