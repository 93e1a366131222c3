"""`ingest --undo`: what taking a source out would do, the question, and the doing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import click

from citewiki.cli.differences import harmless
from citewiki.cli.options import now
from citewiki.cli.output import print_json, say, styled

if TYPE_CHECKING:
    from citewiki.distill.undo import PageLoss, Undo
    from citewiki.wiki import Wiki

Function = TypeVar("Function", bound=Callable[..., Any])

CLAIMS = 3
"""Claims of a page that are shown unless --verbose asks for all."""


def undo_options(function: Function) -> Function:
    """The options of `ingest` that take a source out again."""
    for option in (
        click.option("--edited", is_flag=True, help="With --undo: pages that were edited, too."),
        click.option("--yes", is_flag=True, help="With --undo: do not ask."),
        click.option(
            "--undo", default="", metavar="SOURCE", help="Take this source (id or path) out again."
        ),
    ):
        function = option(function)
    return function


def undo_ingest(
    opened: Wiki,
    source: str,
    *,
    yes: bool,
    edited: bool,
    dry_run: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Show what goes, ask, and take it out. Where nobody can be asked, --yes has to be given."""
    from citewiki.distill.undo import plan_undo, undo_source
    from citewiki.store.files import lock

    plan = plan_undo(opened.root, opened.cache, source, edited=edited)
    if not json:
        for line in _told(plan, verbose):
            print(harmless(line))
    ask = not (yes or dry_run)
    if ask and (json or not sys.stdin.isatty()):
        raise click.UsageError("nothing was done, as nobody can be asked; say --yes or --dry-run")
    if dry_run or (ask and not click.confirm("Take it out?", err=True)):
        if json:
            print_json({"done": False, "undo": plan})
        say("nothing was done", quiet)
        return
    with lock(opened.cache):
        done = undo_source(
            opened.root,
            opened.cache,
            source,
            now=now(),
            who=opened.config.owner,
            edited=edited,
            planned=plan,
        )
    if json:
        print_json({"done": True, "undo": done})
    say(f"{done.path} is out; take it in again with: citewiki ingest", quiet)


def _told(plan: Undo, verbose: bool) -> Iterator[str]:
    """The plan as a person reads it."""
    yield styled(f"{plan.path}  {plan.title}", "1")
    for title, losses in (
        ("Pages that go", plan.deleted),
        ("Pages that lose its part", plan.shared),
        ("Pages that stay as they are, as they were edited (--edited: go, too)", plan.spared),
    ):
        if losses:
            yield f"\n{title}: {len(losses)}"
        for loss in losses:
            yield from _loss(loss, verbose)
    if plan.links:
        yield f"\nLinks to pages that go: {len(plan.links)}"
    for link in plan.links:
        becomes = "stays, to nothing" if link.stays else "becomes words"
        yield f"  wiki/{link.path} → {link.title}: {becomes}"
    if plan.drafts:
        yield f"\nDrafts that wait for review and go: {', '.join(plan.drafts)}"
    if plan.removed:
        yield f"\nCopies that go (the original elsewhere stays): {', '.join(plan.removed)}"
    if plan.moved:
        yield f"\nPut into raw/ by hand, moved to undone/: {', '.join(plan.moved)}"


def _loss(loss: PageLoss, verbose: bool) -> Iterator[str]:
    edited = ", edited by hand" if loss.edited else ""
    counts = f"{len(loss.claims)} claims, {loss.footnotes} footnotes" if loss.claims else ""
    yield f"  {loss.title} (wiki/{loss.path}{edited}){': ' + counts if counts else ''}"
    shown = loss.claims if verbose else loss.claims[:CLAIMS]
    yield from (f"    - {claim}" for claim in shown)
    if len(shown) < len(loss.claims):
        yield f"    … and {len(loss.claims) - len(shown)} more (-v)"
    yield from (f"    stays without its evidence: {text}" for text in loss.kept)
