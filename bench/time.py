"""What time costs: finding what decays and what disagrees, asking as of a day, and actions."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

from bench.corpus import FIRST, questions, write_wiki
from bench.rows import Row

_DAYS = 1500  # on which the pages come in
_ASKED_ON = FIRST + timedelta(days=2 * _DAYS // 3)  # a third of them are not there yet
_NOW = FIRST + timedelta(days=_DAYS + 30)


def run(pages: int = 10_000) -> Iterator[Row]:
    """All rows; `pages` is the size of the generated wiki (400 words and 8 links a page)."""
    with tempfile.TemporaryDirectory(prefix="citewiki-bench-") as folder:
        root = Path(folder)
        write_wiki(root, pages, days=_DAYS)
        yield from _maintenance(root)
        yield from _asking(root)
        yield from _acting(root)


def _maintenance(root: Path) -> Iterator[Row]:
    """`decay` and `drift`, reading included, against reading all front matter alone.

    Each three times by turns, the median: a machine that slows down slows all.
    """
    from citewiki.cli.decay import originals
    from citewiki.query.drift import drift_pairs
    from citewiki.query.times import Moment, standing
    from citewiki.store.decay import decayed
    from citewiki.store.pages import load_pages

    def read() -> object:
        return load_pages(root / "wiki")

    def decay() -> object:
        found, _ = load_pages(root / "wiki")
        return decayed(found, now=_NOW, days=90, originals=originals(root))

    def drift() -> object:
        found, _ = load_pages(root / "wiki")
        return drift_pairs(standing(found, Moment(_NOW)))

    _cpu(drift)  # loads what it imports
    times = [(_cpu(read), _cpu(decay), _cpu(drift)) for _ in range(3)]
    reading, decaying, drifting = map(statistics.median, zip(*times, strict=True))
    yield Row("decay / reading all front matter", decaying / reading, 3)
    yield Row("drift / reading all front matter", drifting / reading, 3)


def _asking(root: Path) -> Iterator[Row]:
    """`ask` as of a day against the same question of now, each question of both by turns."""
    from citewiki.ask import Scope, ask
    from citewiki.config import AskConfig
    from citewiki.index.index import open_index

    with open_index(root / "wiki", root / ".citewiki") as index:
        put = partial(ask, index, settings=AskConfig(), now=_NOW)
        asked = {
            "ask --as-of, a third of the pages not there yet / ask": Scope(as_of=_ASKED_ON),
            "ask --as-of, all pages there / ask": Scope(as_of=_NOW),
            "ask --known-at, a third not there yet / ask": Scope(known_at=_ASKED_ON),
        }
        for text in questions(60, seed=30):  # reads in what any question needs
            put(text)
        times = [
            [_cpu(partial(put, text, scope=scope)) for scope in (None, *asked.values())]
            for text in questions(150, seed=31)
        ]
    plain, *dated = map(statistics.median, zip(*times, strict=True))
    for name, taken in zip(asked, dated, strict=True):
        yield Row(name, taken / plain, 1.3)


def _acting(root: Path) -> Iterator[Row]:
    """Actions on one page, wiki/index.md and log included, against reading all front matter."""
    from citewiki.store.catalog import write_index
    from citewiki.store.lifecycle import archive, restore, reverify
    from citewiki.store.pages import load_pages

    reading = _cpu(lambda: write_index(root / "wiki", load_pages(root / "wiki")[0]))
    reverify(root, ["page-0"], now=_NOW)  # reads all pages into the ledger
    times = [
        _cpu(partial(act, root, [f"page-{number}"], now=_NOW))
        for number in range(1, 6)
        for act in (reverify, archive, restore)
    ]
    name = "archive, restore, reverify of a page / reading all front matter"
    yield Row(name, statistics.median(times) / reading, 0.2)


def _cpu(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start
