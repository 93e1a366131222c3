"""`audit`, `breakdown`, `reorganize`: passes over the whole wiki, whose drafts wait for review."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from citewiki import __version__
from citewiki.cli.options import now, output_options, wiki_option
from citewiki.cli.output import counted, print_json, print_problems, progress, say
from citewiki.cli.wiki import open_wiki

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citewiki.cli.engines import Distilling
    from citewiki.distill.maintain.audit import Finding
    from citewiki.distill.maintain.concepts import Concept
    from citewiki.distill.maintain.reorganize import Row
    from citewiki.distill.maintain.replay import Replay
    from citewiki.model import Page, Problem
    from citewiki.wiki import Wiki

_engine_option = click.option(
    "--engine", default="", metavar="E", help="Who writes drafts: extractive or anthropic."
)
_budget_option = click.option(
    "--budget",
    type=click.FloatRange(min=0, min_open=True),
    metavar="USD",
    help="Stop before the language model costs more.",
)

A_KIND = 10
"""Findings of one kind that `audit` prints; -v and --json have all."""

SHOWN = 30
"""Candidates of `breakdown` that are printed; --json has all."""

SENTENCE = 160
"""Characters of a sentence that is printed with them."""


@click.command()
@wiki_option
@_engine_option
@_budget_option
@output_options
def audit(
    wiki: Path, engine: str, budget: float | None, json: bool, quiet: bool, verbose: bool
) -> None:
    """Find thin, bloated, double, off-topic and orphaned pages; drafts go to review."""
    from citewiki.distill.maintain.auditing import run_audit
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    chosen = _chosen(opened, engine, budget)
    with lock(opened.cache), progress("auditing", quiet) as report:
        done = run_audit(
            opened.root,
            opened.cache,
            _pages(opened),
            load_manifest(opened.root),
            opened.config,
            now=now(),
            version=__version__,
            engine=chosen.engine if chosen else None,
            judge=_judge(chosen),
            report=report,
        )
    if json:
        print_json(
            {
                "findings": done.findings,
                "waiting": done.waiting,
                "problems": done.problems,
                "stopped": done.stopped,
                "usage": chosen.spent.as_dict() if chosen else {},
            }
        )
    else:
        titles = {page.slug: page.title for page in _pages(opened)}
        for found in done.findings if verbose else _some(done.findings):
            to = found.domain or ", ".join(titles.get(slug, slug) for slug in found.others)
            draft = f"  [{found.draft[:8]}]" if found.draft else ""
            _line(f"{found.kind:<10} wiki/{found.path}: {'; '.join(found.evidence)}")
            _line(f"{'':<10} → {found.proposal}{f': {to}' if to else ''}{draft}")
    counts = Counter(found.kind for found in done.findings)
    if not verbose and len(_some(done.findings)) < len(done.findings):
        say(f"{A_KIND} of each kind are shown; all: -v", quiet)
    say(", ".join(f"{n} {kind}" for kind, n in counts.items()) or "nothing found", quiet)
    _waiting(len(done.waiting), quiet)
    _end(done.problems, done.stopped)


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME…]", help="Concepts to make drafts of.")
@wiki_option
@click.option(
    "--make", type=click.IntRange(1), metavar="N", help="Make drafts of the first N candidates."
)
@_engine_option
@_budget_option
@output_options
def breakdown(
    names: tuple[str, ...],
    wiki: Path,
    make: int | None,
    engine: str,
    budget: float | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Rank the concepts that many pages mention and none explains; drafts go to review."""
    from citewiki.distill.maintain.breakdown import candidates, named
    from citewiki.distill.maintain.breakdown import make as make_drafts
    from citewiki.store.files import lock

    if names and make:
        raise click.UsageError("name concepts, or say --make N, not both")
    opened = open_wiki(wiki, None, quiet)
    pages = _pages(opened)
    found = candidates(pages, opened.config)
    wanted = named(found, names) if names else found[: make or 0]
    if not wanted:
        _candidates(found, pages, json, quiet, verbose)
        return
    chosen = _chosen(opened, engine, budget)
    with lock(opened.cache), progress("drafting", quiet) as report:
        done = make_drafts(
            opened.root,
            opened.cache,
            pages,
            wanted,
            opened.config,
            now=now(),
            version=__version__,
            engine=chosen.engine if chosen else None,
            judge=_judge(chosen),
            report=report,
        )
    if json:
        drafts = [{"id": item.id, "title": item.title, "path": item.path} for item in done.items]
        print_json({"drafts": drafts, "problems": done.problems, "stopped": done.stopped})
    for item in () if json else done.items:
        _line(f"{item.id[:8]}  {item.title}")
    _waiting(len(done.items), quiet)
    _end(done.problems, done.stopped)


