"""`drift`: pages that disagree, and what a person decides of each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.forget import deed_options, tell
from citewiki.cli.options import (
    as_of_option,
    domain_option,
    known_at_option,
    login,
    moment,
    now,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki
from citewiki.errors import CitewikiError

if TYPE_CHECKING:
    from citewiki.model import Drift, Page
    from citewiki.store.deeds import Change

WAYS = ("newer", "scope", "archive", "leave")
"""What becomes of a pair: the newer page supersedes the older, both hold under conditions, one is
put away, or it stays open."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decides of one pair of pages."""

    way: str  # one of WAYS
    page: str = ""  # slug of the page that is limited or put away; "": the older one
    start: datetime | None = None
    until: datetime | None = None
    note: str = ""


@click.command()
@wiki_option
@domain_option
@as_of_option
@known_at_option
@viewer_option
@click.option(
    "--resolve",
    "chosen",
    type=(click.IntRange(1), click.Choice(WAYS)),
    multiple=True,
    metavar="N HOW",
    help="Pair N: newer (supersedes), scope (both hold), archive (one), or leave.",
)
@click.option("--page", default="", help="Which page of the pair. Default: the older one.")
@click.option("--from", "start", type=moment, metavar="DATE", help="scope: it holds from here on.")
@click.option("--until", type=moment, metavar="DATE", help="scope: … until before this.")
@click.option("--note", default="", metavar="TEXT", help="scope: under what condition it holds.")
@click.option(
    "--reopen", default="", metavar="PAGE", help="Take back when, or in what case, this page holds."
)
@click.option("--interactive", "-i", is_flag=True, help="Ask of each pair what becomes of it.")
@deed_options
@output_options
def drift(
    wiki: Path,
    domain: str,
    as_of: datetime | None,
    known_at: datetime | None,
    viewer: str | None,
    chosen: tuple[tuple[int, str], ...],
    page: str,
    start: datetime | None,
    until: datetime | None,
    note: str,
    reopen: str,
    interactive: bool,
    who: str,
    why: str,
    dry_run: bool,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find pages that disagree: the same of the same, with another value; decide on them."""
    from citewiki.query.drift import drift_pairs
    from citewiki.query.times import Moment, standing

    opened = open_wiki(wiki, viewer, quiet)
    deciding = bool(chosen or reopen or interactive)
    if deciding and not (viewer is None and as_of is None and known_at is None):
        raise click.UsageError("decide on what holds now, as the operator: no --viewer, no DATE")
    how = {"now": now(), "who": who or login(), "why": why, "dry_run": dry_run}
    if reopen:
        tell(_reopened(opened.root, opened.cache, reopen, how), dry_run, json, quiet)
        return
    seen = opened.pages(as_of=as_of, known_at=known_at)
    pages = standing(seen, Moment(now(), as_of, known_at))
    by_slug = {each.slug: each for each in pages}
    found = drift_pairs(each for each in pages if domain in ("", each.domain))
    if interactive:
        for number, each in enumerate(found, 1):
            _show(number, each, by_slug)
            if not _ask(opened.root, opened.cache, each, how):
                return
        return
    if chosen:
        decided = [
            (_pair(found, number), Decision(way, page, start, until, note))
            for number, way in _each_once(chosen)
        ]
        changes: list[Change] = []
        for tried in (True, dry_run):  # first all as a plan: what cannot be done changes nothing
            changes = []
            for each, decision in decided:
                told = {**how, "dry_run": tried}
                try:
                    changes += _resolve(opened.root, opened.cache, each, decision, told)
                except CitewikiError:
                    if changes and not tried:  # what was decided before stands in its way
                        tell(changes, tried, json, quiet)
                    raise
        tell(changes, dry_run, json, quiet)
        return
    if json:
        print_json([_entry(number, each, by_slug) for number, each in enumerate(found, 1)])
        return
    for number, each in enumerate(found, 1):
        _show(number, each, by_slug)
    say(f"{len(found)} pairs of pages disagree", quiet)
    if found:
        say("decide: citewiki drift --interactive, or --resolve N newer|scope|archive|leave", quiet)


def _each_once(chosen: Sequence[tuple[int, str]]) -> Sequence[tuple[int, str]]:
    numbers = [number for number, _ in chosen]
    twice = next((number for number in numbers if numbers.count(number) > 1), None)
    if twice is not None:
        raise click.BadParameter(f"pair {twice} is decided twice; say one way for it")
    return chosen


def _pair(found: Sequence[Drift], number: int) -> Drift:
    if number > len(found):
        raise click.BadParameter(f"there is no pair {number}, only {len(found)}")
    return found[number - 1]


def _resolve(
    root: Path, cache: Path, drift: Drift, decision: Decision, how: Mapping[str, Any]
) -> Sequence[Change]:
    """Do what was decided; nothing is written for a pair that stays open."""
    from citewiki.store import lifecycle, scopes
    from citewiki.store.files import lock

    newer, older = drift.pages
    page = decision.page or older
    if page not in drift.pages:
        raise click.BadParameter(f"--page {page}: the pair is {newer} and {older}")
    with lock(cache):
        match decision.way:
            case "newer":
                return lifecycle.supersede(root, [older], newer, **how)
            case "archive":
                return lifecycle.archive(root, [page], **how)
            case "scope":
                return scopes.limit(
                    root,
                    page,
                    drift,
                    start=decision.start,
                    until=decision.until,
                    note=decision.note,
                    **how,
                )
    return ()


def _reopened(root: Path, cache: Path, name: str, how: Mapping[str, Any]) -> Sequence[Change]:
    from citewiki.store import scopes
    from citewiki.store.files import lock

    with lock(cache):
        return scopes.unlimit(root, name, **how)


def _ask(root: Path, cache: Path, drift: Drift, how: Mapping[str, Any]) -> bool:
    """Ask what becomes of a pair and do it; what cannot be done is told. False: ask no more."""
    ways = {"n": "newer", "s": "scope", "a": "archive", "l": "leave", "q": "quit"}
    said = click.prompt(
        "[n]ewer wins, both hold under a [s]cope, [a]rchive one, [l]eave open, [q]uit",
        type=click.Choice(list(ways)),
        default="l",
        show_choices=False,
        err=True,
    )
    if said == "q":
        return False
    page = drift.pages[1]
    if said in "sa":
        choice = click.Choice(drift.pages)
        page = click.prompt("Which page", type=choice, default=page, err=True)
    try:
        decision = _condition(page) if said == "s" else Decision(ways[said], page)
        tell(_resolve(root, cache, drift, decision, how), how["dry_run"], False, False)
    except (CitewikiError, click.BadParameter) as error:
        say(f"nothing was changed: {error}")
    return True


def _condition(page: str) -> Decision:
    """Ask when the page holds: from or until a day, or under a condition in words."""
    told = click.prompt("It holds: from DATE, until DATE, or in what case", err=True).strip()
    bound, _, day = told.partition(" ")
    if bound == "from":
        return Decision("scope", page, start=moment(day.strip()))
    if bound == "until":
        return Decision("scope", page, until=moment(day.strip()))
    return Decision("scope", page, note=told)


def _show(number: int, drift: Drift, pages: Mapping[str, Page]) -> None:
    """A pair for a person: what differs, both sentences, and what speaks for each."""
    print(styled(f"{number}  {drift.message}", "1"))
    for slug, quote in zip(drift.pages, drift.quotes, strict=True):
        print(f"    {slug}: “{' '.join(quote.split())}”")
        print(styled(f"        {_standing(pages[slug])}", "2"))


def _standing(page: Page) -> str:
    """Authority and times of a page, in a line."""
    from citewiki.model import iso

    told = [
        ("from", page.valid_from),
        ("until", page.valid_until),
        ("known since", page.ingested_at),
        ("verified", page.last_verified_at),
    ]
    times = (f"{what} {iso(at)[:10]}" for what, at in told if at)
    return " · ".join((f"source: {page.source_authority}", *times))


def _entry(number: int, drift: Drift, pages: Mapping[str, Page]) -> dict[str, Any]:
    from citewiki.model import as_json

    names = (
        "slug", "source_authority", "confidence", "valid_from", "valid_until", "ingested_at",
        "last_verified_at",
    )  # fmt: skip
    sides = [{name: getattr(pages[slug], name) for name in names} for slug in drift.pages]
    return {"number": number, **as_json(drift), "sides": sides}
