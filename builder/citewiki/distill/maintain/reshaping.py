"""Two pages as one, and one page as several: every block and every footnote is kept."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from citewiki.distill.extractive import clean_title, free_title, summary
from citewiki.markdown.footnotes import references
from citewiki.markdown.notes import joined, parted, relabelled, without
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import Heading, headings
from citewiki.markdown.wikilinks import Wikilink
from citewiki.markdown.wikilinks import replace as replace_links
from citewiki.model import Page
from citewiki.sources.words import count_words
from citewiki.store.labels import new_labels
from citewiki.store.pages import body_sha256
from citewiki.store.parts import Section, Unit, sections, written
from citewiki.text.folding import name_key, quote_key
from citewiki.text.phrases import generic_heading
from citewiki.text.slugs import slugify

LEAST_PART_WORDS = 150
"""Words of a part that becomes a page of its own; a shorter one stays (a decision)."""

_NAVIGATION = re.compile(
    r"^(?:(?:Part of|Previous:|Next:) \[\[[^\[\]\n]+\]\]\.?[ \t]*)+$", re.MULTILINE
)
_BLOCK_ID = re.compile(r"(?:^|\s)\^[\w-]+[ \t]*$", re.MULTILINE)
_ATX = re.compile(r"#{1,6}(?=[ \t])")


# -- two pages as one ---------------------------------------------------------------------------


def merged(stays: Page, goes: Page, now: datetime) -> Page:
    """`stays` with all that `goes` says and cites, in whose place it then stands.

    A block that both have is kept once, with the footnotes of both; the others follow under a
    heading with the title of `goes`. Its names become aliases.
    """
    text, notes = parted(stays.body)
    other, _ = parted(goes.body)
    labels = new_labels("", goes.body, stays.body)[1]
    other = relabelled(_unlinked(_NAVIGATION.sub("", other), stays), labels)
    added = {
        labels.get(label, label): f"[^{labels.get(label, label)}]" + note.split("]", 1)[1]
        for label, note in parted(goes.body)[1].items()
    }
    text, left = _with_citations(text, sections(other, 1))
    if left:
        text = _put(text, f"## {_heading(stays, goes)}\n\n{left}")
    body = joined(text, {**notes, **{k: v for k, v in added.items() if k not in notes}}.values())
    return replace(
        stays,
        body=body,
        aliases=_names((*stays.aliases, goes.title, *goes.aliases), stays.title),
        tags=tuple({name_key(tag): tag for tag in (*stays.tags, *goes.tags)}.values()),
        sources=tuple(dict.fromkeys((*stays.sources, *goes.sources))),
        supersedes=tuple(dict.fromkeys((*stays.supersedes, goes.slug))),
        generated_at=now,
        generated_sha256=body_sha256(body),
    )


def _unlinked(text: str, page: Page) -> str:
    """A text without links to the page into which it goes; their words stay."""
    own = {name_key(name) for name in (page.title, page.slug, *page.aliases)}

    def kept(link: Wikilink) -> str:
        plain_link = not (link.heading or link.block or link.embed)
        return (
            link.shown
            if plain_link and name_key(link.target) in own
            else text[link.start : link.end]
        )

    return replace_links(text, kept)


def _with_citations(text: str, others: Iterable[Section]) -> tuple[str, str]:
    """`text` whose blocks cite what equal blocks of the others cite, and what is left of these."""
    ours = [unit for part in sections(text, 0) for unit in part.all]
    known = {key: place for place, unit in reversed([*enumerate(ours)]) if (key := _key(unit))}
    left: list[Unit] = []
    before = list(ours)
    for part in others:
        kept: list[Unit] = []
        for unit in part.units:
            place = known.get(_key(unit))
            if place is None:
                kept.append(unit)
            else:
                new = [
                    each
                    for each in references(unit.text)
                    if each not in references(ours[place].text)
                ]
                marks = "".join(f"[^{label}]" for label in new)
                ours[place] = replace(ours[place], text=ours[place].text + marks)
        if kept and part.heading:
            left.append(_lowered(part.heading, part.level))
        left += kept
    return text if ours == before else written(ours), written(left)


def _key(unit: Unit) -> str:
    """By what two blocks say the same; "" for what cannot take a footnote, which stays apart."""
    if unit.kind not in ("paragraph", "item"):
        return ""
    text = without(unit.text, references(unit.text))
    return " ".join(quote_key(plain(text)).casefold().split())


def _lowered(heading: Unit, level: int) -> Unit:
    """A heading under the one that the text of the other page gets."""
    return replace(heading, text=_ATX.sub("#" * min(6, max(3, level + 1)), heading.text, count=1))


def _heading(stays: Page, goes: Page) -> str:
    """The other page's title; where that is the page's own name, with its source."""
    taken = {name_key(name) for name in (stays.title, *stays.aliases)}
    taken |= {name_key(heading.text) for heading in headings(stays.body)}
    if name_key(goes.title) not in taken:
        return goes.title
    source = goes.sources[0].id if goes.sources else goes.slug
    return f"{goes.title} ({source})"


def _put(text: str, part: str) -> str:
    """`text` with a part at its end, above the links to the pages beside it."""
    found = _NAVIGATION.search(text)
    if not found:
        return f"{text.rstrip()}\n\n{part}"
    return f"{text[: found.start()].rstrip()}\n\n{part}\n\n{text[found.start() :]}"


def _names(names: Iterable[str], title: str) -> tuple[str, ...]:
    kept = {name_key(name): name for name in names if name_key(name) != name_key(title)}
    return tuple(kept.values())


# -- one page as several ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Split:
    """A page that became several."""

    rest: Page  # with its headings, under which it links the new pages
    parts: tuple[Page, ...]


def split(
    page: Page, titles: Collection[str], slugs: Collection[str], now: datetime
) -> Split | None:
    """A page whose longer parts of level 2 become pages; None when it has not two of them.

    A part's page holds its text and its footnotes, and links up. What others link by its block
    id stays where it is. `titles` (name keys) and `slugs` are those of the wiki.
    """
    text, notes = parted(page.body)
    titles, slugs = set(titles), set(slugs)
    rest: list[str] = []
    parts: list[Page] = []
    for heading, start, end in _tops(text):
        part = text[start:end]
        opened = text[heading.start : heading.end] if heading else ""
        found = _NAVIGATION.search(part) if end == len(text) else None
        inner = part[len(opened) : found.start() if found else None].strip("\n").rstrip()
        short = count_words(plain(inner)) < LEAST_PART_WORDS
        if heading is None or heading.level != 2 or short or _BLOCK_ID.search(inner):
            rest.append(part.strip("\n").rstrip())
            continue
        made = _part(page, heading.text, inner, notes, titles, slugs, now)
        titles.add(name_key(made.title))
        slugs.add(made.slug)
        parts.append(made)
        rest.append(f"{opened.rstrip()}\n\nSee [[{made.title}]].")
        if found:
            rest.append(part[found.start() :].rstrip())
    if len(parts) < 2:
        return None
    shorter = "\n\n".join(filter(None, rest))
    moved = {label for part in parts for label in parted(part.body)[1]}
    needed = set(references(shorter))
    kept = [note for label, note in notes.items() if label in needed or label not in moved]
    body = joined(shorter, kept)
    whole = replace(page, body=body, generated_at=now, generated_sha256=body_sha256(body))
    return Split(whole, tuple(parts))


def _tops(text: str) -> list[tuple[Heading | None, int, int]]:
    """(heading, start, end) of every part up to level 2; None for what stands before the first."""
    found = [heading for heading in headings(text) if heading.level <= 2]
    starts = [heading.start for heading in found]
    ends = [*starts[1:], len(text)]
    opening = (None, 0, starts[0] if starts else len(text))
    return [opening, *((top, top.start, end) for top, end in zip(found, ends, strict=True))]


def _part(
    page: Page,
    heading: str,
    inner: str,
    notes: dict[str, str],
    titles: Collection[str],
    slugs: Collection[str],
    now: datetime,
) -> Page:
    name = clean_title(heading)
    tries = [name, f"{page.title}: {name}"]
    if generic_heading(heading) or len(name) < 2:
        tries = tries[1:]
    title = free_title(tries, titles)
    text = f"{_raised(inner)}\n\nPart of [[{page.title}]]."
    body = joined(text, [notes[label] for label in references(inner) if label in notes])
    slug = slugify(title, slugs)
    folder = page.path.rpartition("/")[0]
    cited = {label.rpartition(".")[0] for label in references(inner)}
    return replace(
        page,
        path=f"{folder}/{slug}.md" if folder else f"{slug}.md",
        slug=slug,
        title=title,
        body=body,
        aliases=(),
        summary=summary(title, inner),
        sources=tuple(ref for ref in page.sources if ref.id in cited) or page.sources,
        supersedes=(),
        generated_at=now,
        generated_sha256=body_sha256(body),
        related=(),
        problems=(),
    )


def _raised(text: str) -> str:
    """Headings moved up so that the highest is of level 2, as the page's title is level 1."""
    found = headings(text)
    shift = min((heading.level for heading in found), default=2) - 2
    pieces: list[str] = []
    done = 0
    for heading in found if shift > 0 else ():
        mark = _ATX.match(text[heading.start : heading.end])
        if mark:
            pieces += text[done : heading.start], "#" * (heading.level - shift)
            done = heading.start + mark.end()
    return "".join(pieces) + text[done:]
