"""Secrets and personal data are taken out of a source before anything else sees its text.

What is masked is replaced by a mark of its kind; the mark says nothing of what stood there, not
even how long it was. Originals under raw/ stay as they are.
"""

from __future__ import annotations

import mimetypes
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from citewiki.config import PrivacyConfig
from citewiki.model import Place, Problem, Section, Source
from citewiki.sources.finding import NAMES, Finding, Kind, disjoint
from citewiki.sources.personal import find_personal
from citewiki.sources.secrets import find_secrets
from citewiki.text.slugs import slugify

Finder = Callable[[str], Iterable[Finding]]

MARKS = {kind: f"[{name} masked]" for kind, name in NAMES.items()}
"""What stands where something was."""

SURE = 0.9
"""Confidence from which a finding is called sure: it has check digits or its maker's mark."""

_NO_ENDINGS = (None, "application/x-msdos-program", "application/vnd.lotus-organizer")
"""Types of names whose last part is rather a domain's (".com", ".org", ".vn") than a file's."""

PLACES = 5
"""Places that are named for each kind of finding."""

MARK = re.compile("|".join(map(re.escape, MARKS.values())))


def rules(settings: PrivacyConfig) -> Finder:
    """What finds secrets and personal data with no help: forms, check digits, cue words."""

    def find(text: str) -> Iterator[Finding]:
        yield from find_secrets(text)
        yield from find_personal(text, settings.phone_regions)

    return find


def findings(text: str, settings: PrivacyConfig, finders: Iterable[Finder]) -> list[Finding]:
    """What is private in a text by any of the finders, in order and disjoint.

    Values that the settings name as public are left out.
    """
    public = {value.casefold() for value in settings.public}
    found = (item for find in finders for item in find(text))
    return disjoint(item for item in found if text[item.start : item.end].casefold() not in public)


def masked_text(text: str, found: Iterable[Finding]) -> str:
    """The text with marks where the findings stood."""
    parts: list[str] = []
    at = 0
    for item in found:
        parts += (text[at : item.start], MARKS[item.kind])
        at = item.end
    return "".join((*parts, text[at:]))


def masked_path(path: str, settings: PrivacyConfig) -> str:
    """The path of a file (folders/name) without what has to be masked, under names as disks take.

    A file keeps its ending: "e-mail-address-masked.eml" of "bob@acme.com.eml".
    """
    folders, slash, name = path.rpartition("/")
    hidden = "/".join(masked_name(folder, settings) for folder in folders.split("/"))
    stem, dot, ending = name.rpartition(".")
    if mimetypes.guess_type(name)[0] in _NO_ENDINGS:  # "bob@acme.com", and not "notes@home.md"
        stem, dot, ending = name, "", ""
    return f"{hidden}{slash}{masked_name(stem, settings)}{dot}{ending}"


def masked_name(name: str, settings: PrivacyConfig) -> str:
    """A name without what has to be masked; words stand in its place."""
    parts: list[str] = []
    at = 0
    for item in findings(name, settings, [rules(settings)]) if settings.mask else ():
        if item.kind in settings.mask:
            parts += (name[at : item.start], slugify(MARKS[item.kind]))
            at = item.end
    return "".join((*parts, name[at:]))


def masked(
    source: Source, settings: PrivacyConfig, finders: Iterable[Finder] | None = None
) -> Source:
    """The source without what has to be masked; its problems say what was found, and where.

    `finders` are the rules when not given. What the settings keep is told too, unless they keep
    everything: then nothing is looked for.
    """
    if finders is None and not settings.mask:
        return source
    finders = (rules(settings),) if finders is None else tuple(finders)
    private = _Private(settings, finders)
    taken: set[str] = set()
    sections = tuple(_section(section, private, taken) for section in source.sections)
    clean = replace(
        source,
        title=private.hidden(source.title, "its title"),
        author=private.hidden(source.author, "its author"),
        summary=private.hidden(source.summary, "its summary"),
        url=private.hidden(source.url, "its address"),
        tags=tuple(private.hidden(tag, "its tags") for tag in source.tags),
        aliases=tuple(private.hidden(alias, "its aliases") for alias in source.aliases),
        sections=sections,
    )
    return replace(clean, problems=(*source.problems, *private.problems()))


class _Private:
    """Takes private things out of one source's texts, and notes what was found where."""

    def __init__(self, settings: PrivacyConfig, finders: Iterable[Finder]) -> None:
        self._settings, self._finders = settings, tuple(finders)
        self._places: dict[Kind, Counter[str]] = {}
        self._surest: dict[Kind, float] = {}

    def found(self, text: str, where: str = "") -> list[Finding]:
        """What is to be masked in a text; with `where`, all that is found is noted."""
        found = findings(text, self._settings, self._finders) if text else []
        for item in found if where else ():
            self._places.setdefault(item.kind, Counter())[where] += 1
            self._surest[item.kind] = max(item.confidence, self._surest.get(item.kind, 0.0))
        return [item for item in found if item.kind in self._settings.mask]

    def hidden(self, text: str, where: str = "") -> str:
        """The text without it."""
        return masked_text(text, self.found(text, where))

    def problems(self) -> list[Problem]:
        """A line for each kind, with the places where most of it stands."""
        lines = []
        for kind, places in self._places.items():
            count = places.total()
            what = NAMES[kind] if count == 1 else f"{count} × {NAMES[kind]}"
            sure = "sure" if self._surest[kind] >= SURE else "likely"
            done = "masked" if kind in self._settings.mask else "kept"
            where = ", ".join(place for place, _ in places.most_common(PLACES))
            if len(places) > PLACES:
                where += f" and {len(places) - PLACES} more places"
            lines.append(Problem("", f"{done}: {what} ({sure}), {where}", 0, "warning", "private"))
        return lines


def _section(section: Section, private: _Private, taken: set[str]) -> Section:
    """The section without it; where its id told the heading, it gets another one."""
    title = private.hidden(section.title)
    locator = private.hidden(section.locator)
    where = locator or "its beginning"
    private.found(section.title, where)
    found = private.found(section.text, where)
    parents = tuple(private.hidden(parent) for parent in section.parents)
    told = title != section.title or parents != section.parents
    id = slugify(title, taken) if told else section.id
    taken.add(id)
    places = (
        Place(_moved(place.offset, found), private.hidden(place.label)) for place in section.places
    )
    return replace(
        section,
        id=id,
        title=title,
        locator=locator,
        text=masked_text(section.text, found),
        parents=parents,
        places=tuple(places),
    )


def _moved(offset: int, found: Iterable[Finding]) -> int:
    """Where what stood at `offset` stands once the findings before it are marks."""
    moved = offset
    for item in found:
        if item.end <= offset:
            moved += len(MARKS[item.kind]) - (item.end - item.start)
        elif item.start < offset:
            moved -= offset - item.start
    return moved
