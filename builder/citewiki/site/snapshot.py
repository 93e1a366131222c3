"""The wiki as it held at a moment that has passed.

A page is in it when it holds then, the wiki knew it by then, and it had not been put away by then:
what asking sees with `--as-of` and `--known-at` both at that moment. Intervals are half open,
bounds that are missing are open. What a page says of itself is taken back to what was known:
checks, successors and archiving that came later are not there. Texts are those of today: what they
were is git's to know, and `rewritten` names the pages whose text came later, as `put_away` does
those that are archived today, for a reader to be told of.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from citewiki.errors import CitewikiError
from citewiki.model import Page
from citewiki.model import moment as written
from citewiki.store.paths import ARCHIVE, is_put_away

VARIABLE = "CITEWIKI_AS_OF"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Pages as they were at a moment."""

    pages: tuple[Page, ...]  # what was published then, by path
    archived: tuple[Page, ...]  # what had been put away by then
    rewritten: Mapping[str, datetime]  # path → when the text that is shown was written, if later
    put_away: Mapping[str, datetime]  # path → when a published page was archived, later


def snapshot_moment(text: str, now: datetime) -> datetime | None:
    """The moment that `text`, the value of CITEWIKI_AS_OF, names; None for an empty text.

    A day alone is its first moment in UTC, as in front matter; it may have begun elsewhere before
    it does here. Raises CitewikiError for what is no date, or is still to come.
    """
    text = text.strip()
    if not text:
        return None
    try:
        moment = written(text)
    except ValueError:
        raise _refused(f"“{text}” is no date") from None
    if moment > now + timedelta(days=1):
        raise _refused(f"“{text}” is still to come, and what will hold then is not known")
    return moment


def snapshot(pages: Iterable[Page], at: datetime) -> Snapshot:
    """`pages`, archived ones among them, as they were at the moment `at`."""
    there = [page for page in pages if _was_there(page, at)]
    slugs = {page.slug for page in there}
    away = tuple(_taken_back(page, slugs, at) for page in there if _was_away(page, at))
    live = [page for page in there if not _was_away(page, at)]
    taken = {page.path for page in live}
    rewritten: dict[str, datetime] = {}
    put_away: dict[str, datetime] = {}
    shown: list[Page] = []
    for page in live:
        then = _taken_back(_put_back(page, taken), slugs, at)
        taken.add(then.path)
        shown.append(then)
        if page.generated_at and page.generated_at > at:
            rewritten[then.path] = page.generated_at
        if page.archived_at:
            put_away[then.path] = page.archived_at
    shown.sort(key=lambda page: page.path)
    return Snapshot(tuple(shown), away, rewritten, put_away)


def _refused(what: str) -> CitewikiError:
    return CitewikiError(
        f"{VARIABLE}: {what}", hint=f"write it so: {VARIABLE}=2026-05-01 mkdocs build"
    )


def _was_there(page: Page, at: datetime) -> bool:
    """Whether the wiki held `page` at `at`, and what it says held by what was known then."""
    starts = (page.ingested_at, page.valid_from)
    ends = page.valid_until_before if _later(page.superseded_at, at) else page.valid_until
    return all(not start or start <= at for start in starts) and not (ends and ends <= at)


def _was_away(page: Page, at: datetime) -> bool:
    """Whether `page` had been archived; one in the archive that does not say since when, had."""
    if page.archived_at is None:
        return is_put_away(page.path)
    return page.archived_at <= at


def _put_back(page: Page, taken: Collection[str]) -> Page:
    """A page that is in the archive today, where it was before; unless another is there now."""
    path = page.path.removeprefix(f"{ARCHIVE}/")
    if path == page.path or path in taken:
        return page
    return replace(page, path=path)


def _taken_back(page: Page, slugs: Collection[str], at: datetime) -> Page:
    """`page` without what came after `at`; `slugs` are the pages that were there."""
    checks = tuple(check for check in page.verified if check.at and check.at <= at)
    times = [page.last_verified_at, *(check.at for check in checks)]
    times += [check.previous for check in page.verified]
    superseded = _was_superseded(page, slugs, at)
    return replace(
        page,
        last_verified_at=max((time for time in times if time and time <= at), default=None),
        verified=checks,
        generated_at=page.ingested_at if _later(page.generated_at, at) else page.generated_at,
        superseded_by=page.superseded_by if superseded else "",
        superseded_at=page.superseded_at if superseded else None,
        supersedes=tuple(slug for slug in page.supersedes if slug in slugs),
        valid_until=page.valid_until
        if superseded or not page.superseded_by
        else page.valid_until_before,
        valid_until_before=page.valid_until_before if superseded else None,
        archived_at=None,
    )


def _was_superseded(page: Page, slugs: Collection[str], at: datetime) -> bool:
    """Whether that had been recorded; where it is not said when, it was when the page ended.

    An end that came with a successor is taken back with it: it was not known without.
    """
    if page.superseded_by not in slugs:
        return False
    recorded = page.superseded_at or page.valid_until
    return recorded is None or recorded <= at


def _later(moment: datetime | None, at: datetime) -> bool:
    return moment is not None and moment > at
