"""The whole body of a page as Markdown: for pages whose main text cannot be told from the rest,
and for documents that are HTML inside (books, office files).

One walk over the tree without recursion, so depth and size of a page do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from citewiki.sources.marks import NONE_IN_TEXT
from citewiki.sources.tables import element_rows, rows_markdown

_HIDDEN = frozenset(
    "script style noscript template svg iframe object embed canvas audio video nav footer form"
    " button select option input textarea head".split()
)
_BREAKS = frozenset(
    "p div section article main header aside figure figcaption details summary table thead tbody"
    " tfoot tr ul ol dl dt dd li blockquote pre hr address fieldset center"
    " h1 h2 h3 h4 h5 h6".split()
)
_CELLS = frozenset(("td", "th"))
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_NOT_IN_A_TABLE = ("table", "pre", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6")
_LONGEST_CELL = 2_000  # characters; a longer cell is layout, not data
_FURNITURE = frozenset(("navigation", "banner", "contentinfo", "search", "dialog"))  # ARIA roles
_COOKIES = re.compile(r"\b(?:cookie|consent|gdpr)", re.I)
_SPACES = re.compile(r"\s+")
_TAG_LIKE = re.compile(r"<(?=[A-Za-z/!?])")

Mark = Callable[[Any], str]


def body_markdown(html: str) -> str:
    """The page's visible text with headings, list items, tables and code; "" when it has none."""
    root = parsed(html)
    return "" if root is None else tree_markdown(root)


def parsed(html: str | bytes) -> Any:
    """The tree of a page, by lxml; None when nothing in it is markup or text."""
    from lxml import etree  # type: ignore[import-untyped]

    encoding = "utf-8" if isinstance(html, bytes) else None
    parser = etree.HTMLParser(
        huge_tree=True, remove_comments=True, remove_pis=True, encoding=encoding
    )
    try:
        return etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def raise_headings(root: Any) -> None:
    """Make the highest headings of a tree the first level."""
    found = [(int(e.tag[1]), e) for e in root.iter("h1", "h2", "h3", "h4", "h5", "h6")]
    above = min((level for level, _ in found), default=1) - 1
    for level, element in found:
        element.tag = f"h{level - above}"


def tree_markdown(root: Any, mark: Mark = lambda element: "") -> str:
    """The same of a tree of lxml.

    What `mark` gives for an element becomes a block of its own where the element begins.
    """
    from lxml import etree

    return _Writer(mark).written(etree.iterwalk(root, events=("start", "end")))


class _Writer:
    """Collects blocks of text while the tree is walked."""

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.blocks: list[str] = []
        self.words: list[str] = []  # of the block that is open
        self.prefix = ""  # what the open block starts with: "## ", "- "
        self.counts: list[int] = []  # for each open list the number of its last item; -1: no number
        self.pre = 0  # depth of <pre>
        self.code = -1  # where in `words` the open <code> begins; -1: none is open
        self.hidden = 0  # depth below an element that shows no text, or that is written already

    def written(self, walk: Iterable[tuple[str, Any]]) -> str:
        """The Markdown of a walk over a tree: ("start" or "end", element)."""
        for event, element in walk:
            if event == "start":
                self.start(element)
            else:
                self.end(element)
        self.close()
        return "\n\n".join(self.blocks)

    def start(self, element: Any) -> None:
        tag = str(element.tag)
        if mark := self.mark(element):
            prefix = self.prefix
            self.close()
            self.blocks.append(mark)
            self.prefix = prefix
        if self.hidden or _is_hidden(element, tag):
            self.hidden += 1
            return
        if tag in _BREAKS and not self.pre:
            # An item's first paragraph goes on in the item's line.
            if tag != "p" or "".join(self.words).strip():
                self.close()
            if self.open(element, tag):
                return
        elif tag in _CODE and not self.pre and self.code < 0:
            self.code = len(self.words)
        self.pre += tag == "pre"
        self.words.append("\n" if tag == "br" else self.shown(element.text))

    def open(self, element: Any, tag: str) -> bool:
        """A block begins; True when all of it is written already."""
        if tag[0] == "h" and tag[1:].isdigit():
            self.prefix = "#" * int(tag[1:]) + " "
        elif tag in ("ul", "ol"):
            self.counts.append(0 if tag == "ol" else -1)
        elif tag == "li":
            self.prefix = "- "
            if self.counts and self.counts[-1] >= 0:
                self.counts[-1] += 1
                self.prefix = f"{self.counts[-1]}. "
        elif tag == "table" and (rows := _data(element)):
            self.blocks.append(rows_markdown([list(map(self.shown, row)) for row in rows]))
            self.hidden += 1
            return True
        return False

    def end(self, element: Any) -> None:
        tag = str(element.tag)
        if self.hidden:
            self.hidden -= 1
        elif tag == "pre":
            self.pre -= 1
            if not self.pre:
                self.close(code=True)
        elif tag in _BREAKS and not self.pre:
            self.close()
            if tag in ("ul", "ol") and self.counts:
                self.counts.pop()
        elif tag in _CELLS:
            self.words.append("\t")
        elif tag in _CODE:
            self.end_code()
        if not self.hidden and element.tail:
            self.words.append(self.shown(element.tail))

    def end_code(self) -> None:
        if 0 <= self.code <= len(self.words):
            inner = _SPACES.sub(" ", "".join(self.words[self.code :])).replace("&lt;", "<")
            if inner.strip() and "`" not in inner:
                self.words[self.code :] = [f"`{inner.strip()}`"]
        self.code = -1

    def shown(self, text: str | None) -> str:
        """Words of the page; outside of code, what looks like a tag is none."""
        words = (text or "").translate(NONE_IN_TEXT)
        return words if self.pre else _TAG_LIKE.sub("&lt;", words)

    def close(self, *, code: bool = False) -> None:
        text, prefix = "".join(self.words), self.prefix
        self.words, self.prefix, self.code = [], "", -1
        if code and text.strip():
            fence = "```" if "```" not in text else "~~~~"
            self.blocks.append(f"{fence}\n{text.strip(chr(10))}\n{fence}")
        elif words := _SPACES.sub(" ", text).strip():
            self.blocks.append(prefix + words)


def _data(table: Any) -> list[list[str]]:
    """The rows of a table that holds data; none of one that only places things on the page."""
    if next(table.iterdescendants(*_NOT_IN_A_TABLE), None) is not None:
        return []
    rows = element_rows(table)
    fits = len(rows) > 1 and max(map(len, rows)) > 1
    return rows if fits and max(len(cell) for row in rows for cell in row) <= _LONGEST_CELL else []


def _is_hidden(element: Any, tag: str) -> bool:
    """Whether it shows no text, or only what is the same on every page of its site."""
    if tag in _HIDDEN or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden") == "true" or element.get("role") in _FURNITURE:
        return True
    return tag == "div" and bool(
        _COOKIES.search(f"{element.get('id') or ''} {element.get('class') or ''}")
    )
