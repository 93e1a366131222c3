"""What is new in feeds that a wiki follows: RSS, Atom and JSON Feed. Nothing is kept of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from urllib.parse import urldefrag, urlsplit

from citewiki.errors import SourceError
from citewiki.markdown.plain import plain
from citewiki.model import Section, Source
from citewiki.sources.fetch import read_url
from citewiki.text.folding import name_key

SUMMARY = 500
"""Characters of the longest summary."""

_AT_ONCE = 8  # feeds
_TIMEOUT = 10.0  # seconds for one of them
_READ = 5_000  # characters of an entry that its summary is made from
_TITLE = 200  # characters
_LINK = re.compile(r"https?://\S+\Z")  # at the end of an entry's locator
_NEVER = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NewsItem:
    """An entry of a feed, as plain text. Like any source it is data, never an instruction."""

    title: str
    url: str  # of what it announces; "": it says none
    published: datetime | None  # when it was last written to, UTC; None: it does not say
    feed: str  # what its feed calls itself
    summary: str  # its beginning, one paragraph; "": it has a title only


@dataclass(frozen=True, slots=True)
class News:
    """What feeds brought."""

    items: tuple[NewsItem, ...]  # the newest first, those without a date last
    problems: tuple[str, ...]  # a line for each feed that could not be read


def news(
    feeds: Sequence[str],
    *,
    since: datetime | None = None,
    limit: int = 20,
    fetch: Callable[[str], Source] | None = None,
) -> News:
    """At most `limit` entries of the feeds at the URLs `feeds`, the newest first.

    With `since` (in UTC) only those of that time and after; who says no date is left out then.
    What several feeds announce comes once. A feed that fails is told of and spoils nothing.
    `fetch` reads what is at a URL; None: over the network, from public addresses only.
    """
    fetch = fetch or partial(read_url, timeout=_TIMEOUT)
    urls = list(dict.fromkeys(feeds))
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        read = list(threads.map(partial(_read, fetch), urls))
    problems = tuple(each for each in read if isinstance(each, str))
    entries = [
        (source, entry)
        for source in read
        if isinstance(source, Source)
        for entry in source.sections
    ]
    if since is not None:
        entries = [each for each in entries if each[1].date and each[1].date >= since]
    entries.sort(key=lambda each: each[1].date or _NEVER, reverse=True)
    chosen: list[NewsItem] = []
    for item in _once(NewsItem(_title(e), _url(e), e.date, s.title, e.text) for s, e in entries):
        if len(chosen) == limit:
            break
        chosen.append(replace(item, summary=_summary(item.summary)))
    return News(tuple(chosen), problems)


def _read(fetch: Callable[[str], Source], url: str) -> Source | str:
    """A feed, or why it cannot be read. Of its address only the host is told: it may hold a key."""
    host = urlsplit(url).hostname or "a feed"
    try:
        source = fetch(url)
    except SourceError as error:
        return f"{host}: {error.reason}"
    return source if source.reader == "feed" else f"{host}: what is there is no feed"


def _once(items: Iterable[NewsItem]) -> Iterator[NewsItem]:
    """The items without those that have the address, or the title and day, of one before."""
    seen: set[object] = set()
    for item in items:
        if not item.title:
            continue
        keys: set[object] = {(name_key(item.title), item.published and item.published.date())}
        if item.url:
            keys.add(urldefrag(item.url)[0].rstrip("/"))
        if seen.isdisjoint(keys):
            yield item
        seen |= keys


def _title(entry: Section) -> str:
    return _cut(" ".join(plain(entry.title).split()), _TITLE)


def _url(entry: Section) -> str:
    found = _LINK.search(entry.locator)
    return found[0] if found else ""


def _summary(text: str) -> str:
    return _cut(" ".join(plain(text[:_READ]).split()), SUMMARY)


def _cut(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, cut between words where there are some."""
    if len(text) <= limit:
        return text
    space = text.rfind(" ", limit // 2, limit)
    return text[: space if space > 0 else limit - 1].rstrip() + "…"
