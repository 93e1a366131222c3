"""wiki/index.md and wiki/log.md: the two lists that the program keeps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from citewiki.errors import PageError
from citewiki.model import ANYONE, Page, Viewer, iso
from citewiki.store.files import write_atomic
from citewiki.store.pages import is_archived, load_pages

INDEX_MARK = "<!-- citewiki: the list below is written by the program -->"
NOT_FOR_ALL = "a page that not everybody could read"
"""In a tombstone: the line names that page, so only the operator reads it."""

SHARING = ("shared “", "no longer shared “")
"""How lines of the log begin that tell who may read a page."""

_NAMED = re.compile(r"“([^”]+)”\s*\(([^()\s]+)\)")  # “Title” (slug)
_COMPILED = re.compile(r"compiled (.+): \d+ new pages, \d+ updated")
_LOG_HEAD = "# Log\n\nWhat happened to this wiki, newest first.\n"
_INDEX_LINE = re.compile(r"- \[((?:\\.|[^\]\\])*)\]\(<([^>]*)>\)")
_LOG_STARTS = re.compile(r"^(?:- |## \d{4}-\d\d-\d\d[ \t]*$)", re.MULTILINE)
_DAY_HEADING = re.compile(r"## (\d{4}-\d\d-\d\d)[ \t]*")
_LOG_LINE = re.compile(r"- (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) · (.*?) · (.*)")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of wiki/log.md."""

    at: datetime  # UTC
    who: str
    what: str


class Row(NamedTuple):
    """A page's line in wiki/index.md, behind what puts it in order."""

    domain: str
    folded: str  # the title without case
    path: str
    line: str


def index_row(page: Page) -> Row:
    """What wiki/index.md says of a page."""
    return Row(page.domain, page.title.casefold(), page.path, _line(page))


def render_index(pages: Iterable[Page], previous: str = "") -> str:
    """wiki/index.md: what stands above the mark is a person's and stays; below, a line a page.

    By domain, then by title; pages of no domain come first. Archived ones are not in it.
    """
    return index_of((index_row(page) for page in pages if not is_archived(page)), previous)


def index_of(rows: Iterable[Row], previous: str = "") -> str:
    """`render_index` of the pages that these rows are of."""
    head = previous.split(INDEX_MARK)[0].rstrip() if INDEX_MARK in previous else ""
    if not head:
        head = previous.rstrip() or "# Index"
    lines, domain = [head, "", INDEX_MARK], None
    for row in sorted(rows):
        if row.domain != domain:
            domain = row.domain
            lines += ["", f"## {domain}", ""] if domain else [""]
        lines.append(row.line)
    return "\n".join(lines) + "\n"


def index_with(pages: Iterable[Page], previous: str) -> str | None:
    """wiki/index.md with the lines of these pages brought up to date, as `render_index` would.

    Quick, as no other page has to be known. None: `previous` is not as the program writes it.
    """
    fresh = {page.path: page for page in pages}
    head, mark, rest = previous.partition(f"{INDEX_MARK}\n")
    if not mark:
        return None
    blocks: dict[str, str] = {}  # lines by domain
    for number, text in enumerate(rest.split("\n## ")):
        domain, _, lines = text.partition("\n") if number else ("", "", text)
        lines = lines.strip("\n")
        if domain in blocks or (lines and f"\n{lines}".count("\n- [") != lines.count("\n") + 1):
            return None
        blocks[domain] = lines
    for domain, lines in blocks.items():
        if any(f"](<{path}>)" in lines for path in fresh):
            kept = (line for line in lines.split("\n") if _order(line)[1] not in fresh)
            blocks[domain] = "\n".join(kept)
    for domain in {page.domain for page in fresh.values()}:
        new = [_line(page) for page in fresh.values() if page.domain == domain]
        both = [*filter(None, blocks.get(domain, "").split("\n")), *new]
        blocks[domain] = "\n".join(sorted(both, key=_order))
    shown = (
        f"\n## {domain}\n\n{lines}\n" if domain else f"\n{lines}\n"
        for domain, lines in sorted(blocks.items())
        if lines
    )
    return f"{head}{INDEX_MARK}\n" + "".join(shown)


def write_index(wiki: Path, pages: Iterable[Page]) -> None:
    """Bring wiki/index.md up to date; does not touch it when nothing changed."""
    path = wiki / "index.md"
    write_atomic(path, render_index(pages, _read(path)))


