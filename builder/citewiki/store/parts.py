"""A body as sections of units: what a merge compares, takes over, leaves out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from citewiki.markdown.blocks import blocks
from citewiki.markdown.regions import regions
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import replace
from citewiki.text.folding import name_key

_AFTER_BLANK = re.compile(r"\n[ \t]*\n(?=[ \t]*\S)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A paragraph, list item, table row, code block or heading, as written."""

    text: str  # with its marks and indent, without the line end
    gap: str  # the line ends after it
    kind: str  # of `markdown.blocks.Block`; "" for what shows no text
    place: tuple[int, int]  # of which body (any number), and the how-manieth unit there
    key: str  # by what two units are the same: the lines without white space at their ends
    words: str  # the key with wikilinks as their words: a link alone is no new text


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with what stands under it up to the next one."""

    heading: Unit | None  # None: what stands before the first heading
    units: tuple[Unit, ...]
    title: str = ""  # the heading as plain text
    level: int = 0  # 1..6
    path: tuple[str, ...] = ()  # name keys of the headings above, its own, and which of equal ones

    @property
    def all(self) -> tuple[Unit, ...]:
        """The heading and the units."""
        return (self.heading, *self.units) if self.heading else self.units

    @property
    def key(self) -> tuple[str, ...]:
        """By what two sections are the same."""
        return tuple(unit.key for unit in self.all)

    @property
    def words(self) -> tuple[str, ...]:
        """By what two sections are the same but for links."""
        return tuple(unit.words for unit in self.all)


def sections(text: str, origin: int) -> list[Section]:
    """The sections of a body without footnote definitions; the first has no heading."""
    found: list[Section] = []
    seen: Counter[tuple[str, ...]] = Counter()
    above: list[tuple[int, str]] = []
    titles = {_line(text, heading.start): heading for heading in headings(text)}
    heading: Unit | None = None
    title, level = "", 0
    path: tuple[str, ...] = ("",)
    under: list[Unit] = []
    for start, unit in _units(text, origin):
        opened = titles.get(start)
        if opened is None:
            under.append(unit)
            continue
        found.append(Section(heading, tuple(under), title, level, path))
        heading, title, level, under = unit, opened.text, opened.level, []
        while above and above[-1][0] >= level:
            above.pop()
        above.append((level, name_key(title)))
        names = tuple(name for _, name in above)
        seen[names] += 1
        path = (*names, str(seen[names]))
    found.append(Section(heading, tuple(under), title, level, path))
    return found


def written(units: Iterable[Unit]) -> str:
    """Units as text again: as they stood where they stood together, else apart as their kind is."""
    pieces: list[str] = []
    before: Unit | None = None
    for unit in units:
        if before:
            pieces.append(_between(before, unit))
        pieces.append(unit.text)
        before = unit
    return "".join(pieces)


def _between(before: Unit, after: Unit) -> str:
    (origin, place), (other, following) = before.place, after.place
    if origin == other and following == place + 1 and before.gap:
        return before.gap
    if before.kind == after.kind == "row" and "\n" not in after.text:  # which only a header has
        return "\n"  # a blank line would end the table
    if before.kind == after.kind == "item":
        return before.gap or "\n"
    return "\n\n"


def _line(text: str, position: int) -> int:
    """Where the line begins that `position` is on."""
    return text.rfind("\n", 0, position) + 1


def _units(text: str, origin: int) -> Iterator[tuple[int, Unit]]:
    """The units of a text, each with its start.

    They begin where blocks begin, and after blank lines outside of code and comments.
    """
    found = blocks(text)
    kinds: dict[int, str] = {}
    for block in found:
        kinds.setdefault(_line(text, block.start), block.kind)
    hidden = [region for region in regions(text) if "\n" in text[region.start : region.end]]
    spans = [(block.start, block.end) for block in found if block.kind == "code"]
    spans += [(region.start, region.end) for region in hidden]
    spans.sort()
    starts = {0, *kinds}
    span = 0
    for blank in _AFTER_BLANK.finditer(text):
        while span < len(spans) and spans[span][1] <= blank.end():
            span += 1
        if span == len(spans) or spans[span][0] >= blank.end():
            starts.add(blank.end())
    ordered = sorted(starts)
    count = 0
    for start, end in zip(ordered, (*ordered[1:], len(text)), strict=True):
        bare = text[start:end].rstrip()
        if not bare:
            continue
        gap = "\n" * text.count("\n", start + len(bare), end)
        key = "\n".join(line.rstrip() for line in bare.split("\n")).strip("\n")
        words = replace(key, lambda link: link.shown)
        yield start, Unit(bare, gap, kinds.get(start, ""), (origin, count), key, words)
        count += 1
