"""wiki/index.md and wiki/log.md: the two lists that the program keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from citewiki.errors import PageError
from citewiki.model import Page, iso
from citewiki.store.files import write_atomic
from citewiki.store.pages import is_archived

INDEX_MARK = "<!-- citewiki: the list below is written by the program -->"
NOT_FOR_ALL = "a page that not everybody could read"
"""In a tombstone: the log names that page, so it is not published as long as it says this."""

_LOG_HEAD = "# Log\n\nWhat happened to this wiki, newest first.\n"
_LOG_LINE = re.compile(r"- (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) · (.*?) · (.*)")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of wiki/log.md."""

    at: datetime  # UTC
    who: str
    what: str


def render_index(pages: Iterable[Page], previous: str = "") -> str:
    """wiki/index.md: what stands above the mark is a person's and stays; below, a line a page.

    By domain, then by title; pages of no domain come first. Archived ones are not in it.
    """
    head = previous.split(INDEX_MARK)[0].rstrip() if INDEX_MARK in previous else ""
    if not head:
        head = previous.rstrip() or "# Index"
    by_domain: dict[str, list[Page]] = {}
    for page in pages:
        if is_archived(page):
            continue
        by_domain.setdefault(page.domain, []).append(page)
    lines = [head, "", INDEX_MARK]
    for domain in sorted(by_domain):
        if domain:
            lines += ["", f"## {domain}"]
        lines.append("")
        for page in sorted(by_domain[domain], key=lambda page: (page.title.casefold(), page.path)):
            summary = f" — {_one_line(page.summary)}" if page.summary else ""
            lines.append(f"- [{_escaped(page.title)}](<{page.path}>){summary}")
    return "\n".join(lines) + "\n"


def write_index(wiki: Path, pages: Iterable[Page]) -> None:
    """Bring wiki/index.md up to date; does not touch it when nothing changed."""
    path = wiki / "index.md"
    write_atomic(path, render_index(pages, _read(path)))


def append_log(wiki: Path, now: datetime, who: str, lines: Iterable[str]) -> None:
    """Put one line for each of `lines` at the top of wiki/log.md; nothing when there are none."""
    path = wiki / "log.md"
    if new := log_lines(now, who, lines):
        write_atomic(path, render_log(new, _read(path)))


def log_lines(now: datetime, who: str, lines: Iterable[str]) -> list[str]:
    """Each of `lines` as it stands in the log."""
    who = _one_line(who).replace("·", "-") or "operator"
    return [f"- {iso(now)} · {who} · {_one_line(line)}" for line in lines]


def render_log(new: Sequence[str], previous: str = "") -> str:
    """wiki/log.md with the lines `new` (see `log_lines`) at its top; those it has are left out."""
    head, mark, rest = previous.partition("\n- ")
    head = head.rstrip() + "\n" if head.strip() else _LOG_HEAD
    entries = mark.lstrip("\n") + rest if mark else ""
    known = set(entries.splitlines())
    fresh = [line for line in new if line not in known]
    return f"{head}\n" + "".join(f"{line}\n" for line in fresh) + entries if fresh else previous


def read_log(wiki: Path) -> list[LogLine]:
    """The lines of wiki/log.md that the program wrote, newest first; others are passed over."""
    found = map(_LOG_LINE.fullmatch, _read(wiki / "log.md").splitlines())
    return [LogLine(_moment(line[1]), line[2], line[3]) for line in found if line]


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise PageError(path.name, f"cannot be read ({error}); mend or move it") from error


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _escaped(title: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", title)
