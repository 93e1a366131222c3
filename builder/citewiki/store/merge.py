"""A page that a person has edited meets a new text of the program: three-way merge.

By sections first, whichever way these were moved or renamed; then, inside a section, by its
paragraphs, list items, table rows and code blocks. What one side alone has changed is taken over;
what both have changed is a conflict, and goes to a person: never into the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from citewiki.markdown.notes import joined, parted, relabelled
from citewiki.store.align import aligned, same_sections
from citewiki.store.labels import merged_notes, new_labels
from citewiki.store.parts import Section, Unit, sections, written

Id = int | tuple[str, ...]
"""Of a section: its place in the base, or, of an added one, the names of its headings."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """A place that a person and the program have changed in different ways."""

    heading: str  # of the section, plain; "" before the first one
    base: str  # what both started from; "" when both added it
    person: str  # "" when the person took it out
    program: str  # "" when the program took it out


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of both texts."""

    body: str  # with the person's side where they conflict
    conflicts: tuple[Conflict, ...] = ()
    program: str = ""  # the same body, with the program's side where they conflict


def merge(base: str, theirs: str, ours: str) -> Merged:
    """Merge a person's text with the program's new one.

    `base` is what the program wrote before, `theirs` the page as it is now, with a person's edits,
    `ours` the program's new text. A person's order of sections goes before the program's.
    Footnotes are the same where they quote the same, whatever their labels: renumbering them is
    no change, and no reference comes to point at other evidence.
    """
    if theirs.strip() == base.strip():
        return Merged(ours, (), ours)
    if ours.strip() in (base.strip(), theirs.strip()):
        return Merged(theirs, (), theirs)
    base_labels, their_labels = new_labels(base, theirs, ours)
    base_text, base_notes = parted(relabelled(base, base_labels))
    their_text, their_notes = parted(relabelled(theirs, their_labels))
    our_text, our_notes = parted(ours)
    sides = _merged(base_text, their_text, our_text)
    bodies = (
        joined(text, merged_notes(text, base_notes, their_notes, our_notes))
        for text in (written(sides.person), written(sides.program))
    )
    return Merged(next(bodies), tuple(sides.conflicts), next(bodies))


@dataclass(frozen=True, slots=True)
class _Sides:
    """A merged text as two, which differ only in conflicts."""

    person: list[Unit] = field(default_factory=list)
    program: list[Unit] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)

    def both(self, units: Iterable[Unit]) -> None:
        """Add what both sides hold."""
        for unit in units:
            self.person.append(unit)
            self.program.append(unit)

    def conflict(
        self, heading: str, base: Sequence[Unit], person: Sequence[Unit], program: Sequence[Unit]
    ) -> None:
        """Add to each side what it holds alone."""
        self.person.extend(person)
        self.program.extend(program)
        self.conflicts.append(Conflict(heading, written(base), written(person), written(program)))


def _merged(base: str, theirs: str, ours: str) -> _Sides:
    bases = sections(base, 0)
    before: dict[Id, Section] = dict(enumerate(bases))
    person = _identified(bases, sections(theirs, 1))
    program = _identified(bases, sections(ours, 2))
    sides = _Sides()
    for id_ in _ordered(person, program):
        _merge_section(sides, before.get(id_), person.get(id_), program.get(id_))
    return sides


def _identified(bases: Sequence[Section], side: Sequence[Section]) -> dict[Id, Section]:
    """The sections of one side by their id, in their order."""
    same = same_sections(bases, side)
    return {same.get(place, section.path): section for place, section in enumerate(side)}


def _ordered(person: dict[Id, Section], program: dict[Id, Section]) -> list[Id]:
    """All sections of both sides: in the program's order, unless the person has changed theirs.

    A section of one side alone follows what it followed there, and all that lies under that.
    """
    stayed = [id_ for id_ in person if isinstance(id_, int)]
    first, second = (program, person) if stayed == sorted(stayed) else (person, program)
    ordered = list(first)
    previous: Id = 0
    for id_, section in second.items():
        if id_ not in first:
            place = ordered.index(previous) + 1
            while place < len(ordered) and _level(ordered[place], first, second) > section.level:
                place += 1
            ordered.insert(place, id_)
        previous = id_
    return ordered


def _level(id_: Id, first: dict[Id, Section], second: dict[Id, Section]) -> int:
    return (first.get(id_) or second[id_]).level


def _merge_section(
    sides: _Sides, base: Section | None, person: Section | None, program: Section | None
) -> None:
    """Add one section, as far as it is still there on a side that has changed it."""
    if base is None:
        _merge_added(sides, person, program)
    elif person and program:
        _merge_kept(sides, base, person, program)
    elif person and person.key != base.key:
        sides.conflict(person.title, base.all, person.all, ())
    elif program and program.words != base.words:
        sides.conflict(program.title, base.all, (), program.all)


def _merge_added(sides: _Sides, person: Section | None, program: Section | None) -> None:
    """A section that is new: of one side, or of both under the same heading."""
    first = person or program
    if first is None:
        return
    if first.heading:
        sides.both([first.heading])
    ours = program.units if program else ()
    sides.both(_union(ours, person.units if person else ()))


def _merge_kept(sides: _Sides, base: Section, person: Section, program: Section) -> None:
    """A section that both sides still have, unit by unit."""
    title = person.title
    if person.key == base.key:
        sides.both(program.all)
        return
    if base.heading:
        _merge_unit(sides, title, base.heading, person.heading, program.heading)
    theirs, ours = aligned(base.units, person.units), aligned(base.units, program.units)
    for place, unit in enumerate(base.units):
        sides.both(_union(ours.added[place], theirs.added[place]))
        _merge_unit(sides, title, unit, theirs.became[place], ours.became[place])
    sides.both(_union(ours.added[-1], theirs.added[-1]))


def _merge_unit(
    sides: _Sides, title: str, base: Unit, person: Unit | None, program: Unit | None
) -> None:
    theirs = person.words if person else None
    ours = program.words if program else None
    if person and person.key == base.key:
        sides.both([program] if program else [])
    elif ours in (base.words, theirs):  # links that the program has made or left are no change
        sides.both([person] if person else [])
    else:
        sides.conflict(title, [base], *([unit] if unit else [] for unit in (person, program)))


def _union(ours: Sequence[Unit], theirs: Sequence[Unit]) -> list[Unit]:
    """What both sides have added at one place, one after the other.

    What is the same but for links comes once, as the person has it.
    """
    person = {unit.words: unit for unit in theirs}
    known = {unit.words for unit in ours}
    both = [person.get(unit.words, unit) for unit in ours]
    return [*both, *(unit for unit in theirs if unit.words not in known)]
