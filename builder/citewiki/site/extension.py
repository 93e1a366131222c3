"""Wikilinks, page links, embeds and evidence as a Python-Markdown extension.

What is a wikilink is decided once, by `markdown.wikilinks`, as it is for the link graph and for
`lint`: a preprocessor swaps each for a token that no later stage takes apart (so a `|` in it
cannot cut a table row), and one walk over the finished tree turns tokens into elements. (Inline
processors would do as well, but Python-Markdown starts a paragraph anew after each match: 5,000
links in one took 90 s.)
"""

from __future__ import annotations

import re
import string
import xml.etree.ElementTree as etree
from bisect import bisect_left
from collections.abc import Callable, Iterable
from html import escape, unescape
from typing import Any
from urllib.parse import quote

from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.util import AtomicString

from citewiki.markdown.blocks import ATTRIBUTES
from citewiki.markdown.footnotes import Footnote, footnotes
from citewiki.markdown.regions import Region, regions
from citewiki.markdown.wikilinks import Wikilink, wikilinks
from citewiki.site.commonmark import Edit, block_edits
from citewiki.site.diagrams import MERMAID, has_diagram, ours
from citewiki.site.dialects import (
    MANY_BRACKETS,
    as_html,
    html_fragments,
    inline_notes,
    line_edits,
    lone_angles,
    lone_brackets,
)
from citewiki.site.formulas import held, with_formulas
from citewiki.site.links import Resolver, Target
from citewiki.site.media import FILMS, IMAGES, SOUNDS
from citewiki.site.tokens import BEFORE_HASH, EMBED_TEXT, ETX, STX, TOKEN, set_size
from citewiki.site.tree import Tree
from markdown import Markdown

