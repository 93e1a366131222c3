"""Saved questions before and after a change, to show that nothing findable was lost."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.maintain.reorganize import Row, apply
from citewiki.errors import DataError
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page, Problem
from citewiki.sources.manifest import MANIFEST
from citewiki.store import bases
from citewiki.store.names import Names
from citewiki.store.pages import load_pages
from citewiki.text.folding import name_key
from citewiki.text.phrases import generic_heading

Find = Callable[[Path, Sequence[str]], list[str]]
"""(root of a wiki, questions) → slug of the first page for each; "" where none is found."""

_COPIED = ("mkdocs.yml", "pyproject.toml", MANIFEST)


@dataclass(frozen=True, slots=True)
class Asked:
    """One question before and after."""

    question: str
    before: str  # slug of the first page; "": none was found
    after: str
    lost: bool  # neither that page comes first nor one that has its text now


@dataclass(frozen=True, slots=True)
class Broken:
    """A link that led somewhere and now does not lead there."""

    slug: str  # of the page that it stands on
    name: str
    before: str  # slug
    after: str  # slug; "": nowhere


@dataclass(frozen=True, slots=True)
class Replay:
    """What a plan would do to what people ask and follow."""

    asked: tuple[Asked, ...] = ()
    broken: tuple[Broken, ...] = ()
    problems: tuple[Problem, ...] = ()  # why parts of the plan could not be carried out

    @property
    def lost(self) -> tuple[Asked, ...]:
        """The questions whose page is lost."""
        return tuple(each for each in self.asked if each.lost)

    @property
    def holds(self) -> bool:
        """Whether nothing is lost."""
        return not self.lost and not self.broken and not self.problems


def saved_questions(root: Path, name: str) -> list[str]:
    """The questions of a file, one a line; none of an empty name. Raises DataError."""
    if not name:
        return []
    try:
        text = (root / name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        hint = "mend [tool.citewiki] questions in pyproject.toml"
        raise DataError(name, f"cannot be read as questions ({error})", hint=hint) from error
    lines = (line.strip() for line in text.split("\n"))
    return list(dict.fromkeys(line for line in lines if line and not line.startswith("#")))


def questions_of(pages: Iterable[Page]) -> list[str]:
    """What pages let one expect: titles, aliases, and headings that say something."""
    found: dict[str, str] = {}
    for page in pages:
        tops = (heading.text for heading in headings(page.body))
        names = (page.title, *page.aliases, *(text for text in tops if not generic_heading(text)))
        for name in names:
            found.setdefault(name_key(name), name)
    return list(found.values())


def replay(
    root: Path,
    cache: Path,
    rows: Sequence[Row],
    config: Config,
    questions: Sequence[str],
    find: Find,
    *,
    now: datetime,
    who: str,
) -> Replay:
    """Carry a plan out in a temporary copy, ask the questions there and here, follow all links."""
    if all(row.action == "keep" for row in rows):
        return Replay(
            tuple(
                Asked(q, at, at, False)
                for q, at in zip(questions, find(root, questions), strict=True)
            )
        )
    with tempfile.TemporaryDirectory(prefix="citewiki-") as folder:
        copy = Path(folder)
        _copy(root, cache, copy)
        done = apply(copy, copy / ".citewiki", rows, config, now=now, who=who)
        before, _ = load_pages(root / "wiki")
        after, _ = load_pages(copy / "wiki")
        heirs = _heirs(rows, before, after)
        firsts, then = find(root, questions), find(copy, questions)
    asked = tuple(
        Asked(question, one, other, bool(one) and other not in heirs.get(one, {one}))
        for question, one, other in zip(questions, firsts, then, strict=True)
    )
    return Replay(asked, tuple(_broken(before, after, heirs)), done.problems)


def _copy(root: Path, cache: Path, copy: Path) -> None:
    shutil.copytree(root / "wiki", copy / "wiki")
    for name in _COPIED:
        if (root / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / name, copy / name)
    for name in (bases.FOLDER, bases.FRONTS):
        if (cache / name).is_dir():
            shutil.copytree(cache / name, copy / ".citewiki" / name)


def _heirs(
    rows: Iterable[Row], before: Iterable[Page], after: Iterable[Page]
) -> Mapping[str, set[str]]:
    """Which pages have a page's text afterwards: itself, what took it in, or its parts."""
    known = {page.slug for page in before}
    new = [page for page in after if page.slug not in known]
    heirs: dict[str, set[str]] = {}
    for row in rows:
        heirs[row.slug] = {row.slug}
        if row.action == "merge":
            heirs[row.slug].add(row.to)
        elif row.action == "split":
            up = {name_key(row.title)}
            heirs[row.slug] |= {
                page.slug
                for page in new
                if any(name_key(link.target) in up for link in wikilinks(page.body))
            }
    return heirs


def _broken(
    before: Sequence[Page], after: Sequence[Page], heirs: Mapping[str, set[str]]
) -> Iterable[Broken]:
    """Links of every page as it was that mean no page, or another one, afterwards."""
    old, new = Names(before), Names(after)
    slugs = {page.path: page.slug for page in before}
    later = {page.path: page.slug for page in after}
    places = {page.slug: page.path for page in after}
    for page in before:
        moved = replace(page, path=places.get(page.slug, page.path))
        for name in dict.fromkeys(link.target for link in wikilinks(page.body) if link.target):
            one = slugs.get(old.resolve(name, page.path, page.owner).path or "", "")
            other = later.get(new.resolve(name, moved.path, page.owner).path or "", "")
            if one and other not in heirs.get(one, {one}):
                yield Broken(page.slug, name, one, other)
