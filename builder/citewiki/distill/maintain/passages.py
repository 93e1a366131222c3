"""A page on a concept from what the evidence of other pages says of it: gathered, or written."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.checks import Judge
from citewiki.distill.composing import Paragraph
from citewiki.distill.extractive import clean_title, summary
from citewiki.distill.ground import Ground, Quote, says
from citewiki.distill.maintain.concepts import Concept, name_in
from citewiki.distill.written import Known, Written, write
from citewiki.errors import SourceError
from citewiki.llm.port import Engine
from citewiki.markdown.footnotes import Footnote, footnote_line, footnotes
from citewiki.markdown.notes import joined
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Page, Place, Section, Source, SourceRef
from citewiki.sources.read import read_source
from citewiki.store.confidence import CONFIDENCE
from citewiki.store.labels import stem
from citewiki.store.pages import body_sha256
from citewiki.text.folding import fold, name_key, quote_key
from citewiki.text.phrases import key_phrases
from citewiki.text.relations import ANAPHORA
from citewiki.text.slugs import slugify
from citewiki.text.tokens import content_words

MOST_SENTENCES = 12
"""Sentences of a gathered page: what a reader takes in at once (a decision)."""

MOST_OF_ONE = 3
"""Sentences from one page, so that no single page speaks for all."""

FOR_A_MODEL = 40
"""Passages that a model writes from; some 1,500 words."""

TAGS = 4

_DEFINES = (  # what a definition begins with; {name} is the concept's name, escaped
    r"^\W*(?:an?\s|the\s|der\s|die\s|das\s|ein[e]?\s|le\s|la\s|les\s|el\s|un[ae]?\s)?"
    r"{name}\S*(?:\s*\([^()]*\))?,?\s*"
    r"(?:is|are|was|were|means|refers to|denotes|stands for|là|nghĩa là|được gọi là|ist|sind"
    r"|bezeichnet|est|sont|es|son|是|指|即|とは|は)"
)
_MARKUP = re.compile(r"([\\`*_\[\]])")
_ENTITY_NEEDED = re.compile(  # before which a backslash would be shown
    r"[<>$~]|&(?=#?\w+;)|^[:=!?^%]|=(?==)|%(?=%)|\^(?=\^)"
)
_BLOCK_MARK = re.compile(r"^(\d*)(?=[.)#+-])")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a source that speaks of a concept, and where it stands."""

    text: str  # the source's words, as plain text
    slug: str  # of the page on which it was found
    source: str  # SourceRecord.id
    resource: str  # raw/…, or a URL
    locator: str


class Originals:
    """The sources as text, to tell whether words stand in them; each is read once."""

    def __init__(self, root: Path, config: Config) -> None:
        self._root, self._config = root, config
        self._texts: dict[str, str] = {}

    def hold(self, resource: str, words: str) -> bool:
        """Whether the source says exactly that; False when it cannot be read."""
        if resource not in self._texts:
            self._texts[resource] = self._text(resource)
        return quote_key(words) in self._texts[resource]

    def _text(self, resource: str) -> str:
        path = self._root / resource
        if not resource.startswith("raw/") or ".." in path.parts or not path.is_file():
            return ""
        try:
            source = read_source(path, privacy=self._config.privacy)
        except SourceError:
            return ""
        return quote_key(" ".join(plain(section.text) for section in source.sections))


def passages(concept: Concept, pages: Mapping[str, Page], originals: Originals) -> list[Passage]:
    """What the evidence of the pages that mention a concept says of it, the most telling first.

    A page's sentence counts when its source says it word for word; else the quotes of its
    footnotes that mention the concept do. Sentences that lean on the one before are left out.
    """
    found: dict[str, Passage] = {}
    for slug in concept.pages:
        page = pages[slug]
        notes = footnotes(page.body)
        for sentence in sentences(page.body):
            if name_in(sentence.text, concept.name):
                for passage in _evidence(page, sentence, notes, concept.name, originals):
                    found.setdefault(quote_key(passage.text).casefold(), passage)
    return _ranked(concept.name, list(found.values()))


