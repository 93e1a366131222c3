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
from citewiki.text.phrases import common_word

_HAN = (
    r"\u2E80-\u303B\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\u0E00-\u0E7F\uF900-\uFAFF"
)
_WORD = re.compile(rf"[{_HAN}]|[^\W{_HAN}]+")  # scripts without spaces: every character may start
_UNSPACED = re.compile(rf"[{_HAN}]")
_LINK = re.compile(r"!?\[(?:[^\]\[\n]|\[[^\]\n]*\])*\]\([^)\n]*\)|<https?://[^>\s]+>|https?://\S+")
_FOOTNOTE = re.compile(r"^\[\^[^\]\n]+\]:.*(?:\n[ \t]+.*)*|\[\^[^\]\n]+\]", re.MULTILINE)
_MAY_BE_HEADING = re.compile(r"^[ \t>*+\-\d.)]*(?:#|[=-]+[ \t]*$)", re.MULTILINE)
_PART_OF = re.compile(r"^Part of \[\[.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name that may be mentioned."""

    key: str  # lower case, single spaces
    name: str  # as the page has it
    title: str  # of the page that goes by it
    path: str
    exact: bool  # whether the case has to match too


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
            found.sort(key=lambda mention: (-len(mention.key), mention.path))

    def _add(self, name: str, page: Page) -> None:
        words = _WORD.findall(_lower(name))
        if (
            not words
            or len(name) < 2
            or name.isdigit()
            or common_word(name)
            or set(name) & set("[]|#^")
        ):
            return
        single = len(words) == 1
        exact = single and (len(name) < 4 or not name[1:].islower())
        mention = _Mention(_lower(name), name, page.title, page.path, exact)
        self._mentions.setdefault(tuple(words[:2]), []).append(mention)
        self._firsts.add(words[0])

    def link(self, page: Page) -> Page:
        """`page` with first mentions linked; the same page when there is nothing to link.

        Pages that it links already are not linked again, and headings, code, links, comments
        and footnotes are left as they are. Doing it twice changes nothing.
        """
        body = page.body
        linked = self._linked(page)
        lower = _lower(_blanked(body))
        pieces: list[str] = []
        done = 0
        for word in _WORD.finditer(lower):
            if word.group() not in self._firsts or word.start() < done:
                continue
            following = _WORD.search(lower, word.end())
            candidates = [
                *self._mentions.get((word.group(), following.group() if following else ""), ()),
                *self._mentions.get((word.group(),), ()),
            ]
            for mention in candidates:
                start = _match(mention, body, lower, word)
                if start < done or mention.path in linked:
                    continue
                end = start + len(mention.key)
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


def link_pages(pages: Sequence[Page]) -> list[Page]:
    """All `pages` with their mentions of one another linked, in the order given."""
    linker = Linker(pages)
    return [linker.link(page) for page in pages]


def may_hold_heading(text: str) -> bool:
    """Whether any line could be a heading, or the line under one; quicker than to parse it all."""
    return _MAY_BE_HEADING.search(text) is not None


def _match(mention: _Mention, body: str, lower: str, word: re.Match[str]) -> int:
    """Where the mention starts when it stands at `word` as whole words, else -1."""
    lead = mention.key.find(word.group())
    start = word.start() - lead
    end = start + len(mention.key)
    if start < 0 or lower[start:end] != mention.key:
        return -1
    if mention.exact and body[start:end] != mention.name:
        return -1
    before, after = lower[start - 1 : start], lower[end : end + 1]
    if _joins(before, mention.key[0]) or _joins(mention.key[-1], after):
        return -1
    return start


def _joins(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not left or not right:
        return False
    if _UNSPACED.match(left) or _UNSPACED.match(right):
        return False
    if (left.isalnum() or left == "_") and (right.isalnum() or right == "_"):
        return True
    return (left in "+#" and right in "+#") or (left.isalnum() and right in "+#")


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


def _lower(text: str) -> str:
    """Lower case at equal length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)
