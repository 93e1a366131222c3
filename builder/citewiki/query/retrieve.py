"""Which pages answer a question: by its words first, then by the links between pages.

1. Index scoring: BM25 over the fields.
2. From the best pages, chains are followed: along wikilinks in both directions, and to pages that
   mention the same rare name. A page at the end of a chain scores what the chain before it covers
   of the question, weakened by every step, and in full what it adds itself.
3. The answer is a set: each next page is the one whose score, and whose words of the question
   that no page before it has, are together the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from citewiki.index.index import Index
from citewiki.model import Hit, Via
from citewiki.query.chains import EVERY_WAY, Chains, Found
from citewiki.query.filter import Filter
from citewiki.query.terms import Weighed, weigh

_CANDIDATES = 40  # pages taken from the word index, at least
_SEEDS = 5  # best pages from which chains start
_STEPS_FROM = 2  # pages from which each further step goes on
_CHOSEN_FROM = 25  # best pages among which the set is chosen, at least


class Asked(Protocol):
    """What retrieval needs of a question."""

    @property
    def text(self) -> str:
        """The question as plain text."""

    @property
    def language(self) -> str:
        """ISO 639-1; "" unknown."""


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The pages for a question, the best first, and how they were found."""

    hits: tuple[Hit, ...]
    weighed: Weighed
    found: tuple[Found, ...]  # of the hits, in their order
    filter: Filter  # by which pages took part


def retrieve(
    index: Index,
    question: Asked,
    *,
    depth: int = 2,
    limit: int = 8,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    domain: str | None = None,
    follow: frozenset[Via] = EVERY_WAY,
) -> Retrieval:
    """At most `limit` pages for `question`, following links up to `depth` steps (0: none).

    `follow` says along what: wikilinks, backlinks, or names that pages share ("index").
    Only pages of `domain`, that hold at `as_of` and that the wiki had at `known_at`, take part in
    any step; how rare a word is counts among the pages of these times alone. Any text is a
    question; one without a known word finds nothing.
    """
    filter = Filter(domain or None, as_of, known_at)
    weighed = weigh(index, question.text, question.language, outside=filter.outside(index))
    if not weighed.terms:
        return Retrieval((), weighed, (), filter)
    chains = Chains(index, weighed, filter, limit, follow)
    chains.start(max(_CANDIDATES, limit), _SEEDS)
    for _ in range(depth):
        chains.step(_STEPS_FROM)
    found = [page for page in choose(chains.best(max(_CHOSEN_FROM, limit)), limit) if page.score]
    return Retrieval(_hits(index, found), weighed, tuple(found), filter)


def search(
    index: Index,
    text: str,
    *,
    limit: int = 10,
    domain: str = "",
    as_of: datetime | None = None,
    known_at: datetime | None = None,
) -> tuple[Hit, ...]:
    """The pages that the words of `text` find, best first; no links are followed."""
    filter = Filter(domain or None, as_of, known_at)
    weighed = weigh(index, text, outside=filter.outside(index))
    if not weighed.terms:
        return ()
    chains = Chains(index, weighed, filter, limit)
    chains.start(limit, seeds=0)
    return _hits(index, chains.best(limit))


def choose(ranked: Sequence[Found], limit: int) -> list[Found]:
    """The best page, then one by one those whose score and what they add come to the most.

    Greedy maximisation of coverage, as in maximal marginal relevance (Carbonell & Goldstein 1998)
    but with words of the question not yet covered in place of dissimilarity. `ranked` is by score,
    the best first.
    """
    chosen = list(ranked[: min(limit, 1)])
    rest = [(page, page.own) for page in ranked[1:]]  # with the most that each can add
    covered = {term: weight * page.share for page in chosen for term, weight in page.terms.items()}
    while rest and len(chosen) < limit:
        best, best_value = 0, -1.0
        for place, (page, most) in enumerate(rest):
            if page.score + most > best_value:
                gain = page.adds_to(covered)
                rest[place] = page, gain  # it never adds more again, as `covered` only grows
                if page.score + gain > best_value:
                    best, best_value = place, page.score + gain
        page, _ = rest.pop(best)
        chosen.append(page)
        for term, weight in page.terms.items():
            covered[term] = max(covered.get(term, 0.0), weight * page.share)
    return chosen


def _hits(index: Index, found: Sequence[Found]) -> tuple[Hit, ...]:
    sources = {each.before.pid for each in found if each.before}
    labels = index.labels(list(sources.union(each.pid for each in found)))
    hits = []
    for each in found:
        path, slug, title = labels[each.pid]
        if each.by_index or each.before is None:
            hits.append(Hit(path, slug, title, each.score))
        else:
            through = labels[each.before.pid][1]
            hits.append(Hit(path, slug, title, each.score, each.via, each.depth, through))
    return tuple(hits)
