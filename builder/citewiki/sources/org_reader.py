"""Org (Emacs): rewritten as Markdown line by line. Syntax: orgmode.org/worg/org-syntax.html."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from citewiki.model import Problem, Source
from citewiki.sources.about import About, about
from citewiki.sources.markdown_reader import source

MEDIA_TYPE = "text/org"

_KEYWORD = re.compile(r"[ \t]*#\+(\w[\w-]*)(?:\[[^\]\n]*\])?:[ \t]*(.*)$")
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)[ \t]*(\S*)", re.I)
_END = re.compile(r"[ \t]*#\+end_(\w+)", re.I)
_HEADING = re.compile(r"(\*+)[ \t]+(.*)$")
_TODO = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELL?ED|HOLD|PROJ|STARTED)[ \t]+(?=\S)")
_PRIORITY = re.compile(r"\[#[A-Z0-9]\][ \t]*")
_HEADING_TAGS = re.compile(r"[ \t]+:([\w@#%:]+):[ \t]*$")
_DRAWER = re.compile(r"[ \t]*:([\w-]+):[ \t]*$")
_LITERAL = re.compile(r"[ \t]*:(?: (.*)|$)")
_TABLE_RULE = re.compile(r"[ \t]*\|[-+|]+[ \t]*$")
_ITEM = re.compile(r"([ \t]*)(?:([-+])|(\d+)[.)]|[ \t]\*)[ \t]+(?:\[@\d+\][ \t]*)?(.*)$")
_TERM = re.compile(r"(.{1,200}?)[ \t]+::(?:[ \t]+|$)(.*)$")
_CHECKBOX = re.compile(r"\[[ Xx-]\][ \t]+")
_NOTE = re.compile(r"\[fn:([\w-]+)\][ \t]+(?=\S)")
_NOTE_REFERENCE = re.compile(r"\[fn:([\w-]*)(?::([^\[\]\n]*))?\]")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,2000})\](?:\[([^\[\]\n]{1,1000})\])?\]")
_VERBATIM = re.compile(r"(?<![\w=~])([=~])(?=\S)([^\n]{1,500}?)(?<=\S)\1(?![\w=~])")
_EMPHASIS = re.compile(r"(?<![\w*/_+])([*/_+])(?=\S)([^\n]{1,1000}?)(?<=\S)\1(?![\w*/_+])")
_EMPHASIS_MARK = {"*": "**", "/": "*", "_": "", "+": ""}
_PICTURE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp)$", re.I)
_AS_CODE = frozenset(("src", "example", "verse"))
_NOT_SHOWN = frozenset(("comment", "export"))


def read(text: str, name: str) -> Source:
    """The sections of an Org text."""
    facts: dict[str, str] = {}
    problems: list[Problem] = []
    body = "\n".join(_lines(text.split("\n"), facts, name, problems))
    found = source(_about(facts), body, name, reader="org", media_type=MEDIA_TYPE)
    return replace(found, problems=(*found.problems, *problems))


def _about(facts: dict[str, str]) -> About:
    values: dict[str, Any] = dict(facts)
    values["tags"] = [tag for tag in facts.get("filetags", "").replace(":", " ").split() if tag]
    values["date"] = facts.get("date", "").strip("<>[]")
    return about(values)


def _lines(
    lines: list[str], facts: dict[str, str], name: str, problems: list[Problem]
) -> Iterator[str]:
    """The lines as Markdown; what keywords say goes to `facts`."""
    block = ""  # the kind of the block that is open
    drawer = False
    literal = False  # whether a run of ": literal" lines is open
    ruled = False  # whether the open table has its rule
    for number, line in enumerate(lines, start=1):
        if block:
            if (end := _END.match(line)) and end[1].lower() == block:
                if block in _AS_CODE:
                    yield "```"
                block = ""
            elif block not in _NOT_SHOWN:
                yield from _in_block(line, block)
            continue
        if drawer:
            drawer = line.strip().lower() != ":end:"
            continue
        if literal and not _LITERAL.match(line):
            literal = False
            yield "```"
        if not line.lstrip().startswith("|"):
            ruled = False
        if begin := _BEGIN.match(line):
            block = begin[1].lower()
            if block in _AS_CODE:
                yield f"```{begin[2] if block == 'src' else ''}"
        elif (keyword := _KEYWORD.match(line)) and keyword[1].lower() not in ("results",):
            key, value = keyword[1].lower(), keyword[2].strip()
            facts.setdefault(key, value)
            if key in ("include", "setupfile"):
                message = f"takes in {value}, which is not read here; ingest it too"
                problems.append(Problem(name, message, number, "warning", "include"))
        elif _DRAWER.match(line) and line.strip().lower() != ":end:":
            drawer = _has_end(lines, number)
            if not drawer:
                yield line
        elif found := _LITERAL.match(line):
            if not literal:
                literal = True
                yield "```"
            yield found[1] or ""
        elif heading := _HEADING.match(line):
            yield f"\n{'#' * min(6, len(heading[1]) + 1)} {_heading(heading[2])}\n"
        elif _TABLE_RULE.match(line):
            continue
        elif line.lstrip().startswith("|"):
            cells = line.strip().strip("|").split("|")
            yield f"| {' | '.join(_inline(cell.strip()) for cell in cells)} |"
            if not ruled:
                ruled = True
                yield "|" + " --- |" * len(cells)
        elif line.startswith(("# ", "#+")) or line.strip() == "#":
            continue  # a comment
        else:
            yield _text(line)
    if literal or block in _AS_CODE:
        yield "```"


def _has_end(lines: list[str], number: int) -> bool:
    """Whether a drawer that opens on this line is closed before the next heading."""
    for line in lines[number : number + 200]:
        if line.strip().lower() == ":end:":
            return True
        if _HEADING.match(line):
            return False
    return False


def _in_block(line: str, block: str) -> Iterator[str]:
    if block in _AS_CODE:
        # A comma guards lines that Org would take for its own.
        yield re.sub(r"^(\s*),(?=[*#,])", r"\1", line).replace("```", "'''")
    elif block == "quote":
        yield f"> {_inline(line.strip())}"
    else:
        yield _text(line)


def _heading(words: str) -> str:
    words = _PRIORITY.sub("", _TODO.sub("", words, count=1), count=1)
    return _inline(_HEADING_TAGS.sub("", words).strip())


def _text(line: str) -> str:
    """A line of prose or of a list."""
    if item := _ITEM.match(line):
        words = _CHECKBOX.sub("", item[4])
        term = _TERM.match(words)
        said = f"**{_inline(term[1])}**: {_inline(term[2])}" if term else _inline(words)
        indent = "  " if item[1] else ""
        return f"{indent}{item[3]}. {said}" if item[3] else f"{indent}- {said}"
    return _inline(_NOTE.sub(r"[\1] ", line.strip(), count=1))


def _inline(text: str) -> str:
    """Links, emphasis and code of one line, as Markdown writes them."""
    pieces, done = [], 0
    for found in _VERBATIM.finditer(text):
        code = found[2] if "`" in found[2] else f"`{found[2]}`"
        pieces += [_prose(text[done : found.start()]), code]
        done = found.end()
    return "".join([*pieces, _prose(text[done:])])


def _prose(text: str) -> str:
    pieces, done = [], 0
    for found in _LINK.finditer(text):
        pieces += [_marked(text[done : found.start()]), _link(found[1], found[2] or "")]
        done = found.end()
    return "".join([*pieces, _marked(text[done:])])


def _marked(text: str) -> str:
    text = _NOTE_REFERENCE.sub(lambda note: f"({note[2]})" if note[2] else f"[{note[1]}]", text)
    return _EMPHASIS.sub(lambda found: found[2].join([_EMPHASIS_MARK[found[1]]] * 2), text)


def _link(target: str, words: str) -> str:
    if target.startswith(("http://", "https://")):
        return f"[{words}]({target})" if words else f"<{target}>"
    if _PICTURE.search(target):
        return words
    if words:
        return words
    return re.sub(r"^(?:file|id|attachment):", "", target).lstrip("*#")