@click.command()
@click.argument("names", nargs=-1, metavar="[PAGE…]", help="Change these pages only.")
@wiki_option
@click.option("--skip", multiple=True, metavar="PAGE", help="Leave this page as it is.")
@click.option("--review", is_flag=True, help="Queue the drafts of merges and splits.")
@click.option("--apply", "carry_out", is_flag=True, help="Carry the plan out, when confirmed.")
@click.option("--yes", is_flag=True, help="With --apply: do not ask.")
@click.option("--force", is_flag=True, help="With --apply: also when something findable is lost.")
@_engine_option
@_budget_option
@output_options
def reorganize(
    names: tuple[str, ...],
    wiki: Path,
    skip: tuple[str, ...],
    review: bool,
    carry_out: bool,
    yes: bool,
    force: bool,
    engine: str,
    budget: float | None,
    json: bool,
    quiet: bool,
    verbose: bool,
) -> None:
    """Plan merges, splits, titles and domains with a checklist of all pages; --apply does it."""
    from citewiki.distill.maintain.reorganize import apply
    from citewiki.store.files import lock

    opened = open_wiki(wiki, None, quiet)
    with lock(opened.cache):
        rows, problems = _planned(opened, names, skip, engine, budget)
        shown = _replayed(opened, rows)
        result: dict[str, Any] = {"plan": rows, "replay": shown}
        if not json:
            _show_plan(rows, shown, quiet, verbose)
        count = sum(row.action != "keep" for row in rows)
        refused = carry_out and count > 0 and not (shown.holds or force)
        if review:
            result["waiting"] = _queue(opened, rows, quiet)
        elif carry_out and count and not refused and (yes or _consents(count)):
            done = apply(opened.root, opened.cache, rows, opened.config, now=now(), who=_login())
            result["applied"] = done
            problems += done.problems
            say(f"{len(done.changed)} pages changed", quiet)
    if json:
        print_json(result)
    if refused:
        say(
            "not applied, as something findable would be lost: leave pages out (--skip), or --force"
        )
    if print_problems(problems) or refused:
        raise Exit(1)


# -- parts --------------------------------------------------------------------------------------


def _planned(
    opened: Wiki, names: Sequence[str], skip: Sequence[str], engine: str, budget: float | None
) -> tuple[list[Row], list[Problem]]:
    """The checklist by rules, with a model's advice where one is asked for."""
    from citewiki.distill.maintain.reorganize import only, plan
    from citewiki.sources.manifest import load_manifest

    pages, records = _pages(opened), load_manifest(opened.root)
    rows = plan(opened.root, opened.cache, pages, records, opened.config)
    problems: list[Problem] = []
    chosen = _chosen(opened, engine, budget)
    if chosen:
        from citewiki.distill.maintain.advising import advised

        rows, problems = advised(rows, pages, opened.cache, chosen.engine, opened.config)
    return only(rows, _slugs(opened, names), _slugs(opened, skip)), problems


def _replayed(opened: Wiki, rows: Sequence[Row]) -> Replay:
    """The saved questions, and those that the pages suggest, before and after the plan."""
    from citewiki.distill.maintain.replay import questions_of, replay, saved_questions

    saved = saved_questions(opened.root, opened.config.questions)
    questions = list(dict.fromkeys((*saved, *questions_of(_pages(opened)))))
    where = (opened.root, opened.cache, rows, opened.config, questions, _first_pages)
    return replay(*where, now=now(), who=_login())


def _queue(opened: Wiki, rows: Sequence[Row], quiet: bool) -> list[str]:
    """Put the drafts of merges and splits into the review queue; their ids."""
    from citewiki.distill.maintain.queueing import queued
    from citewiki.distill.maintain.reorganize import drafts
    from citewiki.distill.shelf import Shelf

    _, wanted = drafts(opened.root, opened.cache, rows, now=now())
    items = queued(opened.root, opened.cache, Shelf(opened.folder), wanted, now())
    _waiting(len(items), quiet)
    return [item.id for item in items]


