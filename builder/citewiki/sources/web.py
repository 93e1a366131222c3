"""What is at a URL, taken in as a file: its snapshot, under a name that says where it came from."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from citewiki.sources.addresses import public
from citewiki.text.slugs import slugify

if TYPE_CHECKING:
    from citewiki.sources.fetch import Addresses, Fetched

LARGEST = 100 << 20
"""Bytes of the largest file that is fetched: a long illustrated PDF."""

SECONDS = 60.0

TYPES = (
    "application/epub+zip",
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.text",
    "application/rtf",
    "application/rss+xml",
    "application/atom+xml",
    "application/x-ipynb+json",
    "application/jsonl",
    "application/x-ndjson",
    "application/mbox",
    "application/zip",
    "image/",
    "message/rfc822",
)
"""Beginnings of the media types that a source may have, besides those of every web page."""

_URL = re.compile(r"https?://", re.I)
_SUFFIXES = {
    "application/epub+zip": ".epub",
    "application/json": ".json",
    "application/x-ipynb+json": ".ipynb",
    "application/xhtml+xml": ".html",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
}
_LONGEST_NAME = 100  # characters


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a URL gave, and what its file is called."""

    url: str  # where it was found, after redirects: the source's name from now on
    name: str  # "example.org-hybrid-search.html"
    data: bytes


def is_url(text: str) -> bool:
    """Whether it is the address of a page, and not a path."""
    return bool(_URL.match(text))


def snapshot(
    url: str, *, allow: Callable[[str], bool] = public, resolve: Addresses | None = None
) -> Snapshot:
    """What is at `url` now. Raises SourceError as `fetch` does."""
    from citewiki.sources.fetch import READABLE, fetch

    types = (*READABLE, *TYPES)
    found = fetch(
        url, max_bytes=LARGEST, timeout=SECONDS, types=types, allow=allow, resolve=resolve
    )
    return Snapshot(found.url, snapshot_name(found), found.data)


def snapshot_name(found: Fetched) -> str:
    """The file's name from host and path; a query is told apart by its hash."""
    parts = urlsplit(found.url)
    path = PurePosixPath(unquote(parts.path).strip("/"))
    suffix = _SUFFIXES.get(found.media_type) or _suffix(path, found.media_type)
    stem = path.with_suffix("") if path.suffix.lower() == suffix else path
    host = (parts.hostname or "").removeprefix("www.")
    words = slugify(" ".join(filter(None, re.split(r"[/.]+", stem.as_posix()))) or "home")
    query = f"-{hashlib.sha256(parts.query.encode()).hexdigest()[:8]}" if parts.query else ""
    return f"{host}-{words}"[:_LONGEST_NAME].rstrip("-") + query + suffix


def _suffix(path: PurePosixPath, media_type: str) -> str:
    """The path's own, where it fits the type or the type says little; else the type's usual one."""
    known = mimetypes.guess_type(path.name)[0]
    if path.suffix and (known == media_type or media_type.startswith("text/plain")):
        return path.suffix.lower()
    return mimetypes.guess_extension(media_type) or ""
