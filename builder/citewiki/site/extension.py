"""Wikilinks, page links, embeds and evidence as a Python-Markdown extension.

What is a wikilink is decided once, by `markdown.wikilinks`, as it is for the link graph and for
`lint`: a preprocessor swaps each for a token that no later stage takes apart (so a `|` in it
cannot cut a table row), and one walk over the finished tree turns tokens into elements. (Inline
processors would do as well, but Python-Markdown starts a paragraph anew after each match: 5,000
links in one took 90 s.)
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from collections.abc import Callable
from html import escape
from urllib.parse import quote

from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.util import AtomicString

from citewiki.markdown.footnotes import Footnote, footnotes
from citewiki.markdown.regions import Region, regions
from citewiki.markdown.wikilinks import Wikilink, wikilinks
from citewiki.site.commonmark import block_edits
from citewiki.site.links import Resolver, Target
from citewiki.site.media import FILMS, IMAGES, SOUNDS
from citewiki.site.tokens import EMBED_TEXT, ETX, STX, TOKEN, set_size
from citewiki.site.tree import Tree
from markdown import Markdown

_RAW_LINK = re.compile(
    r"(<(?:a|img|source|video|audio|embed|iframe)\b[^<>]*?\s)(href|src)=(\"[^\"]*\"|'[^']*')", re.I
)
_MARKUP = re.compile(r"[*_`~=<&\\]")


class WikiExtension(Extension):
    """Renders the pages of one site, one after another: set `at` before each."""

    def __init__(self, resolver: Resolver, cite: Callable[[Footnote], str]) -> None:
        super().__init__()
        self.resolver = resolver
        self.cite = cite  # a footnote that names a source, as HTML
        self.at = ""  # path of the page that is being rendered
        self.files: set[str] = set()  # files that it shows or links
        self.originals: list[str] = []  # of each token: the text it stands for
        self.elements: list[Callable[[], etree.Element] | str] = []  # and what to show instead

    def extendMarkdown(self, md: Markdown) -> None:
        """Register; 29 is after line ends are unified and before code blocks are taken out."""
        md.registerExtension(self)
        self.inline = md.treeprocessors[
            "inline"
        ].run  # reads the text of an element's children as Markdown
        md.preprocessors.register(_Tokens(md, self), "citewiki-tokens", 29)
        md.treeprocessors.register(Tree(md, self), "citewiki-tree", 15)
        md.postprocessors.register(_RawHtml(md, self), "citewiki-html", 15)

    def reset(self) -> None:
        """Forget the last page."""
        self.files = set()
        self.originals.clear()
        self.elements.clear()

    def token(self, original: str, shown: Callable[[], etree.Element] | str) -> str:
        """A token for `shown`: an element, or finished HTML."""
        self.originals.append(original)
        self.elements.append(shown)
        return f"{STX}w{len(self.originals) - 1}{ETX}"

    def restore(self, text: str) -> str:
        """`text` with the original words for every token."""
        return TOKEN.sub(lambda match: self.originals[int(match[1])], text)

    # -- elements ----------------------------------------------------------------------------

    def element(self, link: Wikilink) -> etree.Element:
        """What is shown for `link`."""
        target = self.resolver.wikilink(link, self.at)
        if target.kind == "file":
            self.files.add(target.path)
        if link.embed and target.kind == "file":
            return self._media(target, link)
        if link.embed and target.kind == "page" and target.path:
            element = etree.Element("span")
            element.text = AtomicString(
                f"{EMBED_TEXT}{quote(target.path)}|{quote(target.anchor)}{ETX}"
            )
            return element
        element = _anchor_or_span(target)
        element.text = link.label or AtomicString(link.shown or f"^{link.block}")
        if _MARKUP.search(link.label):
            holder = etree.Element("span")
            holder.append(element)
            self.inline(holder)
        return element

    def _media(self, target: Target, link: Wikilink) -> etree.Element:
        suffix = target.path[target.path.rfind(".") :].lower()
        if suffix in IMAGES:
            element = etree.Element("img", src=target.href, loading="lazy")
            element.set("alt", link.label)
            set_size(element, link.size)
        elif suffix in FILMS or suffix in SOUNDS:
            tag = "video" if suffix in FILMS else "audio"
            element = etree.Element(tag, src=target.href, controls="controls", preload="none")
        else:
            element = etree.Element("a", {"href": target.href, "class": "wikilink file"})
            element.text = AtomicString(link.label or target.path.rpartition("/")[2])
        return element

    def resolve(self, element: etree.Element, key: str) -> None:
        """Point a link or picture written in Markdown at its place on the site."""
        target = self.resolver.address(element.get(key, ""), self.at)
        if target is None:
            return
        if target.kind == "file" and target.path:
            self.files.add(target.path)
        if target.href:
            element.set(key, target.href)
            if target.note:
                _mark(element, target)
            return
        words = element.get("alt", "")
        del element.attrib[key]
        element.tag = "span"
        if key == "src":
            element.attrib.clear()
            element.text = AtomicString(words or target.note)
        _mark(element, target)


class _Tokens(Preprocessor):
    """Takes `%%comments%%` out; swaps wikilinks and named sources for tokens."""

    def __init__(self, md: Markdown, extension: WikiExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        code = [part for part in regions(text) if part.kind in ("code", "verbatim", "comment")]
        edits = block_edits(text, ((part.start, part.end) for part in code))
        if "[[" in text:
            edits += [(link.start, link.end, self._link(text, link)) for link in wikilinks(text)]
        if "[^" in text:
            edits += [
                (note.start, note.end, self._note(text, note))
                for note in footnotes(text).values()
                if note.resource
                and (note.locator or note.quote or note.text.strip("<>") == note.resource)
            ]
        if "%%" in text:
            edits += [(part.start, part.end, "") for part in code if _is_aside(text, part)]
        if not edits:
            return lines
        parts: list[str] = []
        done = 0
        for start, end, new in sorted(edits):
            if start >= done:  # a link within a quoted source is part of the quote
                parts += text[done:start], new
                done = end
        return "".join([*parts, text[done:]]).split("\n")

    def _link(self, text: str, link: Wikilink) -> str:
        return self.extension.token(
            text[link.start : link.end], lambda: self.extension.element(link)
        )

    def _note(self, text: str, note: Footnote) -> str:
        original = text[note.start : note.end]
        token = self.extension.token(original, self.extension.cite(note))
        trailing = original[len(original.rstrip("\n")) :]
        return f"[^{note.label}]: {token}{trailing}"


class _RawHtml(Postprocessor):
    """Links in HTML that a page holds as it is, and tokens that stand inside such HTML."""

    def __init__(self, md: Markdown, extension: WikiExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, text: str) -> str:
        if self.md.htmlStash.html_counter:
            text = _RAW_LINK.sub(self._address, text)
        return TOKEN.sub(self._token, text)

    def _address(self, match: re.Match[str]) -> str:
        target = self.extension.resolver.address(match[3][1:-1], self.extension.at)
        if target is None:
            return match[0]
        if target.path and target.kind == "file":
            self.extension.files.add(target.path)
        if target.href:
            return f'{match[1]}{match[2]}="{escape(target.href)}"'
        return f'{match[1]}data-missing="{escape(target.note)}"'

    def _token(self, match: re.Match[str]) -> str:
        shown = self.extension.elements[int(match[1])]
        if isinstance(shown, str):
            return shown
        element = shown()
        return self.md.serializer(element)


def _is_aside(text: str, part: Region) -> bool:
    """Whether a region is an Obsidian comment, which nobody is to see."""
    return part.kind == "comment" and text.startswith("%%", part.start)


def _anchor_or_span(target: Target) -> etree.Element:
    if target.href:
        element = etree.Element("a", {"class": "wikilink", "href": target.href})
    else:
        element = etree.Element("span")
    if target.note:
        _mark(element, target)
    return element


def _mark(element: etree.Element, target: Target) -> None:
    """Say in class and title what is to know about a link."""
    mark = "superseded" if target.href else target.kind
    element.set("class", f"{element.get('class', '')} {mark}".strip())
    element.set("title", target.note)