def _consents(count: int) -> bool:
    """Ask. Where nobody can be asked, --yes has to be given."""
    if not sys.stdin.isatty():
        raise click.UsageError("nothing was done, as nobody can be asked; say --yes")
    return click.confirm(f"Change {count} pages?", err=True)


def _some(findings: Sequence[Finding]) -> list[Finding]:
    """The first of each kind, and all that have a draft."""
    seen: Counter[str] = Counter()
    kept: list[Finding] = []
    for found in findings:
        seen[found.kind] += 1
        if found.draft or seen[found.kind] <= A_KIND:
            kept.append(found)
    return kept


def _pages(opened: Wiki) -> list[Page]:
    """The pages that are served, with their bodies."""
    from citewiki.store.pages import is_archived, load_pages

    return [page for page in load_pages(opened.folder)[0] if not is_archived(page)]


def _slugs(opened: Wiki, names: Sequence[str]) -> set[str]:
    return {opened.page(name).slug for name in names}


def _first_pages(root: Path, questions: Sequence[str]) -> list[str]:
    """The slug of the page that each question finds first, as `search` finds it."""
    from citewiki.query.retrieve import search
    from citewiki.wiki import Wiki

    with Wiki.open(root).index as index:
        found = (search(index, question, limit=1) for question in questions)
        return [hits[0].slug if hits else "" for hits in found]


def _chosen(opened: Wiki, engine: str, budget: float | None) -> Distilling | None:
    from citewiki.cli.engines import distilling_engine

    return distilling_engine(opened.config.engine, engine, opened.cache, budget=budget, batch=False)


def _judge(chosen: Distilling | None) -> Any:
    from citewiki.judge.core import check_claim

    if chosen is None:
        return None
    return lambda statement, passages: check_claim(statement, passages).supported


def _candidates(
    found: Sequence[Concept], pages: Iterable[Page], json: bool, quiet: bool, verbose: bool
) -> None:
    if json:
        print_json(list(found))
        return
    titles = {page.slug: page.title for page in pages}
    for concept in found[:SHOWN]:
        linked = f", {len(concept.linked)} link it" if concept.linked else ""
        _line(f"{concept.score:7.1f}  {concept.name}  ({len(concept.pages)} pages{linked})")
        for mention in concept.mentions[: 20 if verbose else 1]:
            _line(f"         {titles[mention.slug]}: {_cut(mention.sentence)}")
    say(f"{len(found)} concepts without a page; make drafts: citewiki breakdown NAME…", quiet)


def _show_plan(rows: Sequence[Row], shown: Replay, quiet: bool, verbose: bool) -> None:
    for row in rows:
        if row.action == "keep" and not row.why and not verbose:
            continue
        to = f" → {row.to}" if row.to else ""
        proof = f"  ({row.held}/{row.quotes} quotes stand)" if row.quotes else ""
        _line(f"{row.action:<8} wiki/{row.path}: “{row.title}”{to}{proof}")
        if row.why:
            _line(f"{'':<8} {row.why}")
    counts = Counter(row.action for row in rows)
    told = ", ".join(f"{count} {action}" for action, count in sorted(counts.items()))
    say(f"{len(rows)} pages: {told}", quiet)
    changed = [each for each in shown.asked if each.before != each.after]
    for each in changed:
        mark = "lost" if each.lost else "moved"
        _line(f"{mark:<8} “{each.question}”: {each.before or 'none'} → {each.after or 'none'}")
    for link in shown.broken:
        _line(f"{'broken':<8} {link.slug} links [[{link.name}]]: {link.before} → {link.after}")
    print_problems(shown.problems)
    say(f"{len(shown.asked)} questions asked before and after: {len(shown.lost)} lost", quiet)


def _cut(sentence: str) -> str:
    """A sentence for a list, on two or three lines of a terminal."""
    return sentence if len(sentence) <= SENTENCE else f"{sentence[:SENTENCE].rstrip()}…"


def _line(text: str) -> None:
    from citewiki.cli.differences import harmless

    print(harmless(text))


def _waiting(count: int, quiet: bool) -> None:
    if count:
        say(f"{counted(count, 'draft')} to review: citewiki review", quiet)


def _end(problems: Sequence[Problem], stopped: str) -> None:
    from citewiki.model import Problem

    failed = [Problem("engine", stopped, 0, "error", "stopped")] if stopped else []
    if print_problems((*problems, *failed)):
        raise Exit(1)


def _login() -> str:
    from citewiki.cli.options import login

    return login()
