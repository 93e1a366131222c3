"""The theme's frame around pages: drawn once for all that share it, then filled in.

A page of mkdocs-material is some fifteen templates, and around the text all but a few say the
same on every page. So the frame is rendered with marks in the place of the blocks that differ,
and for each page only those blocks are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any

from jinja2 import Environment, Template, pass_context
from jinja2.runtime import Context

FILLED = "citewiki-filled.html"
"""The template of pages that share a frame: it calls `fill`."""

WHOLE = "main.html"
OWN_BLOCKS = ("site_meta", "htmltitle", "extrahead", "toc", "content", "scripts")
"""What differs from page to page; every other block of the theme is the same on all."""

_STX, _ETX = "\x02", "\x03"
_MARK = re.compile(f"{_STX}(\\w+){_ETX}")
_INDENT = re.compile(r"\s*\n\s*")
_SPARED = re.compile(  # what means nothing in HTML: XML's name for SVG, space between blocks
    r'(?<=<svg) xmlns="http://www\.w3\.org/2000/svg"'
    r"|(?<=>)\n(?=</?(?:div|nav|ul|ol|li|label|form|header|footer|main|input|meta|link|script|title|article|svg)\b)"
    r'|(?<=<span class="md-ellipsis">)\n|\n(?=</span>)'
)


@dataclass(frozen=True, slots=True)
class _Frame:
    """What all pages of one depth have in common."""

    parts: tuple[str, ...]  # text, the name of what stands there, text, …
    blocks: dict[str, list[Callable[[Context], Iterator[str]]]]  # by name, as Jinja keeps them
    values: dict[str, Any]  # what the theme's templates have set for their blocks


class Frames:
    """The frames of one site, and what stands in them."""

    def __init__(self, templates: Environment) -> None:
        self._templates = templates
        self._kept: dict[str, _Frame] = {}
        templates.globals["fill"] = self.fill

    @cached_property
    def _whole(self) -> Template:
        return self._templates.get_template(WHOLE)

    @pass_context
    def fill(self, caller: Context) -> str:
        """The page that the template is rendered for."""
        values = caller.get_all()
        page = values["page"]
        frame = self._kept.get(page.frame)
        if frame is None:
            frame = self._kept[page.frame] = self._draw(values)
        context = self._whole.new_context({**values, **frame.values})
        context.blocks = frame.blocks
        parts = list(frame.parts)
        for number in range(1, len(parts), 2):
            if (name := parts[number]) == "title":
                parts[number] = page.title
            else:
                parts[number] = "".join(frame.blocks[name][0](context))
        return "".join(parts)

    def _draw(self, values: Mapping[str, Any]) -> _Frame:
        """The frame around a page that stands for all."""
        anyone = SimpleNamespace(
            title=f"{_STX}title{_ETX}", meta={}, toc=(), content="", url=values["page"].url,
            is_homepage=False, children=None, ancestors=(), parent=None,
            previous_page=None, next_page=None, edit_url=None, canonical_url=None,
        )  # fmt: skip
        context = self._whole.new_context({**values, "page": anyone})
        for name in OWN_BLOCKS:
            context.blocks.setdefault(name, []).insert(0, _marked(name))
        html = "".join(self._whole.root_render_func(context))
        html = _SPARED.sub("", _INDENT.sub("\n", html.strip()))
        parts = _MARK.split(html)
        blocks = {
            name: every[1:] if name in OWN_BLOCKS else every
            for name, every in context.blocks.items()
        }
        return _Frame(tuple(parts), blocks, dict(context.vars))


def _marked(name: str) -> Callable[[Context], Iterator[str]]:
    return lambda _: iter((f"{_STX}{name}{_ETX}",))


def one_top(headings: Sequence[dict[str, Any]]) -> list[Any]:
    """Headings as the theme wants them: it shows what is under one first-level heading only.

    A page with several first-level headings gets all levels lowered by one.
    """
    tops = [item for item in headings if item["level"] == 1]
    if len(tops) < 2 and (not tops or len(headings) == 1):
        return list(headings)

    def lowered(item: dict[str, Any]) -> dict[str, Any]:
        return {**item, "level": item["level"] + 1, "children": [*map(lowered, item["children"])]}

    return [lowered(item) for item in headings]
