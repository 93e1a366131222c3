"""`lint --changed`: a proposal, as what differs from a commit that it starts from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from citewiki.cli.git import Git
from citewiki.errors import DataError
from citewiki.model import Problem
from citewiki.sources.manifest import MANIFEST
from citewiki.store.pages import parse_page
from citewiki.store.paths import RESERVED


@dataclass(frozen=True, slots=True)
class Change:
    """A file of wiki/ or raw/ that is not as it was."""

    path: str  # relative to the wiki's root
    before: str | None  # its text then; None: it was not there
    now: str | None  # its text now; None: it is gone


def changes(root: Path, base: str) -> list[Change]:
    """What differs, in wiki/ and raw/ of the work tree, from where HEAD left `base`.

    Raises DataError where there is no git repository, or nothing is called `base` in it.
    """
    git = Git(root)
    start = git.value("merge-base", base, "HEAD") if not base.startswith("-") else ""
    if not start:
        raise DataError(base, "is nothing that HEAD has a commit in common with; fetch it first")
    folder = git("rev-parse", "--show-prefix").strip()
    named = git(
        "diff", "--name-only", "--no-renames", "--relative", "-z", start, "--", "wiki", "raw"
    )
    new = git("ls-files", "--others", "--exclude-standard", "-z", "--", "wiki", "raw")
    paths = sorted({path for path in (named + new).split("\0") if path})
    return [
        Change(path, _then(git, f"{start}:{folder}{path}"), _now(root / path)) for path in paths
    ]


def _then(git: Git, name: str) -> str | None:
    return git("show", name) if git.succeeds("cat-file", "-e", name) else None


def _now(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8-sig", errors="replace")
    except FileNotFoundError:
        return None


def of_changed(problems: Iterable[Problem], found: Iterable[Change]) -> list[Problem]:
    """The findings about files that a proposal has changed."""
    paths = {change.path for change in found}
    return [problem for problem in problems if problem.path in paths]


def forbidden(found: Iterable[Change], who: str) -> Iterator[Problem]:
    """What `who` may not change: pages that belong to someone else, and sources.

    A page without an owner is everybody's. Nobody gives a page to someone else.
    """
    for change in found:
        if change.path.startswith("raw/"):
            if change.before is not None and change.path != MANIFEST:
                message = "is a source; sources are never edited, take in a new version"
                yield Problem(change.path, message, 0, "error", "source-edited")
            continue
        path = change.path.removeprefix("wiki/")
        if path in RESERVED or not path.endswith(".md"):
            continue
        before, now = (_owner(text, path) for text in (change.before, change.now))
        if before not in ("", who):
            message = f"belongs to {before}; {who or 'nobody'} may not change it"
            yield Problem(change.path, message, 0, "error", "not-yours")
        elif now not in ("", who, before):
            message = f"is given to {now}, by {who or 'nobody'}; leave its owner as it is"
            yield Problem(change.path, message, 0, "error", "not-yours")


def _owner(text: str | None, path: str) -> str:
    return parse_page(text, path).owner if text is not None else ""
