"""One page, several sources: what each of them adds stands under a heading of its own."""

from __future__ import annotations

import re

from citewiki.markdown.footnotes import references
from citewiki.markdown.notes import joined, parted, relabelled
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import headings
from citewiki.store.labels import stem
from citewiki.text.folding import name_key, quote_key

_NAVIGATION = re.compile(
    r"^(?:(?:Part of|Previous:|Next:) \[\[[^\[\]\n]+\]\]\.?[ \t]*)+$", re.MULTILINE
)
_ATX = re.compile(r"^(#{1,6})(?=[ \t])")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


def added(body: str, addition: str, *, heading: str, source: str) -> str:
    """`body` with the text of another body under `heading`, in place of what stood there before.

    Only what `source` alone said under that heading is replaced. The footnotes come along, under
    labels that are free; a paragraph that says what the body says already does not. The body
    itself is given back when nothing is left to add.
    """
    text, notes = parted(body)
    text = _without(text, heading, source)
    ours, evidence = parted(addition)
    ours = _NAVIGATION.sub("", ours)
    kept = _new_paragraphs(ours, text)
    if not kept:
        return joined(text, _needed(text, notes)) if text != parted(body)[0] else body
    used = [label for label in references(text) if stem(label) == source != label]
    numbers = [int(label.rpartition(".")[2]) for label in used]
    first = max(numbers, default=0) + 1
    wanted = [label for label in references("\n\n".join(kept)) if label in evidence]
    labels = {label: f"{source}.{first + place}" for place, label in enumerate(wanted)}
    part = f"## {heading}\n\n" + _lowered(relabelled("\n\n".join(kept), labels))
    lines = [
        relabelled(f"[^{label}]", labels) + evidence[label].split("]", 1)[1] for label in wanted
    ]
    return joined(_put(text, part), [*_needed(text, notes), *lines])


def carried(body: str, before: str, source: str) -> str:
    """A new `body` of `source` with what other sources had added to the one `before`."""
    text, notes = parted(before)
    for heading, start, end in _sections(text):
        part = text[start:end]
        owners = {stem(label) for label in references(part)}
        if owners and source not in owners:
            inner = part[part.index("\n") :] if "\n" in part else ""
            lines = [notes[label] for label in references(part) if label in notes]
            ours, own = parted(body)
            ours = _put(ours, f"## {heading}{_NAVIGATION.sub('', inner).rstrip()}")
            body = joined(ours, dict.fromkeys((*own.values(), *lines)))
    return body


def _put(text: str, part: str) -> str:
    """`text` with a part at its end, above the links to the pages beside it."""
    found = _NAVIGATION.search(text)
    if not found:
        return f"{text.rstrip()}\n\n{part}"
    return f"{text[: found.start()].rstrip()}\n\n{part}\n\n{text[found.start() :]}"


def _needed(text: str, notes: dict[str, str]) -> list[str]:
    wanted = set(references(text))
    return [note for label, note in notes.items() if label in wanted]


def _sections(text: str) -> list[tuple[str, int, int]]:
    """(heading as written, start, end) of every part of level 2."""
    tops = [heading for heading in headings(text) if heading.level <= 2]
    ends = [*(heading.start for heading in tops[1:]), len(text)]
    return [
        (text[top.start : top.end].lstrip("# ").rstrip(), top.start, end)
        for top, end in zip(tops, ends, strict=False)
        if top.level == 2
    ]


def _without(text: str, heading: str, source: str) -> str:
    """`text` without the part under `heading` for which `source` alone stands."""
    for name, start, end in _sections(text):
        owners = {stem(label) for label in references(text[start:end])}
        if name_key(plain(name)) == name_key(plain(heading)) and owners <= {source}:
            found = _NAVIGATION.search(text, start, end)
            end = found.start() if found else end
            return f"{text[:start].rstrip()}\n\n{text[end:].lstrip()}".strip("\n")
    return text


def _new_paragraphs(text: str, present: str) -> list[str]:
    """The paragraphs of `text` that do not stand in `present`; no heading without any."""
    known = _key(present)
    kept: list[str] = []
    for part in _whole_paragraphs(text):
        if _ATX.match(part):
            if kept and _ATX.match(kept[-1]) and _level(kept[-1]) >= _level(part):
                kept.pop()
            kept.append(part)
        elif (key := _key(part)) and f" {key} " not in f" {known} ":
            kept.append(part)
    while kept and _ATX.match(kept[-1]) and "\n" not in kept[-1]:
        kept.pop()
    return kept


def _whole_paragraphs(text: str) -> list[str]:
    """Stretches between blank lines; code with blank lines in it stays whole."""
    found: list[str] = []
    for part in _PARAGRAPH.split(text.strip("\n")):
        if found and _fences(found[-1]) % 2:
            found[-1] += "\n\n" + part
        elif part.strip():
            found.append(part)
    return found


def _fences(text: str) -> int:
    return sum(line.lstrip().startswith(("```", "~~~")) for line in text.split("\n"))


def _key(text: str) -> str:
    return " ".join(quote_key(plain(text)).casefold().split())


def _level(text: str) -> int:
    return len(text) - len(text.lstrip("#"))


def _lowered(text: str) -> str:
    """Headings one level below the addition's own; lines of code are left as they are."""
    found = headings(text)
    highest = min((heading.level for heading in found), default=3)
    shift = max(0, 3 - highest)
    pieces: list[str] = []
    done = 0
    for heading in found:
        mark = _ATX.match(text[heading.start : heading.end])
        if mark:
            pieces += text[done : heading.start], "#" * min(6, heading.level + shift)
            done = heading.start + mark.end()
    return "".join(pieces) + text[done:]
