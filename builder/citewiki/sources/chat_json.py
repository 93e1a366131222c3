"""Chats exported as JSON or JSON Lines: those of assistants and of messengers.

Programs name the same things differently; a message is an object with a speaker and a text, a
conversation an object with a list (or a tree) of messages. What a text looks like inside is in
`chat_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from citewiki.model import Source
from citewiki.sources.about import About
from citewiki.sources.chat import Conversation, Message, chat_source, epoch_stamp
from citewiki.sources.chat_text import attached, said
from citewiki.sources.encoding import clean
from citewiki.sources.mojibake import repaired, repaired_values

_SPEAKER = (
    "role",
    "author",
    "speaker",
    "sender",
    "sender_name",
    "from",
    "creator",
    "sourceName",
    "user_profile",
    "user",
    "username",
    "user_name",
    "name",
)
_PERSON = ("real_name", "display_name", "nickname", "name", "role", "username", "login", "email")
_WHEN = (
    "timestamp",
    "timestamp_ms",
    "create_time",
    "created_at",
    "date",
    "time",
    "ts",
    "created",
    "created_date",
    "origin_server_ts",
    "createTime",
    "sent_at",
    "datetime",
)
_MESSAGES = (
    "messages",
    "chat_messages",
    "responses",
    "conversation",
    "conversations",
    "turns",
    "dialogue",
)
_HOLDERS = ("chats", "left_chats", "list", "chunks", "chunkedPrompt", "channels", "threads", "data")
_TITLE = ("title", "name", "room_name", "topic", "subject")
_NOT_SAID = frozenset(("system", "tool", "developer"))
_DEEPEST = 8  # levels at which conversations are looked for


def read(data: Any, name: str) -> Source | None:
    """The conversations in parsed JSON; None when it is JSON of another kind."""
    chats = list(conversations(data))
    if not any(chat.messages for chat in chats):
        return None
    return chat_source(
        chats, About(), name, media_type="application/json", by_day=_is_messenger(data)
    )


def conversations(data: Any, people: Mapping[str, str] | None = None) -> Iterator[Conversation]:
    """The conversations that parsed JSON is, or holds; `people` are names by the program's ids."""
    yield from _found(data, people or {}, 0)


def _found(data: Any, people: Mapping[str, str], depth: int) -> Iterator[Conversation]:
    if depth > _DEEPEST:
        return
    if isinstance(data, list):
        if messages := _messages(data, people):
            yield Conversation("", messages)
            return
        for item in data:
            if isinstance(item, dict):
                yield from _found(item, people, depth + 1)
    elif isinstance(data, dict):
        title = _title(data)
        if isinstance(data.get("mapping"), dict):
            yield Conversation(title, _messages(_thread(data), people))
            return
        for key in _MESSAGES:
            if isinstance(inner := data.get(key), list):
                messages = _messages(inner, people)
                nested = [] if messages else list(_found(inner, people, depth + 1))
                yield from nested or [Conversation(title, messages)]
                return
        for key in _HOLDERS:
            if isinstance(data.get(key), dict | list):
                yield from _found(data[key], people, depth + 1)


def _title(data: dict[str, Any]) -> str:
    """What the conversation is called; a channel also by the place that it belongs to."""
    channel, guild = data.get("channel"), data.get("guild")
    if isinstance(channel, dict) and isinstance(channel.get("name"), str):
        place = guild.get("name") if isinstance(guild, dict) else ""
        return clean(
            f"{place} › {channel['name']}" if isinstance(place, str) and place else channel["name"]
        )
    inner = data.get("conversation")
    named = {**inner, **data} if isinstance(inner, dict) else data
    found = next((named[key] for key in _TITLE if isinstance(named.get(key), str)), "")
    if not found and isinstance(people := data.get("participants"), list):
        names = [person.get("name") for person in people if isinstance(person, dict)]
        found = ", ".join(name for name in names if isinstance(name, str))
    return " ".join(clean(repaired(found) if "participants" in data else found).split())


def _thread(conversation: dict[str, Any]) -> list[Any]:
    """The messages of a tree from its root to the reply that was shown last."""
    nodes: dict[str, Any] = conversation["mapping"]
    current = conversation.get("current_node")
    if not isinstance(current, str) or current not in nodes:  # the last node without a reply
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


