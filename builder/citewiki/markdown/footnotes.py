"""Footnotes: where a page's claims point at their evidence.

What the program writes is `[^paper.1]: raw/paper.pdf, p. 4: "the exact words of the source"`;
what people write is read as far as it goes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from citewiki.markdown.regions import masked, regions

_DEFINITION = re.compile(
    r"^ {0,3}\[\^(?P<label>[^\]\s]+)\]:[ \t]*(?P<text>.*(?:\n(?:[ \t]*\n)*(?: {4}|\t).*)*)",
    re.MULTILINE,
)
_REFERENCE = re.compile(r"^ {0,3}\[\^[^\]\s]+\]:|\\.|\[\^([^\]\s]+)\]", re.MULTILINE)
_EVIDENCE = re.compile(
    r'(?P<resource><[^<>]+>|[^\s,:"<][^,"]*?)(?:, (?P<locator>.*?))?(?:: "(?P<quote>.*)")?'
)
_PLACE = re.compile(r"\]\(<?([^\s()<>]+)>?|<?(https?://[^\s<>)\]]+)>?|^(raw/\S+)")
_NEEDS_BRACKETS = re.compile(r'[,:"]|^\s|\s$|\s{2}')
_MARKUP = re.compile(r"[\\`*]|\[(?=[\[^])|(?<=\])[(\[]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|=(?==)")
_ENTITY_NEEDED = re.compile(r"[<>$]|&(?=#?\w+;)|%(?=%)")
_ESCAPED = re.compile(r"\\([\\`*\[(_~=])|&#(\d+);")


@dataclass(frozen=True, slots=True)
class Footnote:
    """The definition of one footnote."""

    label: str  # what stands between "[^" and "]"
    text: str  # Markdown, lines joined by spaces
    resource: str = ""  # path of the original, or a URL; "" when it names none
    locator: str = ""  # where in it: "p. 4"
    quote: str = ""  # the source's exact words, white space made one; "" when it quotes none
    start: int = 0  # body[start:end] is the definition
    end: int = 0


def footnotes(body: str) -> dict[str, Footnote]:
    """The definitions of `body` by label, in order; of two with one label the first counts."""
    found: dict[str, Footnote] = {}
    if "[^" not in body:
        return found
    code = [region for region in regions(body) if region.kind not in ("tag", "inline code")]
    index = 0
    for match in _DEFINITION.finditer(body):
        while index < len(code) and code[index].end <= match.start():
            index += 1
        if index < len(code) and code[index].start <= match.start():
            continue
        label = match["label"]
        if label not in found:
            found[label] = _read(label, " ".join(match["text"].split()), *match.span())
    return found


def references(text: str) -> list[str]:
    """The labels that `text` refers to outside code, each once, in order."""
    return list(dict.fromkeys(filter(None, _REFERENCE.findall(masked(text)))))


def footnote_line(label: str, resource: str, locator: str = "", quote: str = "") -> str:
    """A definition that `footnotes` reads back to the same values.

    White space in a quote is made one, as layout means nothing in it; what would be markup in it
    is escaped. A locator loses double quotes, which mark the quote.
    """
    place = f"<{resource}>" if _NEEDS_BRACKETS.search(resource) else resource
    where = ", " + " ".join(locator.replace('"', "'").split()) if locator.strip() else ""
    words = f': "{_escape(" ".join(quote.split()))}"' if quote.strip() else ""
    return f"[^{label}]: {place}{where}{words}"


def _read(label: str, text: str, start: int, end: int) -> Footnote:
    evidence = _EVIDENCE.fullmatch(text)
    if evidence and (evidence["quote"] is not None or _is_place(evidence["resource"])):
        resource, locator, quote = (part or "" for part in evidence.groups())
        return Footnote(label, text, resource.strip("<>"), locator, _unescape(quote), start, end)
    place = _PLACE.search(text)
    resource = next(filter(None, place.groups())) if place else ""
    return Footnote(label, text, resource, start=start, end=end)


def _is_place(resource: str) -> bool:
    return resource.startswith(("raw/", "<"))


def _escape(text: str) -> str:
    entities = _ENTITY_NEEDED.sub(lambda char: f"&#{ord(char[0])};", text)
    return _MARKUP.sub(lambda char: "\\" + char[0], entities)


def _unescape(text: str) -> str:
    return _ESCAPED.sub(lambda match: match[1] or chr(int(match[2])), text)
