"""Pages that need work: thin, bloated, double, in the wrong domain, or linked from nowhere."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from citewiki.distill.maintain.measures import Matters, copies, shown
from citewiki.distill.related import Related
from citewiki.markdown.structure import headings
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page, SourceRecord
from citewiki.sources.words import WHOLE_WORDS, count_words
from citewiki.store.names import Names

THIN_BYTES = 320
"""UTF-8 bytes up to which a page is thin: what its summary may hold (`SUMMARY_CHARS`), so that it
says nothing beyond that; some 50 English words, or 107 Chinese characters."""

LOST_SHARE = 0.25
"""Share of its section's text below which a page has lost most of it: models condense to a third,
the built-in engine keeps all (a decision)."""

LONG_SECTION = 1_200
"""Characters from which a section holds enough to lose some: half a printed page."""

SHORT_FORM = 0.5
"""Share of a source's pages that are thin from which that is its form: a glossary, a table."""

BLOATED_WORDS = WHOLE_WORDS
"""Words above which a page is bloated: what compiling would have cut in two."""

FARTHER = 1.5
"""How many times nearer another domain has to be: on the handbook in raw/, whose pages all stand
where they belong, no page comes to that together with its links."""

LEAST_DOMAIN = 5
"""Pages that a domain needs before its words say what it is about."""

NEAREST = 3  # pages proposed to link an orphan

Kind = Literal["thin", "bloated", "duplicate", "off-topic", "orphaned"]
Change = Literal["rewrite", "split", "merge", "move", "link"]

