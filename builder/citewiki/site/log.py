"""wiki/log.md as the site may show it: whole, and page by page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from citewiki.errors import PageError
from citewiki.markdown import frontmatter
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.site.model import SiteModel
from citewiki.store import catalog
from citewiki.store.catalog import NOT_FOR_ALL, LogLine
from citewiki.text.folding import name_key

_WORD = re.compile(r"[^\s,;:()“”\"'‘’\[\]`]+")
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_CALLED = re.compile(r"“([^”]+)”(?:\s*\(([^()\s]+)\))?")  # “Title” (slug)


@dataclass(frozen=True, slots=True)
class Log:
    """What of the log may be shown."""

    markdown: str = ""  # "": nothing of it
    about: dict[str, list[LogLine]] = field(default_factory=dict)  # by slug, or else title


def published_log(model: SiteModel) -> Log:
    """The log of `model`: nothing of it where it may name a page that the viewer may not see.

    Lines that name a page that is not published are not shown either; nor, in a snapshot, what
    came later and what a person wrote between the lines, which has no date.
    """
    try:
        text = frontmatter.split((model.wiki / "log.md").read_text(encoding="utf-8-sig"))[1]
        lines = catalog.read_log(model.wiki)
    except (OSError, UnicodeDecodeError, PageError):
        return Log()
    if model.hides_pages or NOT_FOR_ALL in text:
        return Log()
    unpublished = {name for page in model.unpublished for name in _names(page)}
    shown = [
        line
        for line in lines
        if not (model.is_snapshot and line.at > model.now)
        and unpublished.isdisjoint(map(name_key, _words(line.what)))
    ]
    return Log(_markdown(text, lines, shown, model.is_snapshot), _about(shown))


def _markdown(
    text: str, lines: Iterable[LogLine], shown: Iterable[LogLine], lines_only: bool
) -> str:
    written, kept = set(map(_written, lines)), set(map(_written, shown))
    rows = [row for row in text.splitlines() if row in kept or row not in written]
    if lines_only:
        rows = [row for row in rows if row in kept]
        rows = ["# Log", "", *rows] if rows else []
    return "\n".join(rows)


def _about(lines: Iterable[LogLine]) -> dict[str, list[LogLine]]:
    found: dict[str, list[LogLine]] = {}
    for line in lines:
        called = (match[2] or match[1] for match in _CALLED.finditer(line.what))
        linked = (link.target for link in wikilinks(line.what) if link.target)
        for slug in dict.fromkeys((*called, *linked)):
            found.setdefault(slug, []).append(line)
    return found


def _written(line: LogLine) -> str:
    return catalog.log_lines(line.at, line.who, [line.what])[0]


def _names(page: Page) -> set[str]:
    """What the log may call `page`, folded."""
    return {name_key(name) for name in (page.slug, page.path, f"wiki/{page.path}", page.title)}


def _words(text: str) -> Iterator[str]:
    """What may name a page in a log line: rather too much than too little."""
    yield from (link.target for link in wikilinks(text) if link.target)
    yield from (match[1] for match in _QUOTED.finditer(text))
    yield from (match[0].rstrip(".") for match in _WORD.finditer(text))
