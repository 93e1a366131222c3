"""wiki/log.md as the site may show it: as a list, and page by page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from citewiki.errors import PageError
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.site.model import SiteModel
from citewiki.store import catalog
from citewiki.store.catalog import LogLine
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
    """The log of `model`, as its viewer may read it.

    That is lines on pages alone, all of which they see (see `catalog.readable`), whether the wiki
    hides any or not: else the log would tell. Lines that name a page that is not published are not
    shown either; nor, in a snapshot, what came later.
    """
    try:
        lines = catalog.read_log(model.wiki)
    except PageError:
        return Log()
    seen = (*model.pages.values(), *model.unpublished)
    told = catalog.readable(lines, seen, model.config.site.viewer)
    unpublished = {name for page in model.unpublished for name in _names(page)}
    shown = [
        line
        for line in told
        if not (model.is_snapshot and line.at > model.now)
        and unpublished.isdisjoint(map(name_key, _words(line.what)))
    ]
    rows = [catalog.log_lines(line.at, line.who, [line.what])[0] for line in shown]
    return Log(catalog.render_log(rows), _about(shown))


def _about(lines: Iterable[LogLine]) -> dict[str, list[LogLine]]:
    found: dict[str, list[LogLine]] = {}
    for line in lines:
        called = (match[2] or match[1] for match in _CALLED.finditer(line.what))
        linked = (link.target for link in wikilinks(line.what) if link.target)
        for slug in dict.fromkeys((*called, *linked)):
            found.setdefault(slug, []).append(line)
    return found


def _names(page: Page) -> set[str]:
    """What the log may call `page`, folded."""
    return {name_key(name) for name in (page.slug, page.path, f"wiki/{page.path}", page.title)}


def _words(text: str) -> Iterator[str]:
    """What may name a page in a log line: rather too much than too little."""
    yield from (link.target for link in wikilinks(text) if link.target)
    yield from (match[1] for match in _QUOTED.finditer(text))
    yield from (match[0].rstrip(".") for match in _WORD.finditer(text))
