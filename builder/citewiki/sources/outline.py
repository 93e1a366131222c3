"""Markdown to sections, cut where the writer's own outline cuts it.

The headings make a tree: a heading's parent is the nearest one above it of a higher rank. The
sections are the top of that tree. So a document with one title heading is cut at the level below
it, one with several H1s at those, and one that starts at H3 and rises to H2 at both.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from citewiki.markdown.structure import Heading, headings
from citewiki.model import Place, Section
from citewiki.sources.filler import filler
from citewiki.sources.words import WHOLE_WORDS, count_words, parts
from citewiki.text.folding import name_key
from citewiki.text.slugs import slugify

LONG_WORDS = 6_000
"""A section beyond this is cut at its inner headings, or into parts where it has none."""

START = "start"
"""Id of the text before the first heading, and of a document that is one section."""

ONLY_HOLDS = "it only holds its sub-sections"
"""Reason of a heading under which nothing stands but other headings."""

_RULES_ABOVE = re.compile(r"(?:\s*^(?:-{3,}|\*{3,}|_{3,})[ \t]*$)+", re.M)
_RULE_BELOW = re.compile(r"\n[ \t]*\n(?:-{3,}|\*{3,}|_{3,})\s*\Z")
_LONGEST_RULE = 200  # characters, with the blank lines around it
_PARENT_IN_ID = 16  # characters: ids are cut at 80, and the section's own title should survive


@dataclass(frozen=True, slots=True)
class Outline:
    """A document's own title heading and its sections."""

    heading: str  # the text of its only H1, when that is its first heading; else ""
    sections: tuple[Section, ...]  # never empty


@dataclass(frozen=True, slots=True)
class _Span:
    """A stretch of the body that becomes one section."""

    title: str
    start: int  # after the heading's line
    end: int
    parents: tuple[str, ...] = ()


def outline(body: str, title: str = "") -> Outline:
    """The sections of a Markdown body; `title` names the parts of a document without headings."""
    found = headings(body)
    main = _title_heading(found)
    start = main.end if main else 0
    before = body[slice(*_without_rules(body, 0, main.start))].strip() if main else ""
    inner = found[1:] if main else found
    title = title or (main.text if main else "")
    spans = _spans(body, start, len(body), inner)
    below = _Headings(inner)
    if _stays_whole(body, spans, inner):
        whole = _section(body, _Span("", start, len(body)), below, before)
        cut = in_parts(whole, title, WHOLE_WORDS)
    else:
        cut = [_section(body, span, below, before if span.start == start else "") for span in spans]
        first = replace(cut[0], locator="beginning") if not cut[0].title else cut[0]
        # Nothing before the first heading is no section; under a heading it is one without text.
        cut = [first, *cut[1:]] if first.text or first.title else cut[1:]
    return Outline(main.text if main else "", finished(cut, title))


def finished(sections: Iterable[Section], title: str) -> tuple[Section, ...]:
    """Sections cut to length, told apart from filler, and with ids; `title` is the document's.

    One that is too long is cut at its inner headings, and into parts where it has none.
    """
    inner = [part for section in sections for part in _at_headings(section)]
    cut = [part for section in inner for part in in_parts(section, title, LONG_WORDS)]
    cut = cut or [Section("", "", "")]
    numbered = zip(cut, _ids(cut), [*cut[1:], None], strict=True)
    return tuple(_judged(replace(section, id=id), following) for section, id, following in numbered)


def _at_headings(section: Section) -> list[Section]:
    """The section, or if it is too long what its next headings cut it into."""
    text = section.text
    if len(text) <= 2 * LONG_WORDS or count_words(text) <= LONG_WORDS:
        return [section]
    inner = headings(text)
    if section.status != "pending" or not inner:
        return [section]
    above = (*section.parents, section.title) if section.title else section.parents
    own, *below = _spans(text, 0, len(text), inner, above)
    cut = [_piece(section, own.start, own.end)]
    for span in below:
        path = (section.locator, *span.parents[len(above) :], span.title)
        piece = replace(
            _piece(section, span.start, span.end),
            id="",
            title=span.title,
            locator=" › ".join(filter(None, path)),
            level=section.level + len(span.parents) - len(section.parents),
            parents=span.parents,
        )
        cut.append(piece)
    return cut if cut[0].text or section.title else cut[1:]


def _piece(section: Section, start: int, end: int) -> Section:
    text, places = trimmed(section.text, start, end, section.places)
    return replace(section, text=text, places=places)


def _ids(sections: Iterable[Section]) -> Iterator[str]:
    """Ids from the heading paths: the title, after the beginnings of the two titles above it."""
    taken: set[str] = set()
    uses: Counter[str] = Counter()
    for section in sections:
        above = [slugify(parent)[:_PARENT_IN_ID] for parent in section.parents[-2:] if parent]
        base = slugify(section.id or " ".join([*above, section.title]).strip() or START)
        uses[base] += 1
        id = base if uses[base] == 1 else f"{base} {uses[base]}"
        id = slugify(id, taken)
        taken.add(id)
        yield id


