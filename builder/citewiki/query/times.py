"""When a page holds, when the wiki knew it, and when it may no longer be relied on."""

from __future__ import annotations

from datetime import datetime, timedelta

from citewiki.model import Page, iso


def holds(page: Page, as_of: datetime | None = None, known_at: datetime | None = None) -> bool:
    """Whether `page` holds at `as_of` and was known at `known_at`; None asks for nothing.

    Intervals are half open, [valid_from, valid_until); a bound that is missing is open.
    """
    if as_of and page.valid_from and as_of < page.valid_from:
        return False
    if as_of and page.valid_until and as_of >= page.valid_until:
        return False
    return not (known_at and page.ingested_at and known_at < page.ingested_at)


def is_stale(page: Page, now: datetime, days: int, *, wants_current: bool) -> bool:
    """Whether a page may not be the basis of an answer in the present tense.

    It may not when it is superseded or past its end, and, where the question asks for what is so
    now, when nobody has verified it for more than `days`.
    """
    if page.superseded_by or (page.valid_until and page.valid_until <= now):
        return True
    checked = page.last_verified_at or page.ingested_at
    return bool(wants_current and checked and now - checked > timedelta(days=days))


def why_stale(page: Page, now: datetime, days: int) -> str:
    """What is outdated about a page that `is_stale`, for a person."""
    if page.superseded_by:
        return f"“{page.title}” is superseded by {page.superseded_by}"
    if page.valid_until and page.valid_until <= now:
        return f"“{page.title}” held until {iso(page.valid_until)[:10]}"
    checked = page.last_verified_at or page.ingested_at
    when = iso(checked)[:10] if checked else "long ago"
    return f"“{page.title}” was last verified on {when}, more than {days} days ago"
