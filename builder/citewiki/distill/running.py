"""A run over sources: what it tells, how it is broken off without harm, and what it did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from citewiki.model import Problem

Report = Callable[[int, int, str], None]
"""Is told how much is done, of how much, and what comes next; ends the run by raising."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a run of `compile` did."""

    made: tuple[str, ...] = ()  # slugs of new pages
    updated: tuple[str, ...] = ()  # slugs of pages whose section changed, or that got an addition
    linked: tuple[str, ...] = ()  # slugs of pages that only got new links
    waiting: tuple[str, ...] = ()  # ids of review items that were queued
    sections: dict[str, int] = field(default_factory=dict)  # number of sections by status
    problems: tuple[Problem, ...] = ()
    calls: int = 0  # of language models, replies that were kept included
    usage: dict[str, float] = field(default_factory=dict)  # tokens and USD of this run's calls
    put_off: int = 0  # sections that wait for a batch
    stopped: str = ""  # why the run ended before its end; "" when it did not


class BrokenOff(Exception):
    """The one that a run reports to wants it to end; `reason` is what it raised."""

    def __init__(self, reason: BaseException) -> None:
        self.reason = reason
        super().__init__(str(reason))


def breakable(report: Report) -> Report:
    """`report`, so that what it raises is told from what goes wrong elsewhere."""

    def tell(done: int, total: int, what: str) -> None:
        try:
            report(done, total, what)
        except BaseException as error:
            raise BrokenOff(error) from error

    return tell