def _judged(section: Section, following: Section | None) -> Section:
    """The section, no longer pending if it is filler."""
    if section.status != "pending":
        return section
    if not section.text and following and following.level > section.level:
        return replace(section, status="skipped", reason=ONLY_HOLDS)
    found = filler(section.title, section.text)
    return replace(section, status=found[0], reason=found[1]) if found else section


def in_parts(section: Section, title: str, limit: int) -> list[Section]:
    """The section, or if it has over `limit` words its parts: "Title", "Title (part 2)", …"""
    if len(section.text) <= 2 * limit:  # a word and what parts it from the next are two characters
        return [section]
    if section.status != "pending" or count_words(section.text) <= limit:
        return [section]
    spans = parts(section.text)
    cut = []
    for number, (start, end) in enumerate(spans, start=1):
        text, places = trimmed(section.text, start, end, section.places)
        part = f"part {number} of {len(spans)}"
        cut.append(
            replace(
                section,
                title=section.title if number == 1 else f"{section.title or title} (part {number})",
                locator=f"{section.locator}, {part}" if section.locator else part,
                text=text,
                places=places,
            )
        )
    return cut


def trimmed(
    text: str, start: int, end: int, places: Sequence[Place]
) -> tuple[str, tuple[Place, ...]]:
    """`text[start:end]` without outer blank lines, and the places in it, counted from its start.

    The place in force at the start comes first, at offset 0.
    """
    while start < end and text[start] == "\n":
        start += 1
    cut = text[start:end].rstrip()
    inside = [p for p in places if start < p.offset < start + len(cut)]
    ruling = [p for p in places if p.offset <= start][-1:]
    return cut, (
        *(Place(0, place.label) for place in ruling),
        *(Place(place.offset - start, place.label) for place in inside),
    )


def _title_heading(found: Sequence[Heading]) -> Heading | None:
    """The only H1, when nothing but text stands above it."""
    if found and found[0].level == 1 and all(heading.level > 1 for heading in found[1:]):
        return found[0]
    return None


def _tops(found: Sequence[Heading]) -> Iterator[int]:
    """Positions of the headings that have none of a higher rank above them."""
    highest = 7
    for position, heading in enumerate(found):
        if heading.level <= highest:
            highest = heading.level
            yield position


def _spans(
    body: str, start: int, end: int, inner: Sequence[Heading], parents: tuple[str, ...] = ()
) -> list[_Span]:
    """What lies between `start` and `end`: the text before the first top heading, then each top."""
    tops = list(_tops(inner))
    spans = [_Span("", start, inner[tops[0]].start if tops else end, parents)]
    for position, following in pairwise([*tops, len(inner)]):
        heading = inner[position]
        stop = inner[following].start if following < len(inner) else end
        below = inner[position + 1 : following]
        if below and count_words(body[heading.end : stop]) > LONG_WORDS:
            own, *rest = _spans(body, heading.end, stop, below, (*parents, heading.text))
            spans += [replace(own, title=heading.text, parents=parents), *rest]
        else:
            spans.append(_Span(heading.text, heading.end, stop, parents))
    return spans


def _stays_whole(body: str, spans: Sequence[_Span], inner: Sequence[Heading]) -> bool:
    """No headings at all, or a lone minor one in a document that is not long."""
    tops = list(_tops(inner))
    if not tops:
        return True
    words = sum(count_words(body[span.start : span.end]) for span in spans)
    return len(tops) == 1 and inner[tops[0]].level >= 3 and words <= LONG_WORDS


class _Headings:
    """The headings of a body, to be found by where they stand."""

    def __init__(self, found: Sequence[Heading]) -> None:
        self.places = [Place(heading.start, f"§ {heading.text}") for heading in found]
        self.starts = [heading.start for heading in found]

    def within(self, span: _Span) -> list[Place]:
        first, last = bisect_left(self.starts, span.start), bisect_left(self.starts, span.end)
        return [place for place in self.places[first:last] if place.label != "§ "]


def _section(body: str, span: _Span, below: _Headings, before: str) -> Section:
    labels = below.within(span)
    start, end = _without_rules(body, span.start, span.end)
    text, places = trimmed(body, start, end, labels)
    if before:
        shift = len(before) + 2
        text = f"{before}\n\n{text}".rstrip()
        places = tuple(Place(place.offset + shift, place.label) for place in places)
    path = " › ".join(filter(None, (*span.parents, span.title)))
    return Section(
        id="",
        title=span.title,
        locator=f"§ {path}" if path else "",
        text=text,
        level=len(span.parents) + 1,
        places=places,
        parents=span.parents,
    )


def _without_rules(body: str, start: int, end: int) -> tuple[int, int]:
    """The stretch without the rules (`---`) that part it from what is above and below."""
    if above := _RULES_ABOVE.match(body, start, end):
        start = above.end()
    while below := _RULE_BELOW.search(body, max(start, end - _LONGEST_RULE), end):
        end = below.start()
    return start, end


def same_title(one: str, other: str) -> bool:
    """Whether two titles are the same name."""
    return name_key(one) == name_key(other)
