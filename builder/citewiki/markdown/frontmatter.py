"""Front matter read tolerantly and written without touching what was not changed.

The block is cut into its top-level entries, each with the exact text it was written in, comments
and blank lines above it included. Writing puts those texts back, so that unknown keys, order,
quoting and remarks survive; only a changed key gets a new text.

Values have no implicit types: `no`, `1.10` and `2024-01-01` stay the texts they are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from citewiki.markdown.yamltext import Value, as_read, entry_text

if TYPE_CHECKING:
    from yaml.nodes import Node

KEY_ORDER = (
    "type", "title", "slug", "aliases", "redirect_from", "summary", "domain", "tags",
    "owner", "shared_with",
    "sources", "source_authority", "confidence", "ingested_at", "last_verified_at", "verified",
    "valid_from", "valid_until", "scopes", "superseded_by", "superseded_at", "supersedes",
    "valid_until_before", "archived_at", "generated",
)  # fmt: skip
"""The order in which new keys are written."""
_RANK = {key: rank for rank, key in enumerate(KEY_ORDER)}

_OPEN = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_LOOKS_LIKE_KEY = re.compile(r"^[ \t]*[^\s#:][^:\n]*:(?!//)", re.MULTILINE)
_BLANK_OR_REMARK = re.compile(r"(?:[ \t]*|#.*)[\r\n]*")
_LEAD = re.compile(r"(?:(?:[ \t]*|#.*)\r?\n)*(?:[ \t]*\Z|#.*\Z)?")
_KEY = re.compile(
    r"""(?P<key>"[^"\n]*"|'[^'\n]*'|[^\W\d][^:\n"'\[\]{},]*?)[ \t]*:(?!//)(?P<rest>.*)"""
)
_LEADING_TABS = re.compile(r"(?<=\n)\t+")
_BLOCK_SCALAR = re.compile(r"[|>][-+\d]*")
_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_MOST_VALUES = 10_000  # in one block: aliases can make a few lines mean millions of values
_DEEPEST = 32


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level key."""

    key: str
    value: Value
    raw: str  # its lines as written, with the blank lines and remarks above it
    line: int  # 1-based line of the file on which the key stands


@dataclass(frozen=True, slots=True)
class KeyProblem:
    """What could not be read as written."""

    line: int  # 1-based line of the file
    key: str  # "" when no key is at fault
    message: str
    severity: Literal["error", "warning"] = "error"  # warning: read as the writer meant it


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """A block of front matter: `render` gives back the text it was parsed from."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[KeyProblem, ...] = ()
    tail: str = ""  # blank lines and remarks after the last entry
    whole: str = ""  # the block, when its keys share lines or are indented: written anew on change

    def entry(self, key: str) -> Entry | None:
        """The entry of `key`; of duplicates the last one, which is what YAML readers take."""
        return next((entry for entry in reversed(self.entries) if entry.key == key), None)

    def get(self, key: str) -> Value:
        """The value of `key`; None when it is missing, empty or null."""
        entry = self.entry(key)
        return entry.value if entry else None

    def __contains__(self, key: str) -> bool:
        return self.entry(key) is not None


def split(text: str) -> tuple[str | None, str, int]:
    """(block, body, 1-based line of the body's start) of a file's text.

    The block is what stands between the fences, its last line end included; None when there is
    no front matter: the first line is no `---`, no fence closes it, or it holds no key at all
    (a rule and a paragraph). A byte order mark is dropped; line ends stay as they are.
    """
    text = text.removeprefix("\ufeff")
    opening = _OPEN.match(text)
    closing = _CLOSE.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None, text, 1
    block = text[opening.end() : closing.start()]
    if not _LOOKS_LIKE_KEY.search(block) and not _is_blank(block):
        return None, text, 1
    return block, text[closing.end() :], block.count("\n") + 3


def parse(block: str, first_line: int = 2) -> FrontMatter:
    """The entries of `block`, whose first line is line `first_line` of its file. Never raises.

    What YAML refuses is read line by line, key by key; `problems` says which and why.
    """
    import yaml

    if _is_blank(block):
        return FrontMatter(tail=block)
    try:
        root = yaml.compose(block, Loader=_loader())
        return _from_root(root, block, first_line)
    except (yaml.YAMLError, UnicodeError, _Unusable) as error:
        return _parse_by_line(block, first_line, error)


