"""Chains of pages that together cover a question's words."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from tantivy import Query

from citewiki.index.epoch import seconds
from citewiki.index.index import Index
from citewiki.index.postings import called, in_title
from citewiki.index.table import Known
from citewiki.index.words import MOST_NAMES, Words
from citewiki.model import Via
from citewiki.query.terms import FIELD_WEIGHTS, Weighed

_K1, _B = 1.2, 0.75  # of BM25, as Tantivy has them
_OWN_LANGUAGE = 1.4  # pages in the language of the question count more, by this factor
_TITLE_POWER = (
    2  # of the share of a title that is asked for: a title in full counts, one word hardly
)
NAMED = 1.5  # what a whole title or alias in the question counts
PAIR = 0.1  # what BM25 of two words side by side in question and page counts
_LINK = 0.55  # what a chain keeps of its score over a link …
_LINK_SENTENCE = 0.5  # … and how much more when the link's sentence holds the whole question
_MOST_TOLD = 1 + _LINK_SENTENCE
_SHORTEST = (_K1 + 1) / (1 + _K1 * (1 - _B))  # what BM25 makes of a word in the shortest page
_LINKS = 8  # of a page that are followed in one direction, the most specific
_NAME = 0.45  # what it keeps over a name that both pages mention
_NAMES_FROM = 3  # best pages of a step whose names are followed
_NAME_PAGES = 50  # pages at most that mention a name which tells something
_SHARERS = 30  # pages at most that are reached over the names of one step
_LEAST_SPECIFIC = 0.25  # links less specific than this are not followed: hubs do not flood


EVERY_WAY: frozenset[Via] = frozenset(("wikilink", "backlink", "index"))
"""All kinds of steps; one over a shared name is a step of the index."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of pages, as it stood when a step went on from its last one."""

    pid: int  # of the last page
    before: Chain | None  # without the last page
    via: Via  # how the last page came in
    name: str  # that it shares with the page before it; "" over a link
    depth: int  # links in it
    kept: float  # product of what its steps kept
    cover: dict[int, float]  # number of a term → the most that a page in it has of the term

    @property
    def reach(self) -> float:
        """What it hands on: what it covers of the question, times what it kept."""
        return self.kept * sum(self.cover.values())


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
        kept = before.kept * self.kept if before else 1.0
        return Chain(self.pid, before, self.via, self.name, self.depth, kept, cover)


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
"""From a chain to the page of a number: what is kept at least, how it leads there, and the terms
of the link's sentence or the name that both pages mention (then the step is one of the index)."""


