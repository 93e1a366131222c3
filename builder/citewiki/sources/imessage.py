"""iMessage conversations as imessage-exporter writes them to text files.

A message is its time, its sender, its words and a blank line; answers in a thread are repeated
below the message that they answer, indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from citewiki.model import Source
from citewiki.sources.about import About, readable_title
from citewiki.sources.chat import Conversation, Message, chat_source
from citewiki.sources.export_kinds import IMESSAGE_HEAD

_WHEN = re.compile(r"([A-Z][a-z]{2}) (\d{1,2}), (\d{4}) +(\d{1,2}:\d{2}):\d{2} ([AP]M)")
_NOTES = frozenset(
    (
        "This message responded to an earlier message.",
        "Sent with Impact",
        "Sent with Loud",
        "Sent with Gentle",
        "Sent with Invisible Ink",
    )
)
_TAPBACKS = "Tapbacks:"


def read(text: str, name: str) -> Source:
    """The conversation; a section for each day."""
    chat = Conversation(readable_title(name), tuple(_messages(text.split("\n"))))
    return chat_source([chat], About(), name, media_type="text/plain", by_day=True)


def _messages(lines: list[str]) -> Iterator[Message]:
    stamp, speaker = "", ""
    said: list[str] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if IMESSAGE_HEAD.match(line):
            if speaker:
                yield Message(speaker, _words(said), stamp)
            stamp = _stamp(line)
            speaker = lines[place + 1].strip() if place + 1 < len(lines) else ""
            said = []
            place += 2
            continue
        said.append(line)
        place += 1
    if speaker:
        yield Message(speaker, _words(said), stamp)


def _words(lines: list[str]) -> str:
    """What was said, without reactions and without the answers, which come again by themselves."""
    kept: list[str] = []
    for line in lines:
        if line.strip() == _TAPBACKS or IMESSAGE_HEAD.match(line.strip()):
            break
        if line.strip() not in _NOTES:
            kept.append(line.strip())
    return "\n".join(kept).strip()


def _stamp(line: str) -> str:
    """ "2022-05-17 17:29"; the time is the one that was shown, whose zone is not told."""
    found = _WHEN.search(line)
    if found is None:
        return ""
    month, day, year, clock, half = found.groups()
    try:
        at = datetime.strptime(f"{month} {day} {year} {clock} {half}", "%b %d %Y %I:%M %p")
    except ValueError:  # no such day
        return ""
    return f"{at:%Y-%m-%d %H:%M}"
