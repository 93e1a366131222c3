"""Conversations: the messages of chat exports, and how they become sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from citewiki.model import Place, Section
from citewiki.sources.about import moment


@dataclass(frozen=True, slots=True)
class Message:
    """What one speaker said at once."""

    speaker: str  # "" for a notice
    text: str  # Markdown
    stamp: str = ""  # when, as written: "2026-05-01 10:31"; "" when not said


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order; `title` is empty when the export gives none."""

    title: str
    messages: tuple[Message, ...] = field(default=())


_DAY = re.compile(r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}")


def day_of(stamp: str) -> str:
    """The day that a time stamp names, as written; "" for a time of day alone."""
    found = _DAY.search(stamp)
    return found[0] if found else ""


def first_date(conversations: Sequence[Conversation]) -> datetime | None:
    """When the first dated message was written; None where no stamp can be read as a time."""
    for conversation in conversations:
        for message in conversation.messages:
            if found := moment(message.stamp):
                return found
    return None


def conversation_sections(conversations: Sequence[Conversation], title: str) -> list[Section]:
    """A section for each conversation; for each day where there is only one over several days."""
    if len(conversations) == 1:
        days = _days(conversations[0].messages)
        if len(days) > 1:
            return [_section(f"{title}, {day}", day, said) for day, said in days.items()]
    return [_section(c.title, c.title and f"§ {c.title}", c.messages) for c in conversations]


def rendered(messages: Sequence[Message]) -> tuple[str, tuple[Place, ...]]:
    """The messages as Markdown paragraphs, and at which offset each time stamp stands."""
    text = ""
    places: list[Place] = []
    for message in messages:
        text += "\n\n" if text else ""
        if message.stamp and (not places or places[-1].label != message.stamp):
            places.append(Place(len(text), message.stamp))
        said = message.text.strip()
        text += f"**{message.speaker}:** {said}".rstrip() if message.speaker else said
    return text, tuple(places)


def _section(title: str, locator: str, messages: Sequence[Message]) -> Section:
    text, places = rendered(messages)
    return Section("", title, locator, text, places=places)


def _days(messages: Sequence[Message]) -> dict[str, list[Message]]:
    """The messages of each day, in order; one without a date belongs to the day before it."""
    days: dict[str, list[Message]] = {}
    day = next((found for message in messages if (found := day_of(message.stamp))), "")
    for message in messages:
        day = day_of(message.stamp) or day
        days.setdefault(day, []).append(message)
    return days


def epoch_stamp(seconds: float) -> str:
    """A Unix time (seconds, or milliseconds when too large) as "2026-05-01 10:31" in UTC."""
    try:
        at = datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, UTC)
    except (ValueError, OverflowError, OSError):  # not a number, or no such year
        return ""
    return at.strftime("%Y-%m-%d %H:%M")
