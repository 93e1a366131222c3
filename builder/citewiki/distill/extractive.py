"""The built-in engine: a section becomes a page in the source's own words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from citewiki.distill.books import book_titles, is_book
from citewiki.distill.composing import place, whole
from citewiki.distill.crosslinks import may_hold_heading
from citewiki.distill.ground import says
from citewiki.markdown.footnotes import footnote_line
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import first_sentences, headings
from citewiki.model import Draft, Page, Section, Source, SourceRecord, SourceRef
from citewiki.store.confidence import CONFIDENCE
from citewiki.store.pages import body_sha256
from citewiki.text.folding import name_key, nfc
from citewiki.text.phrases import generic_heading, key_phrases
from citewiki.text.sentences import sentence_spans
from citewiki.text.slugs import owned_slug

BY = "extractive"

SUMMARY_CHARS = 320
QUOTE_CHARS = 240
TAGS = 6

_NUMBERING = re.compile(
    r"^\s*(?:§\s*)?(?:\d+(?:\.\d+)*[.)、:]?|[IVXLC]+[.)]|[A-Z]\.\d+(?:\.\d+)*)\s+(?=\S)|"
    r"^\s*第[0-9一二三四五六七八九十百]+[章节節篇]\s*[:：、.]?\s*(?=\S)"
)
_PARENTHESES = re.compile(r"\s*[(（]([^()（）]{2,60})[)）]\s*$")
_ACRONYM = re.compile(r"\(([A-Z][A-Za-z0-9+&-]{1,9})\)")
_IS_ACRONYM = re.compile(r"[A-Z][a-z]?[A-Z0-9][A-Za-z0-9+&-]{0,8}")
_LATIN = re.compile(r"[A-Za-z]")
_ATX = re.compile(r"^(#{1,6})(?=[ \t])", re.MULTILINE)
_BLOCK = re.compile(r"(?:[^\n]+\n?)+")
_FENCE = re.compile(r"^[ \t]*(```|~~~)")
_NOT_PROSE = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]|\||<|!\[|(?:-{3,}|\*{3,}|_{3,})[ \t]*$|\[\^[^\]]+\]:|\$\$|:::)"
    r"| {4,}\S|\t\S"
)
MARKUP = re.compile(r"[*_`<>\[\]&!|$%~^\\#={}:]|^[ \t]*(?:[-+]+|\d+[.)])(?:[ \t]|$)", re.MULTILINE)
"""What text has to hold to read otherwise than it is written."""

_DEFINES = re.compile(
    r"\b(?:is|are|was|were|means|refers to|denotes|là|nghĩa là|được gọi là)\b|是|指|即|とは",
    re.IGNORECASE,
)
_NOT_IN_LINKS = str.maketrans("[]|#^", "()/♯ˆ")
_ENDS_IN_URL = re.compile(r"https?://\S{1,2000}\Z")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Taken:
    """Names that the wiki's pages hold already."""

    titles: Collection[str]  # name keys
    slugs: Collection[str]
    owner: str = ""  # of the new page, when that is a user (see `owned_slug`)


def distill(
    section: Section,
    source: Source,
    record: SourceRecord,
    *,
    domain: str,
    taken: Taken,
    now: datetime,
    version: str,
    up: str = "",
) -> Draft:
    """The draft of one section: everything but its links to other pages.

    `up` is the title of the page above it in its source, which it links; "" when there is none.
    """
    title = page_title(section, source, taken.titles)
    body = footnoted(section, record, up)
    sole = len(source.sections) == 1
    opening = not section.title and not sole
    text = plain(section.text)
    page = Page(
        path="",
        slug=owned_slug(title, taken.owner, taken.slugs),
        title=title,
        body=body,
        type="overview" if opening else "concept",
        aliases=aliases(title, text, section.aliases + (source.aliases if sole else ())),
        summary=source.summary if sole and source.summary else summary(title, section.text),
        domain=domain,
        tags=tags_of((*section.tags, *source.tags), text, title, source.language),
        sources=(SourceRef(record.id, record.path, record.sha256, section.locator),),
        source_authority=source.authority,
        confidence=CONFIDENCE.get(source.authority, CONFIDENCE["unknown"]),
        ingested_at=now,
        last_verified_at=now,
        valid_from=section.date or source.date or now,
        generated_by=f"citewiki/{version}+{BY}",
        generated_at=now,
    )
    page = replace(page, path=f"{domain}/{page.slug}.md", generated_sha256=body_sha256(page.body))
    return Draft(page, record.id, section.id)


def page_title(section: Section, source: Source, taken: Collection[str]) -> str:
    """The section's own heading where it can stand alone, else with its source in front.

    A heading such as "Introduction", or one that another page has, becomes "Source: Heading".
    `taken` holds the name keys of the titles that exist.
    """
    heading = clean_title(section.title)
    document = clean_title(source.title)
    if heading and is_book(source):
        return free_title(book_titles(document, heading, section, source.language), taken)
    if not heading or len(source.sections) == 1:
        tries = [document or heading]
    elif generic_heading(section.title) or len(heading) < 2 or not _LETTERS.search(heading):
        tries = [f"{document}: {heading}"]
    else:
        tries = [heading, f"{document}: {heading}"]
    if section.parents:
        tries.append(f"{document}: {' › '.join(map(clean_title, section.parents))} › {heading}")
    tries.append(f"{document}: {heading}" if heading else document)
    return free_title(tries, taken)


def free_title(tries: Sequence[str], taken: Collection[str]) -> str:
    """The first of the titles that no page has; the last one, numbered, when all are taken."""
    for title in tries:
        if name_key(title) not in taken:
            return title
    number = 2
    while name_key(f"{tries[-1]} ({number})") in taken:
        number += 1
    return f"{tries[-1]} ({number})"


