"""Pages of a bundle into a wiki: made as they are, never in place of a page that says otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from citewiki.errors import PageError
from citewiki.interchange.bundles import Bundle, Incoming
from citewiki.interchange.taking_beside import (
    blocked,
    files_taken_in,
    log_taken_in,
    words_taken_in,
)
from citewiki.markdown import frontmatter
from citewiki.model import Page, Problem
from citewiki.store.catalog import append_log, write_index
from citewiki.store.files import write_atomic
from citewiki.store.pages import load_pages, parse_page
from citewiki.text.folding import name_key

Report = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a bundle's pages."""

    bundle: str
    form: str  # "okf" or "json"
    made: tuple[str, ...] = ()  # slugs
    unchanged: tuple[str, ...] = ()  # slugs of pages that were there already, word for word
    files: tuple[str, ...] = ()  # pictures and others that pages show, made; under wiki/
    problems: tuple[Problem, ...] = ()  # a line for each file, or part of one, that was left out


def take_in_bundle(
    root: Path,
    bundle: Bundle,
    *,
    now: datetime,
    shared_with: tuple[str, ...] = (),
    report: Report = lambda done, total, what: None,
) -> Imported:
    """Make the pages of `bundle` in the wiki at `root`; the caller holds the wiki's lock.

    A page that is there already is left as it is, and so is one whose name or slug another page
    has: each gives a line. Pages that other programs wrote are for `shared_with`, unless they say
    for whom they are. What a page names as its sources stays, whether or not the wiki has them.
    """
    wiki = root / "wiki"
    pages, _ = load_pages(wiki, archived=True)
    known = {page.slug for page in pages}
    paths = {name_key(page.path): page.path for page in pages}
    slugs = {page.slug: page.path for page in pages}
    made: list[Page] = []
    unchanged: list[Page] = []
    problems: list[Problem] = []
    for done, item in enumerate(bundle.pages()):
        if isinstance(item, Problem):
            problems.append(item)
            continue
        report(done, len(bundle.files), item.path)
        text = item.text if item.ours else _for_readers(item, shared_with)
        page = parse_page(text, item.path)
        there = paths.get(name_key(item.path))
        if there == item.path and _same(wiki / there, text):
            unchanged.append(page)
            continue
        other = there or slugs.get(page.slug)
        if other is not None:
            why = f"“{page.title}” is left out: wiki/{other} is there and is kept as it is"
            problems.append(Problem(f"{bundle.name}: {item.path}", why, 0, "warning", "kept"))
            continue
        if blocked(wiki, item.path):
            why = "is left out: a link or a file of the wiki is in the way"
            problems.append(Problem(f"{bundle.name}: {item.path}", why, 0, "warning", "kept"))
            continue
        write_atomic(wiki / item.path, text)
        paths[name_key(item.path)] = item.path
        made.append(page)
    files, left = files_taken_in(wiki, bundle, [*made, *unchanged])
    problems += left
    problems += words_taken_in(wiki, bundle)
    if made or unchanged:  # a run that was broken off has not listed what it made
        write_index(wiki, load_pages(wiki)[0])
    log_taken_in(wiki, bundle, known - {page.slug for page in unchanged})
    if made:
        count = f"{len(made)} page{'s' if len(made) != 1 else ''}"
        append_log(wiki, now, "", [f"took in {Path(bundle.name).name}: {count}, as they were"])
    return Imported(
        bundle.name,
        bundle.form,
        tuple(page.slug for page in made),
        tuple(page.slug for page in unchanged),
        tuple(files),
        tuple(problems),
    )


def _for_readers(item: Incoming, shared_with: tuple[str, ...]) -> str:
    """The text with readers, where it names neither these nor an owner."""
    block, body, _ = frontmatter.split(item.text)
    front = frontmatter.parse(block or "")
    if "owner" in front or "shared_with" in front or block is None:
        return item.text
    front = frontmatter.update(front, {"shared_with": list(shared_with)})
    return f"---\n{frontmatter.render(front)}---\n{body}"


def _same(file: Path, text: str) -> bool:
    try:
        return file.read_bytes() == text.encode()
    except OSError as error:
        raise PageError(str(file), f"cannot be read: {error.strerror or error}") from error
