"""Mentions without a link: pages whose text names another page that they do not link.

A name is a page's title or an alias that one page alone goes by and that is no everyday word. It
counts as a whole word, the longest name first, outside code, links, headings and footnotes.

Most pages name nothing: the first two words of all names are looked up among the neighbouring
words of a text as a set, and only where some are there is the text read more closely.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from citewiki.index.graph import LinkGraph, linking_sentence
from citewiki.markdown.regions import protected
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.text.folding import nfc
from citewiki.text.naming import WORD, Spelling, is_whole, lowered, spelling

_APART = re.compile(  # links, addresses, footnotes, headings, "Part of" lines
    r"!?\[(?:[^\]\[\n]|\[[^\]\n]*\])*\]\([^)\n]*\)|https?://\S+"
    r"|^\[\^[^\]\n]+\]:.*(?:\n[ \t]+.*)*|\[\^[^\]\n]+\]"
    r"|^ {0,3}#{1,6}[ \t].*|^.+\n(?:=+|-+)[ \t]*$|^Part of \[\[.*$",
    re.MULTILINE,
)
_ASCII = "".join(char if char.isalnum() or char == "_" else " " for char in map(chr, range(128)))
"""What `WORD` parts, as a table for `str.translate`, which is four times as fast."""

SENTENCE = 160  # characters of a sentence that links or mentions a page


@dataclass(frozen=True, slots=True)
class Named:
    """A place where a page's text names another page."""

    path: str  # of the page that names
    start: int  # body[start:end] is the name
    end: int


@dataclass(frozen=True, slots=True)
class _Name:
    written: str
    spelling: Spelling
    path: str  # of the page that goes by it


class NameTable:
    """The names by which the pages of a wiki may be mentioned."""

    def __init__(self, pages: Iterable[Page]) -> None:
        called: dict[str, list[_Name]] = defaultdict(list)
        for page in pages:
            for name in dict.fromkeys((page.title, *page.aliases)):
                written = nfc(" ".join(name.split()))
                if found := spelling(written):
                    called[found.key].append(_Name(written, found, page.path))
        self._by_words: dict[tuple[str, ...], list[_Name]] = defaultdict(list)
        for names in called.values():
            if len({name.path for name in names}) == 1:
                self._by_words[names[0].spelling.words[:2]].append(names[0])
        self._pairs: set[tuple[str, ...]] = {each for each in self._by_words if len(each) == 2}
        self._single = {words[0] for words in self._by_words if len(words) == 1}

    def found(self, page: Page, known: frozenset[str]) -> Iterator[tuple[str, Named]]:
        """Each page that the text of `page` names, with the first place; none at `known` paths."""
        lower = lowered(page.body)
        words = lower.translate(_ASCII).split() if lower.isascii() else WORD.findall(lower)
        hits = self._pairs.intersection(pairwise(words))
        hits |= {(word,) for word in self._single.intersection(words)}
        names = [name for hit in hits for name in self._by_words[hit]]
        if all(name.path in known for name in names):
            return
        lower = _readable(page.body, lower)
        taken = bytearray(len(lower))
        first: dict[str, Named] = {}
        for name in sorted(names, key=lambda name: (-len(name.spelling.key), name.spelling.key)):
            for start, end in _places(name, page.body, lower):
                if any(taken[start:end]):
                    continue  # part of a longer name
                taken[start:end] = b"\1" * (end - start)
                if name.path not in known and start < first.get(name.path, _LAST).start:
                    first[name.path] = Named(page.path, start, end)
        yield from sorted(first.items())


_LAST = Named("", 1 << 62, 1 << 62)


def unlinked(pages: Mapping[str, Page], graph: LinkGraph) -> dict[str, tuple[Named, ...]]:
    """Where each page, by path, is named by pages that do not link it; in the pages' order."""
    table = NameTable(pages.values())
    found: dict[str, list[Named]] = defaultdict(list)
    for path, page in pages.items():
        known = frozenset((path, *(edge.target for edge in graph.out.get(path, ()))))
        for target, place in table.found(page, known):
            found[target].append(place)
    return {path: tuple(places) for path, places in found.items()}


def sentence_of(page: Page, place: Named) -> str:
    """The sentence of `page` that holds the name."""
    return linking_sentence(page.body, place.start, place.end)


def clipped(sentence: str, name: str = "", most: int = SENTENCE) -> str:
    """`sentence`, or of a long one `most` characters, at whole words, at its start or `name`."""
    if len(sentence) <= most:
        return sentence
    at = sentence.lower().find(name.lower())
    start = max(0, at - (most - len(name)) // 2) if at + len(name) > most else 0
    words = sentence[start : start + most]
    if start + most < len(sentence):
        words = words.rsplit(" ", 1)[0] + " …"
    return "… " + words.partition(" ")[2] if start else words


def _places(name: _Name, body: str, lower: str) -> Iterator[tuple[int, int]]:
    """Every place where `name` stands as whole words."""
    key = name.spelling.key
    start = lower.find(key)
    while start >= 0:
        end = start + len(key)
        is_spelled = not name.spelling.exact or body[start:end] == name.written
        if is_spelled and is_whole(lower, start, end):
            yield start, end
        start = lower.find(key, end)


def _readable(body: str, lower: str) -> str:
    """`lower` at equal length, NUL for all that is no prose, a space for a line end within it."""
    spans = [*protected(body), *(match.span() for match in _APART.finditer(body))]
    if "[[" in body:
        spans += [(link.start, link.end) for link in wikilinks(body)]
    parts: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            parts += lower[done:start], "\0" * (end - start)
            done = end
    prose = "".join([*parts, lower[done:]])
    return re.sub(r"(?<=[^\s\0])\n(?=[^\s\0])", " ", prose)
