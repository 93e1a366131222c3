"""Several files changed as one: all of them, or none.

What is about to be done is written down first, in .citewiki/. A run that is killed between two
writes leaves that note, and the next one finishes the work (`complete`). When the disk refuses a
write, what was done is taken back.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from citewiki.errors import PageError, WriteError
from citewiki.model import Viewer
from citewiki.store.catalog import render_index, render_log
from citewiki.store.files import clear_rests, write_atomic, write_error
from citewiki.store.pages import load_pages

NOTE = ".citewiki/action.json"
"""What is being done, relative to the wiki's root; there only while it is."""
INDEX, LOG = "wiki/index.md", "wiki/log.md"

Write = Callable[[Path, str | None], object]
"""Puts a text at a path, whole or not at all; None: deletes the file."""


@dataclass(frozen=True, slots=True)
class Step:
    """One file as it is and as it will be; None: there is no file."""

    path: str  # relative to the wiki's root
    before: str | None
    after: str | None


def put(path: Path, text: str | None) -> None:
    """The `Write` of every day. Folders that a deleted file leaves empty go with it."""
    if text is not None:
        write_atomic(path, text)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error
    with contextlib.suppress(OSError):  # one is not empty, or not ours to remove
        for folder in path.parents:
            if folder.name in ("wiki", "raw", ".citewiki"):
                break
            folder.rmdir()


def read_text(path: Path, name: str) -> str | None:
    """The text of a file, its byte order mark and line ends as they are; None: there is none."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise PageError(name, f"cannot be read ({error}); mend or move it") from error


def carry_out(root: Path, steps: Iterable[Step], said: Sequence[str], write: Write = put) -> None:
    """Take all `steps`, and put the lines `said` into the log, last.

    The caller holds the wiki's lock. Raises WriteError; the files are then as they were.
    """
    log = read_text(root / LOG, LOG)
    steps = [*steps, Step(LOG, log, render_log(said, log or "") if said else log)]
    steps = [step for step in steps if step.before != step.after]
    if not steps:
        return
    plain = [
        {"path": s.path, "before": _hash(s.before), "after": s.after}
        for s in steps
        if s.path not in (INDEX, LOG)  # long, and made again from what is there
    ]
    write(root / NOTE, json.dumps({"steps": plain, "said": list(said)}, ensure_ascii=False))
    done: list[Step] = []
    try:
        for step in steps:
            write(root / step.path, step.after)
            done.append(step)
    except WriteError:
        for step in reversed(done):
            write(root / step.path, step.before)
        write(root / NOTE, None)
        raise
    write(root / NOTE, None)


def finish(root: Path, viewer: Viewer, write: Write = put) -> None:
    """Finish what a killed run has begun; a user is not told which pages that was about."""
    try:
        if complete(root, write):
            clear_rests(root / "wiki")
    except (PageError, WriteError) as error:
        if viewer is None:
            raise
        why = f": {error.reason}" if isinstance(error, WriteError) else ""
        raise WriteError(
            "wiki",
            f"an action that was cut short cannot be finished{why}",
            hint="the operator mends that with: citewiki lint",
        ) from None


def complete(root: Path, write: Write = put) -> list[str]:
    """Finish what a killed run has begun, if one has; what was done, a line each.

    A file that somebody changed since is left alone, and told of. The caller holds the lock.
    """
    noted = read_text(root / NOTE, NOTE)
    if noted is None:
        return []
    try:
        note = json.loads(noted)
        steps = [(each["path"], each["before"], each["after"]) for each in note["steps"]]
        said = list(note["said"])
    except (ValueError, KeyError, TypeError) as error:
        raise PageError(NOTE, f"is no note of an action ({error}); delete it") from error
    told = ["finished what was cut short: " + "; ".join(said)]
    left: list[tuple[str, str | None]] = []
    for path, before, after in steps:
        now = read_text(root / path, path)
        if path in (INDEX, LOG) or now == after:
            continue
        if _hash(now) == before:
            left.append((path, after))
        else:
            told.append(f"{path} was changed since and stays as it is")
    for path, after in left:
        if after is not None or len(told) == 1:  # else what goes might be the only one left
            write(root / path, after)
    _complete_lists(root, said, write)
    write(root / NOTE, None)
    return told


def _complete_lists(root: Path, said: Sequence[str], write: Write) -> None:
    """Index and log: other runs may have written to them since."""
    index = read_text(root / INDEX, INDEX)
    if index is not None:
        write(root / INDEX, render_index(load_pages(root / "wiki")[0], index))
    log = read_text(root / LOG, LOG)
    if said:
        write(root / LOG, render_log(said, log or ""))


def _hash(text: str | None) -> str | None:
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()
