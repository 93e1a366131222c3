"""Chats written as text: `[2026-05-01 10:31] Alice: …`, `Alice (10:31): …`, `User: …`.

Messengers write the same in the words and order of some forty locales.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from citewiki.model import Source
from citewiki.sources.about import split_about
from citewiki.sources.chat import Conversation, Message, chat_source
from citewiki.sources.chat_dates import DATE
from citewiki.sources.clean import clean_markdown
from citewiki.sources.kinds import is_markdown

_TIME = (
    r"(?:(?:上午|下午|午前|午後|오전|오후|AM|PM)\s?)?"
    r"\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?(?:[AaPp]\.?\s?[Mm]\b\.?|SA\b|CH\b|h\b))?"
)
_STAMP = rf"[^\[\]()\n]{{0,24}}{_TIME}[^\[\]()\n]{{0,12}}"
_DAY_TIME = rf"(?:{DATE},?\s(?:à\s|at\s|um\s|às\s|kl\.\s|a las\s)?{_TIME}|{_TIME},?\s{DATE})"
_NAME = r"\*{0,2}(?P<who>[^\s:：*\[\]()|#>][^:：*\[\]()\n]{0,59}?)\*{0,2}"
_CONTACT = r"(?P<who>[^\s:：\[\]|#>][^:：\[\]\n]{0,59}?)"  # phone numbers have parentheses
_ASKING = "user|human|you|me|用户|người dùng"
_REPLYING = "assistant|ai|bot|chatgpt|claude|gemini|copilot|助手|trợ lý"
_TEXT = r"\*{0,2}[ \t]?(?P<text>.*)"
_HEADS = tuple(
    re.compile(pattern + _TEXT, re.I)
    for pattern in (
        # [2026-05-01 10:31] Alice: …
        rf"\[(?P<stamp>{_DAY_TIME}|{_STAMP}|{DATE})\][ \t]*{_CONTACT}[ \t]*[:：]",
        rf"(?P<stamp>{_DAY_TIME})\s[-–]\s{_CONTACT}[:：]",  # 01/05/2026, 10:31 - Alice: …
        rf"(?P<stamp>{DATE}\s{_TIME}),\s{_CONTACT}\s?:\s",  # 2026년 5월 1일 오후 10:31, Alice : …
        rf"{_NAME}[ \t]*[(（\[](?P<stamp>{_STAMP})[)）\]]\*{{0,2}}[ \t]*[:：]",  # Alice (10:31): …
        rf"(?P<stamp>)\*{{0,2}}(?P<who>{_ASKING}|{_REPLYING}|system)\*{{0,2}}[:：]",  # User: …
    )
)
_NOTICE = re.compile(
    rf"(?P<stamp>{_DAY_TIME})\s[-–]\s(?P<text>\S.*)|\[(?P<at>{_DAY_TIME})\]\s(?P<said>\S.*)"
)
_LOG_LEVELS = frozenset("TRACE DEBUG INFO NOTICE WARN WARNING ERROR FATAL CRITICAL".split())
_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>.*)$", re.M)
_DIRECTION = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # marks that nobody can see
_LONGEST_HEAD = 300  # characters of a line in which its stamp and speaker stand


def is_chat(text: str) -> bool:
    """Whether the text (front matter and headings aside) opens with a message and holds two.

    Without time stamps one must ask and another reply; with them, levels of a log are no speakers.
    """
    _, body = split_about(text, "")
    rows = (_DIRECTION.sub("", row) for row in body.splitlines())
    lines = [row for row in rows if row.strip() and not _HEADING.match(row)]
    if not any(_message(row) or _NOTICE.match(row) for row in lines[:3]):
        return False
    found = list(islice(filter(None, map(_message, lines)), 50))
    speakers = [message.speaker for message in found]
    if any(message.stamp for message in found):
        return len(found) >= 2 and sum(who in _LOG_LEVELS for who in speakers) * 2 < len(found)
    return any(re.fullmatch(_ASKING, who, re.I) for who in speakers) and any(
        re.fullmatch(_REPLYING, who, re.I) for who in speakers
    )


def read(text: str, name: str) -> Source | None:
    """The conversation of a chat written as text; under headings, a conversation for each.

    None for a text that is no chat.
    """
    if not is_chat(text):
        return None
    about, body = split_about(text, name)
    chats = conversations(body)
    if len(chats) > 1 and not chats[0].messages:  # the heading above all others names the file
        about = replace(about, title=about.title or chats[0].title)
        chats = chats[1:]
    media_type = "text/markdown" if is_markdown(text, name) else "text/plain"
    return chat_source(chats, about, name, media_type=media_type)


def conversations(body: str) -> list[Conversation]:
    """A conversation for each heading, and for the messages above the first one."""
    return list(_conversations(clean_markdown(_DIRECTION.sub("", body))))


def _conversations(body: str) -> Iterator[Conversation]:
    marks = list(_HEADING.finditer(body))
    starts = [(0, "")] + [(mark.end(), mark["title"].rstrip(" \t#")) for mark in marks]
    ends = [mark.start() for mark in marks] + [len(body)]
    for (start, title), end in zip(starts, ends, strict=True):
        messages = tuple(_messages(body[start:end]))
        if messages or title:
            yield Conversation(title, messages)


def _messages(text: str) -> Iterator[Message]:
    """Every message with the lines that follow it; text before the first one has no speaker."""
    current, lines = Message("", ""), [""]
    for line in text.split("\n"):
        if found := _message(line) or _notice(line):
            if current.text or any(map(str.strip, lines[1:])):
                yield replace(current, text="\n".join(lines).strip())
            current, lines = found, [found.text]
        else:
            lines.append(line)
    whole = "\n".join(lines).strip()
    if whole or current.speaker:
        yield replace(current, text=whole)


def _message(line: str) -> Message | None:
    """The message that the line begins; None for any other line."""
    start = line[:_LONGEST_HEAD]
    for head in _HEADS:
        if found := head.match(start):
            text = line[found.start("text") :]
            return Message(_spaced(found["who"]).lstrip("~ "), text, _spaced(found["stamp"]))
    return None


def _notice(line: str) -> Message | None:
    """What the program itself says between messages: who joined, what was deleted."""
    if found := _NOTICE.match(line):
        return Message("", found["text"] or found["said"], _spaced(found["stamp"] or found["at"]))
    return None


def _spaced(text: str) -> str:
    """The text with ordinary spaces only."""
    return " ".join(text.split())
