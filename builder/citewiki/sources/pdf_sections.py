"""Sections of a PDF: by its bookmarks, each from where its heading stands to the next one.

Where there are no bookmarks, whole pages are put together up to the length of a page of the wiki.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from citewiki.model import Section
from citewiki.sources.outline import START
from citewiki.sources.pdf_layout import Touched, flowing
from citewiki.sources.pdf_outline import Bookmark
from citewiki.sources.pdf_pages import PageText, Row
from citewiki.sources.words import PART_WORDS, WHOLE_WORDS, count_words
from citewiki.text.slugs import slugify

OCR_IT = "OCR first, or install citewiki[ocr]"
"""What to do with what is no text."""

STRANGE_SHARE = 0.2
"""Share of characters without meaning from which a text was not decoded but guessed."""

WITHOUT_VOWEL = 0.3
"""Share of Latin words without a vowel: 0.01 in English (README.md), 0.1 in Welsh; 0.56 in the same
English with every letter shifted by three, as fonts without a map often give it."""

FEWEST_WORDS = 40  # from which that share means something

_LATIN_WORD = re.compile(r"(?<!\w)[A-Za-z]{3,20}(?!\w)")
_VOWEL = re.compile("[aeiouy]", re.I)
_NUMBERING = re.compile(r"^(?:[\divxlc]{1,6}(?:\.\d+)*|[a-z])[.):]?\s+", re.I)
_STRANGE = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
_NO_LETTER = re.compile(r"[\W_]+")
_SAMPLE = 10_000  # characters by which a text is judged
_LONGEST_TITLE = 80  # characters


class Position(NamedTuple):
    """A row: the index of its page in `pages`, and of the row on the page."""

    page: int
    row: int


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a bookmark's heading starts, and where the text under it does."""

    bookmark: Bookmark
    start: Position
    body: Position


def bookmark_sections(pages: Sequence[PageText], bookmarks: Sequence[Bookmark]) -> list[Section]:
    """A section for each bookmark, in the outline's order; first one for the text before them."""
    located = [(_located(pages, mark), _parents(bookmarks, i)) for i, mark in enumerate(bookmarks)]
    order = sorted((found for found, _ in located if found), key=lambda found: found.start)
    end = Position(len(pages), 0)
    stops = {id(one): two.start for one, two in pairwise(order)}
    sections = []
    first = order[0].start if order else end
    if before := _between(pages, Position(0, 0), first):
        text, places = flowing(before)
        sections.append(Section(START, "", pages_label(before), text, places=places))
    last = ""
    for (found, parents), mark in zip(located, bookmarks, strict=True):
        if found is None:
            sections.append(_lost(mark, parents, last))
            continue
        rows = _between(pages, found.body, max(found.body, stops.get(id(found), end)))
        text, places = flowing(rows)
        last = title = found.bookmark.title
        sections.append(
            Section(
                id="",
                title=title,
                locator=_locator(pages, found, rows, title),
                text=text,
                level=mark.level,
                places=places,
                parents=parents,
            )
        )
    return sections


def length_sections(pages: Sequence[PageText], title: str) -> list[Section]:
    """Runs of whole pages of some `PART_WORDS`: the document, "Title (part 2)", …

    A run of pages without text is a section too.
    """
    words = [sum(count_words(row.text) for row in page.rows) for page in pages]
    total = sum(words)
    goal = total if total <= WHOLE_WORDS else total / max(2, round(total / PART_WORDS))
    runs: list[list[PageText]] = []
    done = 0.0
    part = 1
    for page, count in zip(pages, words, strict=True):
        full = bool(page.rows) and done + count / 2 > part * goal
        if not runs or full or bool(runs[-1][-1].rows) != bool(page.rows):
            runs.append([])
        part += full
        done += count
        runs[-1].append(page)
    sections = []
    part = 0
    for run in runs:
        part += bool(run[0].rows)
        sections.append(_run_section(run, f"{title} (part {part})" if part > 1 else ""))
    return sections


def unread_pages(pages: Sequence[PageText]) -> str:
    """What to say of pages without text: "pages 1-3 hold pictures only; OCR them first"."""
    kinds: dict[str, list[PageText]] = {}
    for page in pages:
        kinds.setdefault(page.lack or "blank", []).append(page)
    said = []
    for lack, found in kinds.items():
        one = len(found) == 1
        if lack == "pictures":
            what = f"{'holds' if one else 'hold'} pictures only; {OCR_IT}"
        elif lack == "damaged":
            what = "cannot be read: damaged"
        else:
            what = "is blank" if one else "are blank"
        said.append(f"{named(found)} {what}")
    return "; ".join(said)


def pages_label(pages: Sequence[Touched]) -> str:
    """ "p. 4" or "pp. 3-7"."""
    first, last = pages[0][0].label, pages[-1][0].label
    return f"p. {first}" if first == last else f"pp. {first}-{last}"


