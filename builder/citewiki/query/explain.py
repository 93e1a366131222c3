"""How an answer came about, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from citewiki.index.index import Index
from citewiki.index.postings import called, in_title
from citewiki.model import Claim, as_json
from citewiki.query.chains import Chain, Found, title_share, wanted_by_field
from citewiki.query.retrieve import Retrieval
from citewiki.query.terms import FIELD_WEIGHTS


def explanation(
    index: Index, found: Retrieval, claims: Sequence[Claim], steps: Sequence[Any] = ()
) -> dict[str, Any]:
    """Terms with their frequencies, pages with the way they came in, claims with their checks.

    `steps` are the calls of a model that looked things up itself.
    """
    return {
        "terms": as_json(found.weighed.terms),
        "missing": list(found.weighed.missing),
        "pages": _pages(index, found),
        "claims": as_json(claims),
        **({"steps": as_json(steps)} if steps else {}),
    }


def _pages(index: Index, retrieval: Retrieval) -> list[dict[str, Any]]:
    """Every hit with its score by field, the words it holds, and the chain that led to it."""
    fields = _scores_by_field(index, retrieval)
    terms = retrieval.weighed.terms
    routes = [_route(page) for page in retrieval.found]
    labels = index.labels([chain.pid for route in routes for chain in route])
    return [
        {
            **as_json(hit),
            "own": page.own,
            "fields": fields.get(page.pid, {}),
            "words": list(dict.fromkeys(terms[number].word for number in page.terms)),
            "route": [
                {"slug": labels[chain.pid][1], "via": chain.via, "name": chain.name}
                for chain in route
            ],
        }
        for hit, page, route in zip(retrieval.hits, retrieval.found, routes, strict=True)
    ]


def _route(page: Found) -> list[Chain]:
    """The chains that led to a page, from the first page on; the last one ends at the page."""
    route = [page.chain()]
    while route[0].before:
        route.insert(0, route[0].before)
    return route


def _scores_by_field(index: Index, retrieval: Retrieval) -> dict[int, dict[str, float]]:
    """What each field of the found pages scores in the word index, by page number."""
    pids = [page.pid for page in retrieval.found]
    if not pids:
        return {}
    scores: dict[int, dict[str, float]] = {pid: {} for pid in pids}
    among = index.words.among(pids)
    for field, wanted in wanted_by_field(index.words, retrieval.weighed).items():
        if field != "title" and wanted:
            for pid, score in index.words.best(wanted, len(pids), [among]).items():
                scores[pid][field] = score
    weighed = retrieval.weighed
    titled = [(in_title(term.text), term.idf) for term in weighed.terms]
    names = [called(name) for name, _ in weighed.names]
    pages = index.holding([*names, *(key for key, _ in titled)])
    for page in index.known(pids):
        idfs = [idf for key, idf in titled if page.pid in pages[key]]
        if idfs:
            named = any(page.pid in pages[key] for key in names)
            share = title_share(len(idfs), page.title_length, named=named)
            scores[page.pid]["title"] = FIELD_WEIGHTS["title"] * sum(idfs) * share
    return scores
