"""Prompts: texts from prompts/*.md, and the marked blocks in which data is handed to a model.

Pages, questions and web results are data. Each stands in a block of its own; what looks like the
end (or start) of such a block inside it loses its bracket, so that no text can leave its block.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from string import Template

# Every tag that blocks are marked with, also when spaces or invisible characters hide it.
_TAGS = re.compile(
    r"<(?=[\s\u200b-\u200f\u2060\ufeff]*/?[\s\u200b-\u200f\u2060\ufeff]*"
    r"(?:page|question|claim|result|reply|section|draft|domains|reason)\b)",
    re.I,
)


def prompt(name: str, **values: str) -> str:
    """The text of prompts/NAME.md with its $placeholders filled in; all have to be given."""
    return Template(_text(name)).substitute(values).strip()


def block(tag: str, text: str, **attributes: str) -> str:
    """Data as `<tag name="value">` … `</tag>`; `tag` is one of those that are neutralised."""
    marks = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items())
    return f"<{tag}{marks}>\n{neutral(text)}\n</{tag}>"


def neutral(text: str) -> str:
    """The text with the brackets of our own tags written as `&lt;`; all else stays verbatim."""
    return _TAGS.sub("&lt;", text)


def _attribute(value: str) -> str:
    """A value that cannot end its tag; `&` stays, as models copy slugs as they see them."""
    return " ".join(value.split()).replace('"', "&quot;").replace("<", "&lt;").replace(">", "&gt;")


@lru_cache(maxsize=16)
def _text(name: str) -> str:
    file = resources.files("citewiki.llm").joinpath("prompts", f"{name}.md")
    return file.read_text(encoding="utf-8")
