"""How far a page may be trusted, from what is known about it, with the reasons.

    value = (1 - (1 - base) · FURTHER^(sources - 1)) · ½^(overdue / HALF_LIFE) · (½ if disputed)

- **base** is what the kind of source earns: a paper has been read by others, a chat by nobody.
- **sources**: each further independent one takes away part of the doubt that is left. Not all of
  it, as independence would (FURTHER = 1 - base): people copy from one another. From MOST_SOURCES
  on, one more says nothing new.
- **overdue** are the days since somebody verified the page, beyond those for which a check is
  good. What was once right goes out of date a little every day, so the value halves from year to
  year; within the first days it does not change at all.
- **disputed**: another page says otherwise. At most one of the two is right, and nothing tells
  which, so that each keeps half.

A person who sets `confidence` in a page's front matter knows more than this: their value stands.
It is told by being another than the one that compiling writes, which is the base.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from citewiki.model import Page, SourceRef
from citewiki.store.decay import DAYS, checked

CONFIDENCE = {
    "paper": 0.9,
    "book": 0.85,
    "docs": 0.85,
    "article": 0.7,
    "blog": 0.6,
    "note": 0.5,
    "chat": 0.4,
    "unknown": 0.5,
}
"""How far a page is trusted when all that is known is what kind of source it has (a decision)."""

FURTHER = 0.7  # of the doubt stays after one more independent source (a decision)
MOST_SOURCES = 4  # more add nothing
HALF_LIFE = timedelta(days=365)  # of what nobody verifies, once its check is no longer good
DISPUTED = 0.5  # of two pages that disagree, either may be the right one

_VERSION = re.compile(r"\.v\d+(?=\.[^./]+$|$)")  # notes.v2.md is another state of notes.md


@dataclass(frozen=True, slots=True)
class Confidence:
    """How far a page may be trusted."""

    value: float  # 0..1, two decimals
    reasons: tuple[str, ...]  # why, one phrase each, the weightiest kind first
    by_hand: bool = False  # whether a person set the value


def confidence(
    page: Page,
    *,
    now: datetime,
    sources: int | None = None,
    drifts: int = 0,
    days: int = DAYS,
) -> Confidence | None:
    """How far `page` may be trusted at `now`; None when nothing tells.

    `sources` is how many independent sources it rests on; None: as many as it names. `drifts` is
    how many pages say otherwise, and a check is good for `days`. A page that names neither a
    source, nor what kind of source it has, nor a value has none.
    """
    if set_by_hand(page):
        return Confidence(round(page.confidence or 0.0, 2), ("set by a person",), by_hand=True)
    if sources is None:
        sources = independent_sources(page.sources)
    known = page.source_authority in CONFIDENCE and page.source_authority != "unknown"
    if not known and not sources and page.confidence is None:
        return None
    doubt = 1 - _base(page)
    reasons = [_with_article(page.source_authority) if known else "a source of unknown kind"]
    if sources > 1:
        doubt *= FURTHER ** (min(sources, MOST_SOURCES) - 1)
        reasons.append(f"{sources} independent sources")
    value = 1 - doubt
    last = checked(page)
    overdue = max(now - last - timedelta(days=days), timedelta()).days if last else 0
    if overdue:
        value *= 0.5 ** (overdue / HALF_LIFE.days)
        reasons.append(f"not verified for more than {days} days")
    if drifts:
        value *= DISPUTED
        pages = "another page says" if drifts == 1 else f"{drifts} other pages say"
        reasons.append(f"{pages} otherwise")
    return Confidence(round(value, 2), tuple(reasons))


def set_by_hand(page: Page) -> bool:
    """Whether the page's `confidence` is a person's: the program writes that of the authority."""
    if page.confidence is None:
        return False
    return not page.generated_by or page.confidence != _base(page)


def independent_sources(refs: Iterable[SourceRef]) -> int:
    """How many originals `refs` name; the same bytes, or versions of one file, are one."""
    kept: list[set[str]] = []  # the signs of each original
    for ref in refs:
        name = _VERSION.sub("", ref.resource or ref.id)
        signs = {sign for sign in (name, ref.sha256) if sign}
        same = [each for each in kept if each & signs]
        kept = [each for each in kept if not each & signs]
        if signs:
            kept.append(signs.union(*same))
    return len(kept)


def _base(page: Page) -> float:
    return CONFIDENCE.get(page.source_authority, CONFIDENCE["unknown"])


def _with_article(authority: str) -> str:
    if authority == "docs":
        return "from documentation"
    return f"from {'an' if authority[0] in 'aeiou' else 'a'} {authority}"
