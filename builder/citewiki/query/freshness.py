"""Pages that may no longer hold give way to those that took their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citewiki.index.index import Index
from citewiki.model import Caution, Hit, Page
from citewiki.query.question import Question
from citewiki.query.times import Moment, outdated, since, successors
from citewiki.text.slugs import slugify


@dataclass(frozen=True, slots=True)
class Freshness:
    """Tells pages that may be the basis of an answer from those that may not."""

    index: Index
    moment: Moment
    asked: Question
    days: int  # for which a check is good where the question asks for what is so now
    domain: str = ""  # pages of others take no part

    def page(self, slug: str) -> Page | None:
        """The page that a `superseded_by` calls by its slug, or by its title."""
        return self.index.by_slug(slug) or self.index.by_slug(slugify(slug))

    def caution(self, page: Page) -> Caution | None:
        """Why a page may not be the basis of an answer; None: it may."""
        return outdated(
            page,
            self.moment,
            self.page,
            self.days,
            wants_current=self.asked.wants_current,
            years=self.asked.years,
        )

    def warning(self, page: Page) -> Caution | None:
        """What has to be said of a cited page: why it may not hold, or what became of it since."""
        found = self.caution(page)
        return found if found or self.moment.present else since(page, self.moment, self.page)

    def current(self, page: Page) -> Page | None:
        """The page itself, or the newest that took its place; None: neither may be relied on."""
        if self.caution(page) is None:
            return page
        newest = self._newest(page)
        return None if newest is None or self.caution(newest) else newest

    def _newest(self, page: Page) -> Page | None:
        """The page of the domain that took the place of another, whether it is current or not."""
        newest = next(reversed(successors(page, self.page, self.moment)), None)
        return newest if newest and self.domain in ("", newest.domain) else None

    def sorted(self, hits: Iterable[Hit]) -> tuple[list[Hit], list[Hit]]:
        """The hits that may carry an answer, with successors in place, and those that may not.

        A successor scores what the page did whose place it took.
        """
        fresh: dict[str, Hit] = {}
        stale: dict[str, Hit] = {}
        for hit in hits:
            page = self.index.page(hit.path)
            if page is None:
                continue
            current = self.current(page)
            if current is page:
                fresh.setdefault(page.path, hit)
            elif current is not None:
                fresh.setdefault(current.path, _after(hit, current))
                stale.setdefault(page.path, hit)
            else:
                newest = self._newest(page)
                if newest is not None:
                    stale.setdefault(newest.path, _after(hit, newest))
                stale.setdefault(page.path, hit)
        return list(fresh.values()), list(stale.values())


def _after(hit: Hit, page: Page) -> Hit:
    """How a page came in that took the place of one that was found."""
    return replace(
        hit,
        path=page.path,
        slug=page.slug,
        title=page.title,
        via="wikilink",
        depth=hit.depth + 1,
        through=hit.slug,
    )


def with_stale(found: Sequence[Hit], fresh: Sequence[Hit]) -> tuple[Hit, ...]:
    """All hits as they were found, each successor after the page that led to it."""
    known = {hit.path for hit in found}
    added: dict[str, list[Hit]] = {}
    for hit in fresh:
        if hit.path not in known:
            added.setdefault(hit.through, []).append(hit)
    return tuple(each for hit in found for each in (hit, *added.get(hit.slug, ())))
