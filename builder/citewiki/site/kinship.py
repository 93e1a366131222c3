"""Pages that are related though neither links the other: what they have in common is rare."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import log

from citewiki.index.graph import LinkGraph
from citewiki.model import Page

LEAST = 0.5  # what two rare things in common are worth; a single one that seven share is, too
WIDEST = 60  # what more pages share says next to nothing of two of them, and costs most to count


class Kinship:
    """Who shares neighbours and tags with whom, in one wiki.

    A shared neighbour counts 1 / ln(pages next to it), a shared tag 1 / ln(pages that have it):
    Adamic & Adar 2003, "Friends and neighbors on the Web".
    """

    def __init__(
        self, pages: Mapping[str, Page], graph: LinkGraph, tags: Mapping[str, Sequence[Page]]
    ) -> None:
        self._near: dict[str, set[str]] = defaultdict(set)
        for edge in graph.edges:
            if edge.target and edge.target != edge.source:
                self._near[edge.source].add(edge.target)
                self._near[edge.target].add(edge.source)
        self._tagged = {
            tag: tuple(page.path for page in found)
            for tag, found in tags.items()
            if 2 <= len(found) <= WIDEST
        }
        self._weight = {
            path: 1 / log(len(near))
            for path, near in self._near.items()
            if 2 <= len(near) <= WIDEST
        }
        self._pages = pages

    def related(self, page: Page, limit: int) -> list[Page]:
        """The pages with most in common with `page` that no link joins to it, the nearest first."""
        near = self._near.get(page.path, set())
        shared: list[tuple[float, Collection[str]]] = [
            (weight, self._near[between])
            for between in sorted(near)
            if (weight := self._weight.get(between))
        ]
        shared += [
            (1 / log(len(tagged)), tagged) for tag in page.tags if (tagged := self._tagged.get(tag))
        ]
        scores: dict[str, float] = {}
        known = scores.get
        for weight, group in shared:
            for other in group:
                scores[other] = known(other, 0.0) + weight
        scores.pop(page.path, None)
        ranked = [
            (-round(score, 9), path)
            for path, score in scores.items()
            if score >= LEAST and path not in near
        ]
        ranked.sort(key=lambda item: (item[0], self._pages[item[1]].title.casefold(), item[1]))
        return [self._pages[path] for _, path in ranked[:limit]]