def page_passages(page: Page, originals: Originals) -> list[Passage]:
    """All that the evidence of a page says, in its order; see `passages`."""
    notes = footnotes(page.body)
    found: dict[str, Passage] = {}
    for sentence in sentences(page.body):
        for passage in _evidence(page, sentence, notes, "", originals):
            found.setdefault(quote_key(passage.text).casefold(), passage)
    return list(found.values())


def _evidence(
    page: Page, sentence: Sentence, notes: Mapping[str, Footnote], name: str, originals: Originals
) -> Iterator[Passage]:
    for label in sentence.footnotes:
        note = notes.get(label)
        if note is None or not note.resource:
            continue
        for text in (sentence.text, note.quote):
            alone = not name or (name_in(text, name) and not _leans(text, name))
            if alone and says(text) and originals.hold(note.resource, text):
                yield Passage(text, page.slug, stem(label), note.resource, note.locator)
                return


def _leans(text: str, name: str) -> bool:
    """Whether a word before the name points at what stands elsewhere: "It is a kind of …"."""
    at = fold(text).find(fold(name))
    return bool(ANAPHORA.search(text[: at if at >= 0 else len(text)]))


def _ranked(name: str, found: list[Passage]) -> list[Passage]:
    """Definitions first, then what says most of what the others say too.

    A sentence's score is the mean number of passages that have its content words (centrality by
    word counts: Nenkova & Vanderwende 2005, "The impact of frequency on summarization").
    """
    own = set(content_words(name))
    words = {passage: set(content_words(passage.text)) - own for passage in found}
    spread = Counter(word for each in words.values() for word in each)

    def telling(passage: Passage) -> float:
        return sum(spread[word] for word in words[passage]) / (len(words[passage]) or 1)

    return sorted(
        found,
        key=lambda each: (not defines(each.text, name), -telling(each), each.slug, each.text),
    )


def defines(text: str, name: str) -> bool:
    """Whether a sentence says what the concept is."""
    pattern = _DEFINES.replace("{name}", re.escape(name))
    return bool(re.search(pattern, text, re.IGNORECASE))


# -- the page -----------------------------------------------------------------------------------


def gathered(found: Iterable[Passage], titles: Mapping[str, str]) -> tuple[str, str]:
    """(body, summary's text) of a page of passages: a paragraph for each page they come from.

    Every sentence is verbatim, with its own footnote; `titles` are those of the pages, by slug.
    """
    chosen: dict[str, list[Passage]] = defaultdict(list)
    count = 0
    for passage in found:
        if count < MOST_SENTENCES and len(chosen[passage.slug]) < MOST_OF_ONE:
            chosen[passage.slug].append(passage)
            count += 1
    labels, notes, paragraphs = _Labels(), list[str](), list[str]()
    for slug, own in chosen.items():
        said = []
        for passage in own:
            label = labels.new(passage.source)
            where = (passage.resource, passage.locator, passage.text)
            notes.append(footnote_line(label, *where))
            said.append(f"{_escaped(passage.text)}[^{label}]")
        paragraphs += [f"{' '.join(said)} See [[{titles[slug]}]]."] if said else []
    text = "\n\n".join(paragraphs)
    return joined(text, notes), " ".join(each.text for own in chosen.values() for each in own)


def ground_of(name: str, found: list[Passage]) -> Ground:
    """Passages as a section that a model may write from; a place is labelled by its number."""
    pieces: list[str] = []
    places: list[Place] = []
    offset = 0
    for number, passage in enumerate(found):
        text = _escaped(passage.text)
        places.append(Place(offset, str(number)))
        pieces.append(text)
        offset += len(text) + 2
    section = Section("gathered", name, name, "\n\n".join(pieces), places=tuple(places))
    return Ground(section, Source(name, "gathered", "text/markdown", (section,)))


