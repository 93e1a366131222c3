"""The whole body of a page as Markdown: for pages whose main text cannot be told from the rest.

One walk over the tree without recursion, so depth and size of a page do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

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
_FURNITURE = frozenset(("navigation", "banner", "contentinfo", "search", "dialog"))  # ARIA roles
_COOKIES = re.compile(r"\b(?:cookie|consent|gdpr)", re.I)
_SPACES = re.compile(r"\s+")


def body_markdown(html: str) -> str:
    """The page's visible text with headings, list items and code blocks; "" when it has none."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(html, parser)
    except (etree.XMLSyntaxError, ValueError):  # nothing in it that is markup or text
        return ""
    if root is None:
        return ""
    return _Writer().written(etree.iterwalk(root, events=("start", "end")))


class _Writer:
    """Collects blocks of text while the tree is walked."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.words: list[str] = []  # of the block that is open
        self.prefix = ""  # what the open block starts with: "## ", "- "
        self.code = 0  # depth of <pre>
        self.hidden = 0  # depth below an element that shows no text

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
        if self.hidden or _is_hidden(element, tag):
            self.hidden += 1
            return
        if tag in _BREAKS and not self.code:
            # An item's first paragraph goes on in the item's line.
            if tag != "p" or "".join(self.words).strip():
                self.close()
            if tag[0] == "h" and tag[1:].isdigit():
                self.prefix = "#" * int(tag[1:]) + " "
            elif tag == "li":
                self.prefix = "- "
        self.code += tag == "pre"
        self.words.append("\n" if tag == "br" else element.text or "")

    def end(self, element: Any) -> None:
        tag = str(element.tag)
        if self.hidden:
            self.hidden -= 1
        elif tag == "pre":
            self.code -= 1
            if not self.code:
                self.close(code=True)
        elif tag in _BREAKS and not self.code:
            self.close()
        elif tag in _CELLS:
            self.words.append("\t")
        if not self.hidden and element.tail:
            self.words.append(element.tail)

    def close(self, *, code: bool = False) -> None:
        text, prefix = "".join(self.words), self.prefix
        self.words, self.prefix = [], ""
        if code and text.strip():
            fence = "```" if "```" not in text else "~~~~"
            self.blocks.append(f"{fence}\n{text.strip(chr(10))}\n{fence}")
        elif words := _SPACES.sub(" ", text).strip():
            self.blocks.append(prefix + words)


def _is_hidden(element: Any, tag: str) -> bool:
    """Whether it shows no text, or only what is the same on every page of its site."""
    if tag in _HIDDEN or element.get("hidden") is not None:
        return True
    if element.get("aria-hidden") == "true" or element.get("role") in _FURNITURE:
        return True
    return tag == "div" and bool(
        _COOKIES.search(f"{element.get('id') or ''} {element.get('class') or ''}")
    )
