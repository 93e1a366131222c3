"""Sources become pages: what is new or changed, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.config import Config
from citewiki.distill.books import is_book, turned
from citewiki.distill.domains import Domains
from citewiki.distill.linking import Linkers, link_shelf
from citewiki.distill.placing import place
from citewiki.distill.proposing import Proposer
from citewiki.distill.related import Related, may_mention, of_viewer, readers_of_made
from citewiki.distill.running import BrokenOff, Compiled, Report, breakable
from citewiki.distill.shelf import Shelf, archived
from citewiki.distill.worklist import WAITS, Job, Worklist
from citewiki.errors import EngineDeferred, EngineError
from citewiki.llm.port import NOTHING, Usage
from citewiki.model import Page, Problem, Proposal, SourceRecord, Viewer
from citewiki.sources.manifest import MANIFEST
from citewiki.store import review as queue
from citewiki.store.catalog import append_log, update_index, write_index
from citewiki.store.files import clear_rests

if TYPE_CHECKING:
    from citewiki.distill.checks import Judge
    from citewiki.distill.drafting import Drafted, Drafter, Drafts
    from citewiki.llm.port import Engine

BATCH = 100
"""Pages made before they are written: a killed run does at most this much again."""


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
    viewer: Viewer = None,
    drafts: Drafts | None = None,
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
    `drafts` are what models wrote before (`draft_sources`): none is asked then. When `report`
    raises, the run ends after writing what is done.
    With a `viewer`, only their sources are compiled, their pages are theirs alone, and what they
    cannot see makes no difference; else those sources that are no user's.
    Raises DataError for a source that is not in the manifest.
    """
    clear_rests(root / "wiki")
    config = of_viewer(config, viewer)
    cache = cache or root / ".citewiki"
    run = _Run(root, config, now, version, password, engine, review, cache, viewer)
    chosen = run.work.chosen(only)
    try:
        if drafts is not None:
            run.settle_all(chosen, drafts)
        elif engine is None:
            run.copy(chosen, breakable(report))
        else:
            run.draft(engine, judge, chosen, breakable(report))
    except BrokenOff as broken:
        run.write()
        run.result()
        raise broken.reason from None
    run.write()
    if not review:
        run.link(chosen)
        if engine and prefixes:
            run.prefix(engine, report)
    return run.result()


