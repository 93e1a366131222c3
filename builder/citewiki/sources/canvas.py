"""Obsidian's canvas (JSON Canvas 1.0): cards, the groups they lie in, the arrows between them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from citewiki.model import Source
from citewiki.sources.clean import clean_markdown
from citewiki.sources.encoding import clean
from citewiki.sources.entries import Entry, archive_source, first_words, line

_NOTES = frozenset((".md", ".markdown", ".canvas"))
_NAME_CHARS = 60  # of a card's text, as its name in the list of arrows


def read(data: Any, name: str) -> Source:
    """A canvas that stands alone: one section."""
    stem = PurePosixPath(name).stem
    return archive_source(
        [entry(data, stem, stem)],
        name,
        reader="canvas",
        media_type="application/json",
        authority="note",
        title=stem,
    )


def entry(data: Any, title: str, locator: str) -> Entry:
    """A canvas as one entry: cards outside of groups, then each group's, then the arrows."""
    nodes = [node for node in data["nodes"] if isinstance(node, dict)]
    groups = [node for node in nodes if node.get("type") == "group"]
    cards = sorted((n for n in nodes if n.get("type") != "group"), key=_place)
    inside: dict[int, list[dict[str, Any]]] = {}
    for card in cards:
        inside.setdefault(_group(card, groups), []).append(card)
    blocks = [_card(card) for card in inside.get(-1, ())]
    for number, group in sorted(enumerate(groups), key=lambda item: _place(item[1])):
        label = line(group.get("label"))
        blocks.append(f"## {label}" if label and inside.get(number) else "")
        blocks += [_card(card) for card in inside.get(number, ())]
    arrows = _arrows(data.get("edges"), nodes)
    blocks += ["## Arrows", "\n".join(arrows)] if arrows else []
    return Entry(title, "\n\n".join(filter(None, blocks)), locator, key=locator)


def _card(node: Mapping[str, Any]) -> str:
    if node.get("type") == "text":
        text = node.get("text")
        return clean_markdown(clean(text)) if isinstance(text, str) else ""
    if node.get("type") == "link":
        return line(node.get("url"))
    return _file(node) + line(node.get("subpath")).replace("#", " › ", 1)


def _file(node: Mapping[str, Any]) -> str:
    """A note as a wikilink, any other file by its name."""
    path = PurePosixPath(line(node.get("file")))
    return f"[[{path.stem}]]" if path.suffix.lower() in _NOTES else path.name


def _arrows(edges: object, nodes: list[dict[str, Any]]) -> list[str]:
    names = {line(node.get("id")): _name(node) for node in nodes}
    found = []
    for edge in edges if isinstance(edges, list) else ():
        if not isinstance(edge, dict):
            continue
        start = names.get(line(edge.get("fromNode")), "")
        end = names.get(line(edge.get("toNode")), "")
        both = edge.get("fromEnd") == "arrow"
        sign = "—" if edge.get("toEnd") == "none" and not both else "↔" if both else "→"
        if start and end:
            label = line(edge.get("label"))
            found.append(f"- {start} {sign} {end}{f': {label}' if label else ''}")
    return found


def _name(node: Mapping[str, Any]) -> str:
    if node.get("type") == "group":
        return line(node.get("label"))
    text = _card(node)
    return text if node.get("type") == "file" else first_words(text, _NAME_CHARS)


def _group(card: Mapping[str, Any], groups: list[dict[str, Any]]) -> int:
    """The position of the smallest group in which the card's middle lies; -1 for none."""
    x = _number(card, "x") + _number(card, "width") / 2
    y = _number(card, "y") + _number(card, "height") / 2
    holding = [
        (_number(group, "width") * _number(group, "height"), number)
        for number, group in enumerate(groups)
        if 0 <= x - _number(group, "x") <= _number(group, "width")
        and 0 <= y - _number(group, "y") <= _number(group, "height")
    ]
    return min(holding)[1] if holding else -1


def _place(node: Mapping[str, Any]) -> tuple[float, float]:
    """Cards are read as text is: by rows, then from left to right."""
    return _number(node, "y"), _number(node, "x")


def _number(node: Mapping[str, Any], key: str) -> float:
    value = node.get(key)
    return float(value) if isinstance(value, int | float) else 0.0