class Chains:
    """Pages found so far for one question, and the steps that find more."""

    def __init__(
        self,
        index: Index,
        weighed: Weighed,
        filter: Filter,
        wanted: int,
        follow: frozenset[Via] = EVERY_WAY,
    ) -> None:
        """`wanted`: how many pages are going to be chosen; `follow`: which steps are taken."""
        self._index = index
        self._words = index.words
        self._weighed = weighed
        self._filter = filter
        self._filtered = filter != Filter()
        self._language = weighed.language
        self._wanted = wanted
        self._follow = follow
        titled = [term for term in weighed.terms if "title" in term.frequencies]
        terms, titles = [term.text for term in weighed.terms], [in_title(t.text) for t in titled]
        keys = [*terms, *titles, *(called(name) for name, _ in weighed.names)]
        pages = index.holding(keys)
        self._pages = [(1 << n, pages[key]) for n, key in enumerate(keys)]
        self._asked = [(1 << n, f" {term} ") for n, term in enumerate(terms)]
        self._idf = [term.idf for term in weighed.terms]
        self._title_idf = [term.idf for term in titled]
        self._name_idf = [idf for _, idf in weighed.names]
        self._mass = weighed.mass
        self._log_count = math.log(max(self._words.count, 2))
        self._largest_fan = int(math.exp((1 - _LEAST_SPECIFIC) * self._log_count)) + 1
        self._worths: dict[int, _Worth] = {}
        self._specifics: dict[int, float] = {}
        self.found: dict[int, Found] = {}
        self._frontier: list[Chain] = []
        self._first = True

    def start(self, candidates: int, seeds: int) -> None:
        """Index scoring: the pages that hold the question's words."""
        words, filter = self._words, self._filter
        wanted = [
            query for queries in wanted_by_field(words, self._weighed).values() for query in queries
        ]
        must = words.allowed(filter.domain, filter.as_of, filter.known_at)
        scores = words.best(wanted, candidates, must)
        held = self._held(scores)
        # Only a title, or a choice of languages, makes a difference that Tantivy did not see.
        unsure = [pid for pid in scores if self._language or held[pid] >> len(self._idf)]
        known = {page.pid: page for page in self._index.known(unsure)}
        for pid, score in scores.items():
            self._add(pid, known.get(pid), held[pid], score)
        self._frontier = [page.chain() for page in self.best(seeds)]

    def step(self, width: int) -> None:
        """Follow links and shared names from the pages that the last step found or raised."""
        if not self._frontier:
            return
        reach = {chain.pid: chain.reach for chain in self._frontier}
        steps = [step for step in self._links() if step[3] in self._follow]
        if self._first and "index" in self._follow:
            steps += self._shared_names()
            self._first = False
        self._look_up(steps, reach)
        raised: dict[int, Found] = {}
        for chain, target, kept, via, told_by in steps:
            page = self.found.get(target)
            if page is None or kept * _MOST_TOLD * reach[chain.pid] + page.own <= page.score:
                continue
            added = 0.0
            share, cover = page.share, chain.cover
            for term, weight in page.terms.items():
                gain = weight * share - cover.get(term, 0.0)
                if gain > 0:
                    added += gain
            if via != "index":
                kept *= self._told(told_by)
            score = kept * reach[chain.pid] + added
            if score > page.score and (added or via != "index"):
                page.score, page.before, page.kept = score, chain, kept
                page.via, page.name = via, told_by if via == "index" else ""
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
        for source, target, sentence, fan in outward:
            yield chains[source], target, _LINK * self._specific(fan), "wikilink", sentence
        for source, target, sentence, fan in inward:
            yield chains[target], source, _LINK * self._specific(fan), "backlink", sentence

    def _told(self, sentence: str) -> float:
        """By what factor more is kept over a link whose sentence speaks of the question."""
        held = sum([bit for bit, term in self._asked if term in sentence])
        return 1 + _LINK_SENTENCE * self._worth(held).mass / self._mass if held else 1.0

    def _specific(self, pages: int) -> float:
        """1 for what leads to one page, 0 for what leads to all: 1 - ln(pages) / ln(N)."""
        known = self._specifics.get(pages)
        if known is None:
            known = self._specifics[pages] = max(0.0, 1 - math.log(pages) / self._log_count)
        return known

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

    def _look_up(self, steps: list[Step], reach: dict[int, float]) -> None:
        """Score pages that steps lead to; those that the filter does not allow stay unknown.

        Their score is BM25 as if each word stood there once. Pages that could not be chosen even
        so are passed over: a page is worth at most its score and what is new in it.
        """
        held = self._held({step[1] for step in steps} - self.found.keys())
        best = self.best(self._wanted)
        least = best[-1].score if len(best) == self._wanted else 0.0
        worth = {pid: self._worth(bits).at_most for pid, bits in held.items()}
        promising = {
            pid
            for chain, pid, kept, *_ in steps
            if pid in held and kept * _MOST_TOLD * reach[chain.pid] + 2 * worth[pid] >= least
        }
        for page in self._index.known(promising):
            if not self._filtered or self._filter.allows(page):
                self._add(page.pid, page, held[page.pid], None)

    def _held(self, pids: Iterable[int]) -> dict[int, int]:
        """For every page, the bits of the question's terms that it holds, anywhere and in title."""
        held = dict.fromkeys(pids, 0)
        among = set(held)
        for bit, pages in self._pages:
            for pid in among & pages:
                held[pid] |= bit
        return held

    def _add(self, pid: int, page: Known | None, held: int, score: float | None) -> None:
        """Take a page in, with its score in the word index or None."""
        worth = self._worth(held)
        counted = 1.0
        if score is None:
            length = page.length / self._index.mean_length if page else 1.0
            score = worth.mass * (_K1 + 1) / (1 + _K1 * (1 - _B + _B * length))
            score += NAMED * worth.name_mass
            counted = 0.0
        if page:
            if worth.titles:
                share = title_share(worth.titles, page.title_length, named=worth.name_mass > 0)
                score += FIELD_WEIGHTS["title"] * worth.title_mass * (share - counted)
            if self._language and page.language == self._language:
                score *= _OWN_LANGUAGE
        self.found[pid] = Found(pid, score, worth.terms, score / worth.mass if worth.mass else 0.0)

    def _worth(self, held: int) -> _Worth:
        """What the terms are worth that the bits of `held` stand for."""
        known = self._worths.get(held)
        if known is None:
            key = held
            terms = {n: idf for n, idf in enumerate(self._idf) if held >> n & 1}
            held >>= len(self._idf)
            titles = [idf for n, idf in enumerate(self._title_idf) if held >> n & 1]
            held >>= len(self._title_idf)
            names = sum(idf for n, idf in enumerate(self._name_idf) if held >> n & 1)
            known = _Worth(terms, sum(terms.values()), len(titles), sum(titles), names)
            self._worths[key] = known
        return known


class _Worth(NamedTuple):
    """What a page holds of a question; few pages differ in it."""

    terms: dict[int, float]  # number → idf
    mass: float  # of all terms
    titles: int  # terms in the title
    title_mass: float
    name_mass: float  # of its names that the question holds whole

    @property
    def at_most(self) -> float:
        """More than such a page can score by its own words."""
        names = FIELD_WEIGHTS["title"] * self.title_mass + NAMED * self.name_mass
        return (self.mass * _SHORTEST + names) * _OWN_LANGUAGE


def wanted_by_field(words: Words, weighed: Weighed) -> dict[str, list[Query]]:
    """What index scoring asks for, by field.

    BM25 judges the body. In the short fields a word counts its idf: how often it stands there, and
    how long they are beside those of pages that have none, says nothing. "pairs" are words side by
    side in the body, "names" whole titles and aliases.
    """
    wanted: dict[str, list[Query]] = {
        "pairs": [words.side_by_side(*pair, PAIR) for pair in weighed.pairs],
        "names": [words.holding(name, "called", NAMED * idf) for name, idf in weighed.names],
    }
    for term in weighed.terms:
        for field in term.frequencies:
            if field == "body":
                query = words.scored(term.text, field, term.weight)
            else:
                query = words.holding(term.text, field, FIELD_WEIGHTS[field] * term.idf)
            wanted.setdefault(field, []).append(query)
    return wanted


def title_share(held: int, length: int, *, named: bool) -> float:
    """What share of their weight the words of a title count, `held` of `length` being asked for.

    All of it when the question names the page by its whole title or an alias.
    """
    return 1.0 if named else (held / length) ** _TITLE_POWER


def _score(page: Found) -> float:
    return page.score
