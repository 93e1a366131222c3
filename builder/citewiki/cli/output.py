"""What is printed: data on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewiki.model import Problem


def print_json(value: Any) -> None:
    """`value` as indented JSON."""
    import json

    from citewiki.model import as_json

    print(json.dumps(as_json(value), ensure_ascii=False, indent=2))


def say(text: str, quiet: bool = False) -> None:
    """A remark for the person, on stderr."""
    if not quiet:
        print(text, file=sys.stderr)


def counted(count: int, noun: str) -> str:
    """A number of things: "1 page", "2 pages"."""
    return f"{count:,} {noun if count == 1 else noun + 's'}"


def print_problems(problems: Iterable[Problem]) -> int:
    """One line each on stderr; how many of them are errors."""
    errors = 0
    for problem in problems:
        errors += problem.severity == "error"
        print(problem, file=sys.stderr)
    return errors


def styled(text: str, code: str) -> str:
    """`text` in a terminal style ("1" bold, "2" dim, "33" yellow) when stdout is a terminal."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return text
    return f"\033[{code}m{text}\033[0m"


@contextmanager
def progress(title: str, quiet: bool = False) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on stderr, as `report(done, total, what)`; nothing where it is no terminal."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total, what: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def report(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=f"{title} {what[:40]}")

        yield report
