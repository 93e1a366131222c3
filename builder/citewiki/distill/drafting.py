"""Models at work on many sections at once, with results that come in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Event

from citewiki.config import Config
from citewiki.distill.checks import Judge
from citewiki.distill.ground import Ground
from citewiki.distill.related import Related, may_mention
from citewiki.distill.shelf import Shelf
from citewiki.distill.worklist import Job, Worklist
from citewiki.distill.written import Known, Written, write
from citewiki.errors import (
    EngineDeferred,
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnusable,
)
from citewiki.llm.port import NOTHING, Engine, Usage
from citewiki.model import SourceRecord
from citewiki.store.kept import Kept

WAVE = 32
"""Sections that are under way together: they see the wiki as it was before them. A fixed number,
so that what comes out does not turn on how many calls run at once."""

SKIPPED = (EngineRefused, EngineTruncated, EngineUnusable)
"""Errors that are of one request: the run goes on with the next one."""

_COMMANDS = "holds text that reads like an order to a language model; it was not used: “{}”"

Report = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Drafted:
    """What came of one section."""

    written: Written | None = None
    failure: str = ""  # why there is nothing, for a person
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Drafts:
    """What came of the sections of some sources, before any of it is placed."""

    sections: Mapping[str, tuple[str, Drafted]]  # by id: hash of the section's text, what came
    calls: int
    usage: Usage
    put_off: int
    stopped: EngineError | None = None  # why the models are not asked any more
    broken: BaseException | None = None  # by what the run was broken off from outside

    def of(self, job: Job) -> Drafted | None:
        """What came of a section, if its text is still that one."""
        sha256, drafted = self.sections.get(job.section.id, ("", None))
        return drafted if sha256 == job.before.sha256 else None


class Context:
    """What a model is told of the wiki, the same for a section until that is settled.

    A run that goes on after a crash, or over the replies of a batch, so asks word for word what
    was asked before, and finds the replies that are kept.
    """

    def __init__(self, cache: Path, shelf: Shelf, related: Related, config: Config) -> None:
        self._kept = Kept(cache / "contexts")
        self._shelf, self._related, self._config = shelf, related, config

    def of(self, job: Job) -> Known:
        """What is known to the model that writes the section's page."""
        told = self._kept.get(_key(job))
        if told is not None:
            try:
                held = json.loads(told)
                pages = tuple((title, summary) for title, summary in held["pages"])
                return Known(tuple(held["domains"]), pages)
            except (ValueError, KeyError, TypeError):
                pass  # damaged: made anew
        known = self.fresh(job)
        told = json.dumps({"domains": known.domains, "pages": known.pages}, ensure_ascii=False)
        self._kept[_key(job)] = told
        return known

    def fresh(self, job: Job) -> Known:
        """The same as the wiki is now, and not kept."""
        seen = [page for page in self._shelf.served() if may_mention(page, self._config)]
        text = " ".join((job.section.title, *job.section.parents, job.section.text))
        near = (self._shelf[slug] for slug in self._related.nearest(text))
        return Known(
            tuple(sorted({page.domain for page in seen if page.domain})),
            tuple((p.title, p.summary) for p in near if p.slug not in job.before.pages),
        )

    def settled(self, job: Job) -> None:
        """The section is done with: the next time it is told anew."""
        self._kept.pop(_key(job), None)


class Drafter:
    """Has sections written, some at once, and hands on what came of them in their order."""

    def __init__(
        self, engine: Engine, context: Context, *, judge: Judge | None = None, concurrency: int = 4
    ) -> None:
        self._engine, self._context, self._judge = engine, context, judge
        self._concurrency = concurrency
        self._ended = Event()
        self.usage: Usage = NOTHING
        self.calls = 0
        self.done = 0  # sections that were written
        self.put_off = 0  # sections whose requests wait for a batch
        self.stopped: EngineError | None = None  # why the models are not asked any more

    def run(
        self,
        work: Worklist,
        chosen: Sequence[SourceRecord],
        settle: Callable[[Job, Drafted], None],
        write: Callable[[], None],
        report: Report,
    ) -> None:
        """All sections of the chosen sources, wave by wave; each wave is written before the next.

        A section that the model does not manage is settled as a failure. When no model can be
        reached or paid, what has come is written and the run ends, with `stopped` set.
        """
        wave: list[Job] = []
        for number, record in enumerate(chosen):
            tell = partial(self._tell, report, number, len(chosen), record.path)
            for job in work.jobs(record):
                wave.append(job)
                if len(wave) == WAVE:
                    self._wave(wave, settle, tell)
                    write()
                    wave = []
                if self.stopped:
                    return
            tell()
        self._wave(wave, settle, partial(self._tell, report, len(chosen), len(chosen), ""))
        write()

    def _wave(
        self,
        jobs: Iterable[Job],
        settle: Callable[[Job, Drafted], None],
        tell: Callable[[], None],
    ) -> None:
        asked = [(job, self._context.of(job)) for job in jobs]
        with ThreadPoolExecutor(self._concurrency) as pool:
            came = pool.map(lambda pair: self._one(*pair), asked)
            try:
                for (job, _), outcome in zip(asked, came, strict=True):
                    self._take(job, outcome, settle)
                    tell()
            except BaseException:  # broken off: calls that have not begun are not made
                self._ended.set()
                raise

    def _take(
        self, job: Job, outcome: Drafted | EngineError, settle: Callable[[Job, Drafted], None]
    ) -> None:
        """Count what a section cost, and hand on what came of it."""
        if isinstance(outcome, EngineError):
            self.usage += Usage.of(outcome.usage) if outcome.usage else NOTHING
            if isinstance(outcome, EngineDeferred):
                self.put_off += 1
            elif isinstance(outcome, SKIPPED):
                settle(job, Drafted(failure=outcome.message))
            else:
                self.stopped = self.stopped or outcome
        elif outcome.written:
            self.usage += outcome.written.usage
            self.calls += outcome.written.calls
            self.done += 1
            self._context.settled(job)
            settle(job, outcome)

    def _one(self, job: Job, known: Known) -> Drafted | EngineError:
        """One section, in a thread of its own; errors are values, as results come in order."""
        if self._ended.is_set():
            return Drafted()
        ground = Ground(job.section, job.source)
        try:
            written = write(ground, known, self._engine, judge=self._judge, reason=job.rejection)
        except EngineError as error:
            if not isinstance(error, (EngineDeferred, *SKIPPED)):
                self._ended.set()
            return error
        return Drafted(written, warnings=tuple(_COMMANDS.format(c[:80]) for c in ground.commands))

    def _tell(self, report: Report, number: int, total: int, path: str) -> None:
        """Say how far the run is, and what it has spent."""
        money = "" if self.usage.usd is None else f" · ${self.usage.usd:.2f}"
        spent = f"{self.done} pages · {self.usage.tokens:,} tokens{money}"
        report(number, total, f"{spent} · {path}")


def _key(job: Job) -> str:
    origin = (job.record.id, job.section.id, job.before.sha256, job.rejection)
    return hashlib.sha256("\0".join(origin).encode()).hexdigest()
