"""Chats exported as JSON or JSON Lines: lists of messages, ChatGPT's and Claude's exports, others.

Programs name the same things differently; a message is an object with a speaker and a text, a
conversation an object with a list (or a tree) of messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from citewiki.model import Source
from citewiki.sources.about import About
from citewiki.sources.chat import Conversation, Message, epoch_stamp
from citewiki.sources.chat_reader import chat_source
from citewiki.sources.encoding import clean

_SPEAKER = ("role", "author", "speaker", "sender", "from", "user", "username", "user_name", "name")
_TEXT = ("content", "text", "message", "body", "value")
_WHEN = ("timestamp", "create_time", "created_at", "date", "time", "ts", "created", "datetime")
_MESSAGES = ("messages", "chat_messages", "conversation", "conversations", "turns", "dialogue")
_TITLE = ("title", "name", "topic", "subject")
_DEEPEST = 8  # levels at which content may be nested


def read(data: Any, name: str) -> Source | None:
    """The conversations in parsed JSON; None when it is JSON of another kind."""
    chats = [chat for chat in _conversations(data) if chat.messages]
    if not chats:
        return None
    return chat_source(chats, About(), name, reader="chat", media_type="application/json")


def parse(text: str, name: str) -> Any:
    """The JSON that a text is: one value, or the list of the values on its lines (JSON Lines).

    None when it is no JSON. Without a name that says so, it must hold an object: Markdown may
    well begin with "[1]".
    """
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # ValueError covers JSONDecodeError and huge integers
        try:
            data = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    named = name.lower().endswith((".json", ".jsonl", ".ndjson"))
    holds_object = isinstance(data, dict) or any(isinstance(item, dict) for item in data)
    return data if named or holds_object else None


def _conversations(data: Any) -> Iterator[Conversation]:
    """The conversations that the data is, or holds."""
    if isinstance(data, dict):
        title = next((clean(data[key]) for key in _TITLE if isinstance(data.get(key), str)), "")
        if isinstance(data.get("mapping"), dict):
            yield Conversation(title, tuple(_messages(_thread(data))))
            return
        for key in _MESSAGES:
            if isinstance(inner := data.get(key), list):
                if found := tuple(_messages(inner)):
                    yield Conversation(title, found)
                else:
                    yield from _conversations(inner)
                return
    elif isinstance(data, list):
        if found := tuple(_messages(data)):
            yield Conversation("", found)
            return
        for item in data:
            if isinstance(item, dict):
                yield from _conversations(item)


def _thread(conversation: dict[str, Any]) -> list[Any]:
    """The messages of a tree from its root to the reply that was shown last."""
    nodes: dict[str, Any] = conversation["mapping"]
    current = conversation.get("current_node")
    if current not in nodes:  # the last node without a reply
        leaves = [key for key, node in nodes.items() if _is_leaf(node)]
        current = leaves[-1] if leaves else None
    thread: list[Any] = []
    seen: set[str] = set()
    while isinstance(current, str) and current in nodes and current not in seen:
        seen.add(current)
        node = nodes[current]
        if not isinstance(node, dict):
            break
        thread.append(node.get("message"))
        current = node.get("parent")
    return thread[::-1]


def _is_leaf(node: Any) -> bool:
    return isinstance(node, dict) and not node.get("children")


def _messages(items: list[Any]) -> Iterator[Message]:
    """The items that are messages: a speaker and some text."""
    for item in items:
        if isinstance(item, dict) and (speaker := _speaker(item)):
            said = next(filter(None, (_text(item.get(key)) for key in _TEXT)), "")
            if said and speaker.lower() != "system":
                yield Message(speaker, said, _stamp(item))


def _speaker(item: dict[str, Any]) -> str:
    for key in _SPEAKER:
        who = item.get(key)
        if isinstance(who, dict):
            who = next((who[k] for k in ("name", "role", "username") if who.get(k)), None)
        if isinstance(who, str) and who.strip():
            return " ".join(clean(who).split())[:60]
    return ""


def _text(content: Any, depth: int = 0) -> str:
    """Text, a list of texts and typed parts, or an object that holds either."""
    if isinstance(content, str):
        return clean(content).strip()
    if depth > _DEEPEST:
        return ""
    if isinstance(content, list):
        return "\n\n".join(filter(None, (_text(part, depth + 1) for part in content)))
    if isinstance(content, dict):
        return next(
            filter(
                None, (_text(content.get(key), depth + 1) for key in ("parts", "text", "content"))
            ),
            "",
        )
    return ""


def _stamp(item: dict[str, Any]) -> str:
    """ "2026-05-01 10:31" from ISO 8601 or Unix time; other forms as written."""
    for key in _WHEN:
        when = item.get(key)
        if isinstance(when, str) and when.strip():
            try:
                return epoch_stamp(float(when))  # Slack writes seconds as text
            except ValueError:
                return clean(when).strip()[:16].replace("T", " ")
        if isinstance(when, int | float) and not isinstance(when, bool):
            return epoch_stamp(when)
    return ""
