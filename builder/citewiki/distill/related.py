"""Pages that may touch what a section is about: what a model is told of the wiki."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from math import log, sqrt

from citewiki.config import Config
from citewiki.model import ANYONE, Page, Viewer
from citewiki.store.visibility import visible
from citewiki.text.tokens import content_words, tokens

LIMIT = 12
"""Pages that a model is shown: titles and summaries of some 1,000 tokens together (a decision)."""

_IN_NAME = 2  # what a word of the title or an alias counts, beside one of tags and summary


class Related:
    """Pages by the words of their titles, aliases, tags and summaries."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._holding: dict[str, dict[str, int]] = defaultdict(dict)  # term → slug → count
        self._lengths: dict[str, float] = {}
        for page in pages:
            self.add(page)

    def add(self, page: Page) -> None:
        """Take in a page, or its new words."""
        counts = Counter(content_words(" ".join((*page.tags, page.summary))))
        for word in content_words(" ".join((page.title, *page.aliases))):
            counts[word] += _IN_NAME
        for word, count in counts.items():
            self._holding[word][page.slug] = count
        self._lengths[page.slug] = sqrt(sum(count * count for count in counts.values())) or 1.0

    def nearest(self, text: str, limit: int = LIMIT) -> list[str]:
        """Slugs of the pages nearest to `text`, best first; equal ones by slug.

        The cosine of word counts, those of the text sub-linear, times the square of how rare a
        word is among pages (Salton & Buckley 1988, "lnc.ltn" up to the text's own length).
        """
        scores: dict[str, float] = defaultdict(float)
        for word, count in Counter(tokens(text)).items():
            pages = self._holding.get(word)
            if not pages:
                continue
            weight = (1 + log(count)) * log(1 + len(self._lengths) / len(pages))
            for slug, times in pages.items():
                scores[slug] += weight * times
        ranked = sorted(scores, key=lambda slug: (-scores[slug] / self._lengths[slug], slug))
        return ranked[:limit]


def may_mention(page: Page, config: Config) -> bool:
    """Whether a page that the program makes may speak of `page`: its owner and readers may see it.

    Else the new page, or the model that writes it, would tell of what is hidden.
    """
    return not page.archived_at and all(visible(page, each) for each in readers_of_made(config))


def readers_of_made(config: Config) -> frozenset[str]:
    """Who reads the pages that the program makes."""
    return frozenset((config.owner or ANYONE, *config.shared_with))


def of_viewer(config: Config, viewer: Viewer) -> Config:
    """The settings by which what a user has made is theirs alone."""
    return config if viewer is None else replace(config, owner=viewer, shared_with=())


def may_join(page: Page, config: Config) -> bool:
    """Whether what the program makes may go into `page`: the same owner, and no further readers."""
    readers = set(page.shared_with) if page.owner or page.shared_with else {ANYONE}
    allowed = set(config.shared_with) if config.owner or config.shared_with else {ANYONE}
    return page.owner == config.owner and (ANYONE in allowed or readers <= allowed)
