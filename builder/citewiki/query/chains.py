"""Chains of pages that together cover a question's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from tantivy import Query

from citewiki.index.arrays import Neighbours, language_number, specificity
from citewiki.index.index import Index
from citewiki.index.postings import called, in_title
from citewiki.index.words import MOST_NAMES, Words
from citewiki.model import Via
from citewiki.query.filter import Filter
from citewiki.query.terms import FIELD_WEIGHTS, Weighed

_K1, _B = 1.2, 0.75  # of BM25, as Tantivy has them
OWN_LANGUAGE = 1.4  # pages in the language of the question count more, by this factor
_TITLE_POWER = (
    2  # of the share of a title that is asked for: a title in full counts, one word hardly
)
NAMED = 1.5  # what a whole title or alias in the question counts
PAIR = 0.1  # what BM25 of two words side by side in question and page counts
_LINK = 0.55  # what a chain keeps of its score over a link …
_LINK_SENTENCE = 0.5  # … and how much more when the link's sentence holds the whole question
_MOST_TOLD = 1 + _LINK_SENTENCE
_SHORTEST = (_K1 + 1) / (1 + _K1 * (1 - _B))  # what BM25 makes of a word in the shortest page
_NAME = 0.45  # what it keeps over a name that both pages mention
_NAMES_FROM = 3  # best pages of a step whose names are followed
_NAME_PAGES = 50  # pages at most that mention a name which tells something
_SHARERS = 30  # pages at most that are reached over the names of one step


_score = attrgetter("score")

EVERY_WAY: frozenset[Via] = frozenset(("wikilink", "backlink", "index"))
"""All kinds of steps; one over a shared name is a step of the index."""


class Chain(NamedTuple):
    """A chain of pages, as it stood when a step went on from its last one."""

    pid: int  # of the last page
    before: Chain | None  # without the last page
    via: Via  # how the last page came in
    name: str  # that it shares with the page before it; "" over a link
    depth: int  # links since the last page that the index found
    by_index: bool  # whether the index found the last page itself
    kept: float  # product of what its steps kept
    cover: dict[int, float]  # number of a term → the most that a page in it has of the term
    reach: float  # what it hands on: what it covers of the question, times what it kept


class Found:
    """A page, and the best chain that leads to it. Made by the hundred, so it is no dataclass."""

    before: Chain | None = None  # the chain up to the page before it
    kept = 1.0  # what the last step kept
    via: Via = "index"
    name = ""  # the name that it shares with the page before it; "" over a link
    by_index = False  # whether the index found it, so that a chain to it only raised its score

    def __init__(self, pid: int, own: float, terms: dict[int, float], share: float) -> None:
        self.pid = pid
        self.own = own  # score of its own words
        self.score = own  # of the chain that ends here
        self.terms = terms  # number of each term that it holds → the term's weight
        self.share = share  # what it has of a term, as a factor of the term's weight

    @property
    def depth(self) -> int:
        """How many links lead to it from a page that the index found."""
        if self.before is None or self.by_index:
            return 0
        return self.before.depth + (not self.name)

    def chain(self) -> Chain:
        """The chain that ends here."""
        before = self.before
        cover = dict(before.cover) if before else {}
        for term, weight in self.terms.items():
            part = weight * self.share
            if part > cover.get(term, 0.0):
                cover[term] = part
        kept = before.kept * self.kept if before else 1.0
        reach = kept * sum(cover.values())
        via, name, depth = self.via, self.name, self.depth
        return Chain(self.pid, before, via, name, depth, self.by_index, kept, cover, reach)

    def adds_to(self, cover: dict[int, float]) -> float:
        """What it has of the question's terms beyond `cover`."""
        added, share = 0.0, self.share
        for term, weight in self.terms.items():
            gain = weight * share - cover.get(term, 0.0)
            if gain > 0:
                added += gain
        return added


