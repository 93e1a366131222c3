"""Questions with the sentences that could answer them, for fitting: CLAPNQ and XQuAD.

CLAPNQ names the sentences that support each answer. XQuAD gives the answer's words: a sentence of
the right page that holds them answers. A question of XQuAD asked without its right page is one
that no page answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from citewiki.evaluate.data import Asked, indexed, load_collection, rows
from citewiki.index.index import Index
from citewiki.query.evidence import Evidence, evidence
from citewiki.query.pack import PackedPage, pack
from citewiki.query.question import Question, question
from citewiki.query.retrieve import retrieve
from citewiki.query.terms import Weighed
from citewiki.text.folding import fold

XQUAD = ("xquad_en", "xquad_vi", "xquad_zh")


@dataclass(frozen=True)
class Tried:
    """One question as the program sees it."""

    set: str
    group: str  # questions of one group share a page: they are never parted
    answerable: bool
    question: Question
    weighed: Weighed
    packed: tuple[PackedPage, ...]
    found: list[Evidence]
    answers: list[bool]  # of every sentence found, whether it answers


def clapnq(data: Path) -> Iterator[Tried]:
    """The development questions of refusal/clapnq."""
    collection = load_collection(data / "refusal" / "clapnq")
    with indexed(collection.pages) as index:
        for asked in collection.questions:
            said = [key for key in map(_letters, asked.support) if key]
            yield _tried(index, "clapnq", asked.id, asked, said, within=True)


def xquad(data: Path, name: str, *, every: int = 2, without_gold: bool = False) -> Iterator[Tried]:
    """Every second question of multilingual/`name`, with or without the page that answers it."""
    folder = data / "multilingual" / name
    said = {str(row["_id"]): row["answers"] for row in rows(folder / "queries.jsonl")}
    collection = load_collection(folder)
    with indexed(collection.pages) as index:
        for asked in collection.questions[::every]:
            keys = [key for key in map(_letters, said[asked.id]) if key]
            group = asked.gold[0].rpartition("-")[2]  # the same page in every language
            yield _tried(index, name, group, asked, keys, within=False, drop=without_gold)


def _tried(
    index: Index,
    name: str,
    group: str,
    asked: Asked,
    said: list[str],
    *,
    within: bool,
    drop: bool = False,
) -> Tried:
    parsed = question(asked.text)
    retrieval = retrieve(index, parsed, limit=9 if drop else 8)
    hits = [hit for hit in retrieval.hits if not (drop and hit.slug in asked.gold)][:8]
    packed = pack(index, hits, parsed)
    found = evidence(parsed, retrieval.weighed, packed)
    answers = []
    for each in found:
        key = _letters(each.sentence.quote)
        right = each.page.slug in asked.gold and bool(key)
        answers.append(right and any(w in key or (within and key in w) for w in said))
    answerable = asked.answerable and not drop
    return Tried(name, group, answerable, parsed, retrieval.weighed, packed, found, answers)


def _letters(text: str) -> str:
    return "".join(char for char in fold(text) if char.isalnum())
