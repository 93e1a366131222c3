"""The one rule for who may read and write a page, and when its file cannot be relied upon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from citewiki.errors import NotAllowed
from citewiki.markdown.frontmatter import FrontMatter
from citewiki.model import ANYONE, Page, Viewer
from citewiki.text.folding import fold

ACCESS_KEYS = ("owner", "shared_with")
NOBODY = ANYONE
"""The owner of a page whose access keys cannot be read: no viewer goes by that name."""

_HIDDEN = "so only the operator sees the page"
_LIKE_WORD = re.compile(r"\W*(owner|shared[ _-]?with)\b", re.IGNORECASE)
_LIKE_KEY = re.compile(rf"{_LIKE_WORD.pattern}[\s\"']*:", re.IGNORECASE)
_UNCLOSED = re.compile(r"\ufeff?---[ \t]*\r?\n(?:[^\r\n]*\S[^\r\n]*(?:\r?\n|\Z))*")
"""A fence, and the lines up to the first blank one."""


def visible(page: Page, viewer: Viewer) -> bool:
    """Whether `viewer` may know that `page` exists.

    The operator (None) sees all; an owner their own; a user what is shared with them or with
    anyone. A page that names neither owner nor readers is everybody's.
    """
    if viewer is None or (not page.owner and not page.shared_with):
        return True
    if viewer not in ("", ANYONE) and viewer == page.owner:
        return True
    return ANYONE in page.shared_with or viewer in page.shared_with


def may_write(page: Page, viewer: Viewer) -> bool:
    """Whether `viewer` may change `page`: the operator any page, a user those that they own.

    Sharing gives nobody else the right to write; a page without an owner is the operator's.
    """
    return viewer is None or (viewer not in ("", ANYONE) and viewer == page.owner)


def not_writable(page: Page, viewer: Viewer) -> NotAllowed:
    """The error for a page that `viewer` may read and not change: whose it is."""
    whose = f"belongs to {page.owner}" if page.owner not in ("", ANYONE) else "is the operator's"
    return NotAllowed(page.slug, f"{whose}; only its owner changes it", owner=page.owner)


def hiding(
    text: str, block: str | None, front: FrontMatter, read: Mapping[str, object]
) -> Iterator[tuple[str, int]]:
    """Why only the operator may see the page of a file `text`, each with its line.

    It is so where a key that says who may read it could not be `read`, is spelt otherwise
    ("Owner", "shared-with"), or stands where it is no key: in front matter that is not plain YAML,
    or that no fence closes.
    """
    for entry in front.entries:
        if entry.key in ACCESS_KEYS:
            if entry.value is not None and entry.key not in read:
                yield f"{entry.key}: cannot be read, {_HIDDEN}", entry.line
        elif _spelling(entry.key) in _SPELLINGS:
            key = _SPELLINGS[_spelling(entry.key)]
            yield f"{entry.key}: has to be written “{key}”, {_HIDDEN}", entry.line
    known = {entry.line for entry in front.entries}
    for match, line in _like_keys(text, block, front):
        if line not in known:
            yield f"“{match}” looks like a key and is none, {_HIDDEN}", line


def _like_keys(text: str, block: str | None, front: FrontMatter) -> Iterator[tuple[str, int]]:
    """Lines of what is no clean front matter that begin like a key, each with its number."""
    unclosed = _UNCLOSED.match(text) if block is None else None
    shown = unclosed[0] if unclosed else block if block and front.problems else ""
    for line, written in enumerate(shown.splitlines(), start=1 if unclosed else 2):
        if match := (_LIKE_KEY if unclosed else _LIKE_WORD).match(written):
            yield match[1], line


def _spelling(key: str) -> str:
    return re.sub(r"[\W_]+", "", fold(key))


_SPELLINGS = {_spelling(key): key for key in ACCESS_KEYS}