def _messages(items: list[Any], people: Mapping[str, str]) -> tuple[Message, ...]:
    """The items that are messages: a speaker and some text; the earliest first."""
    found = tuple(message for item in items if (message := _message(item, people)))
    stamps = [message.stamp for message in found if message.stamp]
    falls = all(later <= earlier for earlier, later in pairwise(stamps))
    return found[::-1] if falls and len(stamps) > 1 and stamps[0] != stamps[-1] else found


def _message(item: Any, people: Mapping[str, str]) -> Message | None:
    if not isinstance(item, dict):
        return None
    item = _unwrapped(item)
    if "sender_name" in item:  # Messenger, Instagram
        item = repaired_values(item)
    if _is_hidden(item):
        return None
    key, speaker = _speaker(item, people)
    stamp = _stamp(item)
    # A name beside a value is a setting, and an object with a title a record.
    if not speaker or "title" in item or (key in ("name", "user", "username") and not stamp):
        return None
    text = said(item, people)
    names, texts = attached(item)
    text = "\n\n".join(filter(None, (text, names and f"(attached: {names})", *texts)))
    return Message(speaker, text, stamp) if text else None


def _unwrapped(item: dict[str, Any]) -> dict[str, Any]:
    """The message itself, where a program puts it into another object."""
    if isinstance(envelope := item.get("envelope"), dict):  # signal-cli
        data = envelope.get("dataMessage")
        return {**envelope, **data} if isinstance(data, dict) else envelope
    if isinstance(inner := item.get("response"), dict) and "sender" in inner:  # Grok
        return inner
    if isinstance(pieces := item.get("fragments"), list):  # DeepSeek
        kinds = {str(p.get("type")): p.get("content") for p in pieces if isinstance(p, dict)}
        role = "user" if "REQUEST" in kinds else "assistant"
        text = kinds.get("REQUEST") or kinds.get("RESPONSE")
        return {"role": role, "content": text, "date": item.get("inserted_at")}
    return item


def _is_hidden(item: dict[str, Any]) -> bool:
    """Whether it was not said: set-up, calls of tools and their output, who joined."""
    about = item.get("metadata")
    author = item.get("author")
    role = item.get("role") or (author.get("role") if isinstance(author, dict) else "")
    return (
        (isinstance(role, str) and role.lower() in _NOT_SAID)
        or (isinstance(about, dict) and bool(about.get("is_visually_hidden_from_conversation")))
        or ("author" in item and item.get("recipient") not in (None, "all", "everyone"))
        or item.get("type") == "service"
        or str(item.get("subtype", "")).endswith(("_join", "_leave", "_topic", "_purpose"))
    )


def _speaker(item: dict[str, Any], people: Mapping[str, str]) -> tuple[str, str]:
    """The key that names the speaker, and the name."""
    for key in _SPEAKER:
        who = item.get(key)
        if isinstance(who, dict):
            who = next((who[k] for k in _PERSON if isinstance(who.get(k), str) and who[k]), None)
        if isinstance(who, str) and who.strip():
            who = people.get(who, who)
            return key, " ".join(clean(who).split())[:60]
    return "", ""


def _stamp(item: dict[str, Any]) -> str:
    """ "2026-05-01 10:31" from ISO 8601 or Unix time; other forms as written."""
    for key in _WHEN:
        when = item.get(key)
        if isinstance(when, dict):  # extended JSON of MongoDB
            when = when.get("$date")
            when = when.get("$numberLong") if isinstance(when, dict) else when
        if isinstance(when, str) and when.strip():
            try:
                return epoch_stamp(float(when))  # Slack writes seconds as text
            except ValueError:
                return _written(when)
        if isinstance(when, int | float) and not isinstance(when, bool):
            return epoch_stamp(when)
    return ""


def _written(when: str) -> str:
    """A time written as text: ISO 8601 up to the minute, else all of it."""
    text = " ".join(clean(when).split())
    return text[:16].replace("T", " ") if text[:4].isdigit() else text[:60]


def _is_messenger(data: Any) -> bool:
    """Whether people talk to one another there, over years, rather than to an assistant."""
    text = data if isinstance(data, dict) else {}
    return any(key in text for key in ("guild", "chats", "participants", "channel"))
