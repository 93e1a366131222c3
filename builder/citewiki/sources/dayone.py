"""Day One journals: the JSON of an export, alone or in its zip. A diary entry is a section."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.about import moment
from citewiki.sources.archive import Archive
from citewiki.sources.archive_files import files, unreadable
from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import clean, decode
from citewiki.sources.entries import Entry, archive_source, first_words, joined, left_out, line
from citewiki.sources.export_kinds import is_journal
from citewiki.sources.read import parsed_json

_HEADING = re.compile(r"\A\s*#{1,6}[ \t]+(?P<title>[^\n]+)\n*")
_ESCAPED = re.compile(r"(?<=\S)\\([.!()+\-])")  # Day One escapes all punctuation
_PLACE = ("placeName", "localityName", "administrativeArea", "country")
_MEDIA = (
    ("photos", "Pictures"),
    ("videos", "Videos"),
    ("audios", "Recordings"),
    ("pdfAttachments", "Files"),
)
_SAID_OF_MEDIA = ("caption", "title", "filename", "pdfName", "transcription")


def read(content: Any, name: str) -> Source | None:
    """The entries of a journal, or of all journals of a zip; None when there are none."""
    if not isinstance(content, Archive):
        return _source(list(_entries(content, "")), name, "application/json")
    members, found = files(content)
    rest: list[str] = []
    journals = 0
    for member in members:
        if member.suffix != ".json":
            rest.append(member.path)
            continue
        try:
            data = parsed_json(decode(member.data()).text, member.path)
        except SourceError as error:
            found.append(unreadable(member.path, error.reason))
            continue
        if is_journal(data, member.path):
            journals += 1
            found += _entries(data, member.stem)
        else:
            found.append(unreadable(member.path, "is no journal"))
    if not journals:
        return None
    if rest:
        found.append(left_out(rest, "pictures and recordings, named where they belong"))
    return _source(found, name, "application/zip")


def _source(entries: list[Entry], name: str, media_type: str) -> Source:
    return archive_source(entries, name, reader="dayone", media_type=media_type, authority="note")


def _entries(data: dict[str, Any], journal: str) -> Iterator[Entry]:
    for item in data["entries"]:
        if isinstance(item, dict):
            yield _entry(item, journal)


def _entry(item: dict[str, Any], journal: str) -> Entry:
    at = moment(item.get("creationDate"))
    written = _ESCAPED.sub(r"\1", clean(_text(item)))
    heading = _HEADING.match(written)
    body = clean_markdown(written[heading.end() :] if heading else written)
    when = _local(at, line(item.get("timeZone")))
    title = line(heading["title"]) if heading else first_words(body)
    place = _place(item.get("location"))
    media = [shown for key, name in _MEDIA if (shown := _media(item.get(key), name))]
    blocks = [body, f"Place: {place}." if place else "", *media]
    if not body and not media:
        blocks = []
    tags = item.get("tags")
    return Entry(
        title=title or joined("Entry", when, by=" of "),
        text="\n\n".join(filter(None, blocks)),
        locator=joined("entry of " + when if when else "", journal),
        date=at,
        key=line(item.get("uuid")),
        tags=tuple(filter(None, map(line, tags))) if isinstance(tags, list) else (),
    )


def _text(item: dict[str, Any]) -> str:
    """The entry's Markdown, or the plain words of its rich text."""
    if isinstance(text := item.get("text"), str) and text.strip():
        return text
    if not isinstance(rich := item.get("richText"), str):
        return ""
    try:
        data = json.loads(rich)
    except (ValueError, RecursionError):
        return ""
    contents = data.get("contents") if isinstance(data, dict) else None
    pieces = [piece.get("text") for piece in contents or () if isinstance(piece, dict)]
    return "".join(piece for piece in pieces if isinstance(piece, str))


def _local(at: datetime | None, zone: str) -> str:
    """The day and time that the program shows."""
    if at is None:
        return ""
    with suppress(ZoneInfoNotFoundError, ValueError, OSError, OverflowError):
        at = at.astimezone(ZoneInfo(zone)) if zone else at  # an unknown zone: UTC, as stored
    return f"{at:%Y-%m-%d %H:%M}"


def _place(location: object) -> str:
    if not isinstance(location, dict):
        return ""
    return ", ".join(dict.fromkeys(filter(None, (line(location.get(key)) for key in _PLACE))))


def _media(items: object, name: str) -> str:
    """The media of an entry by file name, with what is said of them."""
    shown = []
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            file = joined(line(item.get("md5")), line(item.get("type")), by=".")
            said = next(filter(None, (line(item.get(key)) for key in _SAID_OF_MEDIA)), "")
            shown.append(joined(said, file and f"({file})", by=" "))
    return f"{name}: {', '.join(filter(None, shown))}." if any(shown) else ""