_PART_OF = re.compile(r"^Part of \[\[([^\[\]|#\n]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Finding:
    """One page that needs work."""

    kind: Kind
    slug: str
    title: str
    path: str  # relative to wiki/
    proposal: Change
    evidence: tuple[str, ...]  # why, a line each
    others: tuple[str, ...] = ()  # slugs of the pages to merge with, or that should link it
    domain: str = ""  # to move it to
    draft: str = ""  # id of the draft that waits for review; "" when there is none


def audit(pages: Iterable[Page], records: Mapping[str, SourceRecord]) -> list[Finding]:
    """What needs work among `pages` (with bodies), by kind and path; superseded ones do not.

    The kinds of which a draft can be made come first.
    """
    pages = sorted((page for page in pages if not page.superseded_by), key=lambda page: page.path)
    links = _Links(pages)
    return [
        *_duplicates(pages, links),
        *_bloated(pages),
        *_off_topic(pages, links),
        *_thin(pages, records, links),
        *_orphaned(pages, links),
    ]


class _Links:
    """Which pages link which, by slug."""

    def __init__(self, pages: Iterable[Page]) -> None:
        pages = list(pages)
        self.names = Names(pages)
        self.slugs = {page.path: page.slug for page in pages}
        self.out: dict[str, set[str]] = defaultdict(set)
        self.back: dict[str, set[str]] = defaultdict(set)
        for page in pages:
            for name in (*(link.target for link in wikilinks(page.body)), *page.related):
                target = self.slug(name, page)
                if target and target != page.slug:
                    self.out[page.slug].add(target)
                    self.back[target].add(page.slug)

    def slug(self, name: str, page: Page) -> str:
        """The page that a name means on `page`; "" for none, or for a link within the page."""
        path = self.names.resolve(name, page.path, page.owner).path if name else None
        return self.slugs.get(path or "", "")


def _finding(page: Page, kind: Kind, proposal: Change, *evidence: str) -> Finding:
    return Finding(kind, page.slug, page.title, page.path, proposal, evidence)


def _thin(
    pages: list[Page], records: Mapping[str, SourceRecord], links: _Links
) -> Iterator[Finding]:
    """Pages that say less than their section, and small parts of another page.

    A short page that says all of its section and is nobody's part is only short.
    """
    texts = {page.slug: _PART_OF.sub("", shown(page)).strip() for page in pages}
    short = {slug for slug, text in texts.items() if len(text.encode()) <= THIN_BYTES}
    by_source = defaultdict(list)
    for page in pages:
        for ref in page.sources[:1]:
            by_source[ref.id].append(page.slug)
    formed = {
        slug
        for slugs in by_source.values()
        if len(slugs) > 1 and len(short.intersection(slugs)) >= SHORT_FORM * len(slugs)
        for slug in slugs
    }
    held = _section_chars(records)
    for page in pages:
        text, chars = texts[page.slug], held.get(page.slug, 0)
        if chars >= LONG_SECTION and len(text) < LOST_SHARE * chars:
            why = f"it has {len(text):,} characters, its section {chars:,}"
            yield _finding(page, "thin", "rewrite", why)
        elif page.slug in short and page.slug not in formed:
            why = f"it says no more than a summary holds ({len(text.encode())} bytes)"
            above = _PART_OF.search(page.body)
            target = links.slug(above[1].strip(), page) if above else ""
            if target:
                yield replace(_finding(page, "thin", "merge", why), others=(target,))


def _section_chars(records: Mapping[str, SourceRecord]) -> Counter[str]:
    """How many characters the sections of a page have; one that became several pages tells none."""
    held: Counter[str] = Counter()
    for record in records.values():
        for section in record.sections:
            if section.status == "compiled" and len(section.pages) == 1:
                held[section.pages[0]] += section.chars
    return held


def _bloated(pages: Iterable[Page]) -> Iterator[Finding]:
    for page in pages:
        words = count_words(shown(page))
        if words > BLOATED_WORDS:
            parts = sum(heading.level == 2 for heading in headings(page.body))
            why = f"it has {words:,} words under {parts} headings of level 2"
            yield _finding(page, "bloated", "split" if parts > 1 else "rewrite", why)


def _duplicates(pages: list[Page], links: _Links) -> Iterator[Finding]:
    """Each copy once, with the page that it should go into first among the others."""
    by_slug = {page.slug: page for page in pages}
    for found in copies(pages):
        stays, goes = sorted(
            (by_slug[found.one], by_slug[found.other]), key=lambda page: _rank(page, links)
        )
        yield replace(
            _finding(goes, "duplicate", "merge", f"“{stays.title}”: {found.why}"),
            others=(stays.slug,),
        )


def _rank(page: Page, links: _Links) -> tuple[bool, int, int, int, str]:
    """Of two copies, the first by this stays: a person's, the more linked, cited and fuller one."""
    by_person = not page.generated_by
    linked = len(links.back[page.slug])
    return (not by_person, -linked, -len(page.sources), -len(page.body), page.slug)


def _off_topic(pages: list[Page], links: _Links) -> Iterator[Finding]:
    """Pages whose words and whose links are both rather another domain's."""
    matters = Matters(pages)
    domain = {page.slug: page.domain for page in pages}
    for page in pages:
        near = {
            name: value
            for name, value in matters.nearness(page.slug).items()
            if matters.sizes[name] >= LEAST_DOMAIN or name == page.domain
        }
        if not page.domain or len(near) < 2 or matters.sizes[page.domain] < LEAST_DOMAIN:
            continue
        best = max(near, key=lambda name: (near[name], name))
        linked = Counter(domain[slug] for slug in links.out[page.slug] | links.back[page.slug])
        if near[best] > FARTHER * near[page.domain] and linked[best] > linked[page.domain]:
            yield replace(
                _finding(
                    page,
                    "off-topic",
                    "move",
                    f"its words are nearer to {best} ({near[best]:.2f}) than to {page.domain} "
                    f"({near[page.domain]:.2f}): {', '.join(matters.words(page.slug, best))}",
                    f"links with pages of {best}: {linked[best]}, of {page.domain}: "
                    f"{linked[page.domain]}",
                ),
                domain=best,
            )


def _orphaned(pages: list[Page], links: _Links) -> Iterator[Finding]:
    """Pages without any link to or from another, with the ones nearest to them.

    A page that links up is none: it is among the backlinks of the page above.
    """
    orphans = [page for page in pages if not links.back[page.slug] | links.out[page.slug]]
    if not orphans:
        return
    related = Related(pages)
    for page in orphans:
        near = related.nearest(f"{page.title} {page.summary}", NEAREST + 1)
        others = tuple(slug for slug in near if slug != page.slug)[:NEAREST]
        why = "no page links to it, and it links to none"
        yield replace(_finding(page, "orphaned", "link", why), others=others)
