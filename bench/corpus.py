"""Generated wikis of any size: words with natural frequencies, links with natural targets."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from citewiki.model import Page
from citewiki.store.pages import render_page

_SYLLABLES = (
    "ba co di fu ga he ji ko la mo nu pe qui ra so ti vu wa xe yo zu bren cal dor fin".split()
)

FIRST = datetime(2020, 1, 1, tzinfo=UTC)
"""The first day of a wiki whose pages have times."""


def vocabulary(size: int = 20_000, seed: int = 1) -> list[str]:
    """`size` made-up words of 2-4 syllables, the most frequent first."""
    chance = random.Random(seed)
    words: dict[str, None] = {}
    while len(words) < size:
        words["".join(chance.choices(_SYLLABLES, k=chance.randint(2, 4)))] = None
    return list(words)


def write_wiki(
    root: Path,
    pages: int,
    words: int = 400,
    links: int = 8,
    seed: int = 1,
    *,
    days: int = 0,
) -> list[str]:
    """A wiki of `pages` pages under `root`; returns their titles.

    With `days`, they hold from, and were taken in on, days up to that many after `FIRST`. Words
    follow Zipf's law (frequency ∝ 1 / rank), links prefer low numbers as real ones do.
    """
    chance = random.Random(seed)
    known = vocabulary()
    weights = [1 / rank for rank in range(1, len(known) + 1)]
    titles = [f"{a.title()} {b} {n}" for n, (a, b) in enumerate(_pairs(chance, known, pages))]
    for number, title in enumerate(titles):
        text = chance.choices(known, weights, k=words)
        for place in sorted(chance.sample(range(words), min(links, words)), reverse=True):
            target = titles[int(len(titles) * chance.random() ** 2)]
            text.insert(place, f"[[{target}]]")
        sentences = [" ".join(text[n : n + 12]).capitalize() + "." for n in range(0, len(text), 12)]
        half = len(sentences) // 2
        heading = known[number % 500].title()
        body = f"{' '.join(sentences[:half])}\n\n## {heading}\n\n{' '.join(sentences[half:])}\n"
        domain = f"domain-{number % 12}"
        page = Page(
            path=f"{domain}/page-{number}.md",
            slug=f"page-{number}",
            title=title,
            body=body,
            domain=domain,
            summary=sentences[0],
            tags=(known[number % 90],),
            shared_with=("*",),
        )
        if days:
            since = FIRST + timedelta(days=number % days)
            page = replace(page, valid_from=since, ingested_at=since, last_verified_at=since)
        path = root / "wiki" / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render_page(page), encoding="utf-8")
    (root / "mkdocs.yml").write_text("site_name: Bench\n", encoding="utf-8")
    return titles


def questions(count: int = 200, seed: int = 2) -> list[str]:
    """Questions of 4-9 words, rare and frequent ones mixed as people mix them."""
    chance = random.Random(seed)
    known = vocabulary()
    made = []
    for _ in range(count):
        ranks = (int(len(known) * chance.random() ** 2) for _ in range(chance.randint(3, 8)))
        made.append("what is the " + " ".join(known[rank] for rank in ranks))
    return made


def _pairs(chance: random.Random, known: list[str], count: int) -> list[tuple[str, str]]:
    return [(chance.choice(known), chance.choice(known)) for _ in range(count)]
