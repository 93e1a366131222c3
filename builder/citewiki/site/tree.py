"""One walk over a page's tree: tokens, bare addresses, links, pictures, block ids, callouts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterator
from typing import TYPE_CHECKING

from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER, AtomicString

from citewiki.site.callouts import callout
from citewiki.site.commonmark import BETWEEN
from citewiki.site.tokens import BEFORE_HASH, EMBED_TEXT, ETX, STX, TOKEN, set_size
from markdown import Markdown

if TYPE_CHECKING:
    from citewiki.site.extension import WikiExtension

_ADDRESS_OR_TAG = re.compile(
    rf"(?<![\w/@{ETX}])https?://[^\s<>{STX}{ETX}\u3000-\u303f\uff00-\uff65]+"
    r"|(?<!\S)#[\w/-]*[^\W\d][\w/-]*"
)
_STASHED = re.compile(HTML_PLACEHOLDER % r"\d+")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_BLOCK_ID = re.compile(r"(?:^|\s)\^([A-Za-z0-9-]+)\s*$|(?<=[^\x00-\x7f])\^([A-Za-z0-9-]{4,})\s*$")
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
        waiting: list[tuple[etree.Element, etree.Element | None]] = [(root, None)]
        while waiting:
            element, link = waiting.pop()
            tag = element.tag
            if tag in _VERBATIM:
                if element.text and STX in element.text:
                    element.text = AtomicString(self.extension.restore(element.text))
                continue
            if tag == "a":
                link = element
                if "wikilink" not in element.get("class", ""):
                    self.extension.resolve(element, "href")
            self._texts(element, link)
            if tag == "img":
                self._picture(element)
            elif tag in ("p", "li"):
                _block(element)
            elif tag in _HEADINGS:
                _heading(element)
            elif tag == "blockquote":
                quotes.append(element)
            waiting += ((child, link) for child in reversed(element))
        for element in quotes:
            callout(element)
        _tidy(root)

    def _texts(self, element: etree.Element, link: etree.Element | None) -> None:
        """Put elements where the text of `element`, or after its children, holds tokens."""
        text = element.text or ""
        if STX in text or (link is None and ("://" in text or "#" in text)):
            element.text, made = self._split(text, link)
            element[:0] = made
        for number in range(len(element) - 1, -1, -1):
            tail = element[number].tail or ""
            if STX in tail or (link is None and ("://" in tail or "#" in tail)):
                element[number].tail, made = self._split(tail, link)
                element[number + 1 : number + 1] = made

    def _split(self, text: str, link: etree.Element | None) -> tuple[str, list[etree.Element]]:
        """`text` up to the first token, and an element, with the text after it, for each."""
        if isinstance(text, AtomicString):  # of an element that a token has become
            return text, []
        if BEFORE_HASH in text:
            text = text.replace(BEFORE_HASH, "")
        first: list[str] = []
        made: list[etree.Element] = []
        for part in self._parts(text, link):
            if isinstance(part, etree.Element):
                made.append(part)
                part.tail = ""
            elif made:
                made[-1].tail = (made[-1].tail or "") + part
            else:
                first.append(part)
        return "".join(first), made

    def _parts(self, text: str, link: etree.Element | None) -> Iterator[str | etree.Element]:
        done = 0
        for match in TOKEN.finditer(text):
            yield from self._plain(text[done : match.start()], link)
            shown = self.extension.elements[int(match[1])]
            element = self.md.htmlStash.store(shown) if isinstance(shown, str) else shown()
            if link is not None and not isinstance(element, str) and element.tag == "a":
                _unlink(link)  # of links in links the inner one counts, as in CommonMark
            yield element
            done = match.end()
        yield from self._plain(text[done:], link)

    def _plain(self, text: str, link: etree.Element | None) -> Iterator[str | etree.Element]:
        """Bare web addresses and tags are links, as on GitHub and in Obsidian."""
        if link is not None:
            yield text
            return
        done = 0
        for match in _ADDRESS_OR_TAG.finditer(text):
            words = match[0]
            if words[0] == "#":
                address = self.extension.resolver.tag(words[1:])
            else:
                address = words = _without_stops(words)
            if address:
                yield text[done : match.start()]
                element = etree.Element("a", href=address)
                element.text = AtomicString(words)
                yield element
                done = match.start() + len(words)
        yield text[done:]

    def _picture(self, element: etree.Element) -> None:
        alt = self.extension.restore(element.get("alt", ""))
        if size := _PICTURE_SIZE.match(alt):  # ![words|300](x.png), as Obsidian writes it
            alt = size[1]
            set_size(element, size[2])
        element.set("alt", alt)
        if not element.get("src", "").startswith(STX):
            element.set("loading", "lazy")
            self.extension.resolve(element, "src")


def _without_stops(address: str) -> str:
    """A bare address without the signs that end its sentence."""
    address = address.rstrip(".,:;!?*'\"")
    return address[:-1] if address.endswith(")") and "(" not in address else address


def _unlink(element: etree.Element) -> None:
    """Leave the words of a link, and nothing of where it leads."""
    element.tag = "span"
    for key in ("href", "title", "class"):
        element.attrib.pop(key, None)


def _heading(element: etree.Element) -> None:
    """A heading's block id stands in it, as its own id is made of its words."""
    _block(element)
    if block := element.attrib.pop("id", "") if element.get("id", "").startswith("^") else "":
        etree.SubElement(element, "span", id=block)


def _block(element: etree.Element) -> None:
    """Give a block the id that stands at its end; a paragraph that embeds is no paragraph.

    An item's own words end where a list in it begins.
    """
    own = len(element)
    if element.tag == "li":
        own = next((n for n, child in enumerate(element) if child.tag in ("ul", "ol")), own)
    last = element[own - 1] if own else None
    text = (last.tail if last is not None else element.text) or ""
    if "^" in text and (found := _BLOCK_ID.search(text)):
        element.set("id", f"^{found[1] or found[2]}")
        kept = text[: found.start()]
        if last is not None:
            last.tail = kept
        else:
            element.text = kept
    if element.tag == "p" and any((child.text or "").startswith(EMBED_TEXT) for child in element):
        element.tag = "div"  # the headings and lists of another page cannot stand in a paragraph


def _tidy(root: etree.Element) -> None:
    """Drop what parts block quotes; a paragraph of nothing but `^id` names the block before it."""
    kept: list[etree.Element] = []
    for element in root:
        text = (element.text or "").strip() if element.tag == "p" and not len(element) else "-"
        if text == BETWEEN:
            continue
        if text or not element.get("id") or not kept:
            kept.append(element)
            continue
        kept[-1].set("id", element.get("id", ""))
        if kept[-1].tag == "p" and _STASHED.fullmatch(kept[-1].text or ""):
            kept[-1].tag = "div"  # it becomes a block of code
    root[:] = kept
