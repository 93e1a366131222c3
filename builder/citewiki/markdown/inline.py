"""Inline Markdown as the text that a reader sees, with the place in the body of every character.

A `Shown` is a list of pieces. A piece either stands in the body as it is shown, or is an atom (a
wikilink, code, an entity) that is shown otherwise or not at all (emphasis marks, link targets).
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate

from citewiki.markdown.regions import Region, Span, regions
from citewiki.markdown.wikilinks import Wikilink, wikilinks

_TOKEN = re.compile(  # each begins with a set sign, so that `re` skips all others in one go
    r"\\(?:[!-/:-@\[-`{-~]|\n|$)"  # an escaped sign; a hard line break
    r"|`|<|\$|%|\[\[|!\[\["  # what a region or a wikilink may begin with
    r"|\[\^(?!(?:\w-\w)+\])\w[\w.:/-]*\]"  # a footnote, and not [^a-z]
    r"|\](?:\(\s*(?:<[^<>\n]*>|[^\s()<>]*(?:\([^\s()]*\)[^\s()]*)*)"
    r"(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)|\[[^\[\]\n]*\])?(?:\{[:.#][^}\n]*\})?"
    r"|\[|!\["
    r"|\*\*{0,2}|__{0,2}|~~|=="
    r"|&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|\w{2,31});"
    r"|https?://[^\s<>\"'`)\]]+"
    r"| \^[A-Za-z0-9-]+$|\t\^[A-Za-z0-9-]+$"  # a block's id
)
_SIGN = re.compile(r"[\\`<$%\[\]*_~=&:^]")
"""What each `_TOKEN` has among its first six characters (https:), and prose has seldom."""
_BEFORE_SIGN = 5

_LINE_TAGS = re.compile(r"</?(?:br|hr)\b", re.IGNORECASE)
_BLOCK_TAGS = re.compile(
    r"</?(?:p|div|li|ul|ol|dl|dt|dd|table|thead|tbody|tr|td|th|h[1-6]|section|article|details"
    r"|summary|figure|figcaption|blockquote|center)\b",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^>]*>")
_STOPS = re.compile(r"[.!?…。！？;；](?=.)", re.DOTALL)


class Shown:
    """What is seen of a stretch of the body."""

    __slots__ = (
        "_apart",
        "_atoms",
        "_body",
        "_offsets",
        "_opening",
        "_spans",
        "_texts",
        "footnotes",
    )

    def __init__(self, body: str) -> None:
        self._body = body
        self._texts: list[str] = []
        self._spans: list[Span] = []
        self._atoms: set[int] = set()  # indexes of pieces that are not shown as they stand
        self._apart: set[int] = set()  # indexes of pieces that no quote takes in at its edge
        self._opening: set[int] = set()  # indexes of hidden marks before what they mark
        self._offsets: list[int] = []  # of the pieces in the text; made when asked for
        self.footnotes: list[tuple[str, int]] = []  # (label, its place in the body)

    @property
    def text(self) -> str:
        """What a reader sees; lines are parted by line ends."""
        return "".join(self._texts)

    @property
    def unstopped(self) -> str:
        """`text` with the stops inside atoms replaced, so that no sentence ends in a link or code.

        It is as long as `text`.
        """
        texts = self._texts
        if self._atoms:
            texts = list(texts)
            for index in self._atoms:
                texts[index] = _STOPS.sub("·", texts[index])
        return "".join(texts)

    def source(self, start: int, end: int) -> Span:
        """The place in the body of text[start:end], with the emphasis and link marks around it."""
        if len(self._texts) == 1 and not self._atoms:
            base = self._spans[0][0]
            return base + start, base + end
        if not self._offsets:
            self._offsets = list(accumulate(map(len, self._texts), initial=0))
        first = bisect_right(self._offsets, start, hi=len(self._texts)) - 1
        last = bisect_right(self._offsets, end - 1, hi=len(self._texts)) - 1
        source_start = self._spans[first][0]
        if first not in self._atoms:
            source_start += start - self._offsets[first]
        if start == self._offsets[first]:
            source_start = self._spans[self._edge(first, -1)][0]
        source_end = self._spans[last][1]
        if last not in self._atoms:
            source_end = self._spans[last][0] + end - self._offsets[last]
        if end == self._offsets[last + 1]:
            source_end = self._spans[self._edge(last, 1)][1]
        return source_start, source_end

    def _edge(self, index: int, step: int) -> int:
        """The furthest piece from `index` on, over marks that open what follows (or close it)."""
        while 0 <= (beyond := index + step) < len(self._texts):
            opens = beyond in self._opening
            if self._texts[beyond] or beyond in self._apart or opens != (step < 0):
                break
            index = beyond
        return index

    def piece(self, index: int) -> str:
        """What is shown of one piece."""
        return self._texts[index]

    def add(self, start: int, end: int) -> int:
        """A piece shown as it stands; returns its index."""
        self._texts.append(self._body[start:end])
        self._spans.append((start, end))
        return len(self._texts) - 1

    def add_atom(self, start: int, end: int, text: str, *, apart: bool = False) -> int:
        """A piece shown as `text`."""
        self._atoms.add(len(self._texts))
        if apart:
            self._apart.add(len(self._texts))
        self._texts.append(text)
        self._spans.append((start, end))
        return len(self._texts) - 1

    def hide(self, index: int, *, opens: bool = False, apart: bool = False) -> None:
        """Show nothing of a piece; `opens`: it is a mark before what it marks."""
        self._texts[index] = ""
        self._atoms.add(index)
        if opens:
            self._opening.add(index)
        if apart:
            self._apart.add(index)


def shown(body: str, lines: Sequence[Span]) -> Shown:
    """What is seen of the `lines` of one block of `body`."""
    if len(lines) == 1 and not _token(body, *lines[0]):  # most lines of prose
        out = Shown(body)
        out.add(*lines[0])
        return out
    return _Reader(body).read(lines)


def _token(body: str, start: int, end: int) -> re.Match[str] | None:
    """The first token; signs are found far more quickly than tokens, which a space may begin."""
    sign = _SIGN.search(body, start, end)
    return _TOKEN.search(body, max(start, sign.start() - _BEFORE_SIGN), end) if sign else None


def inline_text(markdown: str) -> str:
    """What is seen of one line of Markdown."""
    return shown(markdown, [(0, len(markdown))]).text


@lru_cache(maxsize=8)
def _atoms_of(body: str) -> tuple[dict[int, Region], dict[int, Wikilink]]:
    """Regions and wikilinks of `body` by where they start."""
    return (
        {region.start: region for region in regions(body)},
        {link.start: link for link in wikilinks(body)},
    )


class _Reader:
    """Reads the inline Markdown of one block."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.regions, self.links = _atoms_of(body)
        self.out = Shown(body)
        self.brackets: list[int] = []  # pieces that are an open "[" or "!["
        self.marks: dict[str, list[int]] = {}  # emphasis marks not closed yet, by their text
        self.end = 0  # of the block

    def read(self, lines: Sequence[Span]) -> Shown:
        position = 0
        self.end = lines[-1][1]
        for number, (start, end) in enumerate(lines):
            if number:
                self.out.add_atom(start, start, "\n")
            position = max(position, start)
            while position < end:
                token = _token(self.body, position, end)
                if not token:
                    self.out.add(position, end)
                    position = end
                    break
                if token.start() > position:
                    self.out.add(position, token.start())
                position = self.token(token[0], token.start(), token.end(), end)
        return self.out

    def token(self, token: str, start: int, end: int, line_end: int) -> int:
        """Take in one token; returns where to go on."""
        kind = token[0]
        region = self.regions.get(start)
        if region and region.end <= self.end:
            return self.region(region)
        if link := self.links.get(start):
            self.out.add_atom(start, link.end, "" if link.embed else link.shown, apart=link.embed)
            return link.end
        if token.startswith("[^") and end - start > 3:
            self.out.footnotes.append((token[2:-1], start))
            self.out.add_atom(start, end, "", apart=True)
        elif kind == "\\":
            self.out.add_atom(start, end, token[1:])
        elif token in ("[", "!["):
            self.brackets.append(self.out.add(start, end))
        elif kind in "[!" and len(token) > 1:  # brackets that are no wikilink: one at a time
            end = start + (2 if token.startswith("![") else 1)
            self.brackets.append(self.out.add(start, end))
        elif kind == "]":
            return self.close_bracket(start, end)
        elif kind in "*_~=":
            self.emphasis(token, start, end, line_end)
        elif kind == "&":
            self.out.add_atom(start, end, html.unescape(token))
        elif kind == "h":
            end -= len(token) - len(token.rstrip(".,;:!?…。，；：！？、"))
            self.out.add_atom(start, end, self.body[start:end])
        elif kind in " \t":
            self.out.add_atom(start, end, "", apart=True)
        else:
            self.out.add(start, end)
        return end

    def region(self, region: Region) -> int:
        start, end, kind = region
        text = self.body[start:end]
        if kind == "inline code":
            inside = text.strip("`") if text[0] == "`" else html.unescape(_TAG.sub("", text))
            self.out.add_atom(start, end, inside.strip().replace("\n", " "))
        elif kind == "math":
            self.out.add_atom(start, end, text.strip("$").strip().replace("\n", " "))
        elif kind == "tag" and "://" in text and " " not in text:  # <https://…>
            self.out.add_atom(start, end, text[1:-1])
        elif kind == "tag" and (_LINE_TAGS.match(text) or _BLOCK_TAGS.match(text)):
            gap = "\n" if _LINE_TAGS.match(text) else "\n\n"
            self.out.add_atom(start, end, gap, apart=True)
        else:
            index = self.out.add_atom(start, end, "")
            self.out.hide(index, opens=text[1:2] != "/", apart=kind == "comment")
        return end

    def close_bracket(self, start: int, end: int) -> int:
        """`]`, `](target)` or `][label]`: what it closes becomes a link, or an image goes."""
        opening = self.brackets.pop() if self.brackets else -1
        if end == start + 1 or opening < 0:
            self.out.add(start, start + 1)
            return start + 1
        closing = self.out.add_atom(start, end, "")
        if self.out.piece(opening) == "![":
            for index in range(opening, closing + 1):
                self.out.hide(index, apart=True)
        else:
            self.out.hide(opening, opens=True)
        return end

    def emphasis(self, token: str, start: int, end: int, line_end: int) -> None:
        """Emphasis marks go when they come in pairs; lone ones stay."""
        before = self.body[start - 1] if start else " "
        after = self.body[end] if end < line_end else " "
        index = self.out.add(start, end)
        in_word = token[0] == "_" and before.isalnum() and after.isalnum()
        if not before.isspace() and not in_word and self.close_emphasis(token, index):
            return
        if not after.isspace() and not (token[0] == "_" and before.isalnum()):
            self.marks.setdefault(token, []).append(index)

    def close_emphasis(self, token: str, index: int) -> bool:
        """Close an open mark of the same text, or (`***`) two that make it up."""
        parts = [token]
        if not self.marks.get(token) and len(token) == 3:
            parts = [token[:2], token[:1]]
        if not all(self.marks.get(part) for part in parts):
            return False
        for part in parts:
            self.out.hide(self.marks[part].pop(), opens=True)
        self.out.hide(index)
        return True
