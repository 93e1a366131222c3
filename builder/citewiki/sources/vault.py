"""Folders of notes as a zip: an Obsidian vault, Apple Notes, or any folder of documents.

A note is a section: its name is what others link, so it is not cut at its headings. Files of other
kinds that have a reader bring their own sections.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape
from pathlib import PurePosixPath

from citewiki.errors import SourceError
from citewiki.model import Place, Section, Source
from citewiki.sources import canvas
from citewiki.sources.about import About, moment, split_about
from citewiki.sources.archive import Archive
from citewiki.sources.archive_files import File, files, unreadable
from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import decode
from citewiki.sources.entries import Entry, archive_source, joined, left_out, line
from citewiki.sources.export_kinds import ATTACHMENTS, is_canvas
from citewiki.sources.html_fragment import fragment_markdown
from citewiki.sources.kinds import declared_charset
from citewiki.sources.read import AS_IT_IS, parsed_json, read_bytes
from citewiki.sources.text_reader import as_markdown
from citewiki.sources.vault_links import Titles, linked
from citewiki.text.folding import name_key

NOTES = frozenset((".md", ".markdown", ".txt", ".html", ".htm"))
_MARKDOWN = frozenset((".md", ".markdown"))
_BIN = frozenset(("recently deleted", "trash", ".trash", "zuletzt gelöscht", "最近删除"))
_ANCHOR = re.compile(
    r"<a\b[^<>]{0,1000}?\bhref=[\"'](?P<url>[^\"'<>\s]{1,1000})[\"'][^<>]{0,500}>"
    r"(?P<words>[^<]{0,500})</a>",
    re.I,
)
_TITLE_HEADING = re.compile(r"\A\s*#[ \t]+(?P<title>[^\n]+)\n*")


def read(archive: Archive, name: str) -> Source | None:
    """The notes of a folder; None when nothing in it can be read."""
    found, entries = files(archive)
    notes = [file for file in found if file.suffix in NOTES or file.suffix == ".canvas"]
    titles = Titles({file.path: file.stem for file in notes})
    rest: list[str] = []
    for file in found:
        if file.suffix in ATTACHMENTS:
            rest.append(file.path)
            continue
        try:
            entries += _entries(file, titles)
        except SourceError as error:
            entries.append(unreadable(file.path, error.reason))
    if not any(entry.status == "pending" for entry in entries):
        return None
    if rest:
        entries.append(left_out(rest, "attachments and settings, named where they belong"))
    return archive_source(
        entries,
        name,
        reader="notes",
        media_type="application/zip",
        authority="note",
    )


def note_entry(text: str, path: str, titles: Titles) -> Entry:
    """The note in the file `path` of an archive, as one entry; `text` is decoded."""
    suffix, stem = _suffix(path), PurePosixPath(path).stem
    about, body = (split_about(text, path)) if suffix in _MARKDOWN else (About(), text)
    if suffix in _MARKDOWN:
        body = clean_markdown(linked(body, path, titles))
    elif suffix == ".txt":
        opening, _, rest = body.lstrip().partition("\n")
        same = name_key(opening.strip()) == name_key(stem)  # Apple Notes: the title is a line too
        body = as_markdown(rest if same else body)
    else:
        body = fragment_markdown(_ANCHOR.sub(lambda found: _wikilink(found, path, titles), body))
    heading = _TITLE_HEADING.match(body)
    title = about.title or stem
    names = [*about.aliases]
    if heading:
        said = line(heading["title"])
        if name_key(said) == name_key(title):
            body = body[heading.end() :]
        else:
            names.append(said)
    names.append(stem)
    return Entry(
        title=title,
        text=body,
        locator=_locator(path),
        date=about.date or moment(stem[:10]),
        key=_locator(path),
        tags=about.tags,
        aliases=tuple(dict.fromkeys(n for n in names if name_key(n) != name_key(title))),
    )


def _wikilink(anchor: re.Match[str], path: str, titles: Titles) -> str:
    """A link of HTML to another file of the archive, as a link to its page."""
    title, words = titles.at(unescape(anchor["url"]), path), unescape(anchor["words"]).strip()
    if not title:
        return anchor[0]
    return escape(f"[[{title}|{words}]]" if words not in ("", title) else f"[[{title}]]")


def document_entries(source: Source, path: str) -> Iterator[Entry]:
    """The sections of a file that has a reader of its own, as entries of its archive."""
    where = _locator(path)
    for section in source.sections:
        yield Entry(
            title=section.title or source.title,
            text=section.text,
            locator=joined(where, section.locator, by=", "),
            date=section.date or source.date,
            key=f"{where} {section.id}",
            places=_within(section, where),
            tags=(*section.tags, *source.tags),
            aliases=section.aliases,
            status=section.status,
            reason=section.reason,
        )


def _entries(file: File, titles: Titles) -> Iterator[Entry]:
    if file.suffix == ".canvas":
        data = parsed_json(decode(file.data()).text, file.path)
        if is_canvas(data, file.path):
            yield canvas.entry(data, file.stem, _locator(file.path))
            return
        raise SourceError(file.path, "is no canvas")
    if file.suffix not in NOTES:
        yield from document_entries(
            read_bytes(file.data(), PurePosixPath(file.path).name, privacy=AS_IT_IS), file.path
        )
        return
    data = file.data()
    decoded = decode(data, declared=declared_charset(data))
    if not decoded.encoding:
        raise SourceError(file.path, decoded.problem or "it is not text")
    entry = note_entry(decoded.text, file.path, titles)
    folders = {name_key(part) for part in PurePosixPath(file.path).parts[:-1]}
    if binned := folders & _BIN:
        entry = replace(entry, status="skipped", reason=f"it lies in “{binned.pop()}”")
    yield entry


def _within(section: Section, where: str) -> tuple[Place, ...]:
    return tuple(Place(place.offset, f"{where}, {place.label}") for place in section.places)


def _locator(path: str) -> str:
    """Folders and name, as a person clicks through them: "Projects › Search"."""
    parts = list(PurePosixPath(path).with_suffix("").parts)
    if len(parts) > 1 and parts[-1] == parts[-2]:  # a folder for each note, with its attachments
        parts.pop()
    return " › ".join(parts)


def _suffix(path: str) -> str:
    return PurePosixPath(path).suffix.lower()
