"""Obsidian's callouts, `> [!note] Title`, as the theme's admonitions."""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree

_HEAD = re.compile(r"\[!(\w[\w -]*)(?:\|[^\]\n]*)?\]([+-]?)[ ]*")
_PARAGRAPHS = ("p", "div")  # one that embeds is a <div>
_LOOKS = {  # Obsidian's names → the theme's
    "summary": "abstract", "tldr": "abstract", "todo": "info", "hint": "tip",
    "important": "tip", "check": "success", "done": "success", "help": "question",
    "faq": "question", "caution": "warning", "attention": "warning", "fail": "failure",
    "missing": "failure", "error": "danger", "cite": "quote",
}  # fmt: skip


def callout(quote: etree.Element) -> None:
    """Turn a block quote that starts with `[!kind]` into an admonition; leave others alone.

    `[!kind]-` folds it, `[!kind]+` lets it fold. Without a title its kind is the title.
    """
    first = quote[0] if len(quote) else None
    head = _HEAD.match(first.text or "") if first is not None and first.tag in _PARAGRAPHS else None
    if first is None or head is None:
        return
    kind = head[1].strip().lower()
    first.text = (first.text or "")[head.end() :]
    title, rest = _split_line(first)
    if not (title.text or "").strip() and not len(title):
        title.text = kind.capitalize()
    quote.remove(first)
    if rest is not None:
        quote.insert(0, rest)
    look = _LOOKS.get(kind, kind)
    if head[2]:
        quote.tag, title.tag = "details", "summary"
        quote.set("class", look)
        if head[2] == "+":
            quote.set("open", "open")
    else:
        quote.tag = "div"
        quote.set("class", f"admonition {look}")
        title.set("class", "admonition-title")
    quote.insert(0, title)


def _split_line(paragraph: etree.Element) -> tuple[etree.Element, etree.Element | None]:
    """The paragraph's first line and, when there is more, the rest of it."""
    title, rest = etree.Element("p"), etree.Element(paragraph.tag)
    first, newline, after = (paragraph.text or "").partition("\n")
    title.text = first
    if newline:
        rest.text = after
        rest.extend(list(paragraph))
        return title, rest
    for number, child in enumerate(paragraph):
        if child.tag == "br":
            rest.text = (child.tail or "").lstrip("\n")
            rest.extend(list(paragraph)[number + 1 :])
            return title, rest
        title.append(child)
        line, newline, after = (child.tail or "").partition("\n")
        if newline:
            child.tail = line
            rest.text = after
            rest.extend(list(paragraph)[number + 1 :])
            return title, rest
    return title, None
