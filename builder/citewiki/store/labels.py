"""Footnotes of three texts as one set: the same evidence is the same footnote."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from citewiki.markdown.footnotes import Footnote, footnotes, references
from citewiki.text.folding import quote_key

Evidence = tuple[str, str]


def evidence(note: Footnote) -> Evidence:
    """By what two footnotes are the same: their source, and what they quote of it.

    The source is the label's stem, which lasts where paths and page numbers change; for labels
    without one, such as "1", it is the original's path or URL.
    """
    source = stem(note.label)
    return note.resource if source == note.label else source, quote_key(note.quote or note.text)


def stem(label: str) -> str:
    """The source's id in a label: "paper" of "paper.3"."""
    before, dot, number = label.rpartition(".")
    return before if dot and number.isdigit() else label


def new_labels(base: str, theirs: str, ours: str) -> tuple[dict[str, str], dict[str, str]]:
    """New labels for the footnotes of `base` and `theirs`, so that they can stand beside `ours`.

    A footnote that `ours` has too gets its label there; another one keeps its own where that is
    free, and else gets the next number. One that now quotes something else is another one.
    """
    present = footnotes(ours)
    free = defaultdict(list)
    for label in present:
        free[evidence(present[label])].append(label)
    names = _Names((*present, *references(ours)))
    base_notes, their_notes = footnotes(base), footnotes(theirs)
    base_labels: dict[str, str] = {}
    their_labels: dict[str, str] = {}
    for body, notes, labels in (
        (base, base_notes, base_labels),
        (theirs, their_notes, their_labels),
    ):
        for label in dict.fromkeys((*notes, *references(body))):
            note, before = notes.get(label), base_notes.get(label)
            if label in base_labels and (not before or not note or _same(before, note)):
                labels[label] = base_labels[label]
            elif note and (same := free.get(evidence(note))):
                labels[label] = same.pop(0)
            elif note or label in present:
                labels[label] = names.new(label)
            else:
                labels[label] = label  # to no definition, here or there
    return base_labels, their_labels


def _same(one: Footnote, other: Footnote) -> bool:
    return evidence(one) == evidence(other)


class _Names:
    """Labels that are taken."""

    def __init__(self, labels: Iterable[str]) -> None:
        self._taken = set(labels)
        self._last: dict[str, int] = {}  # by stem: all numbers up to it are taken

    def new(self, label: str) -> str:
        """The label itself when it is free, else one of the same source."""
        if label in self._taken:
            start, number = stem(label), self._last.get(stem(label), 0) + 1
            while f"{start}.{number}" in self._taken:
                number += 1
            self._last[start], label = number, f"{start}.{number}"
        self._taken.add(label)
        return label


def merged_notes(
    text: str, base: Mapping[str, str], theirs: Mapping[str, str], ours: Mapping[str, str]
) -> list[str]:
    """The definitions that a merged `text` needs, and those that a person wrote or changed.

    Labels are those after `new_labels`. What a person wrote goes before what the program did.
    """
    needed = set(references(text))
    found: list[str] = []
    for label in dict.fromkeys((*ours, *theirs, *base)):
        before, person = base.get(label), theirs.get(label)
        own = person is not None and person != before
        note = person if own else ours.get(label, before)
        if note is not None and (own or label in needed):
            found.append(note)
    return found
