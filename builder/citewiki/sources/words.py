"""How long a text is, and where it may be cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from citewiki.markdown.regions import protected
from citewiki.text.sentences import sentence_spans

WHOLE_WORDS = 2_500
"""A text up to this length is one page; some ten minutes of reading."""

PART_WORDS = 1_950
"""Aim for the length of a part: with it, whole parts come out between 1,500 and 2,500 words."""

_PIECE_WORDS = 500  # a longer paragraph, and then a longer line, may be cut inside

# Scripts without spaces: one word is some two Han or Kana characters, some four Thai or Khmer.
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_THAI = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*")
_BLANK_LINES = re.compile(r"\n[ \t]*\n\s*")
_LINE_END = re.compile(r"\n+")


def count_words(text: str) -> int:
    """Words of a text in any script; without spaces, 2 Han or Kana (4 Thai, Khmer) make one."""
    if text.isascii():
        return len(_WORD.findall(text))
    han, han_count = _UNSPACED.subn(" ", text)
    rest, thai_count = _THAI.subn(" ", han)
    return len(_WORD.findall(rest)) + (han_count + 1) // 2 + (thai_count + 3) // 4


def parts(text: str) -> list[tuple[int, int]]:
    """Spans that cover `text`, of some `PART_WORDS` each; one span up to `WHOLE_WORDS`.

    Cuts fall between paragraphs, never inside code; in a paragraph too long for a part between
    lines, and in such a line between sentences.
    """
    total = count_words(text)
    if total <= WHOLE_WORDS:
        return [(0, len(text))]
    count = max(2, round(total / PART_WORDS))
    cuts, done = [0], 0
    for start, size in _pieces(text):
        goal = len(cuts) * total / count
        # Cut before this piece when that comes closer to the goal than cutting after it.
        if len(cuts) < count and start > cuts[-1] and done + size / 2 > goal:
            cuts.append(start)
        done += size
    return list(pairwise([*cuts, len(text)]))


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """(start, words) of stretches that cover the text, between borders where it may be cut."""
    kept = protected(text)
    blocks = _outside((match.end() for match in _BLANK_LINES.finditer(text)), kept)
    for start, end in pairwise([0, *blocks, len(text)]):
        if (size := count_words(text[start:end])) <= _PIECE_WORDS:
            yield start, size
            continue
        lines = _outside((m.end() for m in _LINE_END.finditer(text, start, end)), kept)
        for first, last in pairwise([start, *lines, end]):
            if (size := count_words(text[first:last])) <= _PIECE_WORDS:
                yield first, size
                continue
            spans = sentence_spans(text[first:last])
            sentences = _outside((first + begin for begin, _ in spans[1:]), kept)
            for begin, stop in pairwise([first, *sentences, last]):
                yield begin, count_words(text[begin:stop])


def _outside(places: Iterable[int], spans: list[tuple[int, int]]) -> list[int]:
    """The places (ascending) that do not lie inside one of the spans (ascending, disjoint)."""
    free, following = [], iter(spans)
    start, end = next(following, (0, 0))
    for place in places:
        while end <= place and (span := next(following, None)):
            start, end = span
        if not start < place < end:
            free.append(place)
    return free
