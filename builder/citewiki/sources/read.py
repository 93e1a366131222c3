"""One original in, one `Source` out: finds the reader by content, then by name.

Only a file that cannot be opened is an error. Whatever else is wrong with it (empty, encrypted,
scanned, no text at all) becomes a section that says so, so that nothing is lost silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, TypeVar

from citewiki.config import PrivacyConfig
from citewiki.errors import SourceError
from citewiki.model import Problem, Section, SectionStatus, Source
from citewiki.sources import export_kinds as exports
from citewiki.sources import kinds
from citewiki.sources.about import readable_title
from citewiki.sources.archive import Archive, is_zip
from citewiki.sources.encoding import decode
from citewiki.sources.kinds import declared_charset
from citewiki.sources.outline import START
from citewiki.sources.privacy import masked

LARGEST = 512 << 20
"""Bytes of the largest file that is read: it is held in memory, once."""

LARGEST_TEXT = 32 << 20
"""Bytes of the largest text: some 5 million words, more than any book."""

MOST_LINES = 1_000_000
"""Lines of the largest text; one of the largest size with whole sentences has half as many."""

MOST_VALUES = 8_000_000
"""Values of the largest JSON; each takes some 70 bytes of memory."""

PRIVACY = PrivacyConfig()
"""What is taken out when nothing else is said: everything that can be found."""

AS_IT_IS = PrivacyConfig(mask=())
"""For those who take it out themselves, and to hold quotes against what a source really says."""

Content = TypeVar("Content")


@dataclass(frozen=True, slots=True)
class Kind(Generic[Content]):
    """A kind of file: a row of the tables below.

    `module` is that of its reader, imported when the first such file comes. Its function
    `read(content, name) -> Source | None` gives None for what is of another kind after all (the
    rows below are asked then), and raises SourceError for what cannot be read.
    """

    module: str  # below citewiki.sources
    tells: Callable[[Content, str], bool]  # whether content, in a file of that name, is of the kind
    is_locked: bool = False  # whether `read` also takes `password=`

    def read(self, content: Content, name: str, password: str) -> Source | None:
        reader = import_module(f"citewiki.sources.{self.module}")
        options = {"password": password} if self.is_locked else {}
        source: Source | None = reader.read(content, name, **options)
        return source


# In each table the first row that can tell and read the content wins: special kinds come first.
# Content is tried as bytes, then as a zip, then as text, which may be JSON.
BYTES: tuple[Kind[bytes], ...] = (
    Kind("pdf_reader", kinds.is_pdf, is_locked=True),
    Kind("rtf_reader", kinds.is_rtf),
    Kind("images", exports.is_image),
    Kind("feeds", exports.is_feed),
    Kind("mail_reader", exports.is_mail),
    Kind("chat_large", exports.is_large_chat),
)
ZIPS: tuple[Kind[Archive], ...] = (
    Kind("epub_reader", kinds.is_epub),
    Kind("docx_reader", kinds.is_docx),
    Kind("pptx_reader", kinds.is_pptx),
    Kind("xlsx_reader", kinds.is_xlsx),
    Kind("odt_reader", kinds.is_odt),
    Kind("twitter", exports.is_twitter_zip),
    Kind("chat_zip", exports.is_chat_zip),
    Kind("dayone", exports.is_journal_zip),
    Kind("notion", exports.is_notion),
    Kind("vault", exports.is_folder),
)
JSONS: tuple[Kind[Any], ...] = (
    Kind("notebook_reader", kinds.anything),
    Kind("canvas", exports.is_canvas),
    Kind("dayone", exports.is_journal),
    Kind("feeds", exports.is_json_feed),
    Kind("chat_takeout", exports.is_activity),
    Kind("chat_json", kinds.anything),
    Kind("json_records", kinds.anything),
)
TEXTS: tuple[Kind[str], ...] = (
    Kind("twitter", exports.is_twitter_script),
    Kind("imessage", exports.is_imessage),
    Kind("html_reader", kinds.is_html),
    Kind("org_reader", kinds.is_org),
    Kind("rst_reader", kinds.is_rst),
    Kind("chat_reader", kinds.anything),
    Kind("csv_reader", kinds.may_be_csv),
    Kind("markdown_reader", kinds.is_markdown),
    Kind("text_reader", kinds.anything),
)


def read_source(
    path: Path, *, name: str = "", password: str = "", privacy: PrivacyConfig = PRIVACY
) -> Source:
    """What is in the file at `path`; `name` is its original name, when it has another one now.

    `password` opens an encrypted file; `privacy` says what is taken out of its text before anybody
    sees it. Raises SourceError when the file cannot be opened.
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
    return read_bytes(data, name, password=password, privacy=privacy)


