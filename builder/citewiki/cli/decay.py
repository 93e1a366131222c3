"""`decay`: pages that may no longer hold, and what a person decides of each."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.forget import acting, choice_options, deed_options, tell
from citewiki.cli.options import acting_option, now, output_options, wiki_option
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki
from citewiki.errors import CitewikiError

if TYPE_CHECKING:
    from citewiki.model import Page
    from citewiki.store.decay import Decayed, Original
    from citewiki.store.deeds import Change
    from citewiki.wiki import Wiki


@click.command()
@choice_options
@click.option("--days", type=click.IntRange(0), metavar="N", help="Unverified longer than that.")
@click.option("--reverify", is_flag=True, help="They still hold.")
@click.option("--supersede-by", "newer", default="", metavar="NEW", help="NEW replaces them.")
@click.option("--archive", "away", is_flag=True, help="They are put away.")
@click.option("--interactive", "-i", is_flag=True, help="Ask of each what becomes of it.")
@click.option("--by", default="", metavar="WHO", help="With --reverify: who checked them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@deed_options
@acting_option
@wiki_option
@output_options
def decay(
    pages: tuple[str, ...],
    domain: str,
    tag: str,
    query: str,
    days: int | None,
    reverify: bool,
    newer: str,
    away: bool,
    interactive: bool,
    by: str,
    yes: bool,
    who: str,
    why: str,
    dry_run: bool,
    viewer: str | None,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Find pages unverified for long, past their end, or of a changed source; decide on them."""
    from citewiki.query.times import as_it_was
    from citewiki.store.pages import load_pages
    from citewiki.store.selection import Where, select
    from citewiki.store.visibility import may_write

    if sum((reverify, bool(newer), away, interactive)) > 1:
        raise click.UsageError("say one of --reverify, --supersede-by, --archive, --interactive")
    opened = open_wiki(wiki, viewer, quiet)
    loaded, _ = load_pages(opened.folder, viewer=viewer)
    if viewer is not None:
        slugs = {page.slug for page in loaded}
        loaded = [as_it_was(page, slugs) for page in loaded]
    where = Where(domain, tag, query)
    if pages or where:
        loaded = select(loaded, pages, where, viewer=viewer)
    elif reverify or newer or away or interactive:
        loaded = [page for page in loaded if may_write(page, viewer)]
    found = stale_pages(opened, loaded, days)
    how = {"why": why, "dry_run": dry_run, **acting(viewer, who)}
    does = "reverify" if reverify else "supersede" if newer else "archive" if away else ""
    if interactive:
        _ask_of_each(opened, found, by, how)
        return
    if json and not does:
        print_json(found)
        return
    for each in found if not json else ():
        _show(each)
    say(f"{len(found)} pages to look at", quiet)
    if not does or not found:
        return
    ask = not (yes or dry_run)
    if ask and (json or not sys.stdin.isatty()):
        raise click.UsageError("nothing was changed, as nobody can be asked; say --yes")
    if not ask or click.confirm(f"{does} them?", err=True):
        changes = _decide(opened, does, [each.path for each in found], newer, by, how)
        tell(changes, dry_run, json, quiet)


def stale_pages(opened: Wiki, pages: Iterable[Page], days: int | None = None) -> list[Decayed]:
    """Those of `pages` that have decayed as of now."""
    from citewiki.store.decay import decayed

    days = opened.config.ask.stale_days if days is None else days
    return decayed(pages, now=now(), days=days, originals=originals(opened.root))


def originals(root: Path) -> dict[str, Original]:
    """The sources of a wiki as they are on disk, by path; one that is not there, as it was."""
    from citewiki.sources.ingest import sha256_of
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.decay import Original

    found: dict[str, Original] = {}
    for record in load_manifest(root).values():
        try:
            sha256 = sha256_of((root / record.path).read_bytes())
        except OSError:
            sha256 = record.sha256
        known = sha256 == record.sha256
        found[record.path] = Original(sha256, record.fetched_at if known else None)
    return found


def _show(each: Decayed) -> None:
    from citewiki.cli.differences import harmless

    why = styled(harmless("; ".join(each.reasons)), "2")
    print(f"{harmless(each.slug)}  {styled(harmless(each.title), '1')}  {why}")


def _decide(
    opened: Wiki, does: str, paths: Sequence[str], newer: str, by: str, how: dict[str, Any]
) -> tuple[Change, ...]:
    from citewiki.store import lifecycle
    from citewiki.store.files import lock

    with lock(opened.cache):
        if does == "reverify":
            return lifecycle.reverify(opened.root, paths, by=by, now=now(), **how)
        if does == "archive":
            return lifecycle.archive(opened.root, paths, now=now(), **how)
        return lifecycle.supersede(opened.root, paths, newer, now=now(), **how)


def _ask_of_each(opened: Wiki, found: Sequence[Decayed], by: str, how: dict[str, Any]) -> None:
    """Show page by page, and do what is said; what cannot be done is told, and stays."""
    choices = {"v": "reverify", "s": "supersede", "a": "archive", "k": "keep", "q": "quit"}
    for each in found:
        _show(each)
        said = click.prompt(
            "[v]erified, [s]uperseded, [a]rchive, [k]eep, [q]uit",
            type=click.Choice(list(choices)),
            default="k",
            show_choices=False,
            err=True,
        )
        if said == "q":
            return
        if said == "k":
            continue
        newer = click.prompt("Superseded by", err=True) if said == "s" else ""
        try:
            done = _decide(opened, choices[said], [each.path], newer, by, how)
        except CitewikiError as error:
            say(f"nothing was changed: {error}")
        else:
            tell(done, how["dry_run"], False, False)
