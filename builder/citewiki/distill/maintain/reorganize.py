"""A new order of the whole wiki: a checklist with every page once, and how it is carried out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from citewiki.config import Config
from citewiki.distill.deciding import accept
from citewiki.distill.extractive import clean_title, free_title
from citewiki.distill.linking import link_shelf
from citewiki.distill.maintain.audit import Finding, audit
from citewiki.distill.maintain.measures import shown
from citewiki.distill.maintain.passages import Originals
from citewiki.distill.maintain.queueing import Wanted, merge_wanted, queued, split_wanted
from citewiki.distill.shelf import Shelf
from citewiki.errors import DataError
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page, Problem, SectionRecord, SourceRecord
from citewiki.store.catalog import append_log, write_index
from citewiki.store.names import Names
from citewiki.text.folding import name_key
from citewiki.text.phrases import generic_heading
from citewiki.text.slugs import slugify
from citewiki.text.tokens import content_words

EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")  # of drafts that are only tried

Action = Literal["keep", "retitle", "move", "merge", "split"]


@dataclass(frozen=True, slots=True)
class Row:
    """What becomes of one page: a line of the checklist."""

    slug: str
    title: str
    path: str  # relative to wiki/
    action: Action
    to: str = ""  # the new title, the domain, the slug that it merges into
    why: str = ""
    quotes: int = 0  # footnotes that quote an original under raw/
    held: int = 0  # of them, those whose original still says so


def plan(
    root: Path,
    cache: Path,
    pages: Iterable[Page],
    records: Mapping[str, SourceRecord],
    config: Config,
) -> list[Row]:
    """The checklist: each of `pages` (with bodies) exactly once, by path.

    Pages are held against the originals: one whose quotes do not stand there any more is kept as
    it is, since nobody knows what it should say. Of several changes that a page needs, the one
    that changes most is planned; the next plan has the others.
    """
    pages = sorted(pages, key=lambda page: page.path)
    by_slug = {page.slug: page for page in pages}
    originals = Originals(root, config)
    findings = audit(pages, records)
    changes: dict[str, tuple[Action, str, str]] = {}
    changes |= _retitled(pages, records)
    for finding in findings:
        if finding.kind == "off-topic":
            changes[finding.slug] = ("move", finding.domain, "; ".join(finding.evidence))
    shelf = Shelf(root / "wiki")
    for finding in findings:
        why = "; ".join(finding.evidence)
        page = by_slug[finding.slug]
        if finding.kind == "bloated" and split_wanted(page, why, shelf, cache, EPOCH):
            changes[page.slug] = ("split", "", why)
    for slug, change in _merges(findings, by_slug, cache).items():
        changes[slug] = change
        if changes.get(change[1], ("",))[0] == "split":
            del changes[change[1]]  # it takes text in; the next plan splits it
    return [_row(page, changes.get(page.slug), originals) for page in pages]


def _row(page: Page, change: tuple[Action, str, str] | None, originals: Originals) -> Row:
    quoting = [n for n in footnotes(page.body).values() if n.quote and n.resource[:4] == "raw/"]
    held = sum(originals.hold(note.resource, note.quote) for note in quoting)
    row = Row(page.slug, page.title, page.path, "keep", quotes=len(quoting), held=held)
    if change is None:
        return row
    if held < len(quoting):
        lost = len(quoting) - held
        why = f"{lost} of its quotes do not stand in their sources any more: citewiki lint"
        return replace(row, why=why)
    return replace(row, action=change[0], to=change[1], why=change[2])


def _merges(
    findings: Iterable[Finding], pages: Mapping[str, Page], cache: Path
) -> dict[str, tuple[Action, str, str]]:
    """Copies that go into another page; one that takes in another does not go itself."""
    found: dict[str, tuple[Action, str, str]] = {}
    taking: set[str] = set()
    for finding in findings:
        if finding.kind != "duplicate":
            continue
        stays, why = finding.others[0], finding.evidence[0]
        if finding.slug in taking or finding.slug in found or stays in found:
            continue
        if merge_wanted(pages[stays], pages[finding.slug], why, cache, EPOCH) is None:
            continue
        taking.add(stays)
        found[finding.slug] = ("merge", stays, why)
    return found


def _retitled(
    pages: Iterable[Page], records: Mapping[str, SourceRecord]
) -> dict[str, tuple[Action, str, str]]:
    """Pages whose title says only which part they are, is another page's, or that the page and
    its section know nothing of."""
    sections = _sections(records)
    taken = {name_key(page.title) for page in pages}
    seen: set[str] = set()
    found: dict[str, tuple[Action, str, str]] = {}
    for page in pages:
        record, section = sections.get(page.slug, (None, None))
        document = clean_title(record.title) if record else ""
        said = set(content_words(f"{page.summary}\n{shown(page)}"))
        words = set(content_words(page.title))
        heading = clean_title(section.title) if section else ""
        tries: list[str] = []
        alone = not document or name_key(document) == name_key(page.title)
        if generic_heading(page.title) and not alone:
            why, tries = "it says only which part it is", [f"{document}: {page.title}"]
        elif name_key(page.title) in seen and not alone:
            why = "another page has that title"
            tries = [f"{document}: {page.title}"]
        elif words and not words & said and heading and set(content_words(heading)) & said:
            why, tries = "neither it nor its section says a word of its title", [heading]
        seen.add(name_key(page.title))
        if not tries or page.superseded_by or name_key(tries[0]) == name_key(page.title):
            continue
        title = free_title(tries, taken)
        taken.add(name_key(title))
        found[page.slug] = ("retitle", title, why)
    return found


def _sections(
    records: Mapping[str, SourceRecord],
) -> dict[str, tuple[SourceRecord, SectionRecord]]:
    """The section that each page was first made of, by slug."""
    found: dict[str, tuple[SourceRecord, SectionRecord]] = {}
    for record in records.values():
        for section in record.sections:
            for slug in section.pages[:1]:
                found.setdefault(slug, (record, section))
    return found


def only(rows: Iterable[Row], chosen: Collection[str], skipped: Collection[str]) -> list[Row]:
    """The same checklist, where only the pages `chosen` (all when empty) change, none `skipped`."""
    return [
        row
        if row.action != "keep" and (not chosen or row.slug in chosen) and row.slug not in skipped
        else replace(row, action="keep", to="", why=row.why if row.action == "keep" else "")
        for row in rows
    ]


# -- carried out --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Applied:
    """What a plan did."""

    changed: tuple[str, ...] = ()  # slugs of the pages that were retitled, moved, merged, split
    drafts: tuple[str, ...] = ()  # ids of the drafts that wait for review
    problems: tuple[Problem, ...] = ()


def drafts(
    root: Path, cache: Path, rows: Iterable[Row], *, now: datetime
) -> tuple[list[str], list[Wanted]]:
    """(slugs, drafts) of what merges and splits write; `queued` puts them into the queue."""
    shelf = Shelf(root / "wiki")
    slugs: list[str] = []
    wanted: dict[str, list[Wanted]] = {}
    for row in rows:
        if row.action == "merge":
            before = wanted.get(row.to)
            stays = before[-1].page if before else shelf.whole(row.to)
            made = merge_wanted(stays, shelf.whole(row.slug), row.why, cache, now)
            if made:
                told = f"{before[-1].why}; {made.why}" if before else made.why
                wanted[row.to] = [replace(made, why=told)]
                slugs.append(row.slug)
        elif row.action == "split":
            parts = split_wanted(shelf.whole(row.slug), row.why, shelf, cache, now)
            wanted[row.slug] = parts
            slugs += [row.slug] if parts else []
    return slugs, [each for group in wanted.values() for each in group]


def apply(
    root: Path, cache: Path, rows: Iterable[Row], config: Config, *, now: datetime, who: str
) -> Applied:
    """Carry a plan out. Slugs never change, old titles and linked paths become aliases.

    Retitling and moving write front matter only; merges and splits go through the review queue,
    where whoever applies the plan accepts them. Pages that cannot be changed are problems, and
    stay. Killed in between, the next plan has what is left. The caller holds the wiki's lock.
    """
    rows = [row for row in rows if row.action != "keep"]
    problems: list[Problem] = []
    changed: list[str] = []
    shelf = Shelf(root / "wiki")
    paths = _path_links(shelf) if any(row.action == "move" for row in rows) else {}
    for row in rows:
        if row.action in ("retitle", "move"):
            try:
                _rename(root / "wiki", shelf, row, paths)
                changed.append(row.slug)
            except DataError as error:
                problems.append(Problem(f"wiki/{row.path}", error.message, 0, "error", "plan"))
    slugs, wanted = drafts(root, cache, rows, now=now)
    items = queued(root, cache, shelf, wanted, now)
    done = accept(root, cache, [item.id for item in items], config, now=now, who=who)
    problems += done.waiting
    shelf = Shelf(root / "wiki")
    link_shelf(shelf, cache, links=config.link_titles)
    write_index(root / "wiki", shelf.served())
    lines = [f"reorganized “{row.title}”: {_told(row)}" for row in rows if row.slug in changed]
    append_log(root / "wiki", now, who, lines)
    waiting = tuple(item.id for item in items if item.slug not in done.accepted)
    return Applied((*changed, *slugs), waiting, tuple(problems))


def _told(row: Row) -> str:
    return f"its title is “{row.to}” now" if row.action == "retitle" else f"moved to {row.to}"


def _rename(wiki: Path, shelf: Shelf, row: Row, paths: Mapping[str, Sequence[str]]) -> None:
    """Give a page its new title, or its new domain and place. Raises DataError."""
    page = shelf.whole(row.slug)
    if row.action == "retitle":
        names = (*page.aliases, page.title)
        new = replace(page, title=row.to, aliases=_aliases(names, row.to))
    else:
        place = f"{slugify(row.to)}/{page.path.rpartition('/')[2]}"
        aliases = (*page.aliases, *paths.get(page.path, ()))
        old = f"{page.path.rpartition('/')[0]}/{page.slug}".lstrip("/")
        former = tuple(dict.fromkeys((*page.redirect_from, old)))
        new = replace(
            page,
            domain=row.to,
            path=place,
            aliases=_aliases(aliases, page.title),
            redirect_from=former,
        )
    if new.path != page.path:
        if (wiki / new.path).exists():
            raise DataError(new.path, "lies where the page would go", hint="move one of them")
        (wiki / new.path).parent.mkdir(parents=True, exist_ok=True)
        (wiki / page.path).rename(wiki / new.path)
    shelf.put(new)
    shelf.flush()


def _aliases(names: Iterable[str], title: str) -> tuple[str, ...]:
    return tuple({name_key(n): n for n in names if name_key(n) != name_key(title)}.values())


def _path_links(shelf: Shelf) -> dict[str, list[str]]:
    """The paths by which pages are linked, by page: where it moves, they become its aliases."""
    served = list(shelf.served())
    names = Names(served)
    found: dict[str, list[str]] = defaultdict(list)
    for page in served:
        for link in wikilinks(shelf.whole(page.slug).body):
            path = names.resolve(link.target, page.path, page.owner).path
            if path and "/" in link.target:
                found[path].append(link.target.lstrip("./"))
    return found
