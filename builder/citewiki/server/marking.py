"""The words that an answer cites, marked where a page says them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from citewiki.text.folding import quote_key

LONGEST = 1_000
"""Characters of a quote that are looked for."""

_BLOCKS = frozenset(
    "p li dd dt td th tr pre div blockquote h1 h2 h3 h4 h5 h6 br ul ol table figure".split()
)
_UNREAD = ("headerlink", "footnote-ref", "footnote-backref")


@dataclass(frozen=True, slots=True)
class _Text:
    """A run of text in a tree of HTML."""

    element: Any
    is_tail: bool  # whether it stands behind the element, or first in it
    text: str


def marked(html: str, quote: str) -> str:
    """`html` with the first place that says `quote` in <mark>, which has the id "quote".

    Spaces, and forms of quotation marks and dashes, do not count. Without such a place, and for
    HTML that cannot be parsed, `html` is as it was. What comes out is for `harmless`, as before.
    """
    from lxml import etree  # type: ignore[import-untyped]
    from lxml.html import (  # type: ignore[import-untyped]
        fragment_fromstring,
        tostring,
    )

    wanted = quote_key(quote[:LONGEST])
    if not wanted:
        return html
    try:
        root = fragment_fromstring(html, create_parent="div")
    except (etree.ParserError, ValueError, RecursionError):
        return html
    runs: list[_Text] = []
    said: list[str] = []
    places: list[tuple[int, int]] = []  # run and offset of every character said
    for run in _texts(root):
        if run is None:
            _say(" ", -1, 0, said, places)
            continue
        for offset, char in enumerate(run.text):
            _say(char, len(runs), offset, said, places)
        runs.append(run)
    start = "".join(said).find(wanted)
    if start < 0:
        return html
    spans: dict[int, tuple[int, int]] = {}
    for number, offset in places[start : start + len(wanted)]:
        if number >= 0:
            first, _ = spans.get(number, (offset, 0))
            spans[number] = (first, offset + 1)
    is_first = True
    for number, (begin, end) in spans.items():
        if runs[number].text[begin:end].strip():
            _wrap(runs[number], begin, end, "quote" if is_first else "")
            is_first = False
    inner = str(tostring(root, encoding="unicode"))
    return inner[inner.index(">") + 1 : inner.rindex("</div>")]


def _texts(element: Any) -> Iterator[_Text | None]:
    """The runs of text in reading order; None where a block begins or ends."""
    if not isinstance(element.tag, str):
        return
    is_block = element.tag in _BLOCKS
    if is_block:
        yield None
    if not any(name in (element.get("class") or "") for name in _UNREAD):
        if element.text:
            yield _Text(element, False, element.text)
        for child in element:
            yield from _texts(child)
            if child.tail:
                yield _Text(child, True, child.tail)
    if is_block:
        yield None


def _say(
    char: str, number: int, offset: int, said: list[str], places: list[tuple[int, int]]
) -> None:
    """Add a character as quotes are compared; white space only once."""
    for each in quote_key(char) if not char.isspace() else " ":
        if each == " " and (not said or said[-1] == " "):
            continue
        said.append(each)
        places.append((number, offset))


def _wrap(run: _Text, begin: int, end: int, name: str) -> None:
    from lxml.html import Element

    mark = Element("mark", {"id": name} if name else {})
    mark.text, mark.tail = run.text[begin:end], run.text[end:] or None
    if run.is_tail:
        run.element.tail = run.text[:begin] or None
        run.element.addnext(mark)
    else:
        run.element.text = run.text[:begin] or None
        run.element.insert(0, mark)
