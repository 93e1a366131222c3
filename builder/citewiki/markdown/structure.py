"""What a body is made of: headings with their anchors, passages, sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from citewiki.markdown.blocks import Block, blocks
from citewiki.markdown.inline import Shown, shown
from citewiki.text.sentences import sentence_spans

_TAG_IN_ANCHOR = re.compile(
    r"</?[^>]*>"
)  # also of `&lt;b&gt;` and of code: pymdownx unescapes first
_NOT_IN_ANCHOR = re.compile(r"[^\w\- ]")
_NUMBERED = re.compile(r"(.*)_(\d+)")
_NAVIGATION = re.compile(r"\s*(?:(?:Part of|Previous:|Next:) \[\[[^\[\]\n]+\]\]\.?\s*)+")
_WRITTEN_SOLID = r"[\u3000-\u9fff\uff00-\uffef]"  # Han, Kana and their signs: no spaces
_LINE_END_IN_HAN = re.compile(rf"(?<={_WRITTEN_SOLID})[ \t]*\n\s*(?={_WRITTEN_SOLID})")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a body."""

    level: int  # 1..6
    text: str  # plain
    anchor: str  # its id in the built page; unique there
    start: int  # body[start:end] is the heading with its marks, without the last line end
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A heading's worth of a body."""

    heading: str  # plain; "" for what stands before the first heading
    anchor: str
    path: tuple[str, ...]  # headings above it, outermost first, and its own last
    start: int  # body[start:end] is the heading and its text; passages follow without gaps
    end: int
    text: str  # Markdown under the heading, trimmed


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, list item or table row."""

    start: int
    end: int
    quote: str  # body[start:end], verbatim
    text: str  # plain; of a table row "header: cell; header: cell"
    heading: str  # plain text of the nearest heading above; "" when none
    footnotes: tuple[str, ...] = ()  # labels in it or after it in its paragraph, nearest first


def headings(body: str) -> list[Heading]:
    """ATX and setext headings outside code, comments and footnotes.

    Anchors are what Python-Markdown's toc extension makes of the shown text with
    `pymdownx.slugs.slugify(case="lower")`: NFC, lower case, only word characters, "-" for each
    space, `_1`, `_2` … for repeats. An attribute list `{#id}` sets the anchor.
    """
    return list(_headings(body))


def passages(body: str) -> list[Passage]:
    """The passages of `body` in order; together they cover it. None for an empty body."""
    if not body:
        return []
    found = _headings(body)
    starts = [heading.start for heading in found]
    ends = [*starts[1:], len(body)]
    result: list[Passage] = []
    before = body[: starts[0] if starts else len(body)]
    if before:
        result.append(Passage("", "", (), 0, len(before), before.strip()))
    above: list[Heading] = []
    for heading, end in zip(found, ends, strict=False):
        while above and above[-1].level >= heading.level:
            above.pop()
        above.append(heading)
        path = tuple(each.text for each in above)
        text = body[heading.end : end].strip()
        result.append(Passage(heading.text, heading.anchor, path, heading.start, end, text))
    return result


def sentences(body: str, start: int = 0, end: int | None = None) -> list[Sentence]:
    """The sentences of body[start:end] in order: prose, list items and table rows.

    Headings, code, footnote definitions and `Part of [[…]].` lines hold none. A sentence never
    spans two blocks. Footnote references right after it are outside its quote.
    """
    every = _sentences(body)
    if start <= 0 and (end is None or end >= len(body)):
        return list(every)
    last = len(body) if end is None else end
    return [sentence for sentence in every if start <= sentence.start and sentence.end <= last]


def first_sentences(body: str, count: int) -> list[Sentence]:
    """The first `count` of `sentences(body)`, without looking for the others."""
    return list(islice(_each_sentence(body), count))


@lru_cache(maxsize=8)
def _headings(body: str) -> tuple[Heading, ...]:
    found = [block for block in blocks(body) if block.kind == "heading"]
    anchors = _Anchors({block.id for block in found if block.id})
    result: list[Heading] = []
    for block in found:
        text = " ".join(shown(body, block.lines).text.split())
        anchor = block.id or anchors.new(text)
        result.append(Heading(block.level, text, anchor, block.start, block.end))
    return tuple(result)


class _Anchors:
    """Ids that are unique in one page, as Python-Markdown makes them."""

    def __init__(self, used: set[str]) -> None:
        self._used = used
        self._taken: dict[str, int] = {}  # base → n: base_1 … base_n are all in use

    def new(self, text: str) -> str:
        untagged = _TAG_IN_ANCHOR.sub("", unicodedata.normalize("NFC", text)).strip()
        anchor = _NOT_IN_ANCHOR.sub("", untagged.lower()).replace(" ", "-")
        if anchor in self._used or not anchor:
            anchor = self._numbered(anchor)
        self._used.add(anchor)
        return anchor

    def _numbered(self, anchor: str) -> str:
        match = _NUMBERED.fullmatch(anchor)
        base, count = (match[1], int(match[2])) if match else (anchor, 0)
        known = self._taken.get(base, 0)
        goes_on = count <= known + 1
        count = max(count, known) if goes_on else count
        count += 1
        while f"{base}_{count}" in self._used:
            count += 1
        if goes_on:
            self._taken[base] = count
        return f"{base}_{count}"


@lru_cache(maxsize=8)
def _sentences(body: str) -> tuple[Sentence, ...]:
    return tuple(_each_sentence(body))


def _each_sentence(body: str) -> Iterator[Sentence]:
    headings_left = list(reversed(_headings(body)))
    heading = ""
    for block in blocks(body):
        if block.kind == "heading":
            heading = headings_left.pop().text
        elif block.kind == "row":
            yield from _row(body, block, heading)
        elif block.kind != "code" and not _NAVIGATION.fullmatch(body, block.start, block.end):
            yield from _prose(body, block, heading)


def _prose(body: str, block: Block, heading: str) -> Iterator[Sentence]:
    seen = shown(body, block.lines)
    text = seen.text
    done = 0  # a sentence begins after the one before, even if both share a link or code
    for first, last in sentence_spans(seen.unstopped):
        words = _one_line(text[first:last])
        start, end = seen.source(first, last)
        if any(map(str.isalnum, words)) and end > done:
            yield _sentence(body, (max(start, done), end), words, heading, seen)
            done = end


def _row(body: str, block: Block, heading: str) -> Iterator[Sentence]:
    """A row is read with its header, without which its cells say little."""
    if not block.header:
        return
    names = [shown(body, [cell]).text for cell in block.header]
    cells = [shown(body, [cell]).text.strip() for cell in block.cells]
    names += [""] * (len(cells) - len(names))
    told = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False)]
    words = _one_line("; ".join(part for part, cell in zip(told, cells, strict=True) if cell))
    if any(map(str.isalnum, words)):
        yield _sentence(body, block.lines[0], words, heading, shown(body, block.lines))


def _sentence(body: str, place: tuple[int, int], text: str, heading: str, seen: Shown) -> Sentence:
    start, end = place
    notes = dict.fromkeys(label for label, position in seen.footnotes if position >= start)
    return Sentence(start, end, body[start:end], text, heading, tuple(notes))


def _one_line(text: str) -> str:
    return " ".join(_LINE_END_IN_HAN.sub("", text).split())
