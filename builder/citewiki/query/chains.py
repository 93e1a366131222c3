"""Chains of pages that together cover a question's words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from tantivy import Query

from citewiki.index.analysis import seconds
from citewiki.index.index import Index
from citewiki.index.postings import in_title
from citewiki.index.table import Known
from citewiki.index.words import MOST_NAMES
from citewiki.model import Via
from citewiki.query.terms import FIELD_WEIGHTS, Weighed

_K1, _B = 1.2, 0.75  # of BM25, as Tantivy has them
_OWN_LANGUAGE = 1.4  # pages in the language of the question count more, by this factor
_TITLE = 2.0  # what a word of the question in a title counts, times how much of the title it is …
_TITLE_POWER = 2  # … to this power: a title named in full counts, one word of a long one hardly
_PAIR = 0.1  # what BM25 of two words side by side in question and page counts
_LINK = 0.55  # what a chain keeps of its score over a link …
_LINK_SENTENCE = 0.5  # … and how much more when the link's sentence holds the whole question
_LINKS = 8  # of a page that are followed in one direction, the most specific
_NAME = 0.45  # what it keeps over a name that both pages mention
_NAMES_FROM = 3  # best pages of a step whose names are followed
_NAME_PAGES = 50  # pages at most that mention a name which tells something
_SHARERS = 30  # pages at most that are reached over the names of one step
_LEAST_SPECIFIC = 0.25  # links less specific than this are not followed: hubs do not flood


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of pages, as it stood when a step went on from its last one."""

    pid: int  # of the last page
    depth: int  # links in it
    kept: float  # product of what its steps kept
    cover: dict[int, float]  # number of a term → the most that a page in it has of the term

    @property
    def reach(self) -> float:
        """What it covers of the question."""
        return sum(self.cover.values())


