"""One original in, one `Source` out: finds the reader by content, then by name.

Only a file that cannot be opened is an error. Whatever else is wrong with it (empty, encrypted,
scanned, no text at all) becomes a section that says so, so that nothing is lost silently.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citewiki.errors import SourceError
from citewiki.model import Problem, Section, SectionStatus, Source
from citewiki.sources import kinds
from citewiki.sources.about import readable_title
from citewiki.sources.encoding import decode
from citewiki.sources.html_reader import declared_charset
from citewiki.sources.outline import START

LARGEST = 1 << 30
"""Bytes of the largest file that is read; a reader needs several times its size as memory."""

LARGEST_TEXT = 64 << 20
"""Bytes of the largest text: some 10 million words, more than any book."""


def read_source(path: Path, *, name: str = "", password: str = "") -> Source:
    """What is in the file at `path`; `name` is its original name, when it has another one now.

    `password` opens an encrypted PDF. Raises SourceError when the file cannot be opened.
    """
    name = name or path.name
    try:
        if path.is_dir():
            raise SourceError(str(path), "is a folder", hint="name its files, or ingest the folder")
        size = path.stat().st_size
        if size > LARGEST:
            reason = f"the file has {size >> 20:,} MB, more than {LARGEST >> 20:,}; split it"
            return _without_text(name, kinds.guessed_type(name), "unreadable", reason)
        data = path.read_bytes()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "there is no such file" if missing else error.strerror or "cannot be opened"
        raise SourceError(str(path), why) from error
    except ValueError as error:  # a zero byte in the path
        raise SourceError(str(path), "is not a path") from error
    return read_bytes(data, name, password=password)


def read_bytes(data: bytes, name: str, *, password: str = "") -> Source:
    """What is in a file's bytes; never raises for what they hold."""
    if not data.strip():
        return _without_text(name, kinds.guessed_type(name), "no_text", "the file is empty")
    if kinds.is_pdf(data, name):
        from citewiki.sources import pdf_reader

        return pdf_reader.read(data, name, password=password)
    if media_type := kinds.binary_type(data, name):
        return _unknown(name, media_type, kinds.advice(media_type))
    if len(data) > LARGEST_TEXT:
        reason = f"the text has {len(data) >> 20} MB, more than {LARGEST_TEXT >> 20}; split it"
        return _without_text(name, "text/plain", "unreadable", reason)
    decoded = decode(data, declared=declared_charset(data))
    if not decoded.encoding:
        return _unknown(name, kinds.guessed_type(name), decoded.problem or "")
    if not decoded.text.strip():
        return _without_text(name, kinds.guessed_type(name), "no_text", "the file is empty")
    source = _read_text(decoded.text, name)
    if decoded.problem:
        problem = Problem(name, decoded.problem, severity="warning", code="encoding")
        return replace(source, problems=(*source.problems, problem))
    return source


def _read_text(text: str, name: str) -> Source:
    """The text by the first reader that knows its kind."""
    from citewiki.sources import chat_json, chat_reader, html_reader, markdown_reader, text_reader

    if kinds.is_html(text, name):
        return html_reader.read(text, name)
    if (data := chat_json.parse(text, name)) is not None:
        chat = chat_json.read(data, name)
        return chat or _unknown(name, "application/json", "no chat export of a known form")
    if chat_reader.is_chat(text):
        return chat_reader.read(text, name)
    if kinds.is_markdown(text, name):
        return markdown_reader.read(text, name)
    return text_reader.read(text, name)


def _unknown(name: str, media_type: str, why: str) -> Source:
    reason = f"not a kind of file that can be read ({media_type}{'; ' if why else ''}{why})"
    return _without_text(name, media_type, "unreadable", reason)


def _without_text(name: str, media_type: str, status: SectionStatus, reason: str) -> Source:
    """A source of which nothing could be read, and why."""
    section = Section(START, "", "", status=status, reason=reason)
    return Source(readable_title(name), "none", media_type, (section,))
