"""Compiling, as `compile` and `ingest` do it: options, the engine, progress, the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click

from citewiki import __version__
from citewiki.cli.options import now
from citewiki.cli.output import counted, progress, say
from citewiki.errors import EngineError
from citewiki.model import Problem
from citewiki.sources.manifest import MANIFEST

if TYPE_CHECKING:
    from citewiki.cli.engines import Distilling
    from citewiki.distill.estimate import Estimate
    from citewiki.distill.running import Compiled
    from citewiki.wiki import Wiki

Function = TypeVar("Function", bound=Callable[..., Any])

PAUSE = 30.0
"""Seconds between looks at a message batch, which takes minutes to hours."""


@dataclass(frozen=True, slots=True)
class How:
    """What the options of a command say of compiling."""

    engine: str = ""  # "": as configured
    password: str = ""
    review: bool = False
    branch: str = ""  # of git, for the drafts; implies review
    budget: float | None = None  # USD
    batch: bool = False
    dry_run: bool = False


def compile_options(function: Function) -> Function:
    """The options of `compile` and `ingest` that say how pages are made."""
    for option in (
        click.option("--batch", is_flag=True, help="Send calls as message batches: half price."),
        click.option("--dry-run", is_flag=True, help="Say what it would cost; send nothing."),
        click.option(
            "--budget",
            type=click.FloatRange(min=0, min_open=True),
            metavar="USD",
            help="Stop before it costs more; the next run goes on.",
        ),
        click.option(
            "--branch", default="", metavar="NAME", help="Like --review; commit them to a branch."
        ),
        click.option("--review", is_flag=True, help="Write drafts to the review queue only."),
        click.option("--engine", default="", metavar="E", help="extractive or anthropic."),
    ):
        function = option(function)
    return function


def compile_wiki(opened: Wiki, only: Sequence[str], how: How, *, quiet: bool = False) -> Compiled:
    """Compile, with what was put into raw/ by hand unless sources are named; say what was done."""
    from citewiki.cli.engines import distilling_engine

    if how.branch:
        from citewiki.cli.branch import check

        check(opened.root, how.branch)  # before anything is paid for
    chosen = distilling_engine(
        opened.config.engine, how.engine, opened.cache, budget=how.budget, batch=how.batch
    )
    done = _once(opened, only, how, chosen, quiet, register_new=not only)
    while chosen and chosen.batched and done.put_off and not done.stopped:
        try:
            count = chosen.batched.send()
            waiting = chosen.batched.waiting
            say(f"{count} calls sent as a batch, {waiting} under way; waiting", quiet)
            chosen.batched.collect(lambda: time.sleep(PAUSE))
        except EngineError as error:  # what is done stays, and what is under way is collected later
            done = replace(done, stopped=str(error), problems=(*done.problems, _stopped(error)))
            break
        done = _together(done, _once(opened, only, how, chosen, quiet))
    if chosen:
        done = replace(done, usage=chosen.spent.as_dict())
    _report(done, chosen, quiet)
    _audit_due(opened, quiet)
    if how.branch:
        _propose(opened, how.branch, done, quiet)
    return done


def _audit_due(opened: Wiki, quiet: bool) -> None:
    """Say when so many sources have come that the whole wiki should be looked at."""
    from citewiki.distill.maintain.queueing import AUDIT_EVERY, sources_since
    from citewiki.sources.manifest import load_manifest

    count = sources_since(opened.root, load_manifest(opened.root))
    if count >= AUDIT_EVERY:
        say(f"{counted(count, 'source')} taken in since the last audit; run: citewiki audit", quiet)


def _stopped(error: EngineError) -> Problem:
    return Problem(MANIFEST, f"stopped: {error}; run it again to go on", 0, "error", "stopped")


def _propose(opened: Wiki, branch: str, done: Compiled, quiet: bool) -> None:
    """Commit the drafts of a run to a branch."""
    from citewiki.cli.branch import propose
    from citewiki.store.review import items

    drafts = [item for item in items(opened.cache) if item.id in done.waiting]
    made = propose(opened.root, branch, drafts, now=now())
    say(f"{len(made)} commits on {branch}", quiet)


def estimate_wiki(opened: Wiki, only: Sequence[str], how: How, *, quiet: bool) -> Estimate:
    """What compiling would cost; what was put into raw/ by hand is taken in, nothing is sent."""
    from citewiki.distill.estimate import estimate
    from citewiki.distill.ingest import register
    from citewiki.llm.batch import SHARE
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.files import lock

    with lock(opened.cache):
        if not only:
            register(
                opened.root,
                load_manifest(opened.root),
                now(),
                privacy=replace(opened.config.privacy, model=""),
            )
    found = estimate(
        opened.root,
        opened.config,
        only=only,
        password=how.password,
        cache=opened.cache,
        share=SHARE if how.batch else 1.0,
    )
    if (how.engine or opened.config.engine.distill) == "extractive":
        found = replace(found, calls=0, models=(), usd=0.0, usd_at_most=0.0)
    say(f"{found.sections} sections to compile, {found.calls} calls of language models", quiet)
    for each in found.models:
        cost = "price not known" if each.usd is None else f"${each.usd:.2f}"
        size = f"{each.input:,} tokens in, {each.output:,} out"
        say(f"  {each.model}: {each.calls} calls, {size}, {cost}", quiet)
    if found.usd is not None and found.usd_at_most is not None:
        say(f"about ${found.usd:.2f}, at the most ${found.usd_at_most:.2f}", quiet)
    return found


def _once(
    opened: Wiki,
    only: Sequence[str],
    how: How,
    chosen: Distilling | None,
    quiet: bool,
    *,
    register_new: bool = False,
) -> Compiled:
    """One pass over the sections, under the wiki's lock."""
    from citewiki.distill.compile import compile_sources
    from citewiki.distill.ingest import register
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.files import lock

    with lock(opened.cache), progress("compiling", quiet) as report:
        known = load_manifest(opened.root) if register_new else {}
        privacy = opened.config.privacy
        found = register(opened.root, known, now(), privacy=privacy) if register_new else None
        done = compile_sources(
            opened.root,
            opened.config,
            now=now(),
            version=__version__,
            only=only,
            password=how.password,
            engine=chosen.engine if chosen else None,
            judge=_says if chosen else None,
            review=how.review or bool(how.branch),
            cache=opened.cache,
            report=report,
        )
    return replace(done, problems=(*(found.problems if found else ()), *done.problems))


