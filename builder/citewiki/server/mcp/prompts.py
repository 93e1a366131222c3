"""Prompts: texts of prompts/*.md that a person starts a task with."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from string import Template
from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field

from citewiki.llm.prompt import block


def text(name: str) -> str:
    """The text of prompts/NAME.md."""
    return _template(name).template.strip()


def add_prompts(server: MCPServer[Any]) -> None:
    """Put every prompt on `server`."""

    @server.prompt(
        "wiki_query_system",
        title="Answer from the wiki",
        description="Answer questions from this wiki: query first, cite, say what is missing.",
    )
    def wiki_query_system() -> str:
        return text("wiki_query_system")

    @server.prompt(
        "wiki_maintenance",
        title="Weekly upkeep",
        description="Go through stale pages: verify them, propose successors, put away.",
    )
    def wiki_maintenance() -> str:
        return text("wiki_maintenance")

    @server.prompt(
        "wiki_draft_from_notes",
        title="A page from notes",
        description="Write a page from the person's notes, linked to what the wiki has.",
    )
    def wiki_draft_from_notes(
        notes: Annotated[str, Field(description="The notes, as they are.", max_length=200_000)],
    ) -> str:
        return _template("wiki_draft_from_notes").substitute(notes=block("draft", notes))

    @server.prompt(
        "news_summary",
        title="News for the wiki",
        description="Summarise the newest entries of the feeds beside what the wiki says.",
    )
    def news_summary() -> str:
        return text("news_summary")


@lru_cache(maxsize=8)
def _template(name: str) -> Template:
    file = resources.files("citewiki.server.mcp").joinpath("prompts", f"{name}.md")
    return Template(file.read_text(encoding="utf-8").strip())
