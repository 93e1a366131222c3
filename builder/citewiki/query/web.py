"""Pages from the web, for `--web`: found, read, and made into pages that can be cited and judged.

They are not of the wiki and say so: their slug is `web:` and their URL, which no page of a wiki
gets, and their title names the host. They are searched, packed, quoted and judged like pages: as a
wiki of their own, which lasts as long as the question (`web_index`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol
from urllib.parse import urldefrag, urlsplit

from citewiki.errors import SourceError
from citewiki.index.index import Index, open_index
from citewiki.model import Page, Problem, Source, SourceRef
from citewiki.store.pages import render_page

PAGES = 4
"""Results that are read for one question."""

QUERY_CHARS = 300
"""Characters of a question that a search engine is asked for."""

_PREFIX = "web:"
_UNREACHABLE = (
    "no search engine can be reached: there seems to be no network",
    "check the connection, or ask without --web",
)
_FAILURES = tuple(
    (re.compile(words), message, hint)
    for words, message, hint in (
        (
            r"ratelimit|rate limit|too many requests|\b(?:202|403|429)\b|captcha|blocked",
            "the search engines refuse more questions from here for now",
            "wait some minutes, or ask without --web",
        ),
        (r"dns|resolv|unreachable|no route|name or service", *_UNREACHABLE),
        (
            r"timed? ?out|deadline",
            "no search engine answered within {timeout} s",
            "try again later, or ask without --web",
        ),
        (
            r"ssl|tls|certificate",
            "the connection to the search engines is not trusted",
            "check the clock and the certificates of this machine, or ask without --web",
        ),
        (r"connect|network|proxy", *_UNREACHABLE),
    )
)  # the first that fits, in the order of what a person can do about it
_CONTROL = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True)
class Found:
    """One result of a search."""

    url: str
    title: str


class Searcher(Protocol):
    """A search engine for the web."""

    def search(self, words: str, limit: int) -> Sequence[Found]:
        """At most `limit` results, the best first. Raises SourceError when it does not answer."""
        ...


@dataclass(frozen=True, slots=True)
class Ddgs:
    """Several public search engines at once, without a key, by the library ddgs."""

    timeout: int = 10  # seconds for one of them

    def search(self, words: str, limit: int) -> Sequence[Found]:
        """At most `limit` results; none is an answer too."""
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException

        try:
            results = DDGS(timeout=self.timeout).text(words, max_results=limit)
        except DDGSException as error:
            if "no results" in str(error).lower():
                return ()
            raise search_failure(error, self.timeout) from error
        return tuple(
            Found(str(each["href"]), str(each.get("title", each["href"])))
            for each in results
            if each.get("href")
        )


def search_failure(error: Exception, timeout: int) -> SourceError:
    """Why the search engines gave nothing, and what to do, without the library's own words.

    The library tells kinds apart by class only for some engines, so its words are looked at too;
    they stay in `__cause__`.
    """
    told = f"{type(error).__name__} {error}".lower()
    for words, message, hint in _FAILURES:
        if words.search(told):
            return SourceError("web search", message.format(timeout=timeout), hint=hint)
    return SourceError(
        "web search",
        "no search engine gave a usable answer",
        hint="try again later, or ask without --web",
    )


@dataclass(frozen=True, slots=True)
class WebPages:
    """What the web gave for a question."""

    pages: tuple[Page, ...]
    problems: tuple[Problem, ...] = ()  # links that gave nothing; they are not cited


def web_pages(
    question: str,
    searcher: Searcher,
    read: Callable[[str], Source],
    *,
    limit: int = PAGES,
) -> WebPages:
    """The pages that the best results lead to, at most `limit`, in the search engine's order.

    `read` gives what is at a URL, or raises SourceError; such a link is left out and the next
    one taken. Raises SourceError when the search itself does not answer.
    """
    pages: dict[str, Page] = {}
    problems: list[Problem] = []
    words = _CONTROL.sub(" ", question).strip()[:QUERY_CHARS]
    for found in dict.fromkeys(searcher.search(words, 2 * limit)) if words else ():
        if len(pages) == limit:
            break
        try:
            source = read(found.url)
        except SourceError as error:
            problems.append(Problem(found.url, error.message, severity="warning", code="web"))
            continue
        page = web_page(source, found)
        if page.body:
            pages.setdefault(page.slug, page)
        else:
            problems.append(Problem(found.url, "has no text", severity="warning", code="web"))
    return WebPages(tuple(pages.values()), tuple(problems))


def web_page(source: Source, found: Found) -> Page:
    """A source from the web as a page; its body is the text of its sections under headings."""
    url = urldefrag(source.url or found.url).url
    host = urlsplit(url).hostname or url
    parts: list[str] = []
    for section in source.sections:
        if section.text.strip():
            if section.title:
                parts.append(f"{'#' * min(section.level + 1, 6)} {section.title}")
            parts.append(section.text.strip())
    slug = _PREFIX + url
    return Page(
        path=slug,
        slug=slug,
        title=f"{source.title or found.title} (web, {host})",
        # A footnote on the web is no evidence of this wiki.
        body="\n\n".join(parts).replace("[^", "[ ^"),
        type="source",
        summary=source.summary,
        sources=(SourceRef("web", url),),
        source_authority=source.authority,
    )


@contextmanager
def web_index(pages: Sequence[Page]) -> Iterator[Index]:
    """An index of nothing but these pages, gone when the block ends; what it finds cites URLs."""
    with TemporaryDirectory(prefix="citewiki-web-") as folder:
        wiki = Path(folder, "wiki")
        wiki.mkdir()
        for number, page in enumerate(pages, 1):
            text = render_page(page)
            Path(wiki, f"web-{number}.md").write_text(text, encoding="utf-8", newline="\n")
        with open_index(wiki, Path(folder, "cache")) as index:
            yield index


def is_web(slug: str) -> bool:
    """Whether a citation is of the web, not of the wiki."""
    return slug.startswith(_PREFIX)
