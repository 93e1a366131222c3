"""What a language model would change in the order of the wiki, as far as the pages bear it out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from citewiki.config import Config
from citewiki.distill.duplicates import NEAR
from citewiki.distill.extractive import clean_title
from citewiki.distill.maintain.measures import Matters, shown
from citewiki.distill.maintain.queueing import merge_wanted
from citewiki.distill.maintain.reorganize import EPOCH, Row
from citewiki.distill.related import may_mention
from citewiki.errors import EngineError, EngineRefused, EngineTruncated, EngineUnusable
from citewiki.llm.port import Block, Engine, Request, filled
from citewiki.llm.prompt import block, prompt
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.structure import headings
from citewiki.model import Page, Problem
from citewiki.text.folding import name_key
from citewiki.text.phrases import generic_heading
from citewiki.text.tokens import content_words

TOGETHER = 40
"""Pages that a model looks over at once: some 8,000 tokens (a decision)."""

_QUOTES = 3  # of a page that it is shown


@dataclass(frozen=True, slots=True)
class Change:
    """One change that a model proposes."""

    page: str  # title
    action: Literal["retitle", "move", "merge"]
    to: str
    why: str


@dataclass(frozen=True, slots=True)
class Changes:
    """All of one look."""

    changes: tuple[Change, ...]


def advised(
    rows: Sequence[Row], pages: Iterable[Page], cache: Path, engine: Engine, config: Config
) -> tuple[list[Row], list[Problem]]:
    """The checklist with a model's changes of pages that the rules keep, and what went wrong.

    It is shown pages domain by domain. A new title has to be in words of the page, a new domain
    one whose words are nearer, and pages to be merged have to speak of the same.
    """
    pages = [page for page in pages if may_mention(page, config) and not page.superseded_by]
    check = _Checks(rows, pages, cache)
    problems: list[Problem] = []
    for group in _groups(pages):
        try:
            reply = engine.reply(_request(group, check.domains))
            found = filled(reply, Changes).changes
        except (EngineRefused, EngineTruncated, EngineUnusable) as error:
            message = f"the model gave no advice on its pages: {error.message}"
            problems.append(Problem(group[0].domain, message, 0, "warning", "engine"))
            continue
        except EngineError as error:
            problems.append(Problem("engine", str(error), 0, "error", "stopped"))
            break
        for change in found:
            check.take(change, group)
    return [check.rows[row.slug] for row in rows], problems


def _groups(pages: Iterable[Page]) -> Iterator[list[Page]]:
    by_domain: dict[str, list[Page]] = defaultdict(list)
    for page in pages:
        by_domain[page.domain].append(page)
    for domain in sorted(by_domain):
        own = by_domain[domain]
        for start in range(0, len(own), TOGETHER):
            yield own[start : start + TOGETHER]


def _request(group: Iterable[Page], domains: Iterable[str]) -> Request:
    listed = Block(block("domains", "\n".join(domains)), cache=True)
    told = "\n\n".join(
        block("page", _told(page), title=page.title, domain=page.domain) for page in group
    )
    return Request("distill", prompt("reorganize"), (listed, Block(told)), shape=Changes)


def _told(page: Page) -> str:
    tops = " · ".join(heading.text for heading in headings(page.body))
    quotes = [note.quote for note in footnotes(page.body).values() if note.quote][:_QUOTES]
    return "\n".join(filter(None, (page.summary, tops, *quotes)))


class _Checks:
    """The rows as they become, and what a change has to pass."""

    def __init__(self, rows: Iterable[Row], pages: Sequence[Page], cache: Path) -> None:
        self.rows = {row.slug: row for row in rows}
        self.domains = sorted({page.domain for page in pages if page.domain})
        self._cache = cache
        self._pages: Mapping[str, Page] = {page.slug: page for page in pages}
        self._matters = Matters(pages)
        self._titles = {name_key(name) for p in pages for name in (p.title, *p.aliases)}
        self._taking = {row.to for row in self.rows.values() if row.action == "merge"}

    def take(self, change: Change, group: Iterable[Page]) -> None:
        """Put a change into the checklist if nothing speaks against it."""
        page = _called(change.page, group)
        row = self.rows.get(page.slug) if page else None
        if page is None or row is None or row.action != "keep" or row.why or not change.why.strip():
            return
        to = ""
        if change.action == "retitle":
            to = self._title(page, change.to)
        elif change.action == "move":
            to = self._domain(page, change.to)
        elif page.slug not in self._taking:
            to = self._target(page, change.to)
        if to:
            why = " ".join(change.why.split())
            self.rows[page.slug] = replace(row, action=change.action, to=to, why=why)

    def _title(self, page: Page, wish: str) -> str:
        title = clean_title(wish)
        quotes = " ".join(note.quote for note in footnotes(page.body).values())
        said = set(content_words(f"{page.title}\n{page.summary}\n{shown(page)}\n{quotes}"))
        words = set(content_words(title))
        if not words or not words <= said or generic_heading(title):
            return ""
        if name_key(title) in self._titles:
            return ""
        self._titles.add(name_key(title))
        return title

    def _domain(self, page: Page, wish: str) -> str:
        domain = next((d for d in self.domains if name_key(d) == name_key(wish)), "")
        near = self._matters.nearness(page.slug)
        nearer = near.get(domain, 0.0) > near.get(page.domain, 0.0)
        return domain if domain != page.domain and nearer else ""

    def _target(self, page: Page, wish: str) -> str:
        target = _called(wish, self._pages.values())
        if target is None or target.slug == page.slug or self.rows[target.slug].action != "keep":
            return ""
        if (page.owner, set(page.shared_with)) != (target.owner, set(target.shared_with)):
            return ""
        ours, theirs = (set(content_words(shown(each))) for each in (page, target))
        alike = len(ours & theirs) >= NEAR * max(1, min(len(ours), len(theirs)))
        if not alike or not merge_wanted(target, page, "", self._cache, EPOCH):
            return ""
        self._taking.add(target.slug)
        return target.slug


def _called(title: str, pages: Iterable[Page]) -> Page | None:
    return next((page for page in pages if name_key(page.title) == name_key(title)), None)
