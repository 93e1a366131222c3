"""What CommonMark, GitHub and Obsidian read in a line and Python-Markdown does not.

`#word` is no heading, a backslash at a line's end breaks it, `^[words]` is a footnote, and HTML
goes on until a blank line only: what follows, up to the closing tag, is Markdown again.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from citewiki.markdown.regions import Region
from citewiki.site.commonmark import Edit
from citewiki.site.tokens import BEFORE_HASH

_HASHES = re.compile(r"#++(?!\s|\Z)")
_BEFORE_HASHES = re.compile(r"[ ]{0,3}(?:(?:>|[-*+][ ]|\d{1,9}[.)][ ])[ ]{0,3})*")
_BROKEN_LINE = re.compile(r"(?<!\\)((?:\\\\)*)\\\n(?=[ \t>]*[^\s>])")
_INLINE_NOTE = re.compile(r"(?<![\\\[])\^\[([^\[\]\n]*+(?:\[++[^\[\]\n]*+\]{1,2}+[^\[\]\n]*+)*+)\]")
_IS_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*+(?:[\s/>]|:(?=\S)|[^<>\s]*@)")
_ESCAPED_BAR = re.compile(r"\\\|")
_FENCE = re.compile(r"(?:`{3,}|~{3,})[ ]*(.*)")
_READ_BY_SUPERFENCES = re.compile(
    r"(?:[\w#.+-]+)?(?:[ ]*\{[ ]*[.#]?[A-Za-z][^{}\n]*\}"
    r"|(?:[ ]+[A-Za-z]\w*(?:=(?:\"[^\"]*\"|'[^']*'))?)*)[ ]*"
)
_LANGUAGE = re.compile(r"[\w#.+-]*")
_BLANK_LINE = re.compile(r"\n[ \t]*(?=\n|\Z)")
_NAME = re.compile(r"</?([a-z][a-z0-9]*)", re.IGNORECASE)
_MARKDOWN_HERE = re.compile(r"(<[^<>]*?)\s+markdown=(?:\"[^\"]*\"|'[^']*'|\w+)")
_HTML_BLOCKS = frozenset(  # CommonMark 0.31, HTML blocks of the sixth kind, without those of a head
    "address article aside blockquote center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p search section summary "
    "table tbody td tfoot th thead tr ul".split()
)
_BRACKET = re.compile(r"\\.|\n[ \t]*\n|[\[\]]", re.S)
_AS_A_SIGN = f"\x02{ord('[')}\x03"  # what Python-Markdown makes of an escaped bracket
_ANGLE = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])")
_ANGLE_SIGN = f"\x02{ord('<')}\x03"
_DEEPEST_BRACKETS = 8
_LONGEST_ADDRESS = 2000
MANY_BRACKETS = 500  # on a page; with fewer, nothing takes long
_HOLD_NOTHING = frozenset(("hr",))


def line_edits(text: str, found: Sequence[Region]) -> list[Edit]:
    """What to change in `text`, of which `found` are the regions."""
    edits: list[Edit] = []
    if "#" in text:
        edits += _words_with_hash(text, found)
    for part in found:
        if part.kind == "code":
            edits += _fence_edits(text, part)
        elif part.kind == "tag" and not _IS_TAG.match(text, part.start):
            before = text[max(0, part.start - 20) : part.start].rstrip()
            if not before.endswith(("](", "]:")):  # [x](<a page.md>)
                edits.append((part.start, part.start, "\\"))  # <stdio.h>
        elif part.kind == "inline code" and "\\|" in text[part.start : part.end]:
            line = text[text.rfind("\n", 0, part.start) + 1 : part.start]
            if line.lstrip(" >").startswith("|"):  # in a table, where it is written so
                edits += [
                    (match.start(), match.end(), "|")
                    for match in _ESCAPED_BAR.finditer(text, part.start, part.end)
                ]
    if "\\\n" in text:
        breaks = ((match.end(1), match.end(1) + 1) for match in _BROKEN_LINE.finditer(text))
        edits += [(start, end, "  ") for start, end in breaks if not _is_inside(start, found)]
    return edits


def inline_notes(text: str, found: Sequence[Region]) -> list[tuple[int, int]]:
    """(start, end) of every `^[words]`."""
    if "^[" not in text:
        return []
    return [
        match.span()
        for match in _INLINE_NOTE.finditer(text)
        if match[1].strip() and not _is_inside(match.start(), found)
    ]


def html_fragments(text: str, found: Sequence[Region]) -> list[tuple[int, int]]:
    """Where HTML stands that is open beyond the next blank line, or closes what was.

    Tags that the page does not close as often as it opens them are left to Python-Markdown.
    """
    tags = [(part.start, _tag(text, part)) for part in found if part.kind == "tag"]
    blocks = [(start, name) for start, name in tags if name.strip("/") in _HTML_BLOCKS]
    if not blocks:
        return []
    counted = Counter(name for _, name in blocks)
    left = {name for name in counted if counted[name] != counted[_other(name)]}
    fragments: list[tuple[int, int]] = []
    done = 0
    for number, (start, name) in enumerate(blocks):
        line = text.rfind("\n", 0, start) + 1
        if line < done or start - line > 3 or text[line:start].strip(" ") or name in left:
            continue
        end = _end_of_html(text, start, found)
        depth: Counter[str] = Counter()
        for later in range(number, len(blocks)):
            place, inner = blocks[later]
            bare = inner.strip("/")
            if place >= end or depth[bare] < 0:
                break
            depth[bare] += -1 if inner[0] == "/" else 1
        if any(depth.values()):
            fragments.append((line, end))
        done = end
    return fragments


def lone_brackets(text: str, found: Sequence[Region]) -> list[Edit]:
    """Brackets without an end in their paragraph, or within too many others, as plain signs.

    For each bracket Python-Markdown looks for its end, to the end of the paragraph.
    """
    lone: list[int] = []
    open_brackets: list[int] = []
    for match in _BRACKET.finditer(text):
        start = match.start()
        if match[0][0] == "\n":
            lone += open_brackets
            open_brackets = []
        elif match[0][0] == "\\" or _is_inside(start, found):
            continue
        elif match[0] == "[":
            open_brackets.append(start)
        elif open_brackets:
            opened = open_brackets.pop()
            goes_on = text.startswith("(", start + 1)
            is_endless = goes_on and text.find(")", start, start + _LONGEST_ADDRESS) < 0
            if is_endless or len(open_brackets) >= _DEEPEST_BRACKETS:
                lone.append(opened)
    lone += open_brackets
    return [(place, place + 1, _AS_A_SIGN) for place in sorted(lone)]


def lone_angles(text: str, found: Sequence[Region]) -> list[Edit]:
    """Each `<` that begins no tag, as a plain sign: Python's parser looks for the end of all."""
    places = (match.start() for match in _ANGLE.finditer(text))
    return [(place, place + 1, _ANGLE_SIGN) for place in places if not _region_at(place, found)]


