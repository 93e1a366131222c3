"""Pages that may no longer hold: unverified for long, past their end, or from a changed source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from citewiki.model import Page, SourceRef, iso
from citewiki.store.pages import is_archived

DAYS = 90
"""Unverified for longer: to be looked at (a decision; `[tool.citewiki.ask] stale_days`)."""


@dataclass(frozen=True, slots=True)
class Original:
    """A source as it is now."""

    sha256: str  # of its bytes
    since: datetime | None = None  # when it became so, where that is known


@dataclass(frozen=True, slots=True)
class Decayed:
    """A page to look at, and why."""

    slug: str
    title: str
    path: str  # relative to wiki/
    reasons: tuple[str, ...]  # never empty; for a person


def decayed(
    pages: Iterable[Page],
    *,
    now: datetime,
    days: int = DAYS,
    originals: Mapping[str, Original] | None = None,
) -> list[Decayed]:
    """Those of `pages` that have decayed, the longest unverified first.

    Not those that are archived or superseded: what became of them is settled. A page that says
    neither when it was verified nor when it came has no age. `originals` are by path or address,
    as pages name them.
    """
    found: list[tuple[datetime, Decayed]] = []
    for page in pages:
        if is_archived(page) or page.superseded_by:
            continue
        reasons = tuple(dict.fromkeys(_reasons(page, now, days, originals or {})))
        if reasons:
            when = checked(page) or now
            found.append((when, Decayed(page.slug, page.title, page.path, reasons)))
    return [each for _, each in sorted(found, key=lambda item: (item[0], item[1].path))]


def checked(page: Page) -> datetime | None:
    """When a page was last known to be right: verified, or else taken in."""
    return page.last_verified_at or page.ingested_at


def _reasons(
    page: Page, now: datetime, days: int, originals: Mapping[str, Original]
) -> Iterator[str]:
    when = checked(page)
    if page.valid_until and page.valid_until <= now:
        yield f"held until {iso(page.valid_until)[:10]}"
    if when and now - when > timedelta(days=days):
        yield f"unverified for {(now - when).days} days"
    for ref in page.sources:
        original = originals.get(ref.resource)
        if original is not None:
            yield from _of_source(ref, original, when)


def _of_source(ref: SourceRef, original: Original, when: datetime | None) -> Iterator[str]:
    if ref.sha256 and ref.sha256 != original.sha256:
        if original.since is None:
            yield f"its source {ref.resource} has changed"
        elif when is None or original.since > when:
            yield f"its source {ref.resource} changed on {iso(original.since)[:10]}"