def update_index(wiki: Path, pages: Sequence[Page]) -> None:
    """Bring the lines of these pages in wiki/index.md up to date, whatever else is in it."""
    path = wiki / "index.md"
    before = _read(path)
    after = index_with(pages, before) if pages else before
    if after is None:  # not as the program writes it
        after = render_index(load_pages(wiki)[0], before)
    if after:
        write_atomic(path, after)


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
    """wiki/log.md with the lines `new` (see `log_lines`) at its top; those it has are left out.

    Lines of one day stand under its heading, as OKF v0.2 (9) has it.
    """
    first = _LOG_STARTS.search(previous)
    head = previous[: first.start()] if first else previous
    head = head.rstrip() + "\n" if head.strip() else _LOG_HEAD
    entries = previous[first.start() :].splitlines() if first else []
    known = set(entries)
    fresh = [line for line in new if line not in known]
    if not fresh:
        return previous
    return f"{head}\n" + "\n".join(_by_day([*fresh, *entries])) + "\n"


def _by_day(rows: Iterable[str]) -> list[str]:
    """`rows` of a log, each under the heading of its day; a day's second heading goes."""
    found: list[str] = []
    day, after_heading = "", False
    for row in rows:
        heading, line = _DAY_HEADING.fullmatch(row), _LOG_LINE.match(row)
        new = heading[1] if heading else line[1][:10] if line else day
        if heading or new != day:
            while found and not found[-1]:
                found.pop()
        if new != day:
            found += ["", f"## {new}", ""] if found else [f"## {new}", ""]
            day = new
        if not heading and (row or not after_heading):
            found.append(row)
        after_heading = heading is not None
    return found


def read_log(wiki: Path) -> list[LogLine]:
    """The lines of wiki/log.md that the program wrote, newest first; others are passed over."""
    found = map(_LOG_LINE.fullmatch, _read(wiki / "log.md").splitlines())
    return [LogLine(_moment(line[1]), line[2], line[3]) for line in found if line]


def readable(lines: Iterable[LogLine], pages: Iterable[Page], viewer: Viewer) -> list[LogLine]:
    """What `viewer` may read of `lines`; `pages` are all that they see, also archived ones.

    A line has to name pages, by “Title” (slug), and only such as they see, as these are called
    now: what a page was called when it was hidden stays so. With whom a page is
    shared, and why something was done, which is free text, only the owner of those pages reads.
    What was compiled is told of those pages alone that were written then and are seen.
    """
    lines, pages = list(lines), list(pages)
    if viewer is None:
        return lines
    owners = {(page.title, page.slug): page.owner for page in pages}
    written = _written(pages)
    found: list[LogLine] = []
    for line in lines:
        if compiled := _COMPILED.fullmatch(line.what):
            if count := written.get((compiled[1], iso(line.at))):
                what = f"compiled {compiled[1]}: {count} page{'s' if count > 1 else ''}"
                found.append(LogLine(line.at, line.who, what))
            continue
        named = list(_NAMED.finditer(line.what))
        whose = {owners.get((match[1], match[2])) for match in named}
        if not named or None in whose or NOT_FOR_ALL in line.what:
            continue
        if whose == {viewer} and viewer != ANYONE:
            found.append(line)
        elif not line.what.startswith(SHARING):
            rest = line.what[named[-1].end() :]
            what = line.what[: named[-1].end()] + rest.partition(": ")[0]
            found.append(LogLine(line.at, line.who, what))
    return found


def _written(pages: Iterable[Page]) -> Counter[tuple[str, str]]:
    """How many pages came or were updated, by original and time."""
    return Counter(
        (original, at)
        for page in pages
        for original in {ref.resource for ref in page.sources}
        for at in {iso(at) for at in (page.ingested_at, page.generated_at) if at}
    )


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


def _line(page: Page) -> str:
    summary = f" — {_one_line(page.summary)}" if page.summary else ""
    return f"- [{_escaped(page.title)}](<{page.path}>){summary}"


def _order(line: str) -> tuple[str, str]:
    """By what lines of the index are sorted: the title, then the path."""
    found = _INDEX_LINE.match(line)
    return (re.sub(r"\\(.)", r"\1", found[1]).casefold(), found[2]) if found else ("", "")


def _escaped(title: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", title)