_RAW_LINK = re.compile(
    r"(<(?:a|img|source|video|audio|embed|iframe)\b[^<>]*?\s)(href|src)=(\"[^\"]*\"|'[^']*')", re.I
)
_MARKUP = re.compile(r"[*_`~=<&\\]")
_ESCAPED = re.compile(f"{STX}(\\d+){ETX}")  # as Python-Markdown keeps an escaped sign
_TASK = '<input type="checkbox" disabled'  # as pymdownx.tasklist writes it, without a name
_QUOTE_MARKS = re.compile(r"\n(?:[ ]*>)+[ ]?")


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
        md.ESCAPED_CHARS += [sign for sign in string.punctuation if sign not in md.ESCAPED_CHARS]
        if "attr_list" in md.treeprocessors:
            _restrain(md.treeprocessors["attr_list"])
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

    def finish(self, html: str) -> str:
        """The page's HTML with its formulas, which the ids of headings know as written."""
        if has_diagram(html):
            self.files.add(MERMAID)
        html = html.replace(_TASK, f'{_TASK} aria-label="done"')
        return with_formulas(html) if "cw-math" in html else html

    # -- elements ----------------------------------------------------------------------------

    def element(self, link: Wikilink) -> etree.Element:
        """What is shown for `link`."""
        target = self.resolver.wikilink(link, self.at)
        if target.kind == "file":
            self.files.add(target.path)
        if link.embed and target.kind == "file":
            return self._media(target, link)
        if link.embed and target.kind == "page" and target.path and target.is_found:
            element = etree.Element("span")
            element.text = AtomicString(
                f"{EMBED_TEXT}{quote(target.path)}|{quote(target.anchor)}{ETX}"
            )
            return element
        element = _anchor_or_span(target)
        if link.embed and not target.is_found:
            element.set("class", "wikilink missing")
            lacking = f"heading “{link.heading}”" if link.heading else f"block “^{link.block}”"
            element.set("title", f"the page has no {lacking}")
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
        address = _ESCAPED.sub(lambda match: chr(int(match[1])), element.get(key, ""))
        target = self.resolver.address(address, self.at)
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
    """Takes comments out, which nobody is to see; swaps wikilinks and named sources for tokens."""

    def __init__(self, md: Markdown, extension: WikiExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        text = "\n".join(lines)
        found = regions(text)
        edits = block_edits(text, ((part.start, part.end) for part in found if _is_block(part)))
        edits += line_edits(text, found)
        if "[[" in text:
            edits += [(link.start, link.end, self._link(text, link)) for link in wikilinks(text)]
        if "[^" in text:
            edits += [
                (note.start, note.end, self._note(text, note))
                for note in footnotes(text).values()
                if note.resource
                and (note.locator or note.quote or note.text.strip("<>") == note.resource)
            ]
        if "%%" in text or "<!--" in text:
            edits += [(part.start, part.end, "") for part in found if part.kind == "comment"]
        if "$" in text:
            edits += [
                (part.start, part.end, self._formula(text, part))
                for part in found
                if part.kind == "math"
            ]
        edits.sort()
        if notes := inline_notes(text, found):
            edits = self._with_notes(text, edits, notes)
        if "<" in text and (fragments := html_fragments(text, found)):
            edits = _within(text, edits, fragments, self._put_aside)
        text = _edited(text, edits) if edits else text
        if text.count("<") > MANY_BRACKETS:
            text = _edited(text, lone_angles(text, regions(text)))
        if text.count("[") > MANY_BRACKETS:
            text = _edited(text, lone_brackets(text, regions(text)))
        return text.split("\n")

    def _with_notes(self, text: str, edits: list[Edit], notes: list[tuple[int, int]]) -> list[Edit]:
        """`edits` with each `^[words]` as a footnote, whose words stand at the end."""
        definitions: list[str] = []

        def reference(words: str) -> str:
            definitions.append(f"\n\n[^-{len(definitions) + 1}]: {words[2:-1]}\n")
            return f"[^-{len(definitions)}]"

        edits = _within(text, edits, notes, reference)
        return [*edits, (len(text), len(text), "".join(definitions))]

    def _put_aside(self, fragment: str) -> str:
        """HTML in a paragraph of its own, which Markdown's other stages do not look into."""
        return f"\n\n{self.md.htmlStash.store(as_html(fragment))}\n\n"

    def _formula(self, text: str, part: Region) -> str:
        written = text[part.start : part.end]
        if "\n" in written and ">" in text[text.rfind("\n", 0, part.start) + 1 : part.start]:
            written = _QUOTE_MARKS.sub("\n", written)
        return self.extension.token(text[part.start : part.end], lambda: held(written))

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
            text = ours(_RAW_LINK.sub(self._address, text))
        if BEFORE_HASH in text:
            text = text.replace(BEFORE_HASH, "")
        return TOKEN.sub(self._token, text)

    def _address(self, match: re.Match[str]) -> str:
        target = self.extension.resolver.address(unescape(match[3][1:-1]), self.extension.at)
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


def _restrain(attributes: Any) -> None:
    """Let `{a, b}` and `{name}` be text: attributes begin with ":", "#", "." or "key="."""
    attributes.HEADER_RE = re.compile(rf"[ ]+{ATTRIBUTES}[ ]*$")
    attributes.BLOCK_RE = re.compile(rf"\n[ ]*{ATTRIBUTES}[ ]*$")
    attributes.INLINE_RE = re.compile(f"^{ATTRIBUTES}")


def _edited(text: str, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> str:
    """text[start:end] after `edits`, in order; of two that overlap the first is made."""
    end = len(text) if end is None else end
    parts: list[str] = []
    done = start
    for first, last, new in edits:
        if done <= first and last <= end:  # a link within a quoted source is part of the quote
            parts += text[done:first], new
            done = last
    return "".join([*parts, text[done:end]])


def _within(
    text: str, edits: list[Edit], spans: Iterable[tuple[int, int]], made: Callable[[str], str]
) -> list[Edit]:
    """`edits` with what is `made` of each span, after those edits that lie in it."""
    kept: list[Edit] = []
    index = 0
    for start, end in spans:
        first = bisect_left(edits, (start,), index)
        kept += edits[index:first]
        index = bisect_left(edits, (end,), first)
        kept.append((start, end, made(_edited(text, edits[first:index], start, end))))
    return kept + edits[index:]


def _is_block(part: Region) -> bool:
    """Whether nothing in a region is to be read as a list, a quote or a table."""
    return part.kind in ("code", "verbatim", "comment", "math")


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
