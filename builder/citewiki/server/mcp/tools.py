"""The table of tools: what each is called, what it may do, and where it is."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mcp.server import MCPServer
from mcp_types import ToolAnnotations

from citewiki.server.mcp.calls import Calls
from citewiki.server.mcp.reading_tools import ReadingTools
from citewiki.server.mcp.writing_tools import WritingTools

WRITING = frozenset(
    ("wiki_ingest_text", "wiki_save_page", "wiki_archive_page", "wiki_reverify_page")
)
"""Not even listed where the token may only read."""


def add_tools(server: MCPServer[Any], calls: Calls) -> None:
    """Put every tool on `server`."""
    read, write = ReadingTools(calls), WritingTools(calls)
    wiki, web = _reads(), _reads(open_world=True)
    table: tuple[tuple[str, str, Callable[..., Any], ToolAnnotations], ...] = (
        ("wiki_query", "Passages for a question", read.wiki_query, wiki),
        ("wiki_ask", "Cited answer or refusal", read.wiki_ask, web),
        ("wiki_search_index", "Find pages by words", read.wiki_search_index, wiki),
        ("wiki_list_pages", "List pages", read.wiki_list_pages, wiki),
        ("wiki_get_article", "Read a page", read.wiki_get_article, wiki),
        ("wiki_get_graph", "Draw links", read.wiki_get_graph, wiki),
        ("wiki_list_users", "List users", read.wiki_list_users, wiki),
        ("wiki_news", "News of the feeds", read.wiki_news, web),
        ("wiki_ingest_text", "Take in a text", write.wiki_ingest_text, _writes()),
        ("wiki_save_page", "Save a page", write.wiki_save_page, _writes(again=True)),
        (
            "wiki_archive_page",
            "Put a page away",
            write.wiki_archive_page,
            _writes(destructive=True, again=True),
        ),
        ("wiki_reverify_page", "Record a check", write.wiki_reverify_page, _writes()),
        ("search", "Search", read.search, wiki),
        ("fetch", "Fetch", read.fetch, wiki),
        ("wiki_search", "Cited answer or refusal (as wiki_ask)", read.wiki_ask, web),
        ("wiki_read_page", "Read a page (as wiki_get_article)", read.wiki_get_article, wiki),
    )
    for name, title, function, hints in table:
        server.add_tool(
            function,
            name=name,
            title=title,
            description=_description(name, function),
            annotations=hints,
        )


def _description(name: str, function: Callable[..., Any]) -> str:
    said, known = inspect.getdoc(function) or "", function.__name__
    if known == name:
        return said
    example = said[said.index("Example: ") :]
    return (
        f"The same as {known}, for those who know it by this name. Use {known} where it is "
        f"offered. Returns what that returns.\n\n{example}"
    )


def _reads(*, open_world: bool = False) -> ToolAnnotations:
    return ToolAnnotations(
        read_only_hint=True,
        destructive_hint=False,
        idempotent_hint=True,
        open_world_hint=open_world,
    )


def _writes(*, destructive: bool = False, again: bool = False) -> ToolAnnotations:
    """Of a tool that, if `again`, changes nothing more when it is called once more."""
    return ToolAnnotations(
        read_only_hint=False,
        destructive_hint=destructive,
        idempotent_hint=again,
        open_world_hint=False,
    )