Step = tuple[int, float, Chain, float, Via, int, str]
"""To the page of a number, what is handed on to it at least: from a chain, what is kept of that,
how it leads there, the number of the link, and the name that both pages mention ("" over a link).
"""


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
        self._arrays = index.arrays
        self._weighed = weighed
        self._domain = filter.domain
        self._outside = filter.outside(index)
        self._must = filter.must(index.words)
        self._language = language_number(weighed.language)
        self._wanted = wanted
        self._follow = follow
        self._worths = Worths(weighed)
        keys = self._worths.wanted
        pages = index.holding(keys)
        self._pages = [(1 << n, pages[key]) for n, key in enumerate(keys) if pages[key]]
        self._asked = [(1 << n, f" {term.text} ") for n, term in enumerate(weighed.terms)]
        self._mass = weighed.mass
        self._norm = _K1 * (1 - _B) + 1, _K1 * _B / index.mean_length
        self.found: dict[int, Found] = {}
        self._frontier: list[Chain] = []
        self._first = True

    def start(self, candidates: int, seeds: int) -> None:
        """Index scoring: the pages that hold the question's words."""
        words = self._words
        wanted = [
            query for queries in wanted_by_field(words, self._weighed).values() for query in queries
        ]
        scores = words.best(wanted, candidates, self._must)
        worths = self._worths
        for pid, held in self._held(scores).items():
            # The word index has counted the words of titles in full.
            self._add(pid, worths[held], scores[pid], 1.0)
            self.found[pid].by_index = True
        self._frontier = [page.chain() for page in self.best(seeds)]

    def step(self, width: int) -> None:
        """Follow links and shared names from the pages that the last step found or raised."""
        if not self._frontier:
            return
        steps = self._links()
        if self._first and "index" in self._follow:
            steps += self._shared_names()
            self._first = False
        self._look_up(steps)
        raising = list(self._raising(steps))
        sentences = self._index.sentences([step[5] for step, *_ in raising if not step[6]])
        raised: dict[int, Found] = {}
        for (_, _, chain, kept, via, link, name), page, added in raising:
            if not name:
                kept *= self._told(sentences[link])
            score = kept * chain.reach + added
            if score > page.score:
                page.score, page.before, page.kept = score, chain, kept
                page.via, page.name = via, name
                raised[page.pid] = page
        best = sorted(raised.values(), key=_score, reverse=True)
        self._frontier = [page.chain() for page in best[:width]]

    def best(self, count: int) -> list[Found]:
        """The pages with the best scores, the best first."""
        return sorted(self.found.values(), key=_score, reverse=True)[:count]

    def _links(self) -> list[Step]:
        """Steps along the most specific links from and to the pages of the frontier."""
        ways: tuple[tuple[Via, Neighbours], ...] = (
            ("wikilink", self._arrays.outward),
            ("backlink", self._arrays.inward),
        )
        return [
            (page, (kept := _LINK * specific) * chain.reach, chain, kept, via, link, "")
            for via, neighbours in ways
            if via in self._follow
            for chain in self._frontier
            for page, specific, link in neighbours.of(chain.pid)
        ]

    def _raising(self, steps: list[Step]) -> Iterator[tuple[Step, Found, float]]:
        """Steps that may raise the page they lead to, with the page and what it adds itself."""
        found = self.found
        for step in steps:
            page = found.get(step[0])
            if page:
                most = step[1] if step[6] else step[1] * _MOST_TOLD
                if most + page.own > page.score:
                    added = page.adds_to(step[2].cover)
                    if most + added > page.score and (added or not step[6]):
                        yield step, page, added

    def _told(self, sentence: str) -> float:
        """By what factor more is kept over a link whose sentence speaks of the question."""
        held = sum([bit for bit, term in self._asked if term in sentence])
        return 1 + _LINK_SENTENCE * self._worths[held].mass / self._mass if held else 1.0

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
        kept = [_NAME * specificity(-df, self._words.count) for df, _ in rare]
        for pid, held in self._words.sharing(names, _SHARERS, self._must).items():
            while held:
                number = held.bit_length() - 1
                held -= 1 << number
                for chain in having[names[number]]:
                    if chain.pid != pid:
                        handed = kept[number] * chain.reach
                        yield pid, handed, chain, kept[number], "index", 0, names[number]

    def _look_up(self, steps: list[Step]) -> None:
        """Score pages that steps lead to; those that the filter does not allow stay unknown.

        Their score is BM25 as if each word stood there once. Pages that could not be chosen even
        so are passed over: a page is worth at most its score and what is new in it.
        """
        worths, found = self._worths, self.found
        best = self.best(self._wanted)
        least = best[-1].score if len(best) == self._wanted else 0.0
        handed: dict[int, float] = {}  # the most that a step hands on to a new page
        for step in steps:
            pid = step[0]
            if pid not in found and step[1] > handed.get(pid, -1.0):
                handed[pid] = step[1]
        held = self._held(handed)
        promising = [
            pid
            for pid, bits in held.items()
            if handed[pid] * _MOST_TOLD + 2 * worths[bits].at_most >= least
        ]
        if self._outside.bits:
            outside = set(self._outside & promising)
            promising = [pid for pid in promising if pid not in outside]
        if self._domain:
            known = self._index.known(promising)
            promising = [page.pid for page in known if page.domain == self._domain]
        once, longer = self._norm
        lengths = self._arrays.lengths
        for pid in promising:
            worth = worths[held[pid]]
            score = worth.mass * (_K1 + 1) / (once + longer * lengths[pid])
            self._add(pid, worth, score + NAMED * worth.name_mass, 0.0)

    def _held(self, pids: Iterable[int]) -> dict[int, int]:
        """For every page, the bits of the question's keys that it holds."""
        held = dict.fromkeys(pids, 0)
        among = set(held)
        for bit, pages in self._pages:
            for pid in among & pages:
                held[pid] |= bit
        return held

    def _add(self, pid: int, worth: Worth, score: float, counted: float) -> None:
        """Take a page in; `counted`: what share of its title's words is in the score already."""
        if worth.titles:
            length = self._arrays.title_lengths[pid]
            share = title_share(worth.titles, length, named=worth.name_mass > 0)
            score += FIELD_WEIGHTS["title"] * worth.title_mass * (share - counted)
        if self._language and self._arrays.languages[pid] == self._language:
            score *= OWN_LANGUAGE
        self.found[pid] = Found(pid, score, worth.terms, score / worth.mass if worth.mass else 0.0)


