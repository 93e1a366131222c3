"""Pages cut to what answers the question: best passages, in reading order, within a budget."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citewiki.index.index import Index
from citewiki.markdown.structure import Passage, passages, sentences
from citewiki.model import Hit, Page
from citewiki.query.retrieve import Asked
from citewiki.query.terms import Weighed, weigh
from citewiki.text.tokens import tokens

_PIECE = 1000  # characters of the longest piece that a page is cut into
_FEWEST = 3  # pages that the budget has to suffice for
_K1, _B = 1.2, 0.75  # of BM25, as in the word index
_CONTEXT = 0.5  # what a word of the context prefix counts against one of the passage itself
_BLANK = re.compile(r"\n[ \t]*\n\s*")


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page, and the passages of it that may be read for the answer."""

    page: Page
    passages: tuple[Passage, ...]  # in reading order; of a long one, maybe only a part
    hit: Hit


def pack(
    index: Index,
    hits: Sequence[Hit],
    question: Asked,
    *,
    page_chars: int = 4000,
    budget: int = 24000,
    weighed: Weighed | None = None,
) -> tuple[PackedPage, ...]:
    """The pages of `hits`, each cut to at most `page_chars`, all together to at most `budget`.

    A page that is too long keeps the passages that speak most of the question. A small budget is
    spread so that at least three pages come in. `weighed` is the question as retrieval saw it, if
    it is known.
    """
    weighed = weighed or weigh(index, question.text, question.language)
    packed: list[PackedPage] = []
    room = min(page_chars, budget // _FEWEST)
    left = budget
    for hit in hits:
        page = index.page(hit.path)
        if page is None:
            continue
        if left <= 0:
            break
        kept = best_passages(page, weighed, min(room, left), index.prefixes(page.path))
        left -= sum(each.end - each.start for each in kept)
        packed.append(PackedPage(page, tuple(kept), hit))
    return tuple(packed)


def best_passages(
    page: Page, weighed: Weighed, room: int, prefixes: Mapping[str, str] | None = None
) -> list[Passage]:
    """The passages of `page`, or as many of its pieces as fit in `room` characters, best first.

    They come back in reading order; pieces that follow one another are one again. `prefixes` is
    what a model wrote about passages, by anchor: they are found by it, and it is not in them.
    """
    if len(page.body) <= room:
        return passages(page.body)
    pieces = [piece for each in passages(page.body) for piece in _cut(page.body, each)]
    scores = _scores(page, pieces, weighed, prefixes or {})
    kept: list[int] = []
    for number in sorted(range(len(pieces)), key=lambda n: (-scores[n], n)):
        size = pieces[number].end - pieces[number].start
        if size <= room:
            kept.append(number)
            room -= size
    if pieces and not kept:  # one block that nothing divides, such as a long listing
        start = pieces[0].start
        return [_part(page.body, pieces[0], start, start + room)]
    return _joined(page.body, [pieces[number] for number in sorted(kept)])


def _cut(body: str, passage: Passage) -> Iterator[Passage]:
    """A passage in pieces of at most `_PIECE` characters where its text allows it.

    It is cut between paragraphs, and a paragraph that is longer still between sentences.
    """
    breaks = [passage.start, passage.end]
    breaks += (match.end() for match in _BLANK.finditer(body, passage.start, passage.end))
    breaks = sorted(set(breaks))
    if any(end - start > _PIECE for start, end in pairwise(breaks)):
        inside = sentences(body, passage.start, passage.end)
        breaks = sorted({*breaks, *(sentence.start for sentence in inside)})
    start = passage.start
    for here, following in pairwise([*breaks, breaks[-1]]):
        if here > start and (following - start > _PIECE or here == passage.end):
            yield _part(body, passage, start, here)
            start = here


def _part(body: str, passage: Passage, start: int, end: int) -> Passage:
    return replace(passage, start=start, end=end, text=body[start:end].strip())


def _joined(body: str, pieces: Sequence[Passage]) -> list[Passage]:
    joined: list[Passage] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        if last and last.end == piece.start and last.path == piece.path:
            joined[-1] = _part(body, last, last.start, piece.end)
        else:
            joined.append(piece)
    return joined


def _scores(
    page: Page, pieces: Sequence[Passage], weighed: Weighed, prefixes: Mapping[str, str]
) -> list[float]:
    """BM25 of each piece, read with its context: domain › title › heading path › prefix."""
    idf = {term.text: term.idf for term in weighed.terms}
    counts = [Counter(tokens(piece.text)) for piece in pieces]
    lengths = [count.total() for count in counts]
    mean = sum(lengths) / len(lengths) or 1.0
    above = set(tokens(f"{page.domain} {page.title}"))
    scores = []
    for piece, count, length in zip(pieces, counts, lengths, strict=True):
        told = prefixes.get(piece.anchor, "")
        context = above.union(tokens(" ".join((*piece.path, told))))
        norm = _K1 * (1 - _B + _B * length / mean)
        score = 0.0
        for term, weight in idf.items():
            frequency = count[term] + _CONTEXT * (term in context)
            score += weight * frequency * (_K1 + 1) / (frequency + norm)
        scores.append(score)
    return scores
