"""The word index: which pages hold which terms, scored by Tantivy's BM25.

Text comes in and is asked for as terms of `text.tokens`, so Tantivy only cuts at spaces. Nothing
is stored in it but page numbers; what a page is stands in the page table.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import tantivy
from tantivy import Occur, Query

from citewiki.index.epoch import seconds

if TYPE_CHECKING:
    from citewiki.index.analysis import Analysed

FIELDS = ("title", "aliases", "tags", "summary", "headings", "prefixes", "body")
MOST_NAMES = 24  # asked for at once: the bits that Tantivy's scores hold exactly
_BOUNDS = ("starts", "ends", "known", "away", "settled")  # seconds, as `Analysed` has them
_WRITER_BYTES = 40_000_000  # one thread: cutting text into terms is what takes the time


def open_words(folder: Path) -> tantivy.Index:
    """The word index in `folder`, made when it is not there. ValueError: it is damaged."""
    folder.mkdir(parents=True, exist_ok=True)
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("pid", indexed=True, fast=True)
    for name in _BOUNDS:
        builder.add_integer_field(name, indexed=True, fast=True)
    builder.add_text_field("domain", tokenizer_name="raw", index_option="basic")
    for name in ("names", "called"):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in FIELDS:
        option = "position" if name == "body" else "freq"
        builder.add_text_field(name, tokenizer_name="whitespace", index_option=option)
    return tantivy.Index(builder.build(), str(folder), reuse=True)


def write_words(
    index: tantivy.Index,
    gone: Iterable[int],
    new: Iterable[tuple[int, Analysed]],
    *,
    replaced: Container[int] = (),
    all_gone: bool = False,
) -> None:
    """Take pages out and put pages in, in one commit.

    New pages whose numbers are in `replaced` take the place of what had that number. With
    `all_gone`, nothing stays of what was there, not even counts of words.
    """
    writer = index.writer(_WRITER_BYTES, 1)

    def delete(pid: int) -> None:  # by query, as deleting by term does not know unsigned numbers
        writer.delete_documents_by_query(Query.term_query(index.schema, "pid", pid, "basic"))

    try:
        if all_gone:
            writer.delete_all_documents()
        for pid in gone:
            delete(pid)
        for pid, page in new:
            if pid in replaced:
                delete(pid)
            writer.add_document(_document(pid, page))
        writer.commit()
    except BaseException:  # also when interrupted: half of the pages are no index
        writer.rollback()
        raise
    finally:
        writer.wait_merging_threads()  # and let go of the index
    index.reload()


def commit_stamp(folder: Path) -> int:
    """The number of the last commit to the word index in `folder`; -1 when it cannot be read."""
    try:
        return int(json.loads((folder / "meta.json").read_bytes())["opstamp"])
    except (OSError, ValueError, KeyError, TypeError):
        return -1


def _document(pid: int, page: Analysed) -> tantivy.Document:
    document = tantivy.Document()
    document.add_unsigned("pid", pid)
    for name in _BOUNDS:
        document.add_integer(name, getattr(page, name))
    document.add_text("domain", page.domain)
    document.add_text("names", " ".join(page.names))
    document.add_text("called", " ".join(page.called))
    for field, terms in page.fields.items():
        document.add_text(field, terms)
    return document


class Words:
    """A snapshot of the word index, to be asked. Scores are BM25: unbounded, higher is better."""

    def __init__(self, index: tantivy.Index) -> None:
        self._schema = index.schema
        self._searcher = index.searcher()
        self.count: int = self._searcher.num_docs

    def frequencies(self, term: str, must: Sequence[Query] = ()) -> dict[str, int]:
        """In how many pages that meet all of `must` each field holds `term`; not those without."""
        frequency = self._searcher.doc_freq
        found = {field: df for field in FIELDS if (df := frequency(field, term))}
        if not must:
            return found
        counts = {field: self._count([self.holding(term, field, 1.0), *must]) for field in found}
        return {field: df for field, df in counts.items() if df}

    def _count(self, must: Sequence[Query]) -> int:
        query = Query.boolean_query([(Occur.Must, each) for each in must])
        return self._searcher.search(query, 1, count=True).count or 0  # type: ignore[attr-defined]

    def name_frequency(self, name: str) -> int:
        """How many pages mention, or go by, a name (as `name_term` gives it)."""
        return self._searcher.doc_freq("names", name)

    def called_frequency(self, name: str) -> int:
        """How many pages have a title or alias (as `called_key` gives it)."""
        return self._searcher.doc_freq("called", name)

    def scored(self, term: str, field: str, boost: float) -> Query:
        """Pages that hold `term` in `field`: its BM25 there, times the boost."""
        query = Query.term_query(self._schema, field, term, "freq")
        return query if boost == 1 else Query.boost_query(query, boost)

    def holding(self, term: str, field: str, score: float) -> Query:
        """Pages that hold `term` in `field`, each with the same score."""
        query = Query.term_query(self._schema, field, term, "basic")
        return Query.const_score_query(query, score)

    def side_by_side(self, first: str, second: str, boost: float) -> Query:
        """Pages whose body has the two words next to one another (a variant may stand between)."""
        phrase = Query.phrase_query(self._schema, "body", [first, second], 1)
        return Query.boost_query(phrase, boost)

    def allowed(
        self, domain: str | None, as_of: datetime | None, known_at: datetime | None
    ) -> list[Query]:
        """What a page must meet: its domain, when it holds, and when the wiki had it."""
        conditions: list[Query] = []
        if domain:
            conditions.append(Query.term_query(self._schema, "domain", domain, "basic"))
        if known_at:
            had = seconds(known_at, 0)
            conditions += [self._until("known", had), self._after("away", had)]
        if as_of:
            at = seconds(as_of, 0)
            ends = self._after("ends", at)
            if known_at:
                unsettled = self._after("settled", had)
                ends = Query.boolean_query([(Occur.Should, ends), (Occur.Should, unsettled)])
            conditions += [self._until("starts", at), ends]
        return [Query.const_score_query(condition, 0.0) for condition in conditions]

    def _until(self, bound: str, at: int) -> Query:
        return Query.range_query(self._schema, bound, tantivy.FieldType.Integer, None, at)

    def _after(self, bound: str, at: int) -> Query:
        integer = tantivy.FieldType.Integer
        return Query.range_query(self._schema, bound, integer, at, None, include_lower=False)

    def among(self, pids: Iterable[int]) -> Query:
        """The pages of these numbers; scores nothing."""
        pages = [Query.term_query(self._schema, "pid", pid, "basic") for pid in pids]
        union = Query.boolean_query([(Occur.Should, page) for page in pages])
        return Query.const_score_query(union, 0.0)

    def best(
        self, wanted: Sequence[Query], limit: int, must: Sequence[Query] = ()
    ) -> dict[int, float]:
        """Numbers and scores of the `limit` best pages that meet all of `must`, the best first."""
        query = Query.boolean_query([(Occur.Should, each) for each in wanted])
        if must:
            query = Query.boolean_query([(Occur.Must, each) for each in (query, *must)])
        hits = self._searcher.search(query, limit, count=False).hits
        pids = self._searcher.fast_field_values("pid", [address for _, address in hits])
        return {int(pid or 0): score for pid, (score, _) in zip(pids, hits, strict=True)}

    def sharing(
        self, names: Sequence[str], limit: int, must: Sequence[Query] = ()
    ) -> dict[int, int]:
        """Which of `names` (the last 24 of them) pages mention, by page number: bit i for name i.

        At most `limit` pages that meet `must`, those with the last names first. Every name scores
        a power of two, so that a page's score is the set of its names.
        """
        bits = [
            Query.const_score_query(
                Query.term_query(self._schema, "names", name, "basic"), float(1 << bit)
            )
            for bit, name in enumerate(names[-MOST_NAMES:])
        ]
        return {pid: int(score) for pid, score in self.best(bits, limit, must).items()}
