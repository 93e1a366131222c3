"""The wiki as an agent reads it: passages for a question, one page at a chosen length, lists."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from citewiki.errors import QuestionError
from citewiki.index.index import Index
from citewiki.llm.prompt import block
from citewiki.markdown.structure import Passage, first_sentences, passages
from citewiki.model import Page, Via, Viewer, iso
from citewiki.query.filter import Filter
from citewiki.query.freshness import Freshness
from citewiki.query.pack import pack
from citewiki.query.question import question
from citewiki.query.retrieve import retrieve
from citewiki.query.times import Moment, outdated
from citewiki.store.catalog import log_lines, read_log, readable
from citewiki.store.confidence import confidence
from citewiki.store.journal import read_text
from citewiki.store.selection import Where, matching
from citewiki.text.folding import name_key

PAGES = {1: 3, 2: 5, 3: 8}
"""How many pages are packed, by depth."""

LEVELS = ("abstract", "overview", "full")

_APART = "\n\n[…]\n\n"  # between passages that do not follow one another


@dataclass(frozen=True, slots=True)
class PackedPassage:
    """A passage that speaks of a question, as its page says it."""

    title: str  # of the page
    slug: str
    heading: str  # the headings that it stands under, outermost first, joined by " › "; "" for none
    text: str  # Markdown with its heading, verbatim
    left_out: bool  # whether its page says something right before it that is not here
    via: Via  # how its page came in
    depth: int  # links followed to its page; 0: its own words were found
    caution: str = ""  # why the page may not hold (any more), one clause; "": nothing speaks for it


@dataclass(frozen=True, slots=True)
class Packed:
    """The best passages for a question; nothing of it was judged."""

    question: str
    passages: tuple[PackedPassage, ...]  # the best page's first, in reading order within a page

    @property
    def markdown(self) -> str:
        """To be read by a model: a marked block for each page, so that its text is a quotation."""
        pages: dict[str, list[PackedPassage]] = {}
        for each in self.passages:
            pages.setdefault(each.slug, []).append(each)
        return "\n\n".join(_page_block(each) for each in pages.values())


@dataclass(frozen=True, slots=True)
class Article:
    """One page, or a part of it, at the length that was asked for."""

    page: Page
    level: str  # one of LEVELS
    heading: str  # of the part; "": of the whole page
    text: str  # Markdown, as the page says it
    headings: tuple[str, ...]  # of the whole page, in reading order
    caution: str = ""  # why it may not hold (any more); "": nothing speaks for it
    confidence: float | None = None  # 0..1; None: nothing to tell it by

    @property
    def facts(self) -> dict[str, str]:
        """What a reader may know about the page, for a person; what is not known is left out."""
        page = self.page
        known = {
            "domain": page.domain,
            "type": page.type,
            "tags": ", ".join(page.tags),
            "owner": page.owner,
            "verified": iso(page.last_verified_at)[:10] if page.last_verified_at else "",
            "holds from": iso(page.valid_from)[:10] if page.valid_from else "",
            "holds until": iso(page.valid_until)[:10] if page.valid_until else "",
            "superseded by": page.superseded_by,
            "confidence": "" if self.confidence is None else f"{self.confidence:g}",
            "sources": "; ".join(
                f"{ref.resource or ref.id}, {ref.locator}".rstrip(", ") for ref in page.sources
            ),
        }
        return {key: value for key, value in known.items() if value}


@dataclass(frozen=True, slots=True)
class Listing:
    """Part of a list of pages."""

    items: tuple[Page, ...]  # by title
    total: int  # of the whole list
    next_offset: int | None  # where the rest begins; None: there is none


def packed(
    index: Index,
    text: str,
    now: datetime,
    *,
    depth: int = 2,
    where: Filter,
    stale_days: int = 90,
    page_chars: int = 4000,
    budget: int = 24000,
) -> Packed:
    """The passages for a question: of 3 pages at depth 1, 5 at 2, 8 at 3. No model is asked.

    Raises QuestionError for a text that is no question.
    """
    asked = question(text)
    found = retrieve(
        index,
        asked,
        depth=depth,
        limit=PAGES[depth],
        as_of=where.as_of,
        known_at=where.known_at,
        domain=where.domain,
    )
    pages = pack(
        index, found.hits, asked, page_chars=page_chars, budget=budget, weighed=found.weighed
    )
    moment = Moment(now, where.as_of, where.known_at)
    freshness = Freshness(index, moment, asked, stale_days, where.domain or "")
    kept: list[PackedPassage] = []
    for each in pages:
        caution = freshness.caution(each.page)
        end = 0
        for part in each.passages:
            passage = PackedPassage(
                each.page.title,
                each.page.slug,
                " › ".join(part.path),
                each.page.body[part.start : part.end].strip(),
                part.start > end,
                each.hit.via,
                each.hit.depth,
                caution.message if caution else "",
            )
            end = part.end
            if passage.text:
                kept.append(passage)
    return Packed(asked.text, tuple(kept))


def article(
    index: Index,
    page: Page,
    moment: Moment,
    *,
    heading: str = "",
    level: str = "full",
    stale_days: int = 90,
) -> Article:
    """`page` at one of three lengths, whole or from one of its headings.

    Its abstract is its summary; the overview adds every heading with its first sentence. Raises
    QuestionError for a heading that it does not have, with those that it has.
    """
    if level not in LEVELS:
        raise QuestionError(f"“{level}” is no level of detail", hint=f"one of {', '.join(LEVELS)}")
    every = passages(page.body)
    named = tuple(part.heading for part in every if part.heading)
    parts = _under(every, heading) if heading else every
    if heading and not parts:
        there = ", ".join(f"“{name}”" for name in named) or "none"
        raise QuestionError(
            f"“{page.title}” has no heading “{heading}”", hint=f"its headings are: {there}"
        )
    trusted = confidence(page, now=moment.at, days=stale_days)
    caution = outdated(page, moment, index.by_slug, stale_days)
    return Article(
        page,
        level,
        parts[0].heading if heading else "",
        _at_level(page, parts, level),
        named,
        caution.message if caution else "",
        trusted.value if trusted else None,
    )


def listing(
    pages: Iterable[Page],
    *,
    domain: str = "",
    tag: str = "",
    owner: str = "",
    stale_days: int | None = None,
    offset: int = 0,
    limit: int = 50,
    now: datetime,
) -> Listing:
    """Of `pages` those that are as asked for, by title: `limit` of them from `offset` on.

    With `stale_days` only those that nobody verified for so many days, or ever.
    """
    found = matching(pages, Where(domain, tag))
    if owner:
        found = [page for page in found if page.owner == owner]
    if stale_days is not None:
        before = now - timedelta(days=stale_days)
        found = [p for p in found if (p.last_verified_at or p.ingested_at or before) <= before]
    found.sort(key=lambda page: (name_key(page.title), page.path))
    end = offset + limit
    return Listing(tuple(found[offset:end]), len(found), end if end < len(found) else None)


def told(wiki: Path, pages: Iterable[Page], viewer: Viewer) -> str:
    """wiki/log.md as `viewer` may read it, of whom `pages` are all that they see.

    Only the operator reads what does not say of which pages it is.
    """
    if viewer is None:
        return read_text(wiki / "log.md", "log.md") or ""
    lines = readable(read_log(wiki), pages, viewer)
    rows = [log_lines(line.at, line.who, [line.what])[0] for line in lines]
    return "\n".join(("# Log", "", *rows, "")) if rows else ""


def _under(every: Sequence[Passage], heading: str) -> list[Passage]:
    """The passage of a heading, called by text or anchor, and those below it."""
    wanted = name_key(heading.strip().lstrip("#").strip())
    keys: tuple[Callable[[Passage], str], ...] = (
        lambda part: part.heading,
        lambda part: part.anchor,
        lambda part: " › ".join(part.path),
    )
    for key in keys:
        for number, part in enumerate(every):
            if part.heading and name_key(key(part)) == wanted:
                depth = len(part.path)
                rest = every[number + 1 :]
                below = next((n for n, p in enumerate(rest) if len(p.path) <= depth), len(rest))
                return [part, *rest[:below]]
    return []


def _at_level(page: Page, parts: Sequence[Passage], level: str) -> str:
    if level == "full":
        return page.body[parts[0].start : parts[-1].end].strip() if parts else ""
    first = first_sentences(page.body, 1)
    about = page.summary or (first[0].text if first else "")
    if level == "abstract":
        return about
    rows = [about, ""] if about else []
    for part in parts:
        said = first_sentences(part.text, 1)
        if part.heading:
            indent = "  " * (len(part.path) - 1)
            rows.append(f"{indent}- **{part.heading}**{f': {said[0].text}' if said else ''}")
    return "\n".join(rows).strip()


def _page_block(found: Sequence[PackedPassage]) -> str:
    first = found[0]
    text = "".join((_APART if each.left_out else "\n\n") + each.text for each in found).strip()
    caution = {"caution": first.caution} if first.caution else {}
    return block("page", text, slug=first.slug, title=first.title, **caution)
