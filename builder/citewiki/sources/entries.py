"""Entries of an archive (mails, notes, posts, diary entries): sections of one source.

An archive is one source and each of its entries a section, so that coverage accounts for all of
them. Readers of archives end here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from citewiki.markdown.structure import headings
from citewiki.model import Place, Problem, Section, SectionStatus, Source
from citewiki.sources.about import readable_title
from citewiki.sources.encoding import clean
from citewiki.sources.outline import finished
from citewiki.text.language import language

TITLE_CHARS = 70
"""Of a title that is made from an entry's first words."""

_LONGEST_TITLE = 300  # characters; what a feed or mail calls itself may have no end
_LANGUAGE_SAMPLE = 20_000  # characters
_MARKS = "#>*_-–—•·|` \t:.,;"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, as its reader understood it."""

    title: str
    text: str  # Markdown
    locator: str  # how a person finds it in the original: "2026-05-01 10:31, Alice"
    date: datetime | None = None  # when its latest words were written; UTC
    key: str = ""  # what its id is made from when its title is not its own or may change
    places: tuple[Place, ...] = ()  # empty: they are its headings
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    status: SectionStatus = "pending"
    reason: str = ""  # set with every status but pending


def archive_source(
    entries: Iterable[Entry],
    name: str,
    *,
    reader: str,
    media_type: str,
    authority: str,
    title: str = "",
    author: str = "",
    url: str = "",
    problems: tuple[Problem, ...] = (),
    language_code: str = "",
) -> Source:
    """The source of an archive's entries, in their order; `name` is the file's."""
    given = list(entries)
    title = line(title)[:_LONGEST_TITLE] or readable_title(name)
    sections = finished(map(section, given), title)
    dates = [entry.date for entry in given if entry.date]
    return Source(
        title=title,
        reader=reader,
        media_type=media_type,
        sections=sections,
        authority=authority,
        language=language_code or _language(given),
        author=line(author),
        date=max(dates, default=None),
        url=url,
        problems=problems,
    )


def line(text: object) -> str:
    """A value of an export as one clean line; "" for what is no text or number."""
    if isinstance(text, bool) or not isinstance(text, str | int | float):
        return ""
    return " ".join(clean(str(text)).split())


def first_words(text: str, limit: int = TITLE_CHARS) -> str:
    """The first line that says something, cut between words: a title for what has none."""
    for row in text.split("\n"):
        words = row.strip(_MARKS)
        if any(map(str.isalnum, words)):
            return _cut(" ".join(words.split()), limit)
    return ""


def day(at: datetime | None) -> str:
    """ "2026-05-01"; "" when there is no date."""
    return f"{at:%Y-%m-%d}" if at else ""


def minute(at: datetime | None) -> str:
    """ "2026-05-01 10:31" in UTC; "" when there is no date."""
    return f"{at:%Y-%m-%d %H:%M}" if at else ""


def joined(*parts: str, by: str = ", ") -> str:
    """The parts that say something."""
    return by.join(part for part in parts if part)


def left_out(names: Sequence[str], why: str) -> Entry:
    """The one section that accounts for what an archive holds beside its entries."""
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")
    count = f"{len(names):,} other files" if len(names) > 1 else "another file"
    reason = f"{count} of the archive: {why} ({shown})"
    return Entry("", "", "other files", key="other files", status="skipped", reason=reason)


def section(entry: Entry) -> Section:
    """The entry as a section, whose id is still to be told apart from others."""
    text = clean(entry.text).strip("\n").rstrip()
    # What was cut in front of the text moves its places.
    shift = len(entry.text) - len(entry.text.lstrip("\n"))
    places = tuple(replace(place, offset=place.offset - shift) for place in entry.places)
    return Section(
        id=entry.key or joined(line(entry.title), day(entry.date), by=" "),
        title=line(entry.title)[:_LONGEST_TITLE],
        locator=line(entry.locator),
        text=text,
        places=places or _heading_places(text, entry.locator),
        status=entry.status,
        reason=entry.reason,
        date=entry.date,
        aliases=entry.aliases,
        tags=entry.tags,
    )


def _heading_places(text: str, locator: str) -> tuple[Place, ...]:
    found = [(heading.start, heading.text) for heading in headings(text) if heading.text]
    labelled = tuple(Place(start, joined(locator, words, by=" › ")) for start, words in found)
    if labelled and labelled[0].offset > 0 and locator:
        return (Place(0, locator), *labelled)
    return labelled


def _language(entries: Sequence[Entry]) -> str:
    sample = ""
    for entry in entries:
        sample += entry.text[:2_000] + "\n"
        if len(sample) > _LANGUAGE_SAMPLE:
            break
    return language(sample)


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    space = text.rfind(" ", limit // 2, limit)
    return text[: space if space > 0 else limit].rstrip(_MARKS) + "…"