def is_gibberish(text: str) -> bool:
    """Whether the text was not decoded but guessed, as fonts may not say which letters they show.

    Then characters without meaning make up `STRANGE_SHARE` of it; or its letters are others than
    the ones shown, and many words have no vowel.
    """
    strange = len(_STRANGE.findall(text))
    if strange > 0 and strange > STRANGE_SHARE * len("".join(text.split())):
        return True
    words = _LATIN_WORD.findall(text[:_SAMPLE])
    if len(words) < FEWEST_WORDS:
        return False
    without = sum(not _VOWEL.search(word) for word in words)
    return without > WITHOUT_VOWEL * len(words)


def named(pages: Sequence[PageText]) -> str:
    """ "page 4" or "pages 1-3, 7"."""
    runs: list[list[PageText]] = []
    for page in pages:
        if runs and runs[-1][-1].index == page.index - 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    names = [r[0].label if len(r) == 1 else f"{r[0].label}-{r[-1].label}" for r in runs]
    return f"{'page' if len(pages) == 1 else 'pages'} {', '.join(names)}"


def _run_section(run: list[PageText], title: str) -> Section:
    touched = [(page, page.rows) for page in run]
    text, places = flowing(touched)
    label = pages_label(touched)
    if not text:
        return Section(slugify(label), "", label, status="no_text", reason=unread_pages(run))
    return Section("", title, label, text, places=places)


def _lost(mark: Bookmark, parents: tuple[str, ...], last: str) -> Section:
    where = f"under “{last}”" if last else "before the first section"
    reason = f"its bookmark leads nowhere; its text, if there is any, stands {where}"
    return Section(
        "", mark.title, "", level=mark.level, status="skipped", reason=reason, parents=parents
    )


def _locator(
    pages: Sequence[PageText],
    found: _Found,
    rows: Sequence[Touched],
    title: str,
) -> str:
    label = pages_label([(pages[found.start.page], ()), *rows])
    return f"{label} › {title}" if title else label


def _parents(bookmarks: Sequence[Bookmark], position: int) -> tuple[str, ...]:
    """Titles of the bookmarks above, outermost first."""
    parents: list[str] = []
    level = bookmarks[position].level
    for mark in reversed(bookmarks[:position]):
        if mark.level < level:
            parents.append(mark.title)
            level = mark.level
        if level == 1:
            break
    return tuple(reversed(parents))


def _between(pages: Sequence[PageText], start: Position, end: Position) -> list[Touched]:
    """The pages from `start` up to `end` with their rows; pages without rows of it only inside."""
    touched: list[Touched] = []
    for index in range(start.page, min(end.page + 1, len(pages))):
        page = pages[index]
        first = start.row if index == start.page else 0
        last = end.row if index == end.page else len(page.rows)
        if page.rows[first:last]:
            touched.append((page, page.rows[first:last]))
    return touched


def _located(pages: Sequence[PageText], mark: Bookmark) -> _Found | None:
    """Where the bookmark's heading stands: by its words, else by the height it names."""
    index = mark.page
    if index is None or index >= len(pages):
        return None
    page = pages[index]
    if not mark.title:  # then the row that it points at names the section
        start = _first_below(page.rows, mark.top)
        if start < len(page.rows) and len(title := page.rows[start].text) <= _LONGEST_TITLE:
            mark = replace(mark, title=title)
    matches = list(_headings(page.rows, mark.title))
    if matches:
        start, after = min(matches, key=lambda match: _distance(page.rows[match[0]], mark.top))
    else:
        start = after = _first_below(page.rows, mark.top)
    return _Found(mark, Position(index, start), Position(index, after))


def _headings(rows: Sequence[Row], title: str) -> Iterator[tuple[int, int]]:
    """(first, one after last) of every run of rows that together say the title.

    The number of the section may be missing from the title, or from the page.
    """
    for first_key in (_key, _unnumbered_key):
        wanted = first_key(title)
        for start in range(len(rows)):
            said = first_key(rows[start].text)
            end = start + 1
            while said != wanted and said and wanted.startswith(said) and end < len(rows):
                said += _key(rows[end].text)
                end += 1
            if said and said == wanted:
                yield start, end


@lru_cache(maxsize=1_000)  # the rows of a page are compared with all its bookmarks
def _key(text: str) -> str:
    """The letters and digits of a text, by which headings are compared."""
    return _NO_LETTER.sub("", text.casefold())


def _unnumbered_key(text: str) -> str:
    return _key(_NUMBERING.sub("", text, count=1))


def _distance(row: Row, top: float | None) -> float:
    """How far the row stands from the height that the bookmark names."""
    return abs(row.box.top - top) if row.box and top is not None else 0.0


def _first_below(rows: Sequence[Row], top: float | None) -> int:
    """The first row at or below a height; the page's first one when there is no height."""
    if top is None:
        return 0
    for index, row in enumerate(rows):
        if row.box and row.box.top <= top + 2:  # points: destinations are set with a margin
            return index
    return 0 if not any(row.box for row in rows) else len(rows)
