"""Keys of a file's front matter set or taken out, all else byte for byte.

`render_page` writes a page anew, with one spelling of line ends and of the body's end. Here a file
comes through an action and its opposite as it was: byte order mark, line ends, remarks and all.
Only front matter in flow style, or indented as a whole, becomes plain lines.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import takewhile
from typing import Any

from citewiki.errors import PageError
from citewiki.markdown import frontmatter
from citewiki.markdown.frontmatter import Entry, FrontMatter

_BOM = "\ufeff"
_WAS_EMPTY = "  # before:"
"""Remark on a key that stood there without a value; what follows is how that was written."""


def stamped(text: str, changes: Mapping[str, Any], path: str) -> str:
    """The text of the file at `path` with `changes` made to its front matter; None removes a key.

    A key that was there without a value is so again once removed. A file without front matter
    gets one, and loses it with its last key. Raises PageError when what is there cannot be read
    at all: writing would put it out of force.
    """
    if not changes:
        return text
    mark = _BOM if text.startswith(_BOM) else ""
    bare = text.removeprefix(_BOM)
    block, body, _ = frontmatter.split(bare)
    before = frontmatter.parse(block or "")
    if block and not before.entries and before.problems:
        raise PageError(path, f"{before.problems[0].message}; mend it first", line=2)
    front = _with_empty_keys(before, frontmatter.update(before, changes), changes)
    block_now = frontmatter.render(front)
    if block is None:
        end = "\r\n" if "\r\n" in bare else "\n"
        lines = block_now.replace("\n", end)
        return f"{mark}---{end}{lines}---{end}{bare}" if lines else text
    if not block_now:
        return mark + body
    opening = bare[: bare.index("\n") + 1]
    closing = bare[len(opening) + len(block) : len(bare) - len(body)]
    if not block_now.endswith("\n"):
        block_now += "\n"
    return f"{mark}{opening}{block_now}{closing}{body}"


def key_of(text: str, key: str) -> Any:
    """The value of a front matter key, every scalar a text; None: it is not there."""
    block, _, _ = frontmatter.split(text)
    return frontmatter.parse(block or "").get(key)


def _with_empty_keys(
    before: FrontMatter, after: FrontMatter, changes: Mapping[str, Any]
) -> FrontMatter:
    """`after`, in which keys that were there without a value are noted, or are so again."""
    entries = list(after.entries)
    for key, value in changes.items():
        old = before.entry(key)
        written = _written_empty(old) if old else None
        if old is None or written is None:
            continue
        if value is not None:
            place = entries.index(after.entry(key))  # type: ignore[arg-type]
            line, end = _line_and_end(entries[place].raw)
            entries[place] = replace(entries[place], raw=f"{line}{_WAS_EMPTY}{written}{end}")
        else:
            above, end = _remarks_above(old.raw), _line_and_end(old.raw)[1]
            empty = replace(old, value=None, raw=f"{above}{key}:{written}{end}")
            entries.insert(_place(before, old, entries), empty)
    return replace(after, entries=tuple(entries)) if entries != list(after.entries) else after


def _written_empty(entry: Entry) -> str | None:
    """How an entry is written without a value, or was before it had one; None: it always had."""
    last = _line_and_end(entry.raw)[0].rpartition("\n")[2]
    if entry.value is None:
        return last.partition(":")[2]
    _, mark, written = last.partition(_WAS_EMPTY)
    return written if mark else None


def _line_and_end(raw: str) -> tuple[str, str]:
    line = raw.rstrip("\r\n")
    return line, raw[len(line) :]


def _remarks_above(raw: str) -> str:
    lines = raw.splitlines(keepends=True)
    return "".join(takewhile(lambda line: not line.strip() or line.lstrip()[0] == "#", lines))


def _place(before: FrontMatter, old: Entry, entries: list[Entry]) -> int:
    """Where an entry that was taken out goes back: after the one that it stood behind."""
    above = {entry.key for entry in before.entries[: before.entries.index(old)]}
    return max((n for n, entry in enumerate(entries, 1) if entry.key in above), default=0)
