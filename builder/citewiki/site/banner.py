"""What a reader must know before reading a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from citewiki.markdown.inline import inline_text
from citewiki.model import Drift, Page
from citewiki.site.anchors import Anchor, anchor, day
from citewiki.site.model import SiteModel
from citewiki.store.decay import checked

Kind = Literal["superseded", "expired", "early", "stale", "drift", "scope", "archived", "rewritten"]


@dataclass(frozen=True, slots=True)
class Banner:
    """What a reader must know before reading."""

    kind: Kind
    text: str
    page: Anchor | None = None  # what to read instead, or as well
    quotes: tuple[str, ...] = ()  # plain: what this page says, and what the other one does


def banners(model: SiteModel, page: Page) -> tuple[Banner, ...]:
    """The banners of `page`, the gravest first; none for a page that holds and is in order."""
    found = (_of_time, _of_drift, _of_scope, _of_later)
    return tuple(banner for each in found for banner in each(model, page))


def _of_time(model: SiteModel, page: Page) -> Iterator[Banner]:
    """At most one: what is superseded or over need not be verified either."""
    now, last = model.now, checked(page)
    if page.superseded_by:
        yield _succession(model, page)
    elif page.valid_until and page.valid_until <= now:
        yield Banner("expired", f"What this page says held until {day(page.valid_until)}.")
    elif page.valid_from and page.valid_from > now:
        yield Banner("early", f"What this page says holds from {day(page.valid_from)} on.")
    elif last and now - last > timedelta(days=model.config.ask.stale_days):
        days = model.config.ask.stale_days
        yield Banner(
            "stale",
            f"Last verified on {day(last)}, more than {days} days ago: it may be out of date.",
        )


def _succession(model: SiteModel, page: Page) -> Banner:
    newest = model.newest_of(page)
    link = anchor(model, newest, model.urls[page.path]) if newest else None
    if model.is_superseded(page):
        since = page.superseded_at or page.valid_until
        words = "This page has been superseded" + (f" since {day(since)}" if since else "")
        instead = "; read instead"
    else:
        words, instead = f"This page holds until {day(page.valid_until)}", "; from then on, read"
    return Banner("superseded", f"{words}{instead if link else '.'}", link)


def _of_drift(model: SiteModel, page: Page) -> Iterator[Banner]:
    for drift in model.drifts_of.get(page.slug, ()):
        here = drift.pages.index(page.slug)
        other = model.by_slug[drift.pages[1 - here]]
        quotes = (drift.quotes[here], drift.quotes[1 - here])
        yield Banner(
            "drift",
            "Another page says otherwise:",
            anchor(model, other, model.urls[page.path]),
            tuple(map(one_line, quotes)),
        )


def _of_scope(model: SiteModel, page: Page) -> Iterator[Banner]:
    """Conditions under which the page holds beside others; not those that are not published."""
    for scope in page.scopes:
        other = model.by_slug.get(scope.beside)
        if other and scope.note:
            told = f"Holds under this condition: {scope.note.rstrip('.')}."
            link = anchor(model, other, model.urls[page.path])
            yield Banner("scope", f"{told} Another page holds beside it:", link)


def _of_later(model: SiteModel, page: Page) -> Iterator[Banner]:
    """What a snapshot cannot, or should not, keep to itself."""
    if since := model.put_away.get(page.path):
        yield Banner("archived", f"Published as of that day; archived on {day(since)}.")
    if written := model.rewritten.get(page.path):
        yield Banner("rewritten", f"The text is that of {day(written)}, written after that day.")


def one_line(quote: str) -> str:
    """Words of a page, which are Markdown, as one readable line."""
    return inline_text(" ".join(quote.split()))


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two pages that disagree, for the list of all."""

    pages: tuple[Anchor, Anchor]  # the notes say how old each is, and where from
    quotes: tuple[str, str]


def disagreement(model: SiteModel, drift: Drift, at: str) -> Disagreement:
    """`drift` as it stands in a list on the page at the address `at`."""
    one, other = (
        replace(anchor(model, page, at), note=_standing(page))
        for page in (model.by_slug[slug] for slug in drift.pages)
    )
    return Disagreement((one, other), (one_line(drift.quotes[0]), one_line(drift.quotes[1])))


def _standing(page: Page) -> str:
    """When a page was last verified, and what kind of source it has."""
    last = checked(page)
    known = (
        f"verified {day(last)}" if last else "",
        "" if page.source_authority == "unknown" else f"source: {page.source_authority}",
    )
    return ", ".join(part for part in known if part)
