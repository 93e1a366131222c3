"""A model's draft of which only what the section bears out is left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from citewiki.distill.checks import Judge, best_sentences, faults, known
from citewiki.distill.composing import Paragraph, Statement, sentence
from citewiki.distill.extractive import SUMMARY_CHARS, TAGS, clean_title, tags_of
from citewiki.distill.ground import Ground
from citewiki.distill.shapes import WrittenClaim, WrittenPage, WrittenPart
from citewiki.markdown.plain import plain
from citewiki.text.folding import name_key, nfc
from citewiki.text.phrases import common_word, generic_heading
from citewiki.text.sentences import sentence_spans

LEAST_KEPT = 0.5
"""Share of a model's statements that have to stand, or the draft as a whole does not."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A draft after the program's checks."""

    page: WrittenPage  # as the model wrote it
    title: str  # "" when it cannot be used
    summary: str
    paragraphs: tuple[Paragraph, ...]
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    written: int = 0  # statements that the model wrote
    faults: tuple[str, ...] = ()  # what was cut, and why; in words that the model can act on

    @property
    def statements(self) -> tuple[Statement, ...]:
        """All that is left, in reading order."""
        return tuple(each for part in self.paragraphs for each in part.statements)

    @property
    def kept(self) -> int:
        """How many statements are left."""
        return len(self.statements)

    @property
    def stands(self) -> bool:
        """Whether enough is left to be a page."""
        return self.kept > 0 and self.kept >= LEAST_KEPT * self.written


def check(
    page: WrittenPage,
    ground: Ground,
    titles: Mapping[str, str],
    judge: Judge | None = None,
    *,
    before: Checked | None = None,
) -> Checked:
    """What of a draft stands. `titles`: pages that it may link, by name key.

    A statement stands when a quote of it is in the section and nothing speaks against it
    (`checks.faults`). A summary that does not stand is replaced by the first statements, a title
    by "". With the draft `before`, shares count from what the model wrote at first.
    """
    found: list[str] = []
    paragraphs: list[Paragraph] = []
    for part in page.parts:
        paragraph = _paragraph(part, ground, titles, judge, found)
        if paragraph.statements or paragraph.copied:
            paragraphs.append(paragraph)
    statements = [each for part in paragraphs for each in part.statements]
    title = clean_title(page.title)
    if not title or generic_heading(title) or not known(title, ground):
        title = ""
    return Checked(
        page,
        title,
        _summary(page.summary, statements, ground, judge, found),
        tuple(paragraphs),
        tuple(_aliases(page.aliases, title, ground)),
        tuple(_tags(page.tags, ground)) or _key_phrases(title, ground),
        max(len(page.claims), before.written if before else 0),
        tuple(found),
    )


def _paragraph(
    part: WrittenPart,
    ground: Ground,
    titles: Mapping[str, str],
    judge: Judge | None,
    found: list[str],
) -> Paragraph:
    statements = [
        statement
        for claim in part.claims
        if (statement := _statement(claim, ground, titles, judge, found))
    ]
    heading = clean_title(part.heading)
    if heading and not (known(heading, ground) or generic_heading(heading)):
        heading = ""
    copied = ground.copied(part.copied) if part.copied.strip() else ""
    return Paragraph(tuple(statements), heading if statements else "", copied)


def _statement(
    claim: WrittenClaim,
    ground: Ground,
    titles: Mapping[str, str],
    judge: Judge | None,
    found: list[str],
) -> Statement | None:
    text = sentence(claim.text, titles, ground.section.text)
    if not text:
        return None
    quotes = dict.fromkeys(filter(None, map(ground.find, claim.quotes)))
    if not quotes:
        found.append(f"“{_short(text)}”: none of its quotes stands in the section")
        return None
    passages = [ground.passage(quote) for quote in quotes]
    against = faults(text, [quote.text for quote in quotes], ground, judge, passages)
    if against:
        found.append(f"“{_short(text)}”: {'; '.join(against)}")
        return None
    return Statement(text, tuple(quotes))


def _summary(
    written: str,
    statements: Iterable[Statement],
    ground: Ground,
    judge: Judge | None,
    found: list[str],
) -> str:
    """The model's first two sentences if the section says them, else its first statements."""
    text = plain(sentence(written, {}, ground.section.text))
    spans = sentence_spans(text)[:2]
    text = text[spans[0][0] : spans[-1][1]] if spans else ""
    if text:
        against = [
            fault
            for start, end in spans
            for fault in faults(
                text[start:end], best_sentences(text[start:end], ground), ground, judge
            )
        ]
        if not against:
            return text
        found.append(f"the summary: {'; '.join(against)}")
    said = ""
    for statement in list(statements)[:2]:
        longer = f"{said} {plain(statement.text)}".strip()
        if said and len(longer) > SUMMARY_CHARS:
            break
        said = longer
    return said


def _aliases(names: Iterable[str], title: str, ground: Ground) -> Iterable[str]:
    """Names that the section uses, each once; none that is an everyday word."""
    text = f" {name_key(' '.join(ground.sentences))} "
    taken = {name_key(title)}
    for name in map(clean_title, names):
        key = name_key(name)
        if key and key not in taken and key in text and not common_word(name):
            taken.add(key)
            yield name


def _tags(tags: Iterable[str], ground: Ground) -> Iterable[str]:
    kept: dict[str, str] = {}
    for tag in tags:
        text = nfc(" ".join(tag.lstrip("#").replace("[", "").replace("]", "").split()))
        if text and len(text) <= 60 and known(text, ground):
            kept.setdefault(name_key(text), text)
    return list(kept.values())[:TAGS]


def _key_phrases(title: str, ground: Ground) -> tuple[str, ...]:
    """Tags where the model gave none that stands: as the built-in way finds them."""
    given = (*ground.section.tags, *ground.source.tags)
    text = "\n".join(ground.sentences)
    return tags_of(given, text, title or ground.section.title, ground.source.language)


def _short(text: str, limit: int = 120) -> str:
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
