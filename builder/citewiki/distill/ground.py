"""What a section says, made ready to hold statements against it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from citewiki.distill.commands import commanding
from citewiki.markdown.blocks import blocks
from citewiki.markdown.inline import shown
from citewiki.markdown.plain import plain
from citewiki.model import Section, Source
from citewiki.text.folding import fold, quote_key, strip_marks
from citewiki.text.sentences import sentence_spans
from citewiki.text.tokens import tokens

_LETTERS = re.compile(r"[^\W\d_]")
_ELLIPSIS = re.compile(r"^\s*\[?(?:…|\.{3})\]?|\[?(?:…|\.{3})\]?\s*$")

_CLAUSE = re.compile(r"[,;:—–]\s+|[，；：、]|\s(?=\()|\)\s")
_CONDITION = re.compile(
    r"\s*(?:and |but |or )?(?:if|unless|when|where|while|except|provided|as long|only|although"
    r"|though|according|in theory|supposedly|allegedly|wenn|falls|sofern|außer|si|sauf|salvo"
    r"|nếu|trừ|khi|miễn|theo|如果|除非|当|當|只有|据|據|もし)",
    re.IGNORECASE,
)
_GAP = "\0"  # stands for what is left out, so that no quote goes across it

LEAST_BYTES = 12
"""UTF-8 bytes from which words say something: 12 Latin letters, or 4 Chinese ones."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a section that bear a statement."""

    text: str  # the section's own words, as plain text
    offset: int  # where the block begins in which they start; characters of the section's text


class Ground:
    """A section as evidence: where quotes stand, and which words occur at all.

    Text that reads like an order to a language model bears nothing (see `commands`).
    """

    def __init__(self, section: Section, source: Source) -> None:
        self.section, self.source = section, source
        self.commands: list[str] = []  # texts that read like orders
        self._blocks: list[tuple[int, int, str]] = []  # (start in `_text`, offset, text)
        parts: list[str] = []
        start = 0
        opened = False  # an order that ends in ":" goes on in the next block
        for offset, text in _texts(section.text):
            ordered = opened or commanding(text)
            opened = ordered and text.endswith((":", "："))
            if ordered:
                self.commands.append(text)
                text = _GAP
            else:
                self._blocks.append((start, offset, text))
            parts.append(text)
            start += len(text) + 1
        self._text = " ".join(parts)

    @cached_property
    def _folded(self) -> tuple[str, list[int]]:
        """The text as quotes are compared, and where each of its characters comes from."""
        folded: list[str] = []
        places: list[int] = []
        for start, unit in _units(self._text):
            for char in quote_key(f"|{unit}|")[1:-1]:  # the bars keep its spaces
                if char != " " or folded[-1:] != [" "]:
                    folded.append(char)
                    places.append(start)
        return "".join(folded), places

    @cached_property
    def words(self) -> frozenset[str]:
        """Terms of the section, of its headings above and of its source's title and author."""
        about = (self.section.title, *self.section.parents, self.source.title, self.source.author)
        return frozenset(tokens(f"{self._text}\n{' · '.join(about)}"))

    @cached_property
    def name(self) -> frozenset[str]:
        """Terms of what the section is called: a statement may name its subject by them."""
        called = (self.section.title, *self.section.parents, self.source.title)
        return frozenset(tokens(" · ".join(called)))

    @cached_property
    def names(self) -> str:
        """The text without case and accents, for names to be looked for."""
        about = (self.section.title, *self.section.parents, self.source.title, self.source.author)
        return strip_marks(fold(quote_key(f"{self._text} · {' · '.join(about)}")))

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the blocks, as plain text."""
        return tuple(
            text[start:end] for _, _, text in self._blocks for start, end in sentence_spans(text)
        )

    def find(self, words: str) -> Quote | None:
        """The section's own words that are `words`; None when it does not hold them.

        Markup, white space, kinds of quotation marks and dashes, and compatibility forms do not
        count (`quote_key`), nor does an ellipsis at either end. Words too few to say anything, and
        those of an order to a model, are not found.
        """
        for text in dict.fromkeys((words, plain(words))):
            found = self._find(text) or self._find(_ELLIPSIS.sub("", text))
            if found:
                return found
        return None

    def _find(self, words: str) -> Quote | None:
        folded, places = self._folded
        key = quote_key(words)
        if key not in folded:
            key = key.strip("\"' ")  # marks around the quote are not of it
        at = folded.find(key)
        if at < 0 or not says(key):
            return None
        start, end = places[at], places[at + len(key) - 1]
        end = _unit_end(self._text, end)
        offset = next(offset for begin, offset, _ in reversed(self._blocks) if begin <= start)
        return Quote(" ".join(self._text[start:end].split()), offset)

    def clause(self, words: str) -> str:
        """The clauses of the section in which a quote of it stands, as plain text.

        So a quote that is cut short loses neither the "not" before it nor the "unless" after it.
        The quote itself when it does not stand here.
        """
        at = self._text.find(words)
        sentence = next((each for each in self.sentences if words in each), "")
        if at < 0 or not sentence:
            return words
        start = sentence.find(words)
        end = start + len(words)
        borders = [0, *(found.end() for found in _CLAUSE.finditer(sentence)), len(sentence)]
        first = max(place for place, border in enumerate(borders) if border <= start)
        last = min(place for place, border in enumerate(borders) if border >= end)
        if first and _CONDITION.match(sentence, borders[first - 1]):
            first -= 1
        if last + 1 < len(borders) and _CONDITION.match(sentence, borders[last]):
            last += 1
        return sentence[borders[first] : borders[last]].strip()

    def passage(self, quote: Quote) -> str:
        """The whole block in which a quote starts, as plain text."""
        return next((text for _, offset, text in self._blocks if offset == quote.offset), "")

    def copied(self, words: str) -> str:
        """The lines of the section's Markdown that are `words`, as they stand there; "" for none.

        For what is no prose: code, tables, formulas. White space at line ends does not count.
        """
        wanted = [line.rstrip() for line in words.strip("\n").split("\n")]
        lines = [line.rstrip() for line in self.section.text.split("\n")]
        for start in range(len(lines) - len(wanted) + 1):
            if lines[start : start + len(wanted)] == wanted:
                return "\n".join(wanted)
        return ""


def says(text: str) -> bool:
    """Whether a text is long enough to say something."""
    return len(text.encode("utf-8")) >= LEAST_BYTES and bool(_LETTERS.search(text))


def _texts(markdown: str) -> list[tuple[int, str]]:
    """(offset, plain text) of every block that shows any; cells of a row are parted by ", "."""
    found: list[tuple[int, str]] = []
    for block in blocks(markdown):
        if block.kind == "row":
            cells = (shown(markdown, [cell]).text.strip() for cell in block.cells)
            text = ", ".join(cell for cell in cells if cell)
        elif block.kind == "code":
            text = plain(markdown[block.start : block.end])
        else:
            text = shown(markdown, block.lines).text
        text = " ".join(text.split())
        if text:
            found.append((block.start, text))
    return found


def _units(text: str) -> Iterator[tuple[int, str]]:
    """(start, unit) of what normal forms keep apart in a text: a letter with its marks."""
    start = 0
    while start < len(text):
        end = _unit_end(text, start)
        yield start, text[start:end]
        start = end


def _unit_end(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and not text[end].isascii() and unicodedata.combining(text[end]):
        end += 1
    return end
