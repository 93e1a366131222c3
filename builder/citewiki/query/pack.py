"""Pages cut to what answers the question: best passages, in reading order, within a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from citewiki.index.index import Index
from citewiki.markdown.structure import Passage, passages
from citewiki.model import Hit, Page
from citewiki.query.question import Question
from citewiki.text.tokens import content_words, tokens


@dataclass(frozen=True, slots=True)
class PackedPage:
    """A page, and the passages of it that may be read for the answer."""

    page: Page
    passages: tuple[Passage, ...]  # in reading order
    hit: Hit


def pack(
    index: Index,
    hits: Sequence[Hit],
    question: Question,
    *,
    page_chars: int = 4000,
    budget: int = 24000,
) -> tuple[PackedPage, ...]:
    """The pages of `hits`, each cut to at most `page_chars`, all together to at most `budget`.

    A page that is too long keeps the passages that hold most words of the question.
    """
    asked = set(content_words(question.text))
    packed: list[PackedPage] = []
    left = budget
    for hit in hits:
        page = index.page(hit.path)
        if page is None:
            continue
        room = min(page_chars, left)
        whole = passages(page.body)
        ranked = sorted(whole, key=lambda each: -len(asked & set(tokens(each.text))))
        kept: list[Passage] = []
        for passage in ranked:
            if len(passage.text) <= room or not kept:
                kept.append(passage)
                room -= len(passage.text)
        left = max(0, left - sum(len(passage.text) for passage in kept))
        packed.append(PackedPage(page, tuple(sorted(kept, key=lambda each: each.start)), hit))
        if not left:
            break
    return tuple(packed)
