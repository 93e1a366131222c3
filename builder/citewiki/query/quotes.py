"""Quotes found again in a page: exactly, or in another spelling of white space and signs."""

from __future__ import annotations

import unicodedata

from citewiki.markdown.blocks import blocks
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.inline import shown
from citewiki.markdown.structure import headings, sentences
from citewiki.model import Citation, Page
from citewiki.text.folding import quote_key

Span = tuple[int, int]


def locate(quote: str, body: str) -> Span | None:
    """Where `quote` stands in `body`, as (start, end); None when it does not.

    It is looked for as it is, then with white space, quotation marks, dashes and compatibility
    forms made one (`quote_key`), then in what a reader sees of each block, without its markup.
    """
    quote = quote.strip()
    key = quote_key(quote)
    if not any(map(str.isalnum, key)):
        return None
    start = body.find(quote)
    if start >= 0:
        return start, start + len(quote)
    if key in quote_key(body):
        return _locate_key(key, body)
    for block in blocks(body):
        seen = shown(body, block.lines)
        if key in quote_key(seen.text) and (place := _locate_key(key, seen.text)):
            return seen.source(*place)
    return None


def cite(page: Page, start: int, end: int) -> Citation:
    """The citation of body[start:end], with its heading and the evidence that stands behind it."""
    above = [heading.text for heading in headings(page.body) if heading.start <= start]
    return Citation(
        page.title,
        page.slug,
        above[-1] if above else "",
        page.body[start:end],
        _source(page, start, end),
    )


def _source(page: Page, start: int, end: int) -> str:
    """What the footnotes of these sentences name; else the page's own source, if it has but one."""
    notes = footnotes(page.body)
    for sentence in sentences(page.body):
        if sentence.start < end and start < sentence.end:
            for label in sentence.footnotes:
                note = notes.get(label)
                if note and note.resource:
                    return ", ".join(filter(None, (note.resource, note.locator)))
    if len(page.sources) == 1:
        return ", ".join(filter(None, (page.sources[0].resource, page.sources[0].locator)))
    return ""


def _locate_key(key: str, text: str) -> Span | None:
    """Where the part of `text` stands whose `quote_key` is `key`."""
    folded: list[str] = []
    spans: list[Span] = []  # of every folded character in `text`
    for start, end in _units(text):
        for char in quote_key(f"|{text[start:end]}|")[1:-1]:  # bars keep the spaces at its ends
            if char != " " or folded[-1:] != [" "]:
                folded.append(char)
                spans.append((start, end))
    found = "".join(folded).find(key)
    return None if found < 0 else (spans[found][0], spans[found + len(key) - 1][1])


def _units(text: str) -> list[Span]:
    """The smallest parts of `text` that normalisation keeps apart: a letter with its marks."""
    starts = [0]
    for index in range(1, len(text)):
        char = text[index]
        if char.isascii() or _apart(text[starts[-1] : index], char):
            starts.append(index)
    return list(zip(starts, [*starts[1:], len(text)], strict=True)) if text else []


def _apart(before: str, char: str) -> bool:
    parts = unicodedata.normalize("NFKC", before) + unicodedata.normalize("NFKC", char)
    return unicodedata.normalize("NFKC", before + char) == parts
