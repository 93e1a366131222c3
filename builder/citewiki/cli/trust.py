"""How far a page may be trusted, for `show`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from citewiki.index.graph import LinkGraph
    from citewiki.model import Page
    from citewiki.store.confidence import Confidence


def trust(page: Page, graph: LinkGraph, at: datetime, days: int) -> Confidence | None:
    """How far `page`, one of `graph`, may be trusted at `at`; a check is good for `days`.

    Pages that disagree are looked for where they are most likely: in its domain, under its tags,
    and along its links. All others are left to `citewiki drift`.
    """
    from citewiki.query.drift import drift_pairs
    from citewiki.query.times import Moment, standing
    from citewiki.store.confidence import confidence

    pairs = drift_pairs(standing(_near(page, graph), Moment(at)))
    return confidence(
        page, now=at, drifts=sum(page.slug in pair.pages for pair in pairs), days=days
    )


def _near(page: Page, graph: LinkGraph) -> Iterator[Page]:
    linked = {edge.target for edge in graph.out.get(page.path, ())}
    linked |= {edge.source for edge in graph.back.get(page.path, ())}
    tags = set(page.tags)
    for path, other in graph.pages.items():
        if other.domain == page.domain or path in linked or not tags.isdisjoint(other.tags):
            yield other
