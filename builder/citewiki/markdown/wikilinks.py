"""Wikilinks as Obsidian writes them, found and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from citewiki.markdown.regions import protected

_LINK = re.compile(
    r"(?:\[\[|!\[\[)([^\[\]|\n]++)((?:\|(?:[^\[\]\n]|\[[^\[\]\n]*\])*+)?)\]\]"
    r"(?!\((?:[a-z]+:|[#/.]))"  # [[1]](https://…) is a Markdown link whose text is [1]
)
_SIZE = re.compile(r"\d{1,5}(?:x\d{1,5})?")
_MARKDOWN_FILE = re.compile(r"\.(?:md|markdown)$", re.IGNORECASE)
_NOT_A_NAME = re.compile(
    r"\s*|[:.=]\^?\w+[:.=]"  # nothing; [[:space:]] of a regular expression
    r"|\s(?:-\w\s|[!(\"$]|.*\s(?:==?|=~|!=|<|>|-[a-z]{2}|&&|\|\|)\s).*\s"  # [[ -n "$x" ]]
)


@dataclass(frozen=True, slots=True)
class Wikilink:
    """One `[[…]]` of a text.

    `target` is the page's name as written: without `#…`, without `.md` at its end, with leading
    `./` and `../` (the resolver knows the linking page's folder); "" means the same page.
    """

    start: int  # text[start:end] is the link, with the "!" of an embed
    end: int
    target: str
    heading: str = ""  # the last one of `Page#Part#Heading`
    block: str = ""  # of `Page#^block`, without the "^"
    label: str = ""  # the text to show; "" when none is given
    embed: bool = False  # ![[…]]
    size: str = ""  # of an image, in pixels: "300" or "300x200"
    written: str = ""  # all before the label, as written: titles such as "F# notes" hold a "#"

    @property
    def shown(self) -> str:
        """What a reader sees: the label, or else the target and heading."""
        return self.label or " › ".join(part for part in (self.target, self.heading) if part)


def wikilinks(text: str) -> list[Wikilink]:
    """Every wikilink of `text` in reading order.

    None is found in protected regions or after a backslash, and none is what only looks like one:
    `[[]]`, `[[ -n "$x" ]]`, `[[:space:]]`, brackets over a line's end.
    """
    return list(_wikilinks(text)) if "[[" in text else []


@lru_cache(maxsize=8)  # asked for again when a page's sentences are read
def _wikilinks(text: str) -> tuple[Wikilink, ...]:
    hidden = protected(text)
    found: list[Wikilink] = []
    index = 0
    for match in _LINK.finditer(text):
        start, end = match.span()
        while index < len(hidden) and hidden[index][1] <= start:
            index += 1
        if index < len(hidden):
            hidden_start, hidden_end = hidden[index]
            if hidden_start < start or start < hidden_start < end < hidden_end:
                continue  # inside code, or cut by code that begins in it
        if link := _read(match, text):
            found.append(link)
    return tuple(found)


def replace(text: str, function: Callable[[Wikilink], str]) -> str:
    """`text` with every wikilink replaced by what `function` makes of it."""
    parts: list[str] = []
    done = 0
    for link in wikilinks(text):
        parts += text[done : link.start], function(link)
        done = link.end
    return "".join([*parts, text[done:]])


def _read(match: re.Match[str], text: str) -> Wikilink | None:
    """The link that `match` holds; None when it is escaped or no name."""
    start, end = match.span()
    embed, written, rest = text[start] == "!", match[1], match[2]
    if _NOT_A_NAME.fullmatch(written + rest):
        return None
    if _is_escaped(text, start):
        if not embed:
            return None
        start, embed = start + 1, False  # \![[x]] shows "!" and a link
    written = written.removesuffix("\\").strip() if rest else written.strip()
    labels = [part.strip() for part in rest[1:].replace("\\|", "|").split("|")]
    sizes = [place for place in (-1, 0) if embed and _SIZE.fullmatch(labels[place])]
    size = labels.pop(sizes[0]) if sizes else ""  # |label|300, or as Foam writes it |300|label
    target, heading, block = _split_target(written)
    if not (target or heading or block):
        return None
    return Wikilink(
        start,
        end,
        target,
        heading,
        block,
        "|".join(labels),
        embed=embed,
        size=size,
        written=written,
    )


def _split_target(written: str) -> tuple[str, str, str]:
    """(target, heading, block) of what stands before the label."""
    target, *parts = (part.strip() for part in written.split("#"))
    last = next((part for part in reversed(parts) if part), "")
    if not last and target:  # a title that ends in "#": C#
        target = written
    block = last[1:] if last.startswith("^") else ""
    return _MARKDOWN_FILE.sub("", target), "" if block else last, block


def _is_escaped(text: str, position: int) -> bool:
    before = position
    while before and text[before - 1] == "\\":
        before -= 1
    return (position - before) % 2 == 1
