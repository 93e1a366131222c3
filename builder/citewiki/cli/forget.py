"""`archive`, `restore`, `supersede`, `reverify`, `list`: what becomes of pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from citewiki.cli.options import (
    acting_option,
    domain_option,
    login,
    moment,
    now,
    output_options,
    viewer_option,
    wiki_option,
)
from citewiki.cli.output import print_json, say, styled
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from datetime import datetime

    from citewiki.model import Page
    from citewiki.store.deeds import Change


def choice_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Which pages: by name, or by what they have in common."""
    for option in (
        click.option("--query", default="", metavar="WORDS", help="Pages that hold these words."),
        click.option("--tag", default="", help="Only pages with this tag."),
        domain_option,
        click.argument("pages", nargs=-1, metavar="[PAGE…]", help="Slugs, titles or paths."),
    ):
        function = option(function)
    return function


def deed_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Who does it and why, or whether it is only shown."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Only show what would be done."),
        click.option("--as", "who", default="", metavar="NAME", help="Who. Default: the login."),
        click.option("--why", default="", metavar="TEXT", help="The reason, for the log."),
    ):
        function = option(function)
    return function


def action(function: Callable[..., tuple[Change, ...]]) -> Callable[..., None]:
    """The command around an action: it locks the wiki, says who acts, and prints what was done."""

    @choice_options
    @deed_options
    @acting_option
    @wiki_option
    @output_options
    @wraps(function)
    def command(
        *,
        pages: tuple[str, ...],
        domain: str,
        tag: str,
        query: str,
        wiki: Path,
        viewer: str | None,
        who: str,
        why: str,
        dry_run: bool,
        json: bool,
        quiet: bool,
        verbose: bool,
        **own: Any,
    ) -> None:
        from citewiki.store.files import lock
        from citewiki.store.selection import Where

        opened = open_wiki(wiki, viewer, quiet)
        how = {"now": now(), "why": why, "dry_run": dry_run, **acting(viewer, who)}
        with lock(opened.cache):
            changes = function(opened.root, pages, where=Where(domain, tag, query), **how, **own)
        tell(changes, dry_run, json, quiet)

    return command


def acting(viewer: str | None, who: str) -> dict[str, Any]:
    """Who acts, as actions are told: a user under their own name, or the operator."""
    if viewer is None:
        return {"who": who or login()}
    if viewer == "*":
        raise click.UsageError("“*” is anyone, who only reads; name a user")
    if who not in ("", viewer):
        raise click.UsageError("--viewer acts under its own name; leave --as out")
    return {"who": viewer, "viewer": viewer}


@click.command()
@action
def archive(root: Path, names: Sequence[str], **how: Any) -> tuple[Change, ...]:
    """Put pages away: out of search, answers, site and graph; restore brings them back."""
    from citewiki.store import lifecycle

    return lifecycle.archive(root, names, **how)


@click.command()
@action
def restore(root: Path, names: Sequence[str], **how: Any) -> tuple[Change, ...]:
    """Bring pages back from the archive."""
    from citewiki.store import lifecycle

    return lifecycle.restore(root, names, **how)


@click.command()
@action
@click.option("--until", type=moment, metavar="DATE", help="When the old one ceased to hold.")
@click.option("--undo", is_flag=True, help="Take back that PAGE… are superseded.")
def supersede(
    root: Path, names: Sequence[str], *, until: datetime | None, undo: bool, **how: Any
) -> tuple[Change, ...]:
    """Record that one page replaces others: supersede OLD… NEW; both stay readable."""
    from citewiki.store import lifecycle

    if undo:
        return lifecycle.unsupersede(root, names, **how)
    if len(names) + bool(how["where"]) < 2:
        raise click.UsageError("which one by which? citewiki supersede OLD… NEW")
    return lifecycle.supersede(root, names[:-1], names[-1], until=until, **how)


@click.command()
@action
@click.option("--by", default="", metavar="WHO", help="human:NAME or process:NAME. Default: --as.")
@click.option("--undo", is_flag=True, help="Take the last verification back.")
def reverify(
    root: Path, names: Sequence[str], *, by: str, undo: bool, **how: Any
) -> tuple[Change, ...]:
    """Record that pages were checked against their sources and still hold."""
    from citewiki.store import lifecycle

    if undo:
        return lifecycle.unverify(root, names, **how)
    return lifecycle.reverify(root, names, by=by, **how)


@click.command("list")
@choice_options
@click.option("--archived", is_flag=True, help="Those that are put away.")
@click.option("--stale", is_flag=True, help="Those that decay names.")
@click.option("--superseded", is_flag=True, help="Those that another page replaces.")
@viewer_option
@wiki_option
@output_options
def list_pages(
    pages: tuple[str, ...],
    domain: str,
    tag: str,
    query: str,
    archived: bool,
    stale: bool,
    superseded: bool,
    viewer: str | None,
    wiki: Path,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """List pages with their state: archived, stale, superseded, by domain or tag."""
    from citewiki.cli.decay import stale_pages
    from citewiki.cli.differences import harmless
    from citewiki.cli.states import state
    from citewiki.query.times import as_it_was
    from citewiki.store.pages import is_archived, load_pages
    from citewiki.store.selection import Where, matching, select

    opened = open_wiki(wiki, viewer, quiet)
    everything, _ = load_pages(opened.folder, archived=True, viewer=viewer)
    if viewer is not None:
        slugs = {page.slug for page in everything}
        everything = [as_it_was(page, slugs) for page in everything]
    found = matching(everything, Where(domain, tag, query))
    if pages:
        named = {page.path for page in select(everything, pages, viewer=viewer)}
        found = [page for page in found if page.path in named]
    old = {each.path: each.reasons for each in stale_pages(opened, found)} if stale else {}
    found = [
        page
        for page in found
        if is_archived(page) == archived
        and (not stale or page.path in old)
        and (not superseded or page.superseded_by)
    ]
    if json:
        print_json([_entry(page, old.get(page.path, ())) for page in found])
        return
    for page in found:
        states = [*state(page), *old.get(page.path, ())]
        shown = styled(f"  {'; '.join(states)}", "2") if states else ""
        print(f"{harmless(page.slug)}  {styled(harmless(page.title), '1')}{shown}")
    say(f"{len(found)} pages", quiet)


def tell(changes: Iterable[Change], planned: bool, json: bool, quiet: bool) -> None:
    """What was done to pages, or would be."""
    if json:
        print_json({"done": not planned, "changes": list(changes)})
        return
    from citewiki.cli.differences import harmless

    for change in changes:
        if change.says:
            print(harmless(f"{'would be: ' if planned else ''}{change.says}"))
    if planned:
        say("nothing was changed", quiet)


def _entry(page: Page, reasons: Sequence[str]) -> dict[str, Any]:
    return {
        "slug": page.slug,
        "title": page.title,
        "path": page.path,
        "domain": page.domain,
        "archived_at": page.archived_at,
        "superseded_by": page.superseded_by,
        "valid_until": page.valid_until,
        "last_verified_at": page.last_verified_at,
        "stale": list(reasons),
    }