def draft_sources(
    root: Path,
    config: Config,
    *,
    now: datetime,
    version: str,
    only: Collection[str],
    engine: Engine,
    judge: Judge | None = None,
    viewer: Viewer = None,
    cache: Path | None = None,
    report: Report = lambda done, total, what: None,
) -> Drafts:
    """Have models write what `compile_sources` places with `drafts`; nothing of the wiki changes.

    So the lock, which that one needs, is not held while models think. What `report` raises stands
    in `Drafts.broken`, beside what was done by then.
    """
    from citewiki.distill.drafting import Drafts

    config = of_viewer(config, viewer)
    cache = cache or root / ".citewiki"
    run = _Run(root, config, now, version, "", engine, False, cache, viewer)
    chosen = run.work.chosen(only)
    total = sum(item.status == "pending" for record in chosen for item in record.sections)
    held: dict[str, tuple[str, Drafted]] = {}

    def keep(job: Job, drafted: Drafted) -> None:
        held[job.section.id] = (job.before.sha256, drafted)

    def tell(done: int, sources: int, what: str) -> None:
        report(min(len(held), total), total, what)

    drafter, broken = run.drafter(engine, judge), None
    try:
        drafter.run(run.work, chosen, keep, lambda: None, breakable(tell))
    except BrokenOff as error:
        broken = error.reason
    return Drafts(held, drafter.calls, drafter.usage, drafter.put_off, drafter.stopped, broken)


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
        viewer: Viewer,
    ) -> None:
        self._viewer = viewer
        self.root, self.config, self.now, self.cache = root, config, now, cache
        self._review = review
        self._model = config.engine.distill_model or config.engine.answer_model
        self.shelf = Shelf(root / "wiki", viewer, readers_of_made(config), cache)
        self.work = Worklist(
            root,
            self.shelf,
            password=password,
            privacy=config.privacy,
            waiting={item.id: item.section_sha256 for item in queue.items(cache)},
            takes_advice=engine is not None,
            owner=viewer or "",
        )
        pages = list(self.shelf.served())
        seen = [page for page in pages if may_mention(page, config)] if engine else []
        self.proposer = Proposer(
            config,
            self.shelf,
            Domains(filter(self.shelf.shows, pages)),
            Related(seen) if engine else None,
            cache,
            now,
            version,
            viewer,
        )
        self._linkers: Linkers | None = None
        self._books: dict[str, None] = {}  # ids of books of which pages were made
        self._made: dict[str, str] = {}  # slug → path of its source
        self._updated: dict[str, str] = {}
        self._linked: list[str] = []
        self._named: dict[str, None] = {}  # slugs of the chosen sources' pages
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
        drafter = self.drafter(engine, judge)
        try:
            drafter.run(self.work, chosen, self.settle, self.write, report)
        finally:
            self._spend(drafter)

    def drafter(self, engine: Engine, judge: Judge | None) -> Drafter:
        """What has sections written by models, told of the pages that there are."""
        from citewiki.distill.drafting import Context, Drafter

        related = self.proposer.related or Related(())
        context = Context(self.cache, self.shelf, related, self.config)
        return Drafter(engine, context, judge=judge, concurrency=self.config.engine.concurrency)

    def copy(self, chosen: Sequence[SourceRecord], report: Report) -> None:
        """Make pages of the chosen sources in their own words; tells of sections when it is one."""
        for done, record in enumerate(chosen):
            if len(chosen) > 1:
                report(done, len(chosen), record.path)
            for number, job in enumerate(self.work.jobs(record)):
                if len(chosen) == 1:
                    report(number, len(record.sections), job.section.title or record.path)
                self.place_all(job, [self.proposer.extractive(job)])
                if self.shelf.waiting >= BATCH:
                    self.write()

    def settle_all(self, chosen: Sequence[SourceRecord], drafts: Drafts) -> None:
        """Place what models wrote of the chosen sources before."""
        for record in chosen:
            for job in self.work.jobs(record):
                if drafted := drafts.of(job):
                    self.settle(job, drafted)
        self._spend(drafts)

    def _spend(self, drafts: Drafter | Drafts) -> None:
        if drafts.stopped:
            message = f"stopped: {drafts.stopped}; run it again to go on"
            self._problems.append(Problem(MANIFEST, message, 0, "error", "stopped"))
        self._spent = Compiled(
            calls=drafts.calls,
            usage=drafts.usage.as_dict(),
            put_off=drafts.put_off,
            stopped=str(drafts.stopped or ""),
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

    def link(self, chosen: Iterable[SourceRecord]) -> None:
        """Link the pages of books to their neighbours, and first mentions on all pages.

        For a user: on the pages of the chosen sources, and on those of theirs that mention them.
        """
        items = [item for each in chosen for item in self.work.records[each.id].sections]
        self._named = {slug: None for item in items for slug in item.pages if slug in self.shelf}
        for book in self._books:
            self._turn(book)
        fresh = {*self._made, *self._updated}
        changed = link_shelf(
            self.shelf,
            self.cache,
            links=self.config.link_titles,
            viewer=self._viewer,
            fresh=None if self._viewer is None else {*fresh, *self._named},
        )
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
        if self._viewer is None:
            write_index(self.root / "wiki", self.shelf.served())
        else:
            slugs = dict.fromkeys((*self._named, *self._made, *self._updated, *self._linked))
            pages = (self.shelf[slug] for slug in slugs)
            update_index(self.root / "wiki", [page for page in pages if not archived(page)])
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
        if self._linkers is None:
            self._linkers = Linkers(self.shelf)
        return self._linkers.link(page)

    def _note(self, job: Job, message: str, code: str) -> None:
        where = f"section “{job.section.locator or job.section.title}”: {message}"
        self._problems.append(Problem(job.record.path, where, 0, "warning", code))

    def _log(self) -> list[str]:
        made, updated = Counter(self._made.values()), Counter(self._updated.values())
        return [
            f"compiled {path}: {made[path]} new pages, {updated[path]} updated"
            for path in sorted(made | updated)
        ]
