"""`lint --staged`: what git is about to commit, looked through for secrets."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from citewiki.cli.git import Git
from citewiki.errors import DataError
from citewiki.lint import private_problems
from citewiki.model import Problem
from citewiki.sources.leaks import MOST_BYTES, is_published, leaks
from citewiki.store.keys import PRIVATE


def staged_problems(root: Path, *, publish_raw: bool) -> list[Problem]:
    """The secrets in files that are staged and go out with the wiki; errors first.

    Originals that are not published may hold what they hold, except tokens of this very program.
    The staged contents count, not those of the work tree. Raises DataError without a repository.
    """
    git = Git(_place(root))
    below = _below(git, root)
    staged = _staged(git, below)
    names = {path: name for path, name in staged.items() if is_published(path, publish_raw=True)}
    found: list[Problem] = []
    for path, data in zip(names, _contents(git, names.values()), strict=True):
        found += leaks(path, data, own=not is_published(path, publish_raw=publish_raw))
    found += private_problems(root, staged)
    return sorted(found, key=lambda each: (each.severity != "error", each.path, each.line))


def tracked_private(root: Path) -> Collection[str]:
    """The files of users and keys that git keeps; none where there is no git, or no repository."""
    try:
        ran = subprocess.run(
            ["git", "ls-files", "-z", "--", PRIVATE], cwd=root, capture_output=True, check=False
        )
    except OSError:
        return ()
    return [path for path in ran.stdout.decode(errors="replace").split("\0") if path]


def _place(root: Path) -> Path:
    """Where to call git: in a hook where it called, as what it names there is relative to that."""
    return Path.cwd() if {"GIT_DIR", "GIT_INDEX_FILE"} & os.environ.keys() else root


def _below(git: Git, root: Path) -> str:
    """The path of the wiki in its repository, with "/" at its end; "" for the top."""
    top = Path(git("rev-parse", "--show-toplevel").removesuffix("\n"))
    try:
        inside = root.resolve().relative_to(top.resolve()).as_posix()
    except ValueError:
        raise DataError(str(root), f"is not in the repository {top}") from None
    return "" if inside == "." else f"{inside}/"


def _staged(git: Git, below: str) -> dict[str, str]:
    """What git calls the staged contents of new and changed files, by path from the wiki's root."""
    options = ("--raw", "--no-abbrev", "--no-renames", "--diff-filter=ACMT", "-z")
    told = git("diff", "--cached", *options).split("\0")
    return {
        path.removeprefix(below): states.split()[3]  # of ":mode mode before after letter"
        for states, path in zip(told[::2], told[1::2], strict=False)
        if path.startswith(below)
    }


def _contents(git: Git, names: Iterable[str]) -> Iterator[bytes]:
    """What git keeps under `names`, in their order; nothing of what is no file, or no text."""
    wanted = "".join(f"{name}\n" for name in names)
    told, at = git.data("cat-file", "--batch", text=wanted) if wanted else b"", 0
    while at < len(told):
        end = told.index(b"\n", at)
        head = told[at:end].split()
        size = int(head[2]) if len(head) == 3 else -1  # "… missing": of another repository
        yield told[end + 1 : end + 1 + size] if 0 <= size <= MOST_BYTES else b""
        at = end + 1 + (size + 1 if size >= 0 else 0)
