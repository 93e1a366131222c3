"""Feeds: RSS, Atom and JSON Feed, as saved files. An entry is a section; nothing is fetched."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from citewiki.model import Source
from citewiki.sources.about import moment
from citewiki.sources.entries import Entry, archive_source, day, first_words, joined, line
from citewiki.sources.html_fragment import fragment_markdown


def read(content: Any, name: str) -> Source | None:
    """The entries of a feed; None for what has no entries that can be read."""
    if isinstance(content, bytes):
        return _read_xml(content, name)
    entries = [_json_entry(item) for item in content["items"] if isinstance(item, dict)]
    return archive_source(
        entries,
        name,
        reader="feed",
        media_type="application/feed+json",
        authority="blog",
        title=line(content.get("title")),
        url=_address(content.get("home_page_url")),
        author=_authors(content.get("authors")),
        language_code=line(content.get("language"))[:2].lower(),
    )


def _read_xml(data: bytes, name: str) -> Source | None:
    import feedparser

    found = feedparser.parse(io.BytesIO(data), sanitize_html=True, resolve_relative_uris=True)
    if not found.entries and not found.feed.get("title"):
        return None
    return archive_source(
        [_entry(entry) for entry in found.entries],
        name,
        reader="feed",
        media_type="application/atom+xml"
        if str(found.version).startswith("atom")
        else "application/rss+xml",
        authority="blog",
        title=fragment_markdown(str(found.feed.get("title") or "")),
        url=_address(found.feed.get("link")),
        author=line(found.feed.get("author")),
        language_code=line(found.feed.get("language"))[:2].lower(),
    )


def _entry(entry: Mapping[str, Any]) -> Entry:
    published = _date(entry.get("published_parsed"))
    updated = _date(entry["updated_parsed"]) if "updated_parsed" in entry else None
    published = published or updated
    pieces = [str(part.get("value") or "") for part in entry.get("content") or ()]
    text = fragment_markdown(max([*pieces, str(entry.get("summary") or "")], key=len))
    link = _address(entry.get("link"))
    tags = [line(tag.get("term")) for tag in entry.get("tags") or ()]
    return Entry(
        title=line(fragment_markdown(str(entry.get("title") or ""))) or first_words(text),
        text=joined(text, _enclosed(entry.get("enclosures")), by="\n\n"),
        locator=joined(f"entry of {day(published)}" if published else "", link) or "entry",
        date=max(filter(None, (updated, published)), default=None),
        key=line(entry.get("id")) or link,
        tags=tuple(filter(None, tags)),
    )


def _json_entry(item: dict[str, Any]) -> Entry:
    published = moment(item.get("date_published"))
    html = item.get("content_html")
    text = fragment_markdown(html) if isinstance(html, str) else ""
    text = text or str(item.get("content_text") or item.get("summary") or "")
    link = _address(item.get("url"))
    tags = item.get("tags")
    return Entry(
        title=line(item.get("title")) or first_words(text),
        text=text,
        locator=joined(f"entry of {day(published)}" if published else "", link) or "entry",
        date=moment(item.get("date_modified")) or published,
        key=line(item.get("id")) or link,
        tags=tuple(filter(None, map(line, tags))) if isinstance(tags, list) else (),
    )


def _enclosed(enclosures: Any) -> str:
    """The episodes and files that an entry points at."""
    links = [_address(item.get("href")) for item in enclosures or () if isinstance(item, Mapping)]
    return f"Attached: {', '.join(filter(None, links))}" if any(links) else ""


def _date(parsed: Any) -> datetime | None:
    """A time.struct_time in UTC, as feedparser gives it."""
    try:
        return datetime(*parsed[:6]).replace(tzinfo=UTC) if parsed else None
    except (ValueError, TypeError):
        return None


def _address(url: object) -> str:
    text = line(url)
    return text if text.startswith(("http://", "https://")) else ""


def _authors(people: object) -> str:
    names = (
        [line(p.get("name")) for p in people if isinstance(p, dict)]
        if isinstance(people, list)
        else []
    )
    return ", ".join(filter(None, names))