def written_by(
    name: str,
    found: list[Passage],
    known: Known,
    engine: Engine,
    judge: Judge | None = None,
) -> tuple[Written, str]:
    """What two models make of the passages, checked as in `compile`, and the body of it.

    Raises EngineError of the kind that fits.
    """
    ground = ground_of(name, found)
    written = write(ground, known, engine, judge=judge)
    return written, _body(written.draft.paragraphs, ground.section, found)


def _body(paragraphs: Iterable[Paragraph], section: Section, found: list[Passage]) -> str:
    labels, notes, pieces = _Labels(), list[str](), list[str]()
    taken: dict[Quote, str] = {}
    for paragraph in paragraphs:
        if paragraph.heading:
            pieces.append(f"## {paragraph.heading}")
        said: list[str] = []
        for statement in paragraph.statements:
            marks: list[str] = []
            for quote in statement.quotes:
                if quote not in taken:
                    at = max(p.offset for p in section.places if p.offset <= quote.offset)
                    number = next(int(p.label) for p in section.places if p.offset == at)
                    passage = found[number]
                    taken[quote] = labels.new(passage.source)
                    where = (passage.resource, passage.locator, quote.text)
                    notes.append(footnote_line(taken[quote], *where))
                marks.append(f"[^{taken[quote]}]")
            said.append(statement.text + "".join(dict.fromkeys(marks)))
        pieces += [" ".join(said)] if said else []
    return joined("\n\n".join(pieces), notes)


class _Labels:
    """Footnote labels, numbered by source."""

    def __init__(self) -> None:
        self._last: Counter[str] = Counter()

    def new(self, source: str) -> str:
        self._last[source] += 1
        return f"{source}.{self._last[source]}"


def _escaped(text: str) -> str:
    """Plain text as Markdown that shows it, at the beginning of a line too."""
    marked = _BLOCK_MARK.sub(r"\1\\", _MARKUP.sub(r"\\\1", text))
    return _ENTITY_NEEDED.sub(lambda found: f"&#{ord(found[0])};", marked)


def concept_page(
    concept: Concept,
    body: str,
    text: str,
    pages: Mapping[str, Page],
    *,
    slugs: Mapping[str, Page],
    config: Config,
    now: datetime,
    by: str,
) -> Page:
    """The page of a concept: in the domain of most pages that mention it, with their sources."""
    title = clean_title(concept.name)
    if " " in title and title == title.lower():  # a phrase, whose first word opens the title now
        title = title[0].upper() + title[1:]
    cited = {stem(label) for label in footnotes(body)}
    refs: dict[str, SourceRef] = {}
    authorities: Counter[str] = Counter()
    for slug in concept.pages:
        for ref in pages[slug].sources:
            if ref.id in cited and ref.id not in refs:
                refs[ref.id] = replace(ref, locator="")
                authorities[pages[slug].source_authority] += 1
    authority = min(authorities, key=lambda each: CONFIDENCE.get(each, 0), default="unknown")
    whence = [pages[slug] for slug in concept.pages]
    domains = Counter(page.domain for page in whence if page.domain)
    domain = min(domains, key=lambda each: (-domains[each], each), default="notes")
    slug = slugify(title, slugs)
    return Page(
        path=f"{domain}/{slug}.md",
        slug=slug,
        title=title,
        body=body,
        summary=summary(title, text),
        domain=domain,
        tags=tuple(
            tag for tag in key_phrases(text, title, TAGS + 1) if name_key(tag) != name_key(title)
        )[:TAGS],
        owner=config.owner,
        shared_with=config.shared_with,
        sources=tuple(refs.values()),
        source_authority=authority,
        confidence=CONFIDENCE.get(authority, CONFIDENCE["unknown"]),
        ingested_at=now,
        last_verified_at=now,
        valid_from=max((p.valid_from for p in whence if p.valid_from), default=now),
        generated_by=by,
        generated_at=now,
        generated_sha256=body_sha256(body),
    )
