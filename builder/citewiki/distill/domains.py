"""Which domain a new page belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from math import log, sqrt

from citewiki.model import Page
from citewiki.text.folding import name_key
from citewiki.text.slugs import slugify
from citewiki.text.tokens import content_words

NEAR = 0.12
"""Cosine from which a page counts as near a domain. On the handbook in raw/, leaving out one source
at a time, the nearest of 8 domains is the source's own for 37 % of its sections (by chance: 13 %),
at a median cosine of 0.12; of 300 pages about other matters 85 % stay below (bench/README.md)."""

DEFAULT_DOMAIN = "notes"


class Domains:
    """The domains of a wiki, each as the bag of words of its pages' titles, tags and summaries."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._words: dict[str, Counter[str]] = {}
        for page in pages:
            if page.domain:
                bag = self._words.setdefault(page.domain, Counter())
                bag.update(content_words(" ".join((page.title, *page.tags, page.summary))))
        spread = Counter(word for bag in self._words.values() for word in bag)
        count = len(self._words)
        self._idf = {word: log(1 + count / seen) for word, seen in spread.items()}

    def choose(self, folder: str, text: str) -> str:
        """The domain for a section whose source stands in `folder` of raw/ ("" at its top).

        A folder is the user's own order: it is the domain, in the spelling that exists. A loose
        source goes to the nearest existing domain, or to "notes" when none is near.
        """
        if folder:
            key = name_key(folder.replace("_", "-"))
            for domain in sorted(self._words):
                if name_key(domain.replace("_", "-")) == key:
                    return domain
            return slugify(folder)
        return self._nearest(text) or DEFAULT_DOMAIN

    def _nearest(self, text: str) -> str:
        words = Counter(word for word in content_words(text) if word in self._idf)
        scored = [(_cosine(words, bag, self._idf), name) for name, bag in self._words.items()]
        best, name = max(scored, default=(0.0, ""))
        return name if best >= NEAR else ""


def _cosine(left: Counter[str], right: Counter[str], idf: Mapping[str, float]) -> float:
    """Cosine of two bags of words with sub-linear counts times idf (Salton & Buckley 1988)."""

    def weigh(bag: Counter[str]) -> dict[str, float]:
        return {word: (1 + log(count)) * idf.get(word, 0.0) for word, count in bag.items()}

    a, b = weigh(left), weigh(right)
    dot = sum(weight * b[word] for word, weight in a.items() if word in b)
    norm = sqrt(sum(w * w for w in a.values())) * sqrt(sum(w * w for w in b.values()))
    return dot / norm if norm else 0.0
