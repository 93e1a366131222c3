"""wiki/index.md and wiki/log.md: the two lists that the program keeps."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from citewiki.errors import PageError
from citewiki.model import Page, iso
from citewiki.store.files import write_atomic

INDEX_MARK = "<!-- citewiki: the list below is written by the program -->"
_LOG_HEAD = "# Log\n\nWhat happened to this wiki, newest first.\n"


def render_index(pages: Iterable[Page], previous: str = "") -> str:
    """wiki/index.md: what stands above the mark is a person's and stays; below, a line a page.

    By domain, then by title; pages of no domain come first.
    """
    head = previous.split(INDEX_MARK)[0].rstrip() if INDEX_MARK in previous else ""
    if not head:
        head = previous.rstrip() or "# Index"
    by_domain: dict[str, list[Page]] = {}
    for page in pages:
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
    new = [f"- {iso(now)} · {who or 'operator'} · {_one_line(line)}" for line in lines]
    if not new:
        return
    path = wiki / "log.md"
    old = _read(path)
    head, mark, rest = old.partition("\n- ")
    head = head.rstrip() + "\n" if head.strip() else _LOG_HEAD
    entries = mark.lstrip("\n") + rest if mark else ""
    write_atomic(path, f"{head}\n" + "\n".join(new) + "\n" + entries)


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