def clean_title(heading: str) -> str:
    """A heading as a title: no markup, no numbering, one line, nothing that breaks a wikilink."""
    title = nfc(" ".join(plain(heading).split()))
    title = _NUMBERING.sub("", title).strip(" .:：-–—#*_")
    title = title.translate(_NOT_IN_LINKS)
    return title[:150].rstrip()


def aliases(title: str, text: str, given: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Other names: given ones, those in the title's parentheses, an acronym said right after it."""
    found = list(given)
    inside = _PARENTHESES.search(title)
    if inside and len(title[: inside.start()]) >= 2:
        outside = title[: inside.start()].strip()
        found += [outside, inside[1].strip()] if _renames(outside, inside[1].strip()) else []
    opening = text[:400]
    for match in _ACRONYM.finditer(opening):
        before = name_key(opening[: match.start()])
        if before.endswith((name_key(title), name_key(title) + "s")):
            found.append(match[1])
    key = name_key(title)
    cleaned = (clean_title(name) for name in found)
    return tuple(dict.fromkeys(name for name in cleaned if name and name_key(name) != key))


def _renames(outside: str, inside: str) -> bool:
    """Whether what stands in parentheses is another name, and not a remark ("1997 film").

    It is when either is an acronym, or when the two are of different scripts.
    """
    if _IS_ACRONYM.fullmatch(inside) or _IS_ACRONYM.fullmatch(outside):
        return True
    return bool(_LATIN.search(outside)) != bool(_LATIN.search(inside))


def summary(title: str, markdown: str) -> str:
    """At most two sentences in the text's words, from the one that defines the title on."""
    found = [s.text.strip() for s in first_sentences(markdown, 12)]
    found = [text for text in found if says(text) and not text.endswith((":", "："))]
    if not found:
        return _cut(" ".join(plain(markdown).split()), SUMMARY_CHARS)
    words = name_key(title)
    defining = next(
        (n for n, text in enumerate(found) if words in name_key(text) and _DEFINES.search(text)), 0
    )
    chosen = found[defining : defining + 2]
    if len(chosen) == 2 and len(chosen[0]) + len(chosen[1]) > SUMMARY_CHARS:
        chosen = chosen[:1]
    return _cut(" ".join(" ".join(chosen).split()), SUMMARY_CHARS)


def footnoted(section: Section, record: SourceRecord, up: str = "") -> str:
    """The section's text with a footnote after every paragraph and list, quoting its first words.

    A footnote's locator is the place in the original ("p. 4"), or the section's own.
    """
    text = section.text.rstrip()
    pieces: list[str] = []
    notes: list[str] = []
    done = 0
    for block in _blocks(text):
        quote = _quote(text[block[0] : block[1]])
        if not quote:
            continue
        label = f"{record.id}.{len(notes) + 1}"
        end = block[0] + len(text[block[0] : block[1]].rstrip())
        gap = " " if _ENDS_IN_URL.search(text[block[0] : end]) else ""  # else the URL takes it in
        pieces += text[done:end], f"{gap}[^{label}]"
        done = end
        notes.append(footnote_line(label, record.path, place(section, block[0]), quote))
    return whole(_levels("".join(pieces) + text[done:]), notes, up)


def _blocks(text: str) -> list[tuple[int, int]]:
    """Spans of the paragraphs and lists of prose; code, tables, headings and HTML are none."""
    found: list[tuple[int, int]] = []
    fence = ""
    for match in _BLOCK.finditer(text):
        block = match.group()
        marks = [m[1] for line in block.split("\n") if (m := _FENCE.match(line))]
        if fence or marks:
            for mark in marks:
                fence = "" if fence == mark else fence or mark
            continue
        if not _NOT_PROSE.match(block) and not _NOT_PROSE.match(block.rstrip().split("\n")[-1]):
            found.append(match.span())
    return found


def _quote(block: str) -> str:
    """The exact words that a footnote quotes: the block's first sentence, cut at a word."""
    text = " ".join((plain(block) if MARKUP.search(block) else block).split())
    if not says(text):
        return ""
    spans = sentence_spans(text[: QUOTE_CHARS + 60])
    first = text[spans[0][0] : spans[0][1]] if spans else text
    if not says(first) and len(spans) > 1:
        first = text[spans[0][0] : spans[1][1]]
    return _cut(first, QUOTE_CHARS, mark="")


def _levels(text: str) -> str:
    """Headings moved so that the highest is of level 2, as the page's title is level 1."""
    found = headings(text) if may_hold_heading(text) else ()
    if not found:
        return text
    shift = 2 - min(heading.level for heading in found)
    if not shift:
        return text
    pieces: list[str] = []
    done = 0
    for heading in found:
        start = heading.start
        match = _ATX.match(text, start)
        if match:
            pieces += text[done:start], "#" * min(6, max(2, heading.level + shift))
            done = match.end()
    return "".join(pieces) + text[done:]


def tags_of(given: Iterable[str], text: str, title: str, spoken: str = "") -> tuple[str, ...]:
    """The given tags, and key phrases of the plain text up to `TAGS` together."""
    tags = {name_key(tag): tag for tag in given}
    for phrase in key_phrases(text, title, TAGS, spoken=spoken):
        if len(tags) >= TAGS:
            break
        tags.setdefault(name_key(phrase), phrase)
    return tuple(tags.values())


def _cut(text: str, limit: int, mark: str = "…") -> str:
    """`text` within `limit` characters, cut between words."""
    if len(text) <= limit:
        return text
    cut = text[:limit]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip(" ,;:，；、") + mark
