"""A page without what one source says on it: its claims, footnotes, links to pages of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from itertools import takewhile

from citewiki.markdown.footnotes import Footnote, footnotes, references
from citewiki.markdown.notes import joined, parted, without
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import sentences
from citewiki.markdown.wikilinks import Wikilink, replace, wikilinks
from citewiki.model import Page, SourceRecord
from citewiki.store.labels import stem
from citewiki.store.parts import Section, Unit, sections, written

_NAVIGATION = re.compile(r"(?:Part of|Previous:|Next:) (\[\[[^\[\]\n]+\]\])\.?[ \t]*")


@dataclass(frozen=True, slots=True)
class Cut:
    """A body without one source's part."""

    body: str
    claims: tuple[str, ...] = ()  # what was taken out, plain, one a sentence or block
    footnotes: int = 0  # definitions that were taken out
    kept: tuple[str, ...] = ()  # a person's text, which has lost its evidence


@dataclass(frozen=True, slots=True)
class Origin:
    """By what a source is known on a page."""

    id: str
    paths: frozenset[str]  # of all its versions
    others: frozenset[str] = frozenset()  # paths of other sources

    @classmethod
    def of(cls, record: SourceRecord, records: Iterable[SourceRecord] = ()) -> Origin:
        """That of a source in the manifest, whose `records` are given."""
        others = (path for each in records if each.id != record.id for path in _paths(each))
        return cls(record.id, frozenset(_paths(record)), frozenset(others))

    def holds(self, note: Footnote) -> bool:
        """Whether a footnote points at the source: by its path, or else by its label."""
        if note.resource in self.paths or note.resource in self.others:
            return note.resource in self.paths
        return stem(note.label) == self.id != note.label

    def on(self, page: Page) -> bool:
        """Whether a page names the source, or cites it."""
        named = any(ref.id == self.id or ref.resource in self.paths for ref in page.sources)
        return named or any(map(self.holds, footnotes(page.body).values()))

    def alone_on(self, page: Page) -> bool:
        """Whether a page names and cites nothing else."""
        others = any(ref.id != self.id and ref.resource not in self.paths for ref in page.sources)
        return not others and all(
            self.holds(note) for note in footnotes(page.body).values() if note.resource
        )


def _paths(record: SourceRecord) -> tuple[str, ...]:
    return (record.path, *(version.path for version in record.versions))


def cut(body: str, origin: Origin, own: Collection[str] = ()) -> Cut:
    """`body` without the source's claims and footnotes.

    A statement goes when all that it cites is the source; one that cites others too only loses
    the mark. What cites nothing belongs to what stands before it in its section, a sentence or
    list item to what follows it. `own` holds the keys of units that a person wrote (see
    `store.parts`): these stay, without the marks. A heading goes with the last thing under it.
    """
    labels = {label for label, note in footnotes(body).items() if origin.holds(note)}
    if not labels:
        return Cut(body)
    text, definitions = parted(body)
    found = sections(text, 0)
    parts = [
        _part(section, labels, own, _goes_whole(found[place:], labels))
        for place, section in enumerate(found)
    ]
    left: list[Unit] = []
    for place, part in enumerate(parts):
        if part.heading and (part.heading.key in own or not _emptied(parts[place:])):
            left.append(part.heading)
        left += part.units
    rest = [note for label, note in definitions.items() if label not in labels]
    return Cut(
        joined(written(left), rest),
        tuple(claim for part in parts for claim in part.claims),
        len(labels),
        tuple(text for part in parts for text in part.kept),
    )


def unlinked(body: str, gone: Callable[[Wikilink], bool]) -> str:
    """`body` without links to pages that are gone: their words stay, navigation goes."""

    def navigation(match: re.Match[str]) -> str:
        links = wikilinks(match[1])
        return "" if links and gone(links[0]) else match[0]

    text = _NAVIGATION.sub(navigation, body) if "[[" in body else body
    return replace(text, lambda link: link.shown if gone(link) else text[link.start : link.end])


@dataclass(frozen=True, slots=True)
class _Part:
    """What is left of a section, and what went."""

    heading: Unit | None
    level: int
    units: tuple[Unit, ...]
    claims: tuple[str, ...]
    kept: tuple[str, ...]


def _emptied(parts: Sequence[_Part]) -> bool:
    """Whether all that stood under the first of these headings has gone."""
    level = parts[0].level
    under = [parts[0], *takewhile(lambda part: part.level > level, parts[1:])]
    left = any(not _is_navigation(unit) for part in under for unit in part.units)
    return any(part.claims for part in under) and not left


def _goes_whole(found: Sequence[Section], labels: Collection[str]) -> bool:
    """Whether all that is cited in the first of these sections, and under it, are `labels`."""
    level = found[0].level
    under = [found[0], *takewhile(lambda section: section.level > level, found[1:])]
    cited = {each for part in under for unit in part.units for each in references(unit.text)}
    return bool(cited) and cited <= {*labels}


def _is_navigation(unit: Unit) -> bool:
    return bool(re.fullmatch(f"(?:{_NAVIGATION.pattern})+", unit.text.strip()))


def _part(section: Section, labels: Collection[str], own: Collection[str], whole: bool) -> _Part:
    units: list[Unit] = []
    claims: list[str] = []
    kept: list[str] = []
    for unit, goes in zip(section.units, _fates(section.units, labels, own, whole), strict=True):
        bare = replace_fields(unit, text=without(unit.text, labels))
        if goes and unit.key in own:
            kept.append(_one_line(bare.text))
            units.append(bare)
        elif goes:
            claims.append(_one_line(bare.text))
        elif bare.text == unit.text or unit.kind == "row":
            units.append(bare)
        else:
            text, lost = _trimmed(unit.text, labels)
            claims += lost
            units.append(replace_fields(unit, text=text))
    return _Part(section.heading, section.level, tuple(units), tuple(claims), tuple(kept))


def _fates(
    units: Sequence[Unit], labels: Collection[str], own: Collection[str], whole: bool
) -> list[bool]:
    """For each unit whether it goes; `whole`: so do those of a section that cites nothing."""
    cited = [set(references(unit.text)) for unit in units]
    goes: list[bool | None] = [each <= {*labels} if each else None for each in cited]
    for place, unit in enumerate(units):
        if goes[place] is None and (unit.key in own or _is_navigation(unit)):
            goes[place] = False
    for place in reversed(range(len(units) - 1)):
        if goes[place] is None and units[place].kind == units[place + 1].kind == "item":
            goes[place] = goes[place + 1]
    marked = [bool(each) for each, labels_here in zip(goes, cited, strict=True) if labels_here]
    last = marked[0] if marked else whole
    fates: list[bool] = []
    for each, labels_here in zip(goes, cited, strict=True):
        last = bool(each) if labels_here else last
        fates.append(last if each is None else each)
    return fates


def _trimmed(text: str, labels: Collection[str]) -> tuple[str, list[str]]:
    """A paragraph without the sentences that cite nothing else, and these."""
    found = sentences(text)
    starts = [sentence.start for sentence in found]
    pieces = [text[: starts[0]]] if starts else [text]
    lost: list[str] = []
    open_ = ""  # sentences since the last mark: what they cite comes with the next one
    for start, end in zip(starts, (*starts[1:], len(text)), strict=True):
        open_ += text[start:end]
        cited = set(references(open_))
        if not cited:
            continue
        if cited <= {*labels}:
            lost.append(_one_line(without(open_, labels)))
        else:
            pieces.append(without(open_, labels))
        open_ = ""
    return "".join((*pieces, open_)).rstrip(), lost


def _one_line(text: str) -> str:
    return " ".join(plain(text).split())
