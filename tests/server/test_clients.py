"""The official Python client, over stdio and HTTP, in both eras of the protocol."""

from __future__ import annotations

import json
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE
from threading import Timer
from typing import Any, Literal

import anyio
import httpx2
import pytest
from anyio.from_thread import start_blocking_portal
from mcp import MCPError
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPDeprecationWarning
from mcp_types import CallToolResult
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from citewiki.cli.template import lay_down
from tests.server.clients import environment, make_wiki, served, stdio_command, token

SECONDS = 30  # longer than any of these takes on a busy machine
ME = {"name": "a test", "version": "1"}
LONG = "\n\n".join(
    f"## Part {number}\n\nThe device of part {number} weighs {number} kilograms and was tested."
    for number in range(1, 400)
)


class Talk:
    """One client, connected on behalf of Alice, and what the server tells it unasked."""

    def __init__(self, root: Path, transport: str, mode: Literal["legacy", "auto"]) -> None:
        self.root, self.transport, self.legacy = root, transport, mode == "legacy"
        self.name = f"{transport} {mode}"
        self._mode = mode
        self._heard: list[str] = []
        self._more = anyio.Event()

    @asynccontextmanager
    async def client(self, address: str) -> AsyncIterator[Client]:
        """The client; `address` is that of `citewiki serve`."""

        async def hear(message: Any) -> None:
            self._heard.append(str(message))
            self._more.set()

        async with (
            reached(self.root, address if self.transport == "http" else "") as where,
            Client(where, mode=self._mode, message_handler=hear) as client,
        ):
            yield client

    async def hears(self, words: str) -> None:
        """Waits until the server says `words` unasked."""
        while not any(words in message for message in self._heard):
            await self._more.wait()
            self._more = anyio.Event()


@asynccontextmanager
async def reached(root: Path, address: str, *, read_only: bool = False) -> AsyncIterator[Any]:
    """What a client of Alice's is given: a way to `address`, or to a process of its own for ""."""
    if not address:
        command, *arguments = stdio_command(root)
        yield StdioServerParameters(command=command, args=arguments, env=environment())
        return
    bearer = {"Authorization": f"Bearer {token(root, 'alice', read_only=read_only)}"}
    async with httpx2.AsyncClient(headers=bearer, timeout=SECONDS) as http:
        yield streamable_http_client(f"{address}/mcp", http_client=http)


