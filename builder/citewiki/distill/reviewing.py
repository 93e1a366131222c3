"""A language model reviews the drafts that wait, before a person does.

Its consent is enough only where nothing speaks against a draft but that drafts are to be
reviewed: what a check found, and what would cost a person's edit, is for a person. It sees pages
and quotes, which are free of what privacy settings mask, and never the source itself.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from citewiki.config import Config
from citewiki.distill.deciding import accept, reject
from citewiki.errors import (
    DataError,
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnusable,
    PageError,
)
from citewiki.llm.port import Block, Engine, Request, filled
from citewiki.llm.prompt import block, prompt
from citewiki.markdown.footnotes import footnotes
from citewiki.model import Page
from citewiki.store.files import lock
from citewiki.store.kept import Kept
from citewiki.store.pages import load_page
from citewiki.store.review import ASKED, Item
from citewiki.store.review import item as queued

ROUNDS = 2
"""Drafts of one section that a model may reject before a person has to decide: a decision."""

FOLDER = "opinions"

Report = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says of a draft."""

    verdict: Literal["accept", "reject", "person"]
    reason: str


@dataclass(frozen=True, slots=True)
class Noted:
    """An opinion, kept with what it was said of."""

    verdict: str
    reason: str
    by: str  # the model
    text_sha256: str  # of the page's file as it would be
    section_sha256: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What became of one item."""

    id: str
    title: str
    verdict: str
    reason: str
    outcome: Literal["accepted", "rejected", "for a person"]


@dataclass(frozen=True, slots=True)
class Review:
    """What a run did."""

    items: tuple[Reviewed, ...] = ()
    stopped: str = ""  # why it ended before all were seen; "" when it did not


def review_items(
    engine: Engine,
    root: Path,
    cache: Path,
    items: Iterable[Item],
    config: Config,
    *,
    now: datetime,
    model: str,
    report: Report = lambda done, total, what: None,
) -> Review:
    """Ask the engine of each item, and do what it says as far as it may.

    A draft is rejected so that the next compile is told; after `ROUNDS` rejections of one section,
    and where the next draft would be the same, it stays for a person. An opinion is asked for
    once for every text. The wiki's lock is taken for each decision, not while a model thinks.
    """
    found: list[Reviewed] = []
    items = list(items)
    for done, item in enumerate(items):
        report(done, len(items), item.title)
        history = opinions(cache, item.id)
        known = next((each for each in history if each.text_sha256 == _sha256(item)), None)
        if known is None:
            try:
                opinion = _asked(engine, root, item, history)
            except (EngineRefused, EngineTruncated, EngineUnusable) as error:
                found.append(Reviewed(item.id, item.title, "", error.message, "for a person"))
                continue
            except EngineError as error:
                return Review(tuple(found), str(error))
            known = Noted(
                opinion.verdict,
                " ".join(opinion.reason.split()) or "it gave no reason",
                model,
                _sha256(item),
                item.section_sha256,
            )
            history = (*history, known)
            _note(cache, item.id, history)
        outcome = _done(root, cache, item, known, history, config, now)
        found.append(Reviewed(item.id, item.title, known.verdict, known.reason, outcome))
    return Review(tuple(found))


def opinions(cache: Path, id: str) -> tuple[Noted, ...]:
    """What models have said of the drafts of one item so far, the oldest first."""
    try:
        return tuple(Noted(**each) for each in json.loads(Kept(cache / FOLDER)[id]))
    except (KeyError, ValueError, TypeError):
        return ()


def _note(cache: Path, id: str, history: Iterable[Noted]) -> None:
    Kept(cache / FOLDER)[id] = json.dumps([asdict(each) for each in history], ensure_ascii=False)


def _done(
    root: Path,
    cache: Path,
    item: Item,
    opinion: Noted,
    history: Iterable[Noted],
    config: Config,
    now: datetime,
) -> Literal["accepted", "rejected", "for a person"]:
    """Act on an opinion as far as a model may."""
    rejections = sum(
        each.verdict == "reject" and each.section_sha256 == item.section_sha256 for each in history
    )
    with lock(cache):
        try:
            if queued(cache, item.id) != item:
                return "for a person"  # it is another draft by now
            if opinion.verdict == "accept" and set(item.reasons) <= {ASKED} and not item.person:
                done = accept(root, cache, [item.id], config, now=now, who=opinion.by)
                return "accepted" if done.accepted else "for a person"
            if opinion.verdict == "reject" and rejections < ROUNDS and item.by != "extractive":
                why = opinion.reason
                reject(root, cache, [item.id], now=now, who=opinion.by, why=why)
                return "rejected"
        except DataError:  # a person has decided meanwhile
            pass
    return "for a person"


def _asked(engine: Engine, root: Path, item: Item, history: Iterable[Noted]) -> Opinion:
    parts = [*_parts(root, item, history)]
    request = Request(
        role="review",
        system=prompt("review"),
        blocks=(Block("\n\n".join(parts)), Block("Review the draft.")),
        shape=Opinion,
    )
    return filled(engine.reply(request), Opinion)


def _parts(root: Path, item: Item, history: Iterable[Noted]) -> Iterator[str]:
    if item.before_sha256:
        try:
            page = load_page(root / "wiki", item.path)
            yield block("page", _text(page), title=page.title)
        except PageError:
            pass  # the draft will not be written either
    yield block("draft", _text(item.page), title=item.title)
    quotes = [(each.quote, f"{each.source} {each.locator}") for each in item.evidence]
    notes = footnotes(item.page.body).values()
    quotes += [(note.quote, f"{note.resource} {note.locator}") for note in notes if note.quote]
    for quote, source in dict.fromkeys(quotes):
        yield block("result", quote, source=source.strip())
    for reason in (*filter(None, (item.why,)), *item.reasons, *(each.reason for each in history)):
        yield block("reason", reason)


def _text(page: Page) -> str:
    return f"Summary: {page.summary}\n\n{page.body}"


def _sha256(item: Item) -> str:
    return hashlib.sha256(item.page_text.encode()).hexdigest()