def _says(statement: str, passages: Sequence[str]) -> bool:
    """The judge's verdict on a statement that a model wrote."""
    from citewiki.judge.core import check_claim

    return check_claim(statement, passages).supported


def _together(first: Compiled, then: Compiled) -> Compiled:
    """Two passes of one run as one."""
    return replace(
        then,
        made=(*first.made, *then.made),
        updated=(*first.updated, *then.updated),
        linked=tuple(dict.fromkeys((*first.linked, *then.linked))),
        waiting=tuple(dict.fromkeys((*first.waiting, *then.waiting))),
        problems=tuple(dict.fromkeys((*first.problems, *then.problems))),
        calls=first.calls + then.calls,
    )


def _report(done: Compiled, chosen: Distilling | None, quiet: bool) -> None:
    counts = ", ".join(f"{number} {status}" for status, number in sorted(done.sections.items()))
    made, updated = len(done.made), len(done.updated)
    say(f"{counted(made, 'page')} made, {updated} updated; sections: {counts or 'none'}", quiet)
    if chosen:
        spent = chosen.spent
        cost = "at a price that is not known" if spent.usd is None else f"${spent.usd:.2f}"
        say(f"{counted(chosen.meter.calls, 'call')}, {spent.tokens:,} tokens, {cost}", quiet)
    if done.waiting:
        say(f"{counted(len(done.waiting), 'draft')} to review: citewiki review", quiet)
