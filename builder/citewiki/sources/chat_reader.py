"""Chats written as text: `[2026-05-01 10:31] Alice: …`, `Alice (10:31): …`, `User: …`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from citewiki.model import Source
from citewiki.sources.about import About, readable_title, split_about
from citewiki.sources.chat import (
    Conversation,
    Message,
    conversation_sections,
    first_date,
    rendered,
)
from citewiki.sources.clean import clean_markdown
from citewiki.sources.kinds import is_markdown
from citewiki.sources.outline import finished
from citewiki.text.language import language

_TIME = r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?"
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_STAMP = rf"[^\[\]()\n]{{0,24}}{_TIME}[^\[\]()\n]{{0,12}}"
_NAME = r"\*{0,2}(?P<who>[^\s:：*\[\]()|#>][^:：*\[\]()\n]{0,59}?)\*{0,2}"
_ASKING = "user|human|you|me|用户|người dùng"
_REPLYING = "assistant|ai|bot|chatgpt|claude|gemini|copilot|助手|trợ lý"
_TEXT = r"\*{0,2}[ \t]?(?P<text>.*)"
_HEADS = tuple(
    re.compile(pattern + _TEXT, re.I)
    for pattern in (
        rf"\[(?P<stamp>{_STAMP}|{_DATE})\][ \t]*{_NAME}[ \t]*[:：]",  # [2026-05-01 10:31] Alice: …
        rf"(?P<stamp>{_DATE},?[ ]{_TIME})[ ][-–][ ]{_NAME}:",  # 01/05/2026, 10:31 - Alice: …
        rf"{_NAME}[ \t]*[(（\[](?P<stamp>{_STAMP})[)）\]]\*{{0,2}}[ \t]*[:：]",  # Alice (10:31): …
        rf"(?P<stamp>)\*{{0,2}}(?P<who>{_ASKING}|{_REPLYING}|system)\*{{0,2}}[:：]",  # User: …
    )
)
_LOG_LEVELS = frozenset("TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL".split())
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>.*)$", re.M)


def is_chat(text: str) -> bool:
    """Whether the text (front matter and headings aside) opens with a message and holds two.

    Without time stamps one must ask and another reply; with them, levels of a log are no speakers.
    """
    _, body = split_about(text, "")
    lines = [line for line in body.splitlines() if line.strip() and not _HEADING.match(line)]
    if not any(map(_message, lines[:3])):  # a notice may come first
        return False
    found = list(islice(filter(None, map(_message, lines)), 50))
    speakers = [message.speaker for message in found]
    if any(message.stamp for message in found):
        return len(found) >= 2 and sum(who in _LOG_LEVELS for who in speakers) * 2 < len(found)
    return any(re.fullmatch(_ASKING, who, re.I) for who in speakers) and any(
        re.fullmatch(_REPLYING, who, re.I) for who in speakers
    )


def read(text: str, name: str) -> Source:
    """The conversation of a chat written as text; under headings, a conversation for each."""
    about, body = split_about(text, name)
    chats = list(_conversations(clean_markdown(body)))
    if len(chats) > 1 and not chats[0].messages:  # the heading above all others names the file
        about = replace(about, title=about.title or chats[0].title)
        chats = chats[1:]
    media_type = "text/markdown" if is_markdown(text, name) else "text/plain"
    return chat_source(chats, about, name, reader="chat", media_type=media_type)


def chat_source(
    chats: list[Conversation], about: About, name: str, *, reader: str, media_type: str
) -> Source:
    """A source of conversations."""
    only = chats[0].title if len(chats) == 1 else ""
    title = about.title or only or readable_title(name)
    sections = finished(conversation_sections(chats, title), title)
    said, _ = rendered([message for chat in chats[:20] for message in chat.messages[:50]])
    return Source(
        title=title,
        reader=reader,
        media_type=media_type,
        sections=sections,
        authority=about.authority or "chat",
        language=about.language or language(said),
        author=about.author,
        date=about.date or first_date(chats),
        url=about.url,
        tags=about.tags,
        aliases=about.aliases,
        summary=about.summary,
        problems=about.problems,
    )


def _conversations(body: str) -> Iterator[Conversation]:
    """A conversation for each heading, and for the messages above the first one."""
    marks = list(_HEADING.finditer(body))
    starts = [(0, "")] + [(mark.end(), mark["title"].rstrip(" \t#")) for mark in marks]
    ends = [mark.start() for mark in marks] + [len(body)]
    for (start, title), end in zip(starts, ends, strict=True):
        messages = tuple(_messages(body[start:end]))
        if messages or title:
            yield Conversation(title, messages)


def _messages(text: str) -> Iterator[Message]:
    """Every message with the lines that follow it; text before the first one has no speaker."""
    current = Message("", "")
    for line in text.split("\n"):
        if found := _message(line):
            if current.text:
                yield replace(current, text=current.text.strip())
            current = found
        else:
            current = replace(current, text=f"{current.text}\n{line}".lstrip("\n"))
    if current.text or current.speaker:
        yield replace(current, text=current.text.strip())


def _message(line: str) -> Message | None:
    """The message that the line begins; None for any other line."""
    for head in _HEADS:
        if found := head.match(line):
            return Message(found["who"].strip(), found["text"], found["stamp"].strip())
    return None