def update(front: FrontMatter, changes: Mapping[str, Any]) -> FrontMatter:
    """`front` with the keys of `changes` set; None removes a key.

    A value that reads the same as what stands there changes nothing. New keys go where
    `KEY_ORDER` wants them; keys that it does not know go last, and so do all in a block that is
    not clean YAML, as lines that nobody can read would become part of a key before them.
    """
    entries = list(front.entries)
    newline = "\r\n" if any(entry.raw.endswith("\r\n") for entry in entries) else "\n"
    for key, value in changes.items():
        places = [index for index, entry in enumerate(entries) if entry.key == key]
        if places and value is not None and entries[places[-1]].value == as_read(value):
            continue
        text = entry_text(key, value).replace("\n", newline) if value is not None else ""
        if places and value is not None:
            old = entries[places[-1]]
            entries[places[-1]] = replace(old, value=as_read(value), raw=_lead(old.raw) + text)
            places.pop()
        for index in reversed(places):
            del entries[index]
        if value is not None and not any(entry.key == key for entry in entries):
            place = len(entries) if front.problems else _place_for(key, entries)
            entries.insert(place, Entry(key, as_read(value), text, 0))
    if entries == list(front.entries):
        return front
    tail = front.tail
    if not front.entries and not _is_blank(tail):  # a block that nobody can read
        tail = "".join(f"# {line}" for line in tail.splitlines(keepends=True))
    return replace(front, entries=tuple(entries), tail=tail, whole="")


def render(front: FrontMatter) -> str:
    """The block without its fences; equal to the parsed text when nothing was changed."""
    if front.whole:
        return front.whole
    texts = [entry.raw for entry in front.entries]
    closed = [text if _ends_a_line(text) else f"{text}\n" for text in texts[:-1]]
    return "".join(closed + texts[-1:]) + front.tail


def _ends_a_line(text: str) -> bool:
    """Whether a line end of any kind closes it, as blocks are cut at all of them."""
    return len(f"{text}x".splitlines()) > len(text.splitlines())


class _Unusable(Exception):
    """YAML, but no front matter: not a mapping, or values without end."""


def _loader() -> Any:
    """libyaml's reader, which is some ten times faster, where PyYAML was built with it."""
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _from_root(root: Node | None, block: str, first_line: int) -> FrontMatter:
    from yaml.nodes import MappingNode

    if not isinstance(root, MappingNode) or not root.value:
        raise _Unusable("it holds no `key: value` lines")
    build = _Builder(block)
    pairs = [(build.key(name), build.value(node), name.start_mark) for name, node in root.value]
    if root.flow_style or any(mark.column for _, _, mark in pairs) or _ODD_BREAK.search(block):
        straight = textwrap.dedent(block)
        if straight != block:
            return replace(parse(straight, first_line), whole=block)
        raws, tail, whole = [entry_text(key, value) for key, value, _ in pairs], "", block
    else:
        whole = ""
        raws, tail = _cut(block, [mark.line for _, _, mark in pairs])
    entries = tuple(
        Entry(key, value, raw, first_line + mark.line)
        for (key, value, mark), raw in zip(pairs, raws, strict=True)
    )
    return FrontMatter(entries, tuple(_duplicates(entries)), tail, whole)


class _Builder:
    """Nodes to values, with a limit on how many."""

    def __init__(self, block: str) -> None:
        self._block = block
        self._left = _MOST_VALUES

    def value(self, node: Node, depth: int = 0) -> Value:
        from yaml.nodes import MappingNode, ScalarNode

        self._left -= 1
        if self._left < 0 or depth > _DEEPEST:
            raise _Unusable("its values are nested without end")
        if isinstance(node, ScalarNode):
            return None if not node.style and node.value in _NULLS else str(node.value)
        if isinstance(node, MappingNode):
            return {self.key(name): self.value(item, depth + 1) for name, item in node.value}
        return [self.value(item, depth + 1) for item in node.value]

    def key(self, node: Node) -> str:
        """A key is text; one that is itself a list or mapping (`{{title}}`) is its own source."""
        if isinstance(node.value, str):
            return node.value
        return self._block[node.start_mark.index : node.end_mark.index]


def _cut(block: str, starts: list[int]) -> tuple[list[str], str]:
    """The block cut before the lines `starts` (0-based) and the remarks right above them.

    The second value is what follows the last entry: blank lines and remarks.
    """
    lines = block.splitlines(keepends=True)
    cuts = [0]
    for above, start in zip(starts, [*starts[1:], len(lines)], strict=True):
        while start - 1 > above and _BLANK_OR_REMARK.fullmatch(lines[start - 1]):
            start -= 1
        cuts.append(start)
    raws = ["".join(lines[a:b]) for a, b in pairwise(cuts)]
    return raws, "".join(lines[cuts[-1] :])


