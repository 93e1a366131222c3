"""Sources become pages: what is new or changed, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.config import Config
from citewiki.distill.books import is_book, turned
from citewiki.distill.crosslinks import Linker
from citewiki.distill.domains import Domains
from citewiki.distill.linking import link_shelf
from citewiki.distill.placing import place
from citewiki.distill.proposing import Proposer
from citewiki.distill.related import Related, may_mention
from citewiki.distill.shelf import Shelf
from citewiki.distill.worklist import WAITS, Job, Worklist
from citewiki.errors import EngineDeferred, EngineError
from citewiki.llm.port import NOTHING, Usage
from citewiki.model import Page, Problem, Proposal, SourceRecord
from citewiki.sources.manifest import MANIFEST
from citewiki.store import review as queue
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import clear_rests

if TYPE_CHECKING:
    from citewiki.distill.checks import Judge
    from citewiki.distill.drafting import Drafted
    from citewiki.llm.port import Engine

Report = Callable[[int, int, str], None]

BATCH = 100
"""Pages made before they are written: a killed run does at most this much again."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a run of `compile` did."""

    made: tuple[str, ...] = ()  # slugs of new pages
    updated: tuple[str, ...] = ()  # slugs of pages whose section changed, or that got an addition
    linked: tuple[str, ...] = ()  # slugs of pages that only got new links
    waiting: tuple[str, ...] = ()  # ids of review items that were queued
    sections: dict[str, int] = field(default_factory=dict)  # number of sections by status
    problems: tuple[Problem, ...] = ()
    calls: int = 0  # of language models, replies that were kept included
    usage: dict[str, float] = field(default_factory=dict)  # tokens and USD of this run's calls
    put_off: int = 0  # sections that wait for a batch
    stopped: str = ""  # why the run ended before its end; "" when it did not


def compile_sources(
    root: Path,
    config: Config,
    *,
    now: datetime,
    version: str,
    only: Collection[str] = (),
    password: str = "",
    engine: Engine | None = None,
    judge: Judge | None = None,
    review: bool = False,
    prefixes: bool = False,
    cache: Path | None = None,
    report: Report = lambda done, total, what: None,
) -> Compiled:
    """Make pages of every section that is new or changed, then link all pages.

    `engine` writes them; None: the built-in way, in the section's own words. `judge` checks what a
    model wrote, beside this room's own checks. With `review` nothing is written but to the queue;
    with `prefixes` the model writes these for its pages, too (see `prefixes`).
    Pages are written in batches, each after the manifest that names them: a run that was killed
    finds pages named but missing, makes those again, and goes on; a second run changes nothing.
    When a model cannot be reached, or its budget is spent, the run stops after writing what is
    done. The caller holds the wiki's lock. `only` names sources by id or path.
    Raises DataError for a source that is not in the manifest.
    """
    clear_rests(root / "wiki")
    run = _Run(root, config, now, version, password, engine, review, cache or root / ".citewiki")
    chosen = run.work.chosen(only)
    if engine is None:
        for done, record in enumerate(chosen):
            report(done, len(chosen), record.path)
            for job in run.work.jobs(record):
                run.place_all(job, [run.proposer.extractive(job)])
                if run.shelf.waiting >= BATCH:
                    run.write()
    else:
        run.draft(engine, judge, chosen, report)
    run.write()
    if not review:
        run.link()
        if engine and prefixes:
            run.prefix(engine, report)
    return run.result()


