"""Footnotes as a set: taken out of a body, put back, renamed, taken away."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.regions import masked

_MARK = re.compile(r"\\.|\[\^([^\]\s]+)\]")


def parted(body: str) -> tuple[str, dict[str, str]]:
    """A body without its footnote definitions, and these as written, by label."""
    kept: list[str] = []
    notes: dict[str, str] = {}
    done = 0
    for note in sorted(footnotes(body).values(), key=lambda note: note.start):
        kept.append(body[done : note.start])
        notes[note.label] = body[note.start : note.end].strip("\n")
        done = note.end + 1 if body[note.end : note.end + 1] == "\n" else note.end
    text = "".join((*kept, body[done:]))
    return text.strip("\n").rstrip(), notes


def joined(text: str, notes: Iterable[str]) -> str:
    """A body: its text, then its footnote definitions."""
    parts = (text.strip("\n").rstrip(), "\n".join(notes))
    return "\n\n".join(part for part in parts if part) + "\n"


def relabelled(text: str, labels: Mapping[str, str]) -> str:
    """`text` with the footnotes of `labels` under their new labels, wherever they stand."""
    if all(old == new for old, new in labels.items()):
        return text
    pieces: list[str] = []
    done = 0
    for mark in _MARK.finditer(masked(text)):
        new = labels.get(mark[1]) if mark[1] else None
        if new:
            pieces += text[done : mark.start(1)], new
            done = mark.end(1)
    return "".join((*pieces, text[done:]))


def without(text: str, labels: Collection[str]) -> str:
    """`text` without references to `labels`; definitions are taken out by `parted`."""
    pieces: list[str] = []
    done = 0
    for mark in _MARK.finditer(masked(text)):
        if mark[1] in labels:
            pieces.append(text[done : mark.start()])
            done = mark.end()
    return "".join((*pieces, text[done:]))
