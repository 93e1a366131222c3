"""What the Ask page looks words up in: the command line's word index, for a browser to read.

    ask/pages.json   every page's address, title, lengths, language, links; loaded first
    ask/N.bin        the terms of one part, each with the pages that hold it (`ask_parts`); a
                     question loads the parts of its words, some 16 KB each
    ask/rules.json   what the built-in engine knows of questions: handed in, as query's it is

pages.json names the first term of each part.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citewiki.index.arrays import LEAST_SPECIFIC, LINKS
from citewiki.index.table import are_several
from citewiki.model import Page
from citewiki.site.ask_parts import Row, edited_parts, row_of, word_parts
from citewiki.site.model import SiteModel

ASSETS = (
    "ask.css", "ask.js", "ask-answer.js", "ask-basis.js", "ask-find.js", "ask-markdown.js",
    "ask-text.js",
)  # fmt: skip
"""Scripts and style of the Ask page; an ordinary page loads none of them."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What is told of pages beside their words; one of each for a page."""

    lengths: list[int]  # terms in their bodies
    title_lengths: list[int]
    languages: list[str]

    def add(self, row: Row) -> Row:
        """The same row, whose measures are taken."""
        self.lengths.append(row.length)
        self.title_lengths.append(row.title_length)
        self.languages.append(row.language)
        return row


def ask_files(model: SiteModel, rules: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The index as files: address from the site's root, content.

    `rules` is what the built-in engine knows of questions.
    """
    pages = [model.pages[path] for path in sorted(model.pages)]
    measures = Measures([], [], [])
    firsts: list[str] = []
    for number, (first, part) in enumerate(word_parts(map(measures.add, map(row_of, pages)))):
        firsts.append(first)
        yield f"ask/{number}.bin", part
    yield "ask/rules.json", _json(rules)
    yield "ask/pages.json", _json(pages_table(model, pages, measures, firsts))


def pages_table(
    model: SiteModel, pages: Sequence[Page], measures: Measures, parts: Sequence[str]
) -> dict[str, Any]:
    """ask/pages.json as JSON types."""
    number = {page.path: at for at, page in enumerate(pages)}
    numbered = {page.slug: at for at, page in enumerate(pages)}
    outward, inward = _links(model, number)
    current = {page.path for page in model.current()}
    over: dict[int, list[Any]] = {}
    for page in pages:
        if page.path not in current:
            newest = model.newest_of(page)
            until = page.valid_until.date().isoformat() if page.valid_until else ""
            over[number[page.path]] = [numbered[newest.slug] if newest else -1, until]
    return {
        "parts": list(parts),
        "urls": [model.urls[page.path] for page in pages],
        "titles": [page.title for page in pages],
        "aliases": {at: page.aliases for at, page in enumerate(pages) if page.aliases},
        "domains": _packed([page.domain for page in pages]),
        "lengths": measures.lengths,
        "titleLengths": measures.title_lengths,
        **_spoken(measures.languages),
        "out": outward,
        "in": inward,
        "over": over,
        "drifts": [
            {
                "pages": [numbered[slug] for slug in drift.pages],
                "quotes": list(drift.quotes),
                "message": drift.message,
            }
            for drift in model.drifts
            if not drift.scope and all(slug in numbered for slug in drift.pages)
        ],
    }


def _spoken(languages: Sequence[str]) -> dict[str, Any]:
    """What pages.json tells of the pages' languages."""
    names, places = _packed(languages)
    several = are_several(Counter(languages).values())
    return {"languages": places, "languageNames": names, "multilingual": several}


def _packed(names: Sequence[str]) -> list[Any]:
    """The distinct names, and for each place the number of its name."""
    distinct = sorted(set(names))
    place = {name: at for at, name in enumerate(distinct)}
    return [distinct, [place[name] for name in names]]


def _links(model: SiteModel, number: Mapping[str, int]) -> tuple[list[list[int]], list[list[int]]]:
    """Both directions: of each page the most specific links, as page, fan, page, fan, …

    The fan is the larger of how many pages the source links and how many link the target. Links
    that lead to too many are left out, as the index does; see `index.arrays`.
    """
    pairs = sorted(
        (number[edge.source], number[edge.target])
        for edge in model.graph.edges
        if edge.target and edge.target != edge.source
    )
    fan_out, fan_in = [0] * len(number), [0] * len(number)
    for source, target in set(pairs):
        fan_out[source] += 1
        fan_in[target] += 1
    largest = int(len(number) ** (1 - LEAST_SPECIFIC)) + 1
    ways: tuple[list[list[tuple[int, int]]], ...] = tuple([[] for _ in number] for _ in range(2))
    for source, target in pairs:
        fan = max(fan_out[source], fan_in[target])
        if fan <= largest:
            ways[0][source].append((fan, target))
            ways[1][target].append((fan, source))
    outward, inward = (
        [
            [each for fan, page in sorted(found, key=lambda link: link[0])[:LINKS]
             for each in (page, fan)]
            for found in way
        ]
        for way in ways
    )  # fmt: skip
    return outward, inward


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def write_all(model: SiteModel, rules: Mapping[str, Any], site: Path) -> None:
    """Write the index below `site`, and take out the parts that an earlier build had more."""
    (site / "ask").mkdir(exist_ok=True)
    parts = set()
    for address, content in ask_files(model, rules):
        (site / address).write_bytes(content)
        parts.add(site / address)
    for part in (site / "ask").glob("*.bin"):
        if part not in parts:
            part.unlink()


def write_edits(model: SiteModel, before: Mapping[str, Page], site: Path) -> bool:
    """Bring the index below `site` up to date, where nothing but the texts of some pages changed.

    `before` are those pages as they were, by path. False, with nothing written, where terms move
    from one part to another: then all is to be written.
    """
    folder = site / "ask"
    table = json.loads((folder / "pages.json").read_bytes())
    languages = [table["languageNames"][place] for place in table["languages"]]
    edits: list[tuple[int, Row, Row]] = []
    for number, path in enumerate(sorted(model.pages)):
        if path in before:
            old, new = row_of(before[path]), row_of(model.pages[path])
            edits.append((number, old, new))
            table["lengths"][number], languages[number] = new.length, new.language
    parts = edited_parts(table["parts"], lambda part: (folder / f"{part}.bin").read_bytes(), edits)
    if parts is None:
        return False
    table |= _spoken(languages)
    for part, content in parts.items():
        (folder / f"{part}.bin").write_bytes(content)
    (folder / "pages.json").write_bytes(_json(table))
    return True