Hold = Callable[[Callable[[Client, Talk], Awaitable[None]]], None]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wiki, of which Alice sees two pages of three."""
    return make_wiki(tmp_path_factory.mktemp("wiki"))


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    """Where `citewiki serve` serves it."""
    with served(root) as address:
        yield address


@pytest.fixture(
    scope="module",
    params=[("stdio", "legacy"), ("stdio", "auto"), ("http", "legacy"), ("http", "auto")],
    ids=["stdio, legacy", "stdio, modern", "http, legacy", "http, modern"],
)
def hold(request: pytest.FixtureRequest, root: Path, address: str) -> Iterator[Hold]:
    """A function that holds a conversation, for each transport in each era."""
    talk = Talk(root, *request.param)

    async def bounded(conversation: Callable[[Client, Talk], Awaitable[None]]) -> None:
        with anyio.fail_after(SECONDS):
            await conversation(client, talk)

    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(talk.client(address)) as client,
    ):
        yield lambda conversation: portal.call(bounded, conversation)


def said(result: CallToolResult) -> str:
    """The text of what a tool gave back."""
    return "\n".join(part.text for part in result.content if part.type == "text")


def shape(result: CallToolResult) -> dict[str, Any]:
    """The checkable form of what a tool gave back."""
    assert not result.is_error, said(result)
    assert result.structured_content is not None
    return result.structured_content


def test_a_client_finds_tools_resources_and_prompts_in_its_era(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        versions = HANDSHAKE_PROTOCOL_VERSIONS if talk.legacy else MODERN_PROTOCOL_VERSIONS
        assert client.protocol_version in versions
        tools = (await client.list_tools()).tools
        assert {"wiki_query", "wiki_ask", "wiki_save_page", "search", "fetch"} <= {
            tool.name for tool in tools
        }
        for tool in tools:
            assert tool.description
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint is not None
        uris = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert {"wiki://index", "wiki://backlinks", "wiki://graph", "wiki://log"} <= uris
        templates = (await client.list_resource_templates()).resource_templates
        assert {"wiki://article/{name}", "wiki://domain/{name}"} <= {
            template.uri_template for template in templates
        }
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        assert {"wiki_query_system", "wiki_maintenance"} <= prompts
        (message, *_) = (await client.get_prompt("wiki_query_system")).messages
        assert "wiki_query" in message.content.text  # type: ignore[union-attr]

    hold(conversation)


def test_a_client_asks_and_is_answered_or_refused(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        passages = shape(
            await client.call_tool("wiki_query", {"question": "What joins words and vectors?"})
        )["passages"]
        assert "Hybrid search" in {passage["title"] for passage in passages}
        answered = await client.call_tool(
            "wiki_ask", {"question": "What constant does reciprocal rank fusion use?"}
        )
        assert "60" in said(answered)
        (claim,) = shape(answered)["claims"]
        assert claim["citations"][0]["quote"] == "Reciprocal rank fusion uses a constant k of 60."
        refused = shape(
            await client.call_tool("wiki_ask", {"question": "Who invented the telephone?"})
        )
        assert (refused["status"], refused["answer"]) == ("refused", "")
        assert refused["refusal"]["next_action"]

    hold(conversation)


def test_a_page_that_is_saved_is_there_for_reading(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        title = f"Notes by {talk.name}"
        page = {"title": title, "body": "A gramophone plays records of shellac."}
        saved = shape(await client.call_tool("wiki_save_page", page))
        assert saved["action"] == "created"
        again = shape(await client.call_tool("wiki_save_page", page))
        assert (again["action"], again["slug"]) == ("unchanged", saved["slug"])
        read = shape(await client.call_tool("wiki_get_article", {"name": title}))
        assert "gramophone plays records" in read["text"]
        (part,) = (await client.read_resource(f"wiki://article/{saved['slug']}")).contents
        assert "gramophone plays records" in part.text  # type: ignore[union-attr]

    hold(conversation)


def test_a_client_is_told_of_a_page_that_changes(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        uri = "wiki://article/Rank%20fusion"
        path = talk.root / "wiki/ml/fusion.md"

        def change() -> None:
            path.write_text(path.read_text("utf-8") + "\nIt is simple.\n", encoding="utf-8")

        if talk.legacy:
            with pytest.warns(MCPDeprecationWarning):
                await client.subscribe_resource(uri)
            change()
            await talk.hears(uri)
        else:
            async with client.listen(resource_subscriptions=[uri]) as changes:
                change()
                assert uri in str(await anext(aiter(changes)))

    hold(conversation)


def test_taking_in_a_text_tells_how_far_it_is(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        steps: list[float] = []
        heard = anyio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            steps.append(progress)
            heard.set()

        text = f"# Kites by {talk.name}\n\nA kite is flown on a line of hemp."
        taken = await client.call_tool(
            "wiki_ingest_text", {"text": text, "title": "Kites"}, progress_callback=hear
        )
        assert shape(taken)["pages"]
        await heard.wait()
        assert steps == sorted(steps)

    hold(conversation)


def test_after_a_call_that_was_given_up_the_next_one_is_served(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        begun = anyio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            begun.set()

        async def begin() -> None:
            arguments = {"text": f"# {talk.name}\n\n{LONG}", "title": "Parts"}
            await client.call_tool("wiki_ingest_text", arguments, progress_callback=hear)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(begin)
            await begun.wait()
            tasks.cancel_scope.cancel()
        found = await client.call_tool("wiki_query", {"question": "What is rank fusion?"})
        assert shape(found)["passages"]
        page = {"title": f"After it, by {talk.name}", "body": "One writes once the other ended."}
        assert shape(await client.call_tool("wiki_save_page", page))["action"] == "created"
        assert (await client.call_tool("wiki_get_article", {"name": "Part 399"})).is_error

    hold(conversation)


def test_an_error_says_what_to_do(hold: Hold):
    async def conversation(client: Client, talk: Talk) -> None:
        wrong = await client.call_tool("wiki_get_article", {"name": "Rank fussion"})
        assert wrong.is_error
        assert "Rank fusion" in said(wrong)
        hidden = await client.call_tool("wiki_get_article", {"name": "Plans of Bob"})
        assert hidden.is_error
        assert "no page" in said(hidden).lower()
        outside = await client.call_tool("wiki_query", {"question": "x", "depth": 9})
        assert outside.is_error
        assert "depth" in said(outside)
        with pytest.raises(MCPError):
            await client.read_resource("wiki://article/..%2Fsecret")
        with pytest.raises(MCPError, match="nothing"):
            await client.get_prompt("nothing")

    hold(conversation)


def test_whoever_may_only_read_is_told_so(root: Path, address: str):
    async def conversation() -> None:
        with anyio.fail_after(SECONDS):
            async with reached(root, address, read_only=True) as where, Client(where) as client:
                tools = {tool.name for tool in (await client.list_tools()).tools}
                page = {"title": "Mine", "body": "Text."}
                refused = await client.call_tool("wiki_save_page", page)
        assert "wiki_ask" in tools
        assert "wiki_save_page" not in tools
        assert refused.is_error
        assert "read-only" in said(refused)

    anyio.run(conversation)


def test_a_token_that_is_not_known_opens_nothing(root: Path, address: str):
    for given in ("cw_" + "x" * 43, "alice"):
        refused = httpx2.post(
            f"{address}/mcp",
            headers={"Authorization": f"Bearer {given}"},
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        )
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"].startswith("Bearer")


def test_standard_output_holds_messages_and_nothing_else(tmp_path: Path):
    command = stdio_command(make_wiki(tmp_path))
    text = {"text": "# Kites\n\nA kite flies on a line.", "title": "Kites"}
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": ME}),
        ("tools/call", {"name": "wiki_ingest_text", "arguments": text}),
        ("tools/call", {"name": "wiki_ask", "arguments": {"question": "What flies on a line?"}}),
    )
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True, env=environment()) as server:
        assert server.stdin
        assert server.stdout
        bound = Timer(SECONDS, server.kill)
        bound.start()
        try:
            for number, (method, params) in enumerate(asked):
                call = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                print(json.dumps(call), file=server.stdin, flush=True)
                while "result" not in (message := json.loads(server.stdout.readline())):
                    assert message["jsonrpc"] == "2.0"
                assert message["id"] == number
                if number == 0:
                    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
                    print(json.dumps(ready), file=server.stdin, flush=True)
            server.stdin.close()
            assert server.stdout.read() == ""
            assert server.wait() == 0
        finally:
            bound.cancel()
            server.kill()


def test_the_configuration_of_a_new_wiki_starts_its_server(tmp_path: Path):
    lay_down(tmp_path / "wiki")
    settings = json.loads((tmp_path / "wiki/.mcp.json").read_text(encoding="utf-8"))
    server = settings["mcpServers"]["citewiki"]

    async def conversation() -> None:
        where = StdioServerParameters(cwd=tmp_path / "wiki", env=environment(), **server)
        with anyio.fail_after(SECONDS):
            async with Client(where) as client:
                assert "wiki_ask" in {tool.name for tool in (await client.list_tools()).tools}

    anyio.run(conversation)
