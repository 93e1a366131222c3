"""/sources/: every source that pages rest on, its sections, and the pages they became.

Only what the viewer's pages tell of: a source on which no visible page rests is not there, nor is
a section whose pages are all hidden, nor the number of those. Many sources stand on several pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from citewiki.model import Page
from citewiki.site.anchors import Anchor, anchor, day, to
from citewiki.site.evidence import Original
from citewiki.site.model import SiteModel
from citewiki.site.urls import ROOT, SOURCES, part_url, relative, up

PER_PAGE = 600  # rows, a source and each of its sections one: some 100 kB of HTML
OPEN = 12  # sections of a source that are shown open; the rest unfolds


@dataclass(frozen=True, slots=True)
class Row:
    """One section, and the pages that it became."""

    title: str
    pages: tuple[Anchor, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    """One source."""

    title: str
    id: str  # of its element on the page
    kind: str  # "PDF"; "" not known
    taken: str  # "12 May 2026"; "" not known
    taken_iso: str
    origin: Anchor | None  # where it came from, or the original here
    sections: tuple[Row, ...]
    more: tuple[Row, ...]
    others: tuple[Anchor, ...]  # pages that rest on it and were not made from one of its sections


@dataclass(frozen=True, slots=True)
class SourcesView:
    """One page of /sources/."""

    title: str
    url: str
    base: str
    total: int  # sources of the whole list
    sources: tuple[Listed, ...]
    newer: Anchor | None = None
    older: Anchor | None = None
    has_graph: bool = False


class Shelf:
    """The sources on which the pages of one site rest."""

    def __init__(self, model: SiteModel, per_page: int = PER_PAGE) -> None:
        self._model = model
        self.pages: dict[str, list[Page]] = defaultdict(list)  # by the source's path
        found: dict[str, Original] = {}
        for page in model.pages.values():
            for original in dict.fromkeys(model.files.originals_of(page).values()):
                found[original.path] = original
                self.pages[original.path].append(page)
        self.originals = sorted(found.values(), key=lambda each: (_key(each), each.path))
        self._parts = list(_cut(self.originals, per_page))
        self.urls = {  # of each source's entry, by its path: (address, id)
            original.path: (part_url(SOURCES, number), element_id(original))
            for number, part in enumerate(self._parts)
            for original in part
        }

    def views(self) -> list[SourcesView]:
        """Every page of the list; none when no page rests on a known source."""
        last = len(self._parts) - 1
        return [
            SourcesView(
                title="Sources" if not number else f"Sources, part {number + 1}",
                url=(url := part_url(SOURCES, number)),
                base=up(url),
                total=len(self.originals),
                sources=tuple(self._listed(original, url) for original in part),
                newer=self._way(number - 1, url) if number else None,
                older=self._way(number + 1, url) if number < last else None,
            )
            for number, part in enumerate(self._parts)
        ]

    def entry(self, original: Original, at: str) -> str:
        """The way from the page at `at` to where `original` is listed; "" when it is not."""
        place = self.urls.get(original.path)
        return to(place[0], at, place[1]) if place else ""

    def _way(self, number: int, at: str) -> Anchor:
        first, last = self._parts[number][0], self._parts[number][-1]
        words = " – ".join(dict.fromkeys((_short(name_of(first)), _short(name_of(last)))))
        return Anchor(words, to(part_url(SOURCES, number), at))

    def _listed(self, original: Original, at: str) -> Listed:
        resting = {page.slug: page for page in self.pages[original.path]}
        rows = tuple(self._rows(original, resting, at))
        made = {slug for part in original.sections for slug in part.pages}
        taken = original.taken
        if taken and taken > self._model.now:  # a snapshot shows what was there before
            taken = None
        return Listed(
            title=name_of(original),
            id=element_id(original),
            kind=original.kind,
            taken=day(taken),
            taken_iso=taken.isoformat() if taken else "",
            origin=self._origin(original, at),
            sections=rows[:OPEN],
            more=rows[OPEN:],
            others=self._anchors((p for s, p in resting.items() if s not in made), at),
        )

    def _rows(self, original: Original, resting: dict[str, Page], at: str) -> Iterator[Row]:
        for part in original.sections:
            pages = [resting[slug] for slug in part.pages if slug in resting]
            if pages:
                yield Row(part.title or part.locator, self._anchors(pages, at))

    def _anchors(self, pages: Iterable[Page], at: str) -> tuple[Anchor, ...]:
        return tuple(anchor(self._model, page, at) for page in pages)

    def _origin(self, original: Original, at: str) -> Anchor | None:
        if self._model.config.site.publish_raw:
            return Anchor("original", relative(f"{ROOT}{quote(original.path)}", at))
        if original.url:
            return Anchor(urlsplit(original.url).hostname or "origin", original.url)
        return None


def name_of(original: Original) -> str:
    """What a source is called: its title, else the name of its file."""
    return original.title or original.path.rpartition("/")[2]


def element_id(original: Original) -> str:
    """The id of a source's entry on its page."""
    return f"source:{'-'.join((original.id or original.path).split())}"


def _key(original: Original) -> str:
    return name_of(original).casefold()


def _short(title: str) -> str:
    return title if len(title) <= 30 else f"{title[:29].rstrip()}…"


def _cut(originals: Sequence[Original], size: int) -> Iterator[list[Original]]:
    """`originals` in parts of at most about `size` rows, at least one source each."""
    part: list[Original] = []
    rows = 0
    for original in originals:
        count = 1 + len(original.sections)
        if part and rows + count > size:
            yield part
            part, rows = [], 0
        part.append(original)
        rows += count
    if part:
        yield part