def _duplicates(entries: Iterable[Entry]) -> Iterator[KeyProblem]:
    seen: set[str] = set()
    for entry in entries:
        if entry.key in seen:
            yield KeyProblem(entry.line, entry.key, "is given twice; the last one counts")
        seen.add(entry.key)


def _parse_by_line(block: str, first_line: int, error: Exception) -> FrontMatter:
    """Every key that can be read on its own, when YAML refuses the block as a whole."""
    lines = block.splitlines(keepends=True)
    found = [(index, match) for index, line in enumerate(lines) if (match := _KEY.match(line))]
    if not found:
        problem = KeyProblem(first_line, "", f"front matter is not YAML: {_reason(error)}")
        return FrontMatter(problems=(problem,), tail=block)
    raws, tail = _cut(block, [index for index, _ in found])
    entries: list[Entry] = []
    problems: list[KeyProblem] = []
    for (index, match), raw in zip(found, raws, strict=True):
        own = raw[len(_lead(raw)) :]
        key, line = match["key"].strip("\"'"), first_line + index
        value, fault = _read_alone(key, own, match["rest"], line)
        entries.append(Entry(key, value, raw, line))
        problems.extend([fault] if fault else [])
    problems.extend(_duplicates(entries))
    if not problems:
        problems.append(KeyProblem(first_line, "", f"front matter is not YAML: {_reason(error)}"))
    return FrontMatter(tuple(entries), tuple(problems), tail)


def _read_alone(key: str, text: str, rest: str, line: int) -> tuple[Value, KeyProblem | None]:
    """The value of one key whose lines are `text` and whose first line ends with `rest`."""
    import yaml

    try:
        return _one_value(text), None
    except (yaml.YAMLError, UnicodeError, _Unusable) as error:
        reason = _reason(error)
    if "\t" in text:
        try:
            value = _one_value(_LEADING_TABS.sub(lambda tabs: "  " * len(tabs[0]), text))
        except (yaml.YAMLError, UnicodeError, _Unusable):
            pass
        else:
            return value, KeyProblem(line, key, "is indented by tabs; use spaces", "warning")
    rest, more = rest.strip(), [more for part in text.splitlines()[1:] if (more := part.strip())]
    items = [item[2:].strip() for item in more if item.startswith("- ")]
    as_text = KeyProblem(
        line, key, f"is read as text, for it is not YAML ({reason}); quote it", "warning"
    )
    if not rest and more and len(items) == len(more):
        return [_unquoted(item) for item in items], as_text
    if _BLOCK_SCALAR.fullmatch(rest):
        return "\n".join(more), as_text
    if rest and all(part[0].isspace() for part in text.splitlines()[1:] if part):
        return _unquoted(" ".join([rest, *more])), as_text
    return _unquoted(rest) or None, KeyProblem(line, key, f"cannot be read in full: {reason}")


def _one_value(text: str) -> Value:
    import yaml
    from yaml.nodes import MappingNode

    root = yaml.compose(text, Loader=_loader())
    if not isinstance(root, MappingNode) or len(root.value) != 1:
        raise _Unusable("a space is missing after the colon, or a line has no key")
    return _Builder(text).value(root.value[0][1])


def _unquoted(text: str) -> str:
    """`text` without the quotes around it, if they belong together."""
    quote = text[:1]
    if len(text) < 2 or quote not in "\"'" or text[-1] != quote or f"{quote} " in text[1:-1]:
        return text
    return text[1:-1]


def _reason(error: Exception) -> str:
    return str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)


def _lead(raw: str) -> str:
    """The blank lines and remarks at the start of an entry's text."""
    match = _LEAD.match(raw)
    return match[0] if match else ""


_ODD_BREAK = re.compile("\r(?!\n)|[\x85\u2028\u2029]")
"""Line ends to YAML 1.1 that are none to anybody else."""


def _is_blank(block: str) -> bool:
    return _LEAD.fullmatch(block) is not None


def _place_for(key: str, entries: list[Entry]) -> int:
    """Where a new key goes: after the last one that the canonical order puts before it."""
    if key not in _RANK:
        return len(entries)
    before = (i for i, entry in enumerate(entries) if _RANK.get(entry.key, 99) < _RANK[key])
    return max(before, default=-1) + 1
