"""One walk over a page's tree: tokens, bare addresses, links, pictures, block ids, callouts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterator
from typing import TYPE_CHECKING

from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from citewiki.site.callouts import callout
from citewiki.site.commonmark import BETWEEN
from citewiki.site.tokens import EMBED_TEXT, ETX, STX, TOKEN, set_size
from markdown import Markdown

if TYPE_CHECKING:
    from citewiki.site.extension import WikiExtension

_ADDRESS = re.compile(rf"(?<![\w/@{ETX}])https?://[^\s<>{STX}{ETX}\u3000-\u303f\uff00-\uff65]+")
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$")
_PICTURE_SIZE = re.compile(r"(.*)\|(\d+(?:x\d+)?)\Z", re.S)
_VERBATIM = frozenset(("code", "pre", "script", "style"))


class Tree(Treeprocessor):
    """Runs when inline markup has become elements and before headings get their ids."""

    def __init__(self, md: Markdown, extension: WikiExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, root: etree.Element) -> None:
        """Change `root` in place."""
        quotes = []
        waiting = [(root, False)]
        while waiting:
            element, linked = waiting.pop()
            tag = element.tag
            if tag in _VERBATIM:
                if element.text and STX in element.text:
                    element.text = AtomicString(self.extension.restore(element.text))
                continue
            self._texts(element, linked or tag == "a")
            if tag == "a":
                linked = True
                if "wikilink" not in element.get("class", ""):
                    self.extension.resolve(element, "href")
            elif tag == "img":
                self._picture(element)
            elif tag in ("p", "li"):
                _block(element)
            elif tag == "blockquote":
                quotes.append(element)
            waiting += ((child, linked) for child in reversed(element))
        for element in quotes:
            callout(element)
        _tidy(root)

    def _texts(self, element: etree.Element, linked: bool) -> None:
        """Put elements where the text of `element`, or after its children, holds tokens."""
        text = element.text or ""
        if STX in text or (not linked and "://" in text):
            element.text, made = self._split(text, linked)
            element[:0] = made
        for number in range(len(element) - 1, -1, -1):
            tail = element[number].tail or ""
            if STX in tail or (not linked and "://" in tail):
                element[number].tail, made = self._split(tail, linked)
                element[number + 1 : number + 1] = made

    def _split(self, text: str, linked: bool) -> tuple[str, list[etree.Element]]:
        """`text` up to the first token, and an element, with the text after it, for each."""
        first: list[str] = []
        made: list[etree.Element] = []
        for part in self._parts(text, linked):
            if isinstance(part, etree.Element):
                made.append(part)
                part.tail = ""
            elif made:
                made[-1].tail = (made[-1].tail or "") + part
            else:
                first.append(part)
        return "".join(first), made

    def _parts(self, text: str, linked: bool) -> Iterator[str | etree.Element]:
        done = 0
        for match in TOKEN.finditer(text):
            yield from _addresses(text[done : match.start()], linked)
            shown = self.extension.elements[int(match[1])]
            yield self.md.htmlStash.store(shown) if isinstance(shown, str) else shown()
            done = match.end()
        yield from _addresses(text[done:], linked)

    def _picture(self, element: etree.Element) -> None:
        alt = self.extension.restore(element.get("alt", ""))
        if size := _PICTURE_SIZE.match(alt):  # ![words|300](x.png), as Obsidian writes it
            alt = size[1]
            set_size(element, size[2])
        element.set("alt", alt)
        if not element.get("src", "").startswith(STX):
            element.set("loading", "lazy")
            self.extension.resolve(element, "src")


def _addresses(text: str, linked: bool) -> Iterator[str | etree.Element]:
    """A bare web address is a link, as on GitHub and in Obsidian."""
    done = 0
    if not linked and "://" in text:
        for match in _ADDRESS.finditer(text):
            address = match[0].rstrip(".,:;!?*'\"")
            if address.endswith(")") and "(" not in address:
                address = address[:-1]
            yield text[done : match.start()]
            element = etree.Element("a", href=address)
            element.text = AtomicString(address)
            yield element
            done = match.start() + len(address)
    yield text[done:]


def _block(element: etree.Element) -> None:
    """Give a block the id that stands at its end; a paragraph that embeds is no paragraph."""
    last = element[-1] if len(element) else None
    text = (last.tail if last is not None else element.text) or ""
    if "^" in text and (found := _BLOCK_ID.search(text)):
        element.set("id", f"^{found[1]}")
        kept = text[: found.start()]
        if last is not None:
            last.tail = kept
        else:
            element.text = kept
    if element.tag == "p" and any((child.text or "").startswith(EMBED_TEXT) for child in element):
        element.tag = "div"  # the headings and lists of another page cannot stand in a paragraph


def _tidy(root: etree.Element) -> None:
    """Drop what parts block quotes; a paragraph of nothing but `^id` names the block before it."""
    before: etree.Element | None = None
    for element in list(root):
        text = (element.text or "").strip() if element.tag == "p" and not len(element) else "-"
        if text == BETWEEN:
            root.remove(element)
        elif not text and element.get("id") and before is not None:
            before.set("id", element.get("id", ""))
            root.remove(element)
        else:
            before = element
