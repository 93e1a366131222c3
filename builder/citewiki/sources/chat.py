"""Conversations: the messages of chat exports, and how they become sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from citewiki.model import Place, Section, Source
from citewiki.sources.about import About, readable_title
from citewiki.sources.chat_dates import day_of, stamp_dates
from citewiki.sources.entries import first_words, joined
from citewiki.sources.outline import finished
from citewiki.text.language import language

_OPENING = 500  # messages among which the first dated one is looked for


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


def chat_source(
    chats: Sequence[Conversation],
    about: About,
    name: str,
    *,
    media_type: str,
    by_day: bool = False,
    extra: Iterable[Section] = (),
) -> Source:
    """A source of conversations; `name` is the file's.

    `by_day` cuts every conversation by day, as channels and groups go on for years. `extra` are
    sections that account for what is no conversation.
    """
    only = chats[0].title if len(chats) == 1 else ""
    title = about.title or only or readable_title(name)
    sections = finished([*conversation_sections(chats, title, by_day=by_day), *extra], title)
    said, _ = rendered([message for chat in chats[:20] for message in chat.messages[:50]])
    return Source(
        title=title,
        reader="chat",
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


def first_date(conversations: Sequence[Conversation]) -> datetime | None:
    """When the first dated message was written; None where no stamp can be read as a time."""
    for conversation in conversations:
        opening = [message.stamp for message in conversation.messages[:_OPENING]]
        if found := next(filter(None, stamp_dates(opening)), None):
            return found
    return None


def conversation_sections(
    conversations: Sequence[Conversation], title: str, *, by_day: bool = False
) -> list[Section]:
    """A section for each conversation; for each day where there is only one over several days."""
    alone = len(conversations) == 1
    sections: list[Section] = []
    for number, chat in enumerate(conversations, start=1):
        dates = stamp_dates([message.stamp for message in chat.messages])
        days = _days(chat.messages, dates) if alone or by_day else {}
        if len(days) > 1:
            name = chat.title if not alone and chat.title else title
            where = "" if alone else f"§ {name}, "
            sections += [
                _section(f"{name}, {day}", f"{where}{day}", said, at)
                for day, (said, at) in days.items()
            ]
            continue
        name, locator = chat.title, chat.title and f"§ {chat.title}"
        if not name and not alone:
            name = first_words(next((m.text for m in chat.messages if m.text), ""))
            day = day_of(next((m.stamp for m in chat.messages if m.stamp), ""))
            locator = joined(f"conversation {number}", day)
        sections.append(_section(name, locator, chat.messages, dates))
    return sections


def rendered(messages: Sequence[Message]) -> tuple[str, tuple[Place, ...]]:
    """The messages as Markdown paragraphs, and where each one that has a time stamp begins."""
    blocks: list[str] = []
    places: list[Place] = []
    offset = 0
    for message in messages:
        if message.stamp:
            label = joined(message.stamp, message.speaker)
            if not places or places[-1].label != label:
                places.append(Place(offset, label))
        said = message.text.strip()
        blocks.append(f"**{message.speaker}:** {said}".rstrip() if message.speaker else said)
        offset += len(blocks[-1]) + 2
    return "\n\n".join(blocks), tuple(places)


def epoch_stamp(seconds: float) -> str:
    """A Unix time as "2026-05-01 10:31" in UTC; milliseconds and finer are told by their size."""
    while 1e11 < abs(seconds) < 1e20:  # seconds reach 1e11 in the year 5138
        seconds /= 1_000
    try:
        at = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):  # not a number, or no such year
        return ""
    return at.strftime("%Y-%m-%d %H:%M")


def _section(
    title: str, locator: str, messages: Sequence[Message], dates: Iterable[datetime | None]
) -> Section:
    text, places = rendered(messages)
    latest = max((at for at in dates if at), default=None)
    return Section("", title, locator, text, places=places, date=latest)


def _days(
    messages: Sequence[Message], dates: Sequence[datetime | None]
) -> dict[str, tuple[list[Message], list[datetime | None]]]:
    """The messages of each day, in order; one without a date belongs to the day before it."""
    days: dict[str, tuple[list[Message], list[datetime | None]]] = {}
    day = next((found for message in messages if (found := day_of(message.stamp))), "")
    for message, at in zip(messages, dates, strict=True):
        day = day_of(message.stamp) or day
        said, when = days.setdefault(day, ([], []))
        said.append(message)
        when.append(at)
    return days