def as_html(fragment: str) -> str:
    """A fragment as it goes into the page: Markdown inside needs no leave."""
    return _MARKDOWN_HERE.sub(r"\1", fragment) if "markdown" in fragment else fragment


def _words_with_hash(text: str, found: Sequence[Region]) -> list[Edit]:
    edits: list[Edit] = []
    for match in _HASHES.finditer(text):
        start = match.start()
        line = text.rfind("\n", max(0, start - 40), start) + 1
        if line or start < 40:
            before = _BEFORE_HASHES.fullmatch(text, line, start)
            if before and not _is_inside(start, found):
                edits.append((start, start, BEFORE_HASH))
    return edits


def _fence_edits(text: str, part: Region) -> list[Edit]:
    """Of what stands behind a fence, no more than what superfences reads."""
    opening = _FENCE.match(text, part.start)
    if not opening or _READ_BY_SUPERFENCES.fullmatch(opening[1]):
        return []
    language = _LANGUAGE.match(opening[1])
    return [(*opening.span(1), language[0] if language else "")]


def _is_inside(position: int, found: Sequence[Region]) -> bool:
    region = _region_at(position, found)
    return region is not None and region.kind != "tag"


def _region_at(position: int, found: Sequence[Region]) -> Region | None:
    index = bisect_right(found, position, key=lambda part: part.start) - 1
    return found[index] if index >= 0 and position < found[index].end else None


def _end_of_html(text: str, start: int, found: Sequence[Region]) -> int:
    """The blank line after `start` that is in no comment or <pre>, or the text's end."""
    for match in _BLANK_LINE.finditer(text, start):
        if not _is_inside(match.start(), found):
            return match.start()
    return len(text)


def _tag(text: str, part: Region) -> str:
    """ "div" or "/div"; "" of what holds nothing."""
    match = _NAME.match(text, part.start)
    name = match[1].lower() if match else ""
    if name in _HOLD_NOTHING or text[part.end - 2] == "/":
        return ""
    return f"/{name}" if text[part.start + 1] == "/" else name


def _other(name: str) -> str:
    return name[1:] if name.startswith("/") else f"/{name}"
