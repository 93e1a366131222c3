"""Pages about one and the same: found by their names, their words and their neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from citewiki.markdown.notes import parted
from citewiki.markdown.plain import plain
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.text.folding import fold, name_key, strip_marks
from citewiki.text.tokens import content_words, stem, tokens

SAME_TEXT = 0.5
"""Resemblance from which two texts are versions of one (Broder 1997 clusters the Web at 50 %)."""

SAME_MATTER = 0.15
"""Share of the shorter text's content words from which two pages of one name are about one thing:
a decision; "Mercury" the planet and the metal share less."""

NEAR = 0.5
"""Share of content words, with as large a share of neighbours, that makes a likely duplicate."""

_SHINGLE = 4  # words; Broder uses 10 on whole Web pages, sections are shorter
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Twin:
    """A page that a draft is likely to be about as well."""

    slug: str
    sure: bool  # the draft may go into it; else a person decides
    why: str


class Called:
    """Which pages go by a name, whatever its case, accents, hyphens and plural."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._slugs: dict[str, dict[str, None]] = {}
        for page in pages:
            self.add(page)

    def add(self, page: Page) -> None:
        """Take in a page."""
        for name in (page.title, *page.aliases):
            self._slugs.setdefault(loose_key(name), {})[page.slug] = None

    def by(self, names: Iterable[str]) -> list[str]:
        """Slugs of the pages that go by any of the names, in the order in which they came."""
        keys = dict.fromkeys(map(loose_key, names))
        return list(dict.fromkeys(slug for key in keys for slug in self._slugs.get(key, ())))


def loose_key(name: str) -> str:
    """By what names of one concept are compared: no case, accents, signs, spaces and plurals.

    Names of nothing but signs ("C++" has a letter, "+" has none) are their own key.
    """
    words = [stem(word) for word in _WORD.findall(strip_marks(fold(name)))]
    signs = "".join(re.findall(r"[+#]+", name))  # C, C++ and C# are three things
    return "".join(words) + signs or name_key(name)


def twin(draft: Page, page: Page, *, named: bool) -> Twin | None:
    """Whether `page` (with its body) is about what `draft` is about; `named`: they share a name."""
    ours, theirs = _Text(draft.body), _Text(page.body)
    alike = resemblance(ours.shingles, theirs.shingles)
    if alike >= SAME_TEXT:
        return Twin(page.slug, True, f"says nearly the same as “{page.title}” ({alike:.0%})")
    shared = _share(ours.words, theirs.words)
    if named and shared >= SAME_MATTER:
        return Twin(page.slug, True, f"goes by a name of “{page.title}” and speaks of it")
    beside = _share(ours.links, theirs.links | {loose_key(page.title)})
    if shared >= NEAR and beside >= NEAR and len(ours.links) > 1:
        why = f"shares {shared:.0%} of its words and {beside:.0%} of its links with “{page.title}”"
        return Twin(page.slug, False, why)
    return None


def same_text(one: str, other: str) -> bool:
    """Whether two bodies are versions of one text."""
    return resemblance(_Text(one).shingles, _Text(other).shingles) >= SAME_TEXT


def resemblance(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> float:
    """Shared shingles of all shingles, 0..1 (Broder 1997, "On the resemblance of documents")."""
    return len(one & other) / (len(one | other) or 1)


class _Text:
    """What of a body is compared."""

    def __init__(self, body: str) -> None:
        text, _ = parted(body)
        shown = plain(text)
        terms = tokens(shown)
        self.words = frozenset(content_words(shown))
        count = max(1, len(terms) - _SHINGLE + 1)
        self.shingles = frozenset(tuple(terms[at : at + _SHINGLE]) for at in range(count))
        self.links = frozenset(loose_key(link.target) for link in wikilinks(text))


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / (min(len(one), len(other)) or 1)
