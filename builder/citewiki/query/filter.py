"""Which pages may take part in retrieval."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tantivy import Query

from citewiki.index.index import Index
from citewiki.index.postings import Bitmap
from citewiki.index.words import Words


@dataclass(frozen=True, slots=True)
class Filter:
    """Which pages may take part. None and "" allow all."""

    domain: str | None = None
    as_of: datetime | None = None  # in [valid_from, valid_until)
    known_at: datetime | None = None  # in [ingested_at, archived_at)

    def outside(self, index: Index) -> Bitmap:
        """The pages of `index` that its two times leave out."""
        return index.outside(self.as_of, self.known_at)

    def must(self, words: Words) -> list[Query]:
        """What pages have to meet in the word index."""
        return words.allowed(self.domain, self.as_of, self.known_at)
