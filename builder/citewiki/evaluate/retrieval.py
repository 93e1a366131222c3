"""The retrieval suites: which pages come back, by the program's own path and by baselines."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citewiki.evaluate.data import Asked, Collection, indexed, load_collection
from citewiki.evaluate.metrics import (
    Figures,
    Report,
    all_gold,
    gathered,
    ndcg,
    percentile,
    recall,
    reciprocal_rank,
)
from citewiki.index.index import Index
from citewiki.model import Via
from citewiki.query.chains import EVERY_WAY
from citewiki.query.question import question
from citewiki.query.retrieve import retrieve
from citewiki.text.folding import strip_marks

DEPTH = 2
"""Links followed, unless told otherwise: what `ask` does."""

LIMIT = 10

Retriever = Callable[[str], Sequence[str]]
"""A question to slugs, the best first."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What one retriever did with all questions."""

    figures: Figures
    intervals: dict[str, tuple[float, float]]


def run(suite: str, folder: Path, *, depth: int = DEPTH) -> Report:
    """A suite over the set in `folder`: figures of the program, and of the steps before it.

    `multilingual` asks all languages of one index, and Vietnamese also without its accents.
    Raises DataError.
    """
    collection = load_collection(folder)
    asked = [each for each in collection.questions if each.gold and each.answerable]
    if suite == "multilingual":
        asked += _unaccented(asked)
    with indexed(collection.pages) as index:
        ours = _measure(asked, _ours(index, depth), timed=True)
        steps: dict[str, Retriever] = {"bm25": _plain(collection)}
        steps["index"] = _ours(index, 0)
        steps["+ backlinks"] = _ours(index, 1, EVERY_WAY - {"wikilink", "index"})
        for each in (1, 2, 3):
            steps[f"+ wikilinks, depth {each}"] = _ours(index, each, EVERY_WAY - {"index"})
        baselines = {name: _measure(asked, retriever).figures for name, retriever in steps.items()}
    return Report(suite, len(asked), ours.figures, ours.intervals, baselines)


def _unaccented(asked: Sequence[Asked]) -> list[Asked]:
    """Questions with accents once more without them, as the set `unaccented`."""
    bare = ((each, strip_marks(each.text)) for each in asked)
    return [
        replace(each, text=text, set="unaccented")
        for each, text in bare
        if text != each.text and each.set.endswith("vi")
    ]


def _ours(index: Index, depth: int, follow: frozenset[Via] = EVERY_WAY) -> Retriever:
    def retriever(text: str) -> list[str]:
        found = retrieve(index, question(text), depth=depth, limit=LIMIT, follow=follow)
        return [hit.slug for hit in found.hits]

    return retriever


def _plain(collection: Collection) -> Retriever:
    """BM25 over title and text as anyone would set tantivy up, with its English stemmer."""
    import tantivy

    schema = tantivy.SchemaBuilder()
    schema.add_text_field("slug", stored=True, tokenizer_name="raw")
    schema.add_text_field("text", tokenizer_name="en_stem")
    index = tantivy.Index(schema.build())
    writer = index.writer()
    for page in collection.pages:
        document = tantivy.Document()
        document.add_text("slug", page.slug)
        document.add_text("text", f"{page.title}\n{page.body}")
        writer.add_document(document)
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def retriever(text: str) -> list[str]:
        words = "".join(char if char.isalnum() else " " for char in text).lower()
        query, _ = index.parse_query_lenient(words, ["text"])
        return [
            str(searcher.doc(address)["slug"][0])
            for _, address in searcher.search(query, LIMIT).hits
        ]

    return retriever


def _measure(asked: Sequence[Asked], retriever: Retriever, *, timed: bool = False) -> _Run:
    rows: list[Figures] = []
    times: list[float] = []
    for each in asked:
        start = time.process_time()
        ranked = retriever(each.text)
        times.append(1000 * (time.process_time() - start))
        rows.append(_row(ranked, each.gold))
    figures, intervals = gathered(rows, [each.set for each in asked])
    if timed:
        figures |= {"p50_ms": percentile(times, 0.5), "p95_ms": percentile(times, 0.95)}
    return _Run(figures, intervals)


def _row(ranked: Sequence[str], gold: Sequence[str]) -> Figures:
    row = {f"recall@{depth}": recall(ranked, gold, depth) for depth in (1, 2, 5, 10)}
    row["all_gold@5"] = all_gold(ranked, gold, 5)
    row["mrr"] = reciprocal_rank(ranked, gold)
    row["ndcg@10"] = ndcg(ranked, gold)
    row["pages"] = float(len(ranked))
    return row
