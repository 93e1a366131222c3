"""How an answer came about, as plain values: what `--explain` shows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from citewiki.index.index import Index
from citewiki.index.postings import called, in_title
from citewiki.model import Claim, as_json
from citewiki.query.chains import (
    NAMED,
    OWN_LANGUAGE,
    Chain,
    Found,
    title_share,
    wanted_by_field,
)
from citewiki.query.filter import Filter
from citewiki.query.retrieve import Retrieval
from citewiki.query.terms import FIELD_WEIGHTS, Term, Weighed

_SAME = 1e-3  # relative: the word index counts in 32 bits


def explanation(
    index: Index, found: Retrieval, claims: Sequence[Claim], steps: Sequence[Any] = ()
) -> dict[str, Any]:
    """Terms with their frequencies, pages with the way they came in, claims with their checks.

    `steps` are the calls of a model that looked things up itself.
    """
    return {
        "terms": [_term(index, term, found.filter) for term in found.weighed.terms],
        "missing": list(found.weighed.missing),
        "pages": _pages(index, found),
        "claims": as_json(claims),
        **({"steps": as_json(steps)} if steps else {}),
    }


def _term(index: Index, term: Term, filter: Filter) -> dict[str, Any]:
    """A term: how many pages hold it, and what it weighs (idf times its share of the word)."""
    words = index.words
    must = replace(filter, domain=None).must(words)
    return {
        "word": term.word,
        "text": term.text,
        "frequency": term.frequency,
        "frequencies": words.frequencies(term.text, must) if must else term.frequencies,
        "idf": term.idf / term.weight,
        "share": term.weight,
        "weight": term.idf,
    }


def _pages(index: Index, retrieval: Retrieval) -> list[dict[str, Any]]:
    """Every hit in the order of choice, with what its score is the sum of, and its route.

    A page at the end of a chain scores what the chain hands on (`links`, or `names` over a shared
    name) and of its own words those that the chain lacks: `own_share` of what they score alone.
    """
    scores = _own_scores(index, retrieval)
    terms = retrieval.weighed.terms
    routes = [_route(page) for page in retrieval.found]
    raising = [page.before.pid for page in retrieval.found if page.before]
    labels = index.labels([*raising, *(chain.pid for route in routes for chain in route)])
    pages = []
    for hit, page, route in zip(retrieval.hits, retrieval.found, routes, strict=True):
        handed_on = page.kept * page.before.reach if page.before else 0.0
        share = (page.score - handed_on) / page.own if page.own else 0.0
        pages.append(
            {
                **as_json(hit),
                "own": page.own,
                "own_share": share,
                "fields": {field: share * score for field, score in scores[page.pid].items()},
                "links": 0.0 if page.name else handed_on,
                "names": handed_on if page.name else 0.0,
                "words": list(dict.fromkeys(terms[number].word for number in page.terms)),
                "route": [_step(chain, labels[chain.pid]) for chain in route],
                "raised_by": _raised_by(page, labels),
            }
        )
    return pages


def _route(page: Found) -> list[Chain]:
    """The chains that led to a page, from a page that the index found; the last ends at the page.

    What came before that page in the chain only raised its score.
    """
    route = [page.chain()]
    while route[0].before and not route[0].by_index:
        route.insert(0, route[0].before)
    return route


def _raised_by(page: Found, labels: Mapping[int, tuple[str, str, str]]) -> dict[str, Any] | None:
    """The page whose chain raised the score of one that the index found, and how it leads there."""
    if page.before is None or not page.by_index:
        return None
    _, slug, title = labels[page.before.pid]
    return {"slug": slug, "title": title, "via": page.via, "name": page.name}


def _step(chain: Chain, label: tuple[str, str, str]) -> dict[str, Any]:
    """The last page of a chain, how it came in, and how many links led to it."""
    _, slug, title = label
    via, name = ("index", "") if chain.by_index else (chain.via, chain.name)
    return {"slug": slug, "title": title, "via": via, "name": name, "depth": chain.depth}


def _own_scores(index: Index, retrieval: Retrieval) -> dict[int, dict[str, float]]:
    """What the own words of every page score by field, by page number; sums to `Found.own`.

    "pairs" are words side by side, "names" whole titles and aliases, "language" what a page in
    the question's language counts more. Pages that only links lead to are scored without the word
    index, as if each word stood there once: all their fields but the title are "words".
    """
    weighed = retrieval.weighed
    pids = [page.pid for page in retrieval.found]
    counted = _counted(index, weighed, pids)
    known = {page.pid: page for page in index.known(pids)}
    every: dict[int, dict[str, float]] = {}
    for page in retrieval.found:
        fields = counted[page.pid]
        spoken = weighed.language and known[page.pid].language == weighed.language
        factor = OWN_LANGUAGE if spoken else 1.0
        if not math.isclose(factor * sum(fields.values()), page.own, rel_tol=_SAME):
            fields = {field: fields[field] for field in ("title", "names") if field in fields}
            fields["words"] = page.own / factor - sum(fields.values())
        if spoken:
            fields["language"] = page.own * (1 - 1 / factor)
        every[page.pid] = fields
    return every


def _counted(index: Index, weighed: Weighed, pids: Sequence[int]) -> dict[int, dict[str, float]]:
    """What each field of pages scores in the word index, and their titles, by page number."""
    scores: dict[int, dict[str, float]] = {pid: {} for pid in pids}
    if not pids:
        return scores
    among = index.words.among(pids)
    for field, wanted in wanted_by_field(index.words, weighed).items():
        if field not in ("title", "names") and wanted:
            for pid, score in index.words.best(wanted, len(pids), [among]).items():
                scores[pid][field] = score
    titled = [(in_title(term.text), term.idf) for term in weighed.terms]
    names = [(called(name), idf) for name, idf in weighed.names]
    pages = index.holding([key for key, _ in (*titled, *names)])
    for page in index.known(pids):
        named = [idf for key, idf in names if page.pid in pages[key]]
        idfs = [idf for key, idf in titled if page.pid in pages[key]]
        if named:
            scores[page.pid]["names"] = NAMED * sum(named)
        if idfs:
            share = title_share(len(idfs), page.title_length, named=bool(named))
            scores[page.pid]["title"] = FIELD_WEIGHTS["title"] * sum(idfs) * share
    return scores
