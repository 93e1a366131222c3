"""A page's body from statements and their evidence, in the form that every page has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from citewiki.distill.ground import Quote
from citewiki.markdown.footnotes import footnote_line
from citewiki.markdown.wikilinks import Wikilink, replace
from citewiki.model import Section
from citewiki.text.folding import name_key, nfc

_BLOCK_MARK = re.compile(r"^(?:\s|#+\s|>|[-*+]\s|\d{1,3}[.)]\s|\||`{3,}|~{3,}|={3,}|-{3,}|:{3,})+")
_COMMENT = re.compile(r"<!--.*?(?:-->|$)|%%.*?(?:%%|$)", re.DOTALL)
_CODE = re.compile(r"(`+[^`]+`+)")
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>|<(?=[A-Za-z/!])")
_MARKDOWN_LINK = re.compile(
    r"!?\[((?:[^\[\]]|\\.)*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)"
)
_REFERENCE = re.compile(r"\[\^[^\]\s]*\]:?")
_ADDRESS = re.compile(r"<?\b(?:https?|ftp|javascript|data|file)://?[^\s<>]+>?", re.IGNORECASE)
_ENDS = re.compile(r"[.!?…。！？；:：．।॥؟۔။።](?:[\"'”’»)\]}」』）*_`]*)$")
_WIDE = re.compile(r"[\u3040-\u9fff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a page with its evidence."""

    text: str  # Markdown, one line
    quotes: tuple[Quote, ...]  # at least one


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Statements that stand together."""

    statements: tuple[Statement, ...]
    heading: str = ""
    copied: str = ""  # lines of the section that follow it: code, a table, a formula


def sentence(text: str, links: Mapping[str, str], section: str) -> str:
    """What a model wrote as one line of Markdown that can do no harm to a page.

    Links go only to pages that were offered (`links`: name key → title), addresses only where the
    `section` (its text) has them; every other link is left as its words. Marks of blocks, HTML,
    comments and footnotes go, also those that only come about when others are taken out.
    """
    before, text = "", nfc(text)
    while text != before:
        before, text = text, _without_marks(text, links, section)
    if text and not _ENDS.search(text):
        text += "。" if _WIDE.match(text[-1]) else "."
    return text


def _without_marks(text: str, links: Mapping[str, str], section: str) -> str:
    """What `sentence` does, once."""
    text = _COMMENT.sub(" ", text.replace("\0", ""))
    text = _BLOCK_MARK.sub("", " ".join(text.split()))
    text = _REFERENCE.sub("", text)

    def linked(link: Wikilink) -> str:
        title = links.get(name_key(link.target))
        words = link.label or link.target
        if title is None or link.embed or link.block:
            return words
        return f"[[{title}]]" if words == title else f"[[{title}|{words}]]"

    def outside(part: str) -> str:
        part = _MARKDOWN_LINK.sub(lambda found: found[1], part)
        part = _ADDRESS.sub(lambda found: found[0] if found[0].strip("<>") in section else "", part)
        return _TAG.sub(lambda found: "" if found[0].endswith(">") else "&lt;", part)

    parts = _CODE.split(text)
    text = "".join(part if at % 2 else outside(part) for at, part in enumerate(parts))
    if text.count("`") % 2:
        text = text.replace("`", "")
    text = replace(text, linked)
    if "[[" in text and not _whole(text):
        text = text.replace("[[", "").replace("]]", "")
    return " ".join(text.split())


def _whole(text: str) -> bool:
    """Whether every pair of brackets belongs to a link."""
    rest = replace(text, lambda link: "")
    return "[[" not in rest and "]]" not in rest


def body(
    paragraphs: Iterable[Paragraph], section: Section, *, source: str, path: str, first: int = 1
) -> tuple[str, list[str]]:
    """The text of the paragraphs, and their footnotes as lines.

    Footnotes are labelled `source.first` and on; one quote has one footnote. Their locator is the
    place of the quote in the original.
    """
    labels: dict[tuple[str, int], str] = {}
    notes: list[str] = []
    pieces: list[str] = []
    for paragraph in paragraphs:
        if paragraph.heading:
            pieces.append(f"## {paragraph.heading}")
        written: list[str] = []
        for statement in paragraph.statements:
            marks: list[str] = []
            for quote in statement.quotes:
                key = (quote.text, quote.offset)
                if key not in labels:
                    labels[key] = f"{source}.{first + len(labels)}"
                    where = place(section, quote.offset)
                    notes.append(footnote_line(labels[key], path, where, quote.text))
                marks.append(f"[^{labels[key]}]")
            gap = " " if "://" in statement.text.rpartition(" ")[2] else ""  # no part of the URL
            written.append(statement.text + gap + "".join(dict.fromkeys(marks)))
        if written:
            pieces.append(" ".join(written))
        if paragraph.copied:
            pieces.append(paragraph.copied)
    return "\n\n".join(pieces), notes


def whole(text: str, notes: Sequence[str], up: str = "") -> str:
    """A body: its text, the page above it in its source, its footnotes."""
    part_of = ["", f"Part of [[{up}]]."] if up else []
    page = "\n".join([text.strip("\n"), *part_of, "", *notes])
    return page.lstrip("\n").rstrip() + "\n"  # code may open the page: its indent stays


def place(section: Section, offset: int) -> str:
    """Where in the original the text at `offset` of the section stands: "p. 4"."""
    label = ""
    for each in section.places:
        if each.offset > offset:
            break
        label = each.label
    return label or section.locator
