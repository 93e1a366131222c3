"""`review`: the drafts that wait are listed, shown, accepted, rejected."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from citewiki.cli.options import login, now, output_options, wiki_option
from citewiki.cli.output import counted, print_json, print_problems, progress, say
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from rich.console import Console

    from citewiki.distill.deciding import Decided
    from citewiki.store.review import Item
    from citewiki.wiki import Wiki

_ACTIONS = ("list", "show", "accept", "reject")


@click.command()
@click.argument(
    "action",
    type=click.Choice(_ACTIONS),
    default="list",
    metavar="[list|show|accept|reject]",
    help="What to do with the drafts named. Default: list.",
)
@click.argument("ids", nargs=-1, metavar="[ID…]", help="Drafts by id, or by its beginning.")
@wiki_option
@click.option("--source", default="", metavar="SOURCE", help="Those of one source (id or path).")
@click.option("--all", "every", is_flag=True, help="All that wait.")
@click.option("--why", default="", metavar="TEXT", help="With reject: what the next draft is told.")
@click.option("--mine", is_flag=True, help="With accept: where both changed, keep the page's text.")
@click.option("--as", "who", default="", metavar="NAME", help="Who decides. Default: the login.")
@click.option("--engine", default="", metavar="E", help="Let a language model review them first.")
@click.option(
    "--budget", type=click.FloatRange(min=0, min_open=True), metavar="USD", help="For --engine."
)
@click.option("--branch", default="", metavar="NAME", help="Commit them to a branch of git.")
@output_options
def review(
    action: str,
    ids: tuple[str, ...],
    wiki: Path,
    source: str,
    every: bool,
    why: str,
    mine: bool,
    who: str,
    engine: str,
    budget: float | None,
    branch: str,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """List, show, accept or reject the drafts that wait; exit 1 when one cannot be written."""
    from citewiki.store.review import unreadable

    opened = open_wiki(wiki, None, quiet)
    named = _named(opened, ids, source, every or bool(engine) or action == "list")
    problems = list(unreadable(opened.cache))
    if branch:
        from citewiki.cli.branch import propose

        made = propose(opened.root, branch, named, now=now())
        say(f"{len(made)} commits on {branch}", quiet)
        if json:
            print_json({"branch": branch, "commits": made})
    elif engine:
        problems += _by_engine(opened, named, engine, budget, json, quiet)
    elif action == "list":
        _list(named, json, quiet)
    elif action == "show":
        _show(opened, named, json)
    else:
        if not named:
            raise click.UsageError(f"{action} which? Name ids, or say --all or --source SOURCE.")
        done = _decide(opened, action, named, who or login(), why, mine)
        _tell(done, json, quiet)
        problems += done.waiting
    if print_problems(problems):
        raise Exit(1)


def _named(opened: Wiki, ids: Sequence[str], source: str, every: bool) -> list[Item]:
    """The items that the arguments name, the oldest first where none is named by id."""
    from citewiki.store.review import item, items

    if ids:
        return list(
            {found.id: found for found in (item(opened.cache, name) for name in ids)}.values()
        )
    if source:
        from citewiki.distill.coverage import covered

        (record,) = covered(opened.root, source)
        return [each for each in items(opened.cache) if each.source == record.id]
    return items(opened.cache) if every else []


def _list(named: Sequence[Item], json: bool, quiet: bool) -> None:
    if json:
        print_json([_brief(item) for item in named])
        return
    from rich.table import Table
    from rich.text import Text

    from citewiki.cli.differences import harmless

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", "kind", "page", "source"):
        table.add_column(name, no_wrap=name in ("id", "kind"), overflow="fold")
    table.add_column("waits because", overflow="fold", ratio=1)
    for item in named:
        cells = (item.id[:8], item.kind, item.title, item.source, "; ".join(item.reasons))
        table.add_row(*(Text(harmless(cell)) for cell in cells))
    if named:
        _console().print(table)
    say(f"{counted(len(named), 'draft')} to review", quiet)


def _show(opened: Wiki, named: Sequence[Item], json: bool) -> None:
    from citewiki.cli.differences import difference, show_item
    from citewiki.distill.deciding import conflicts
    from citewiki.distill.reviewing import opinions
    from citewiki.errors import PageError
    from citewiki.store.pages import load_page

    if not named:
        raise click.UsageError("show which? Name ids, or say --all or --source SOURCE.")
    shown: list[dict[str, Any]] = []
    for item in named:
        try:
            current = load_page(opened.folder, item.path)
        except PageError:
            current = None
        both = conflicts(opened.cache, item, current) if current else ()
        said = opinions(opened.cache, item.id)
        if json:
            lines = difference(current, item.page)
            shown.append({"item": item, "diff": lines, "conflicts": both, "opinions": said})
        else:
            told = [f"{each.by}: {each.verdict}: {each.reason}" for each in said]
            show_item(_console(), item, current, both, told)
    if json:
        print_json(shown)


def _decide(
    opened: Wiki, action: str, named: Sequence[Item], who: str, why: str, mine: bool
) -> Decided:
    from citewiki.distill.deciding import accept, reject
    from citewiki.store.files import lock

    ids = [item.id for item in named]
    with lock(opened.cache):
        if action == "reject":
            return reject(opened.root, opened.cache, ids, now=now(), who=who, why=why)
        return accept(opened.root, opened.cache, ids, opened.config, now=now(), who=who, mine=mine)


def _by_engine(
    opened: Wiki, named: Sequence[Item], name: str, budget: float | None, json: bool, quiet: bool
) -> list[Any]:
    """Let a model go first; problems that ended its work."""
    from citewiki.cli.differences import harmless
    from citewiki.cli.engines import distilling_engine
    from citewiki.distill.reviewing import review_items
    from citewiki.model import Problem

    settings = opened.config.engine
    chosen = distilling_engine(settings, name, opened.cache, budget=budget, batch=False)
    if chosen is None:
        raise click.BadParameter("--engine: the built-in engine reviews nothing; name another")
    with progress("reviewing", quiet) as report:
        done = review_items(
            chosen.engine,
            opened.root,
            opened.cache,
            named,
            opened.config,
            now=now(),
            model=settings.review_model or settings.judge_model,
            report=report,
        )
    if json:
        print_json({**_plain(done), "usage": chosen.spent.as_dict()})
    for each in () if json else done.items:
        print(harmless(f"{each.id[:8]}  {each.outcome:<13} {each.title}: {each.reason}"))
    stopped = done.stopped and Problem("review", done.stopped, 0, "error", "engine")
    return [stopped] if stopped else []


def _tell(done: Decided, json: bool, quiet: bool) -> None:
    if json:
        print_json(done)
        return
    for slug in done.accepted:
        print(slug)
    parts = (f"{len(done.accepted)} accepted", f"{len(done.rejected)} rejected")
    say(", ".join((*parts, f"{len(done.waiting)} stay")), quiet)


def _brief(item: Item) -> dict[str, Any]:
    """An item without the text of its page, which `show` gives."""
    return {key: value for key, value in _plain(item).items() if key not in ("page_text", "person")}


def _plain(value: Any) -> dict[str, Any]:
    from citewiki.model import as_json

    found: dict[str, Any] = as_json(value)
    return found


def _console() -> Console:
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)
