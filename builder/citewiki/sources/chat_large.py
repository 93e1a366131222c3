"""Chat exports too large to be parsed as one: the conversations of the list, one at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from citewiki.model import Source
from citewiki.sources.about import About
from citewiki.sources.chat import Conversation, chat_source
from citewiki.sources.chat_json import conversations

_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[{}\[\]]', re.S)
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")


def read(data: bytes, name: str) -> Source | None:
    """The conversations in the list that `data` is; None when it holds none.

    Takes the memory of one conversation beside that of the texts, and linear time.
    """
    chats: list[Conversation] = []
    for item in items(data):
        chats += conversations(item)
    if not any(chat.messages for chat in chats):
        return None
    return chat_source(chats, About(), name, media_type="application/json")


def items(data: bytes) -> Iterator[Any]:
    """The objects and lists in a JSON list, parsed; those that are no JSON are left out."""
    depth = start = 0
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in _OPENING:
            depth += 1
            if depth == 2:
                start = token.start()
        elif mark in _CLOSING:
            depth -= 1
            if depth == 1:
                try:
                    yield json.loads(data[start : token.end()])
                except (ValueError, RecursionError):  # ValueError covers bytes that are no UTF-8
                    continue