class Found:
    """A page, and the best chain that leads to it. Made by the hundred, so it is no dataclass."""

    before: Chain | None = None  # the chain up to the page before it
    kept = 1.0  # what the last step kept
    via: Via = "index"
    name = ""  # the name that it shares with the page before it; "" over a link

    def __init__(self, pid: int, own: float, terms: dict[int, float], share: float) -> None:
        self.pid = pid
        self.own = own  # score of its own words
        self.score = own  # of the chain that ends here
        self.terms = terms  # number of each term that it holds → the term's weight
        self.share = share  # what it has of a term, as a factor of the term's weight

    @property
    def depth(self) -> int:
        """How many links lead to it."""
        return self.before.depth + (not self.name) if self.before else 0

    def chain(self) -> Chain:
        """The chain that ends here."""
        before = self.before
        cover = dict(before.cover) if before else {}
        for term, weight in self.terms.items():
            part = weight * self.share
            if part > cover.get(term, 0.0):
                cover[term] = part
        return Chain(self.pid, self.depth, before.kept * self.kept if before else 1.0, cover)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pages may take part. None and "" allow all."""

    domain: str | None = None
    as_of: datetime | None = None  # in [valid_from, valid_until)
    known_at: datetime | None = None  # not before the page was ingested

    def allows(self, page: Known) -> bool:
        """Whether `page` may take part."""
        return not (
            (self.domain and page.domain != self.domain)
            or (self.as_of and not page.starts <= seconds(self.as_of, 0) < page.ends)
            or (self.known_at and page.known > seconds(self.known_at, 0))
        )


Step = tuple[Chain, int, float, Via, str]
"""From a chain to the page of a number: what it keeps, how it leads there, shared name."""


class Chains:
    """Pages found so far for one question, and the steps that find more."""

    def __init__(self, index: Index, weighed: Weighed, filter: Filter) -> None:
        self._index = index
        self._words = index.words
        self._pairs = weighed.pairs
        self._language = weighed.language
        self._filter = filter
        self._terms = weighed.terms
        self._asked = [(1 << n, f" {term.text} ") for n, term in enumerate(weighed.terms)]
        titled = [term for term in weighed.terms if "title" in term.frequencies]
        pages = index.holding(
            [*(term.text for term in weighed.terms), *(in_title(term.text) for term in titled)]
        )
        none: frozenset[int] = frozenset()
        self._pages = [(1 << n, pages.get(t.text, none)) for n, t in enumerate(weighed.terms)]
        self._titled = [(pages.get(in_title(term.text), none), term.idf) for term in titled]
        self._mass = weighed.mass
        self._ratio = _B / index.mean_length
        self._log_count = math.log(max(self._words.count, 2))
        self._largest_fan = int(math.exp((1 - _LEAST_SPECIFIC) * self._log_count)) + 1
        self._weights: dict[int, tuple[dict[int, float], float]] = {}
        self.found: dict[int, Found] = {}
        self._frontier: list[Chain] = []

    def start(self, candidates: int, seeds: int) -> None:
        """Index scoring: the pages that hold the question's words."""
        words, filter = self._words, self._filter
        wanted: list[Query] = []
        for term in self._terms:
            boosts = [
                (field, FIELD_WEIGHTS[field] * term.weight)
                for field in term.frequencies
                if field != "title"
            ]
            wanted += words.term(term.text, boosts)
            if "title" in term.frequencies:
                wanted.append(words.titled(term.text, _TITLE * term.idf))
        wanted += [words.side_by_side(*pair, _PAIR) for pair in self._pairs]
        must = words.allowed(filter.domain, filter.as_of, filter.known_at)
        scores = words.best(wanted, candidates, must)
        for page in self._index.known(scores):
            self._add(page, scores[page.pid])
        self._frontier = [page.chain() for page in self.best(seeds)]
        self._first = True

    def step(self, width: int) -> None:
        """Follow links and shared names from the pages that the last step found or raised."""
        if not self._frontier:
            return
        steps = list(self._links())
        if self._first:
            steps += self._shared_names()
            self._first = False
        found = self.found
        self._look_up({step[1] for step in steps} - found.keys())
        reach = {chain.pid: chain.kept * chain.reach for chain in self._frontier}
        raised: dict[int, Found] = {}
        for chain, target, kept, via, name in steps:
            page = found.get(target)
            if page is None:
                continue
            handed_on = kept * reach[chain.pid]
            if handed_on + page.own <= page.score:
                continue
            added = 0.0
            share, cover = page.share, chain.cover
            for term, weight in page.terms.items():
                gain = weight * share - cover.get(term, 0.0)
                if gain > 0:
                    added += gain
            score = handed_on + added
            if score > page.score and (added or not name):
                page.score, page.before, page.kept = score, chain, kept
                page.via, page.name = via, name
                raised[target] = page
        best = sorted(raised.values(), key=_score, reverse=True)
        self._frontier = [page.chain() for page in best[:width]]

    def best(self, count: int) -> list[Found]:
        """The pages with the best scores, the best first."""
        return sorted(self.found.values(), key=_score, reverse=True)[:count]

    def _links(self) -> Iterator[Step]:
        """Steps along the most specific links from and to the pages of the frontier."""
        chains = {chain.pid: chain for chain in self._frontier}
        outward, inward = self._index.links(list(chains), _LINKS, self._largest_fan)
        for source, target, terms, fan in outward:
            yield chains[source], target, self._kept(terms, fan), "wikilink", ""
        for source, target, terms, fan in inward:
            yield chains[target], source, self._kept(terms, fan), "backlink", ""

    def _kept(self, sentence: str, fan: int) -> float:
        """What a chain keeps over a link: more where its sentence speaks of the question."""
        held = sum([bit for bit, term in self._asked if term in sentence])
        told = self._weights_of(held)[1] / self._mass if held else 0.0
        return _LINK * (1 + _LINK_SENTENCE * told) * self._specific(fan)

    def _specific(self, pages: int) -> float:
        """1 for what leads to one page, 0 for what leads to all: 1 - ln(pages) / ln(N)."""
        return max(0.0, 1 - math.log(pages) / self._log_count)

    def _shared_names(self) -> Iterator[Step]:
        """Steps to pages that mention a rare name of the best seeds."""
        chains = self._frontier[:_NAMES_FROM]
        mentioned = self._index.mentioned([chain.pid for chain in chains])
        having: dict[str, list[Chain]] = {}
        for chain in chains:
            for name in mentioned.get(chain.pid, ()):
                having.setdefault(name, []).append(chain)
        # The rarest name comes last, has the highest bit, and so its pages come first.
        rare = sorted(
            (-df, name)
            for name in having
            if 2 <= (df := self._words.name_frequency(name)) <= _NAME_PAGES
        )[-MOST_NAMES:]
        if not rare:
            return
        names = [name for _, name in rare]
        kept = [_NAME * self._specific(-df) for df, _ in rare]
        for pid, held in self._words.sharing(names, _SHARERS).items():
            while held:
                number = held.bit_length() - 1
                held -= 1 << number
                for chain in having[names[number]]:
                    if chain.pid != pid:
                        yield chain, pid, kept[number], "index", names[number]

    def _look_up(self, pids: Iterable[int]) -> None:
        """Score pages that steps lead to; those that the filter does not allow stay unknown.

        Their score is BM25 as if each word stood there once.
        """
        filter = self._filter if self._filter != Filter() else None
        for page in self._index.known(pids):
            if filter is None or filter.allows(page):
                self._add(page, None)

    def _add(self, page: Known, score: float | None) -> None:
        """Take a page in, with its score in the word index or None."""
        pid = page.pid
        weights, mass = self._weights_of(sum([bit for bit, pids in self._pages if pid in pids]))
        counted = 1.0
        if score is None:
            score = mass * (_K1 + 1) / (1 + _K1 * (1 - _B + self._ratio * page.length))
            counted = 0.0
        in_title = [idf for pids, idf in self._titled if pid in pids]
        if in_title:
            share = (len(in_title) / page.title_length) ** _TITLE_POWER
            score += _TITLE * sum(in_title) * (share - counted)
        if self._language and page.language == self._language:
            score *= _OWN_LANGUAGE
        self.found[pid] = Found(pid, score, weights, score / mass if mass else 0.0)

    def _weights_of(self, held: int) -> tuple[dict[int, float], float]:
        """The weights of the terms that the bits of `held` stand for, by number, and their sum."""
        known = self._weights.get(held)
        if known is None:
            weights = {n: term.idf for n, term in enumerate(self._terms) if held >> n & 1}
            known = self._weights[held] = weights, sum(weights.values())
        return known


def _score(page: Found) -> float:
    return page.score
