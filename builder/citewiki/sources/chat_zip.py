"""Chats exported as a zip: Slack, ChatGPT, Claude, Telegram, WhatsApp, Messenger, Discord."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from citewiki.errors import SourceError
from citewiki.model import Section, Source
from citewiki.sources.about import About
from citewiki.sources.archive import Archive
from citewiki.sources.archive_files import File, files, unreadable
from citewiki.sources.chat import Conversation, chat_source
from citewiki.sources.chat_json import conversations
from citewiki.sources.chat_reader import conversations as text_conversations
from citewiki.sources.chat_reader import is_chat
from citewiki.sources.encoding import decode
from citewiki.sources.entries import left_out, line, section
from citewiki.sources.export_kinds import CHAT_FILE, SLACK_DAY
from citewiki.sources.read import parsed_json

_PART = re.compile(r"message_(\d{1,6})\.json$", re.I)
_MESSENGER = re.compile(r"message_\d+\.json$|result\.json$|messages\.json$|\.txt$", re.I)


def read(archive: Archive, name: str) -> Source | None:
    """The conversations of an export; None when its files hold none after all."""
    found, extra = files(archive)
    people = _people(found)
    parts: list[tuple[str, Conversation]] = []
    rest: list[str] = []
    for file in sorted(found, key=_newest_last):
        if not (CHAT_FILE.search(file.path) or SLACK_DAY.search(file.path)):
            rest.append(file.path)
            continue
        try:
            thread = f"#{m[1]}" if (m := SLACK_DAY.search(file.path)) else ""
            thread = thread or (file.folder if _PART.search(file.path) else "")
            parts += ((thread, chat) for chat in _conversations(file, people))
        except SourceError as error:
            extra.append(unreadable(file.path, error.reason))
    chats = _whole(parts)
    if not any(chat.messages for chat in chats):
        return None
    if rest:
        extra.append(left_out(rest, "no conversations"))
    sections: list[Section] = [section(entry) for entry in extra]
    messenger = any(_MESSENGER.search(f.path) or SLACK_DAY.search(f.path) for f in found)
    return chat_source(
        chats, About(), name, media_type="application/zip", by_day=messenger, extra=sections
    )


def _people(found: list[File]) -> Mapping[str, str]:
    """Names by the ids of Slack's users.json."""
    people: dict[str, str] = {}
    for file in found:
        if file.path.rpartition("/")[2] != "users.json":
            continue
        data = _json(file)
        for user in data if isinstance(data, list) else ():
            if isinstance(user, dict) and (id := line(user.get("id"))):
                profile = user.get("profile")
                shown = profile.get("display_name") if isinstance(profile, dict) else ""
                names = map(line, (shown, user.get("real_name"), user.get("name")))
                people[id] = next(filter(None, names), id)
    return people


def _json(file: File) -> Any:
    try:
        return parsed_json(decode(file.data()).text, file.path)
    except SourceError:
        return None


def _conversations(file: File, people: Mapping[str, str]) -> Iterator[Conversation]:
    """What one file holds; a file of Slack is a day of a channel."""
    text = decode(file.data()).text
    if file.suffix == ".txt":
        if is_chat(text):
            titled = file.folder.rpartition("/")[2] or file.stem
            title = "" if titled == "_chat" else titled
            yield from (
                replace(chat, title=chat.title or title) for chat in text_conversations(text)
            )
        return
    data = parsed_json(text, file.path)
    if data is None:
        raise SourceError(file.path, "is no JSON")
    channel = f"#{found[1]}" if (found := SLACK_DAY.search(file.path)) else ""
    if file.path.endswith("/messages.json") and isinstance(data, list):
        data, channel = [_discord(item) for item in data], file.folder.rpartition("/")[2]
    for chat in conversations(data, people):
        yield replace(chat, title=channel or chat.title)


def _discord(item: Any) -> Any:
    """A message of the package that Discord sends to the person who wrote it."""
    if not isinstance(item, dict) or "Contents" not in item:
        return item
    return {"author": "me", "content": item["Contents"], "timestamp": item.get("Timestamp")}


def _whole(parts: list[tuple[str, Conversation]]) -> list[Conversation]:
    """Channels and threads that an export cuts into files ("" for none), as one each."""
    found: dict[object, Conversation] = {}
    for number, (thread, chat) in enumerate(parts):
        before = found.get(thread) if thread else None
        said = (*before.messages, *chat.messages) if before else chat.messages
        found[thread or number] = replace(before or chat, messages=said)
    return list(found.values())


def _newest_last(file: File) -> int:
    """Messenger numbers the files of a thread from the newest on; all others keep their order."""
    found = _PART.search(file.path)
    return -int(found[1]) if found else 0
