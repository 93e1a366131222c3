"""Cross-links: the first mention of another page on a page becomes a wikilink to it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from citewiki.markdown.regions import protected
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.names import Names
from citewiki.text.folding import nfc
from citewiki.text.naming import WORD, Spelling, is_whole, lowered, spelling

_LINK = re.compile(r"!?\[(?:[^\]\[\n]|\[[^\]\n]*\])*\]\([^)\n]*\)|<https?://[^>\s]+>|https?://\S+")
_FOOTNOTE = re.compile(r"^\[\^[^\]\n]+\]:.*(?:\n[ \t]+.*)*|\[\^[^\]\n]+\]", re.MULTILINE)
_MAY_BE_HEADING = re.compile(r"^[ \t>*+\-\d.)]*(?:#|[=-]+[ \t]*$)", re.MULTILINE)
_PART_OF = re.compile(r"^Part of \[\[.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name that may be mentioned."""

    spelling: Spelling
    name: str  # as the page has it
    title: str  # of the page that goes by it
    path: str


class Linker:
    """Finds mentions of the titles and aliases of a set of pages.

    Names match as whole words, the longest first, and without regard to case, except for
    acronyms and names of one short word. A name that is a common word, or that two pages go by,
    never links. Finding is linear in the text, whatever the number of names.
    """

    def __init__(self, pages: Iterable[Page]) -> None:
        pages = list(pages)
        self._names = Names(pages)
        self._mentions: dict[tuple[str, ...], list[_Mention]] = {}
        self._firsts: set[str] = set()  # words that names begin with
        for page in pages:
            for name in dict.fromkeys((page.title, *page.aliases)):
                self._add(nfc(" ".join(name.split())), page)
        for found in self._mentions.values():
            found.sort(key=lambda mention: (-len(mention.spelling.key), mention.path))

    def _add(self, name: str, page: Page) -> None:
        if found := spelling(name):
            mention = _Mention(found, name, page.title, page.path)
            self._mentions.setdefault(found.words[:2], []).append(mention)
            self._firsts.add(found.words[0])

    def link(self, page: Page) -> Page:
        """`page` with first mentions linked; the same page when there is nothing to link.

        Pages that it links already are not linked again, and headings, code, links, comments
        and footnotes are left as they are. Doing it twice changes nothing.
        """
        body = page.body
        linked = self._linked(page)
        lower = lowered(_blanked(body))
        pieces: list[str] = []
        done = 0
        for word in WORD.finditer(lower):
            if word.group() not in self._firsts or word.start() < done:
                continue
            following = WORD.search(lower, word.end())
            candidates = [
                *self._mentions.get((word.group(), following.group() if following else ""), ()),
                *self._mentions.get((word.group(),), ()),
            ]
            for mention in candidates:
                start = _match(mention, body, lower, word)
                if start < done or mention.path in linked:
                    continue
                end = start + len(mention.spelling.key)
                if self._names.resolve(mention.name, page.path, page.owner).path != mention.path:
                    continue
                linked.add(mention.path)
                pieces += body[done:start], self._written(mention, page, body, start, end)
                done = end
                break
        if not pieces:
            return page
        return replace(page, body="".join(pieces) + body[done:])

    def _linked(self, page: Page) -> set[str]:
        """The page itself and all pages that it links already."""
        found = {page.path}
        for link in wikilinks(page.body) if "[[" in page.body else ():
            target = self._names.resolve(link.target, page.path, page.owner).path
            if target:
                found.add(target)
        return found

    def _written(self, mention: _Mention, page: Page, body: str, start: int, end: int) -> str:
        words = " ".join(body[start:end].split())
        if words == mention.title:
            return f"[[{words}]]"
        resolved = self._names.resolve(mention.title, page.path, page.owner)
        target = mention.title if resolved.path == mention.path else mention.name
        line_start = body.rfind("\n", 0, start) + 1
        bar = r"\|" if body[line_start:start].lstrip().startswith("|") else "|"
        return f"[[{target}{bar}{words}]]"


def first_words(pages: Iterable[Page]) -> frozenset[str]:
    """The words, in lower case, with which a mention of one of these pages begins."""
    return frozenset(
        words[0]
        for page in pages
        for name in (page.title, *page.aliases)
        if (words := WORD.findall(lowered(nfc(name))))
    )


def link_pages(pages: Sequence[Page]) -> list[Page]:
    """All `pages` with their mentions of one another linked, in the order given."""
    linker = Linker(pages)
    return [linker.link(page) for page in pages]


def may_hold_heading(text: str) -> bool:
    """Whether any line could be a heading, or the line under one; quicker than to parse it all."""
    return _MAY_BE_HEADING.search(text) is not None


def _match(mention: _Mention, body: str, lower: str, word: re.Match[str]) -> int:
    """Where the mention starts when it stands at `word` as whole words, else -1."""
    key = mention.spelling.key
    start = word.start() - key.find(word.group())
    end = start + len(key)
    if start < 0 or lower[start:end] != key:
        return -1
    if mention.spelling.exact and body[start:end] != mention.name:
        return -1
    return start if is_whole(lower, start, end) else -1


def _blanked(body: str) -> str:
    """`body` at equal length, with a NUL for all that may not be linked, spaces for line ends."""
    spans = list(protected(body))
    if may_hold_heading(body):
        spans += [(heading.start, heading.end) for heading in headings(body)]
    for link in wikilinks(body) if "[[" in body else ():
        spans.append((link.start, link.end))
    for pattern in (_LINK, _FOOTNOTE, _PART_OF):
        spans += [match.span() for match in pattern.finditer(body)]
    blanked: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            blanked += body[done:start], "\0" * (end - start)
            done = end
    blanked.append(body[done:])
    return re.sub(r"(?<=\S)\n(?=\S)", " ", "".join(blanked))
