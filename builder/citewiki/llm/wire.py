"""The port's values as the Messages API writes them, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from citewiki.llm.port import Opaque, Part, Request, Tool, ToolCall, ToolResult, Usage

_CACHED = {"type": "ephemeral"}


def messages(request: Request) -> list[dict[str, Any]]:
    """First message, then the turns; once there are turns, all up to the last one is cached.

    Empty texts are left out, as the API takes none, also none of its own.
    """
    first = [
        {"type": "text", "text": block.text, **({"cache_control": _CACHED} if block.cache else {})}
        for block in request.blocks
    ]
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": first},
        *(
            {"role": turn.speaker, "content": content}
            for turn in request.turns
            if (content := [_content(part) for part in turn.parts if part])
        ),
    ]
    if request.turns and request.turns[-1].speaker == "user":
        messages[-1]["content"][-1]["cache_control"] = _CACHED
    return messages


def _content(part: Part) -> dict[str, Any]:
    match part:
        case str():
            return {"type": "text", "text": part}
        case ToolCall():
            return {
                "type": "tool_use", "id": part.id, "name": part.name, "input": dict(part.arguments),
            }  # fmt: skip
        case ToolResult():
            return {
                "type": "tool_result", "tool_use_id": part.id, "content": part.text,
                "is_error": part.failed,
            }  # fmt: skip
        case Opaque():
            return dict(part.value)


def tools(offered: Iterable[Tool]) -> list[dict[str, Any]]:
    """Tool definitions."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
        for tool in offered
    ]


def part(item: Mapping[str, Any]) -> Part:
    """A content block that came back; what only the server understands stays as it is."""
    if item.get("type") == "text":
        return str(item.get("text") or "")
    if item.get("type") == "tool_use":
        arguments = item.get("input")
        return ToolCall(
            str(item.get("id")),
            str(item.get("name")),
            arguments if isinstance(arguments, dict) else {},
        )
    return Opaque(item)


def usage(counts: Mapping[str, Any]) -> Usage:
    """The counts that came back, the price not known; servers without a cache leave some out."""
    return Usage(
        counts.get("input_tokens") or 0,
        counts.get("output_tokens") or 0,
        counts.get("cache_read_input_tokens") or 0,
        counts.get("cache_creation_input_tokens") or 0,
        usd=None,
    )