class _Run:
    """The state of one run: what exists, and what was done."""

    def __init__(
        self,
        root: Path,
        config: Config,
        now: datetime,
        version: str,
        password: str,
        engine: Engine | None,
        review: bool,
        cache: Path,
    ) -> None:
        self.root, self.config, self.now, self.cache = root, config, now, cache
        self._review = review
        self._model = config.engine.distill_model or config.engine.answer_model
        self.shelf = Shelf(root / "wiki")
        self.work = Worklist(
            root,
            self.shelf,
            password=password,
            privacy=config.privacy,
            waiting={item.id: item.section_sha256 for item in queue.items(cache)},
            takes_advice=engine is not None,
        )
        pages = list(self.shelf.served())
        seen = [page for page in pages if may_mention(page, config)] if engine else []
        self.proposer = Proposer(
            config,
            self.shelf,
            Domains(pages),
            Related(seen) if engine else None,
            cache,
            now,
            version,
        )
        self._linker: Linker | None = None
        self._books: dict[str, None] = {}  # ids of books of which pages were made
        self._made: dict[str, str] = {}  # slug → path of its source
        self._updated: dict[str, str] = {}
        self._linked: list[str] = []
        self._waiting: list[str] = []
        self._problems: list[Problem] = []
        self._spent = Compiled()

    def draft(
        self,
        engine: Engine,
        judge: Judge | None,
        chosen: Sequence[SourceRecord],
        report: Report,
    ) -> None:
        """Have the sections of the chosen sources written by models."""
        from citewiki.distill.drafting import Context, Drafter

        related = self.proposer.related or Related(())
        context = Context(self.cache, self.shelf, related, self.config)
        concurrency = self.config.engine.concurrency
        drafter = Drafter(engine, context, judge=judge, concurrency=concurrency)
        drafter.run(self.work, chosen, self.settle, self.write, report)
        if drafter.stopped:
            message = f"stopped: {drafter.stopped}; run it again to go on"
            self._problems.append(Problem(MANIFEST, message, 0, "error", "stopped"))
        self._spent = Compiled(
            calls=drafter.calls,
            usage=drafter.usage.as_dict(),
            put_off=drafter.put_off,
            stopped=str(drafter.stopped or ""),
        )

    def settle(self, job: Job, drafted: Drafted) -> None:
        """Place what models made of a section, or note why there is nothing."""
        for warning in drafted.warnings:
            self._note(job, warning, "instruction")
        failure = drafted.failure
        if drafted.written and not drafted.written.draft.statements:
            failure = "the language model wrote nothing that the section says"
        if failure:
            self.work.settle(job, replace(job.before, status="pending", reason=failure))
            self._note(job, failure, "engine")
        elif drafted.written:
            self.place_all(job, self.proposer.written(job, drafted.written, self._model))

    def place_all(self, job: Job, proposals: list[Proposal]) -> None:
        """Write or queue what is proposed of a section, and settle it."""
        outcome = replace(job.before, status="pending", reason="")
        for proposal in proposals:
            slug = proposal.draft.page.slug
            current = self.shelf.whole(slug) if slug in self.shelf else None
            page = proposal.draft.page
            if current:
                page = self._with_links(page)
            proposal = replace(proposal, draft=replace(proposal.draft, page=page))
            placed = place(
                proposal,
                current,
                cache=self.cache,
                now=self.now,
                review=self._review,
                section_sha256=job.before.sha256,
                previous=self.shelf.text(slug) if current else "",
            )
            if placed.page:
                self._put(job, placed.page, new=current is None)
                outcome = replace(outcome, status="compiled", pages=(slug,))
            elif placed.item:
                queue.queue(self.cache, placed.item, current.body if current else "")
                self._waiting.append(placed.item.id)
                if outcome.status == "pending":
                    outcome = replace(outcome, reason=f"{WAITS}{placed.item.id})")
                self._note(job, "; ".join(placed.item.reasons), "review")
        self.work.settle(job, outcome)
        if is_book(job.source):
            self._books[job.record.id] = None

    def write(self) -> None:
        """Write the manifest, then the pages that it names.

        A page that is not there yet tells the next run that this one was killed; one that is
        there would not, so its section counts as compiled only afterwards.
        """
        overwrites = frozenset(self.shelf.overwrites)
        self.work.write(overwrites)
        self.shelf.flush()
        if overwrites:
            self.work.write()

    def link(self) -> None:
        """Link the pages of books to their neighbours, and first mentions on all pages."""
        for book in self._books:
            self._turn(book)
        changed = link_shelf(self.shelf, self.cache, links=self.config.link_titles)
        fresh = {*self._made, *self._updated}
        self._linked = [slug for slug in changed if slug not in fresh]

    def prefix(self, engine: Engine, report: Report) -> None:
        """Have the passages of pages that the model wrote prefixed for the index."""
        from citewiki.distill.drafting import SKIPPED
        from citewiki.distill.prefixes import write_prefixes

        if self._spent.stopped:
            return
        by = f"+{self._model}"
        slugs = [page.slug for page in self.shelf.served() if page.generated_by.endswith(by)]
        spent, put_off = Usage(), 0
        for done, slug in enumerate(slugs):
            report(done, len(slugs), f"prefixes of {slug}")
            try:
                spent += write_prefixes(engine, [self.shelf.whole(slug)], self.cache).usage
            except EngineDeferred:
                put_off += 1
            except EngineError as error:
                spent += Usage.of(error.usage) if error.usage else NOTHING
                if not isinstance(error, SKIPPED):
                    break  # pages are found without prefixes too, and the next run goes on
        total = Usage.of(self._spent.usage) + spent
        put_off += self._spent.put_off
        self._spent = replace(self._spent, usage=total.as_dict(), put_off=put_off)

    def _turn(self, book: str) -> None:
        """Link the pages of a book to the ones before and after them."""
        slugs = [slug for item in self.work.records[book].sections for slug in item.pages[:1]]
        served = {page.slug for page in self.shelf.served()}
        pages = [self.shelf.whole(slug) for slug in dict.fromkeys(slugs) if slug in served]
        for page in turned(pages) if len(pages) > 1 else ():
            self.shelf.write(page)

    def result(self) -> Compiled:
        """Bring index and log up to date; what was done."""
        write_index(self.root / "wiki", self.shelf.served())
        append_log(self.root / "wiki", self.now, self.config.owner, self._log())
        counts: dict[str, int] = {}
        for record in self.work.records.values():
            for section in record.sections:
                counts[section.status] = counts.get(section.status, 0) + 1
        return replace(
            self._spent,
            made=tuple(self._made),
            updated=tuple(self._updated),
            linked=tuple(self._linked),
            waiting=tuple(self._waiting),
            sections=counts,
            problems=(*self.shelf.problems, *self.work.problems, *self._problems),
        )

    def _put(self, job: Job, page: Page, *, new: bool) -> None:
        self.shelf.put(page)
        if self.proposer.related and may_mention(page, self.config):
            self.proposer.related.add(page)
        if new:
            self._made[page.slug] = job.record.path
        elif page.slug not in self._made:
            self._updated[page.slug] = job.record.path

    def _with_links(self, page: Page) -> Page:
        """The page with links as `link` would set them, so that none counts as lost."""
        if not self.config.link_titles:
            return page
        if self._linker is None:
            self._linker = Linker(self.shelf.served())
        return self._linker.link(page)

    def _note(self, job: Job, message: str, code: str) -> None:
        where = f"section “{job.section.locator or job.section.title}”: {message}"
        self._problems.append(Problem(job.record.path, where, 0, "warning", code))

    def _log(self) -> list[str]:
        made, updated = Counter(self._made.values()), Counter(self._updated.values())
        return [
            f"compiled {path}: {made[path]} new pages, {updated[path]} updated"
            for path in sorted(made | updated)
        ]