class Worth(NamedTuple):
    """What a page holds of a question; few pages differ in it."""

    terms: dict[int, float]  # number → idf
    mass: float  # of all terms
    titles: int  # terms in the title
    title_mass: float
    name_mass: float  # of its names that the question holds whole
    at_most: float  # more than such a page can score by its own words


class Worths(dict[int, Worth]):
    """What keys of a question are worth together, by their bits: bit n for wanted[n]."""

    def __init__(self, weighed: Weighed) -> None:
        super().__init__()
        titled = [term for term in weighed.terms if "title" in term.frequencies]
        self.wanted: list[str] = [
            *(term.text for term in weighed.terms),
            *(in_title(term.text) for term in titled),
            *(called(name) for name, _ in weighed.names),
        ]
        idfs = [
            *(term.idf for term in weighed.terms),
            *(term.idf for term in titled),
            *(idf for _, idf in weighed.names),
        ]
        bits = [(number, 1 << number, idf) for number, idf in enumerate(idfs)]
        ends = len(weighed.terms), len(weighed.terms) + len(titled)
        self._terms, self._titles, self._names = (
            bits[: ends[0]], bits[ends[0] : ends[1]], bits[ends[1] :]
        )  # fmt: skip

    def __missing__(self, held: int) -> Worth:
        terms: dict[int, float] = {}
        mass = 0.0
        for number, bit, idf in self._terms:
            if held & bit:
                terms[number] = idf
                mass += idf
        if held >> len(self._terms):
            titles = [idf for _, bit, idf in self._titles if held & bit]
            names = sum([idf for _, bit, idf in self._names if held & bit])
        else:
            titles, names = [], 0.0
        most = mass * _SHORTEST + FIELD_WEIGHTS["title"] * sum(titles) + NAMED * names
        worth = Worth(terms, mass, len(titles), sum(titles), names, most * OWN_LANGUAGE)
        self[held] = worth
        return worth


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
    return 1.0 if named else min(1.0, held / length) ** _TITLE_POWER