def read_bytes(
    data: bytes, name: str, *, password: str = "", privacy: PrivacyConfig = PRIVACY
) -> Source:
    """What is in a file's bytes; never raises for what they hold."""
    return masked(_read(data, name, password), privacy)


def _read(data: bytes, name: str, password: str) -> Source:
    if not data.strip():
        return _without_text(name, kinds.guessed_type(name), "no_text", "the file is empty")
    try:
        source = _by_first(BYTES, data, name, password)
        if source is None and is_zip(data):
            source = _by_first(ZIPS, Archive(data, name), name, password)
        if kinds.is_encrypted_office(data):
            reason = "it is encrypted; save it without its password"
            return _without_text(name, kinds.guessed_type(name), "encrypted", reason)
        if source is None and (media_type := kinds.binary_type(data, name)):
            return _unknown(name, media_type, kinds.advice(media_type))
        return source or _read_as_text(data, name, password)
    except SourceError as error:
        media_type = kinds.binary_type(data, name) or kinds.guessed_type(name)
        reason = f"{error.reason}; {error.hint}" if error.hint else error.reason
        return _without_text(name, media_type, "unreadable", reason)


def _read_as_text(data: bytes, name: str, password: str) -> Source:
    if len(data) > LARGEST_TEXT:
        reason = f"the text has {len(data) >> 20} MB, more than {LARGEST_TEXT >> 20}; split it"
        return _without_text(name, "text/plain", "unreadable", reason)
    decoded = decode(data, declared=declared_charset(data))
    if not decoded.encoding:
        return _unknown(name, kinds.guessed_type(name), decoded.problem or "")
    if not decoded.text.strip():
        return _without_text(name, kinds.guessed_type(name), "no_text", "the file is empty")
    source = _read_text(decoded.text, name, password)
    if decoded.problem:
        problem = Problem(name, decoded.problem, severity="warning", code="encoding")
        return replace(source, problems=(*source.problems, problem))
    return source


def _read_text(text: str, name: str, password: str) -> Source:
    """The text by the first reader that knows its kind."""
    if (data := parsed_json(text, name)) is not None:
        why = "no JSON of a known form"
        return _by_first(JSONS, data, name, password) or _unknown(name, "application/json", why)
    if text.count("\n") > MOST_LINES and not name.lower().endswith(kinds.TABLE_SUFFIXES):
        raise SourceError(name, f"the text has more than {MOST_LINES:,} lines", hint="split it")
    source = _by_first(TEXTS, text, name, password)
    assert source is not None, "the last row reads any text"
    return source


def parsed_json(text: str, name: str) -> Any:
    """The JSON that a text is: one value, or the list of the values on its lines (JSON Lines).

    None when it is no JSON. Without a name that says so, it must hold an object: Markdown may
    well begin with "[1]". Raises SourceError when it is too large.
    """
    if not text.lstrip().startswith(("{", "[")):
        return None
    if sum(map(text.count, "{[,")) > MOST_VALUES:
        raise SourceError(name, f"the JSON has more than {MOST_VALUES:,} values", hint="split it")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # ValueError covers JSONDecodeError and huge integers
        try:
            data = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    named = name.lower().endswith((".json", ".jsonl", ".ndjson", ".ipynb"))
    holds_object = isinstance(data, dict) or any(isinstance(item, dict) for item in data)
    return data if named or holds_object else None


def _by_first(
    rows: Iterable[Kind[Content]], content: Content, name: str, password: str
) -> Source | None:
    """What the first row that tells the content reads; None when no row does."""
    told = (row for row in rows if row.tells(content, name))
    found = (row.read(content, name, password) for row in told)
    return next((source for source in found if source is not None), None)


def _unknown(name: str, media_type: str, why: str) -> Source:
    reason = f"not a kind of file that can be read ({media_type}{'; ' if why else ''}{why})"
    return _without_text(name, media_type, "unreadable", reason)


def _without_text(name: str, media_type: str, status: SectionStatus, reason: str) -> Source:
    """A source of which nothing could be read, and why."""
    section = Section(START, "", "", status=status, reason=reason)
    return Source(readable_title(name), "none", media_type, (section,))
