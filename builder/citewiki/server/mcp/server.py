"""The MCP server: its tools, resources and prompts put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from mcp.server import MCPServer
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    Resource,
    ResourceTemplate,
    Tool,
)
from pydantic import AnyUrl, ValidationError

from citewiki import __version__
from citewiki.config import ServerConfig
from citewiki.server.limits import Limits
from citewiki.server.mcp import resources
from citewiki.server.mcp.calls import Calls, new_calls
from citewiki.server.mcp.prompts import add_prompts, text
from citewiki.server.mcp.session import Opened, Session
from citewiki.server.mcp.tools import WRITING, add_tools
from citewiki.server.mcp.watching import Stamp, Watching

_ALSO_CALLED = {
    "question": ("query", "q", "prompt"),
    "words": ("query", "keyword", "keywords", "q"),
    "name": ("title", "slug", "path", "page", "id"),
    "text": ("content", "body"),
    "body": ("content", "text"),
}
_PRIVATE = CacheHint(ttl_ms=0, scope="private")  # whoever else asks may see other pages


def _never() -> int:
    """The stamp of files that do not change."""
    return 0


class WikiServer(MCPServer[Any]):
    """An MCP server whose resources depend on who asks, and whose complaints are short."""

    def __init__(self, calls: Calls, **settings: Any) -> None:
        super().__init__("citewiki", log_level="ERROR", **settings)
        self._calls = calls

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool. Raises ToolError as the SDK does, with a line on each wrong argument."""
        takes = {tool.name: tool.input_schema["properties"] for tool in await self.list_tools()}
        if name in takes:
            arguments = _as_named(arguments, takes[name])
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(_wrong_arguments(error.__cause__)) from error.__cause__
            raise

    async def list_tools(self) -> list[Tool]:
        """All tools; each says that it takes no arguments but those it names."""
        tools = await super().list_tools()
        for tool in tools:
            tool.input_schema = {**_untitled(tool.input_schema), "additionalProperties": False}
            tool.output_schema = _untitled(tool.output_schema)
        return tools

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """A prompt with its arguments filled in; an error says what there is instead."""
        known = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in known:
            raise MCPError(
                INVALID_PARAMS, f"no prompt is called {name}; there is {', '.join(known)}"
            )
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            takes = ", ".join(each.name for each in known[name].arguments or ()) or "no arguments"
            raise MCPError(INVALID_PARAMS, f"the prompt {name} takes {takes}, as text") from error

    async def list_resources(self) -> list[Resource]:
        """Those that have one address each."""
        return resources.resources()

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        """Those of which there is one for each name."""
        return resources.templates()

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents]:
        """The resource at `uri`, as whoever asks may see it.

        Raises ResourceNotFoundError for what is not there or may not be seen, ResourceError for
        what cannot be read just now.
        """
        if context is None:
            raise ResourceNotFoundError(f"Unknown resource: {uri}")
        room = self._calls.settings.answer_chars

        def read(session: Session) -> tuple[str, str]:
            return resources.read(session.wiki, str(uri), room)

        try:
            content, media = await self._calls.read(context, read)
        except resources.UnknownResource:
            raise ResourceNotFoundError(f"Unknown resource: {uri}") from None
        except ToolError as error:
            raise ResourceError(str(error)) from error
        return [ReadResourceContents(content=content, mime_type=media)]


def build_mcp(
    opened: Opened,
    settings: ServerConfig,
    stamp: Stamp = _never,
    limits: Limits | None = None,
) -> WikiServer:
    """The server of one wiki.

    `opened` gives each request the session of whoever sent it. By `stamp` it notices that files
    changed, so that it tells who subscribed; without `limits` nothing is counted.
    """
    calls = new_calls(opened, settings, limits)
    watching = Watching(calls, stamp)

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        async with watching.running():
            yield

    async def only_what_may_be_done(
        ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Writing tools are not listed where nothing may be written."""
        result = await call_next(ctx)
        if ctx.method != "tools/list" or not isinstance(result, dict):
            return result
        if opened(ctx.request).may_write:
            return result
        tools = [tool for tool in result["tools"] if tool["name"] not in WRITING]
        return {**result, "tools": tools}

    server = WikiServer(
        calls,
        title="citewiki",
        description="A wiki that answers with citations, or refuses.",
        instructions=text("instructions"),
        version=__version__,
        lifespan=lifespan,
        cache_hints={
            "tools/list": _PRIVATE,
            "prompts/list": _PRIVATE,
            "resources/list": _PRIVATE,
            "resources/templates/list": _PRIVATE,
            "resources/read": _PRIVATE,
        },
        subscriptions=watching,
        middleware=[watching.noticing, only_what_may_be_done],
    )
    add_tools(server, calls)
    add_prompts(server)
    watching.serve(server._lowlevel_server)  # the SDK has no public way to take these two methods
    return server


def _as_named(arguments: dict[str, Any], takes: Mapping[str, Any]) -> dict[str, Any]:
    """`arguments` by the names that a tool has for them; raises ToolError for those it has not.

    What models trained on other wikis call them is understood.
    """
    known = dict(arguments)
    for name, others in _ALSO_CALLED.items():
        if name in takes and name not in known:
            for other in others:
                if other in known and other not in takes:
                    known[name] = known.pop(other)
                    break
    if unknown := sorted(known.keys() - takes.keys()):
        there = ", ".join(takes) or "none"
        raise ToolError(f"there is no argument {', '.join(unknown)}; there is: {there}")
    return known


def _untitled(schema: Any) -> Any:
    """A JSON Schema without its titles, which say in other letters what things are called.

    Every conversation with a model pays for each of them.
    """
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled(value)
        for key, value in schema.items()
        if key != "title" or not isinstance(value, str)  # "title" may be called an argument
    }


def _wrong_arguments(error: ValidationError) -> str:
    """What is wrong with each argument, without repeating it."""
    wrong = (
        f"{'.'.join(str(step) for step in each['loc']) or 'arguments'}: {each['msg']}"
        for each in error.errors(include_url=False, include_input=False)
    )
    return f"{'; '.join(wrong)}; call this again with arguments of its input schema"
