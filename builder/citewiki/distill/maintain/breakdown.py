"""Concepts without a page become drafts, from what the evidence of other pages says of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.checks import Judge
from citewiki.distill.maintain.concepts import Concept, concepts, key_of
from citewiki.distill.maintain.passages import (
    FOR_A_MODEL,
    Originals,
    Passage,
    concept_page,
    defines,
    gathered,
    passages,
    written_by,
)
from citewiki.distill.maintain.queueing import BY, Wanted, queued
from citewiki.distill.related import may_mention
from citewiki.distill.shelf import Shelf
from citewiki.distill.written import Known
from citewiki.errors import DataError, EngineError, EngineRefused, EngineTruncated, EngineUnusable
from citewiki.llm.port import Engine
from citewiki.model import Page, Problem
from citewiki.store.review import Item

LEAST_SENTENCES = 2
"""Sentences that a page needs: with one, a link to where it stands says as much."""

Report = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Made:
    """What became of the concepts that were to get pages."""

    items: tuple[Item, ...] = ()  # drafts that wait for review
    problems: tuple[Problem, ...] = ()  # concepts without one, and why
    stopped: str = ""  # why it ended early; "" when it did not


def candidates(pages: Iterable[Page], config: Config) -> list[Concept]:
    """The concepts that deserve a page, the most wanted first.

    Only pages whose readers may read what the program makes take part.
    """
    return concepts(page for page in pages if may_mention(page, config))


def named(found: Sequence[Concept], names: Iterable[str]) -> list[Concept]:
    """The candidates of those names, whatever their case and plural. Raises DataError."""
    by_key = {key_of(concept.name): concept for concept in found}
    chosen: list[Concept] = []
    for name in names:
        if key_of(name) not in by_key:
            hint = "list the candidates: citewiki breakdown"
            raise DataError("breakdown", f"“{name}” is no concept without a page", hint=hint)
        chosen.append(by_key[key_of(name)])
    return chosen


def make(
    root: Path,
    cache: Path,
    pages: Iterable[Page],
    chosen: Sequence[Concept],
    config: Config,
    *,
    now: datetime,
    version: str,
    engine: Engine | None = None,
    judge: Judge | None = None,
    report: Report = lambda done, total, what: None,
) -> Made:
    """Draft a page of each chosen concept and queue it for review.

    `engine` writes them from the passages; None: the most telling ones are gathered. One that the
    model does not manage is a problem; when no model can be reached or paid, it stops. The caller
    holds the wiki's lock.
    """
    by_slug = {page.slug: page for page in pages}
    shelf = Shelf(root / "wiki")
    originals = Originals(root, config)
    by = f"citewiki/{version}+{_model(config) if engine else BY}"
    items: list[Item] = []
    problems: list[Problem] = []
    for done, concept in enumerate(chosen):
        report(done, len(chosen), concept.name)
        found = passages(concept, by_slug, originals)
        if len(found) < LEAST_SENTENCES:
            message = f"{len(found)} sentences of sources speak of it: too few for a page"
            problems.append(Problem(concept.name, message, 0, "warning", "breakdown"))
            continue
        try:
            wanted = _wanted(concept, found, by_slug, shelf, config, now, by, engine, judge)
        except (EngineRefused, EngineTruncated, EngineUnusable) as error:
            problems.append(Problem(concept.name, error.message, 0, "warning", "engine"))
            continue
        except EngineError as error:
            return Made(tuple(items), tuple(problems), str(error))
        if wanted:
            made = queued(root, cache, shelf, [wanted], now)
            items += made
            if not made:
                message = "this draft was turned down in review; its sources say no more since"
                problems.append(Problem(concept.name, message, 0, "warning", "breakdown"))
        else:
            message = "the language model wrote nothing that the sources say"
            problems.append(Problem(concept.name, message, 0, "warning", "engine"))
    return Made(tuple(items), tuple(problems))


def _wanted(
    concept: Concept,
    found: list[Passage],
    pages: dict[str, Page],
    shelf: Shelf,
    config: Config,
    now: datetime,
    by: str,
    engine: Engine | None,
    judge: Judge | None,
) -> Wanted | None:
    titles = {slug: pages[slug].title for slug in concept.pages}
    why = f"{len(concept.pages)} pages mention it, and none explains it"
    problems: tuple[str, ...] = ()
    if engine is None:
        body, text = gathered(found, titles)
        if not any(defines(passage.text, concept.name) for passage in found):
            problems = ("no source says what it is; these sentences only speak of it",)
    else:
        listed = tuple((pages[slug].title, pages[slug].summary) for slug in concept.pages[:12])
        domains = tuple(sorted({page.domain for page in pages.values() if page.domain}))
        written, body = written_by(
            concept.name, found[:FOR_A_MODEL], Known(domains, listed), engine, judge
        )
        if not written.draft.statements:
            return None
        text, problems = written.draft.summary, written.problems
    page = concept_page(
        concept, body, text, pages, slugs=shelf.slugs, config=config, now=now, by=by
    )
    return Wanted(page, why, problems=problems, by=by.partition("+")[2])


def _model(config: Config) -> str:
    return config.engine.distill_model or config.engine.answer_model
