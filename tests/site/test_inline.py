"""The quick stages give what the parser's own do."""

from __future__ import annotations

import re

import pytest

from citewiki.site.inline import QuickExtension, marks, settle
from citewiki.site.render import EXTENSIONS
from markdown import Markdown

TEXTS = (
    "Plain words, and no mark at all.",
    "*a* **b** ***c*** _d_ __e__ ~~f~~ ==g== `h` \\* &amp; <b>i</b> <http://j.example>",
    "[k](l 'm') ![n](o) [p][q] [^r] two  \nlines\n\n[q]: s\n\n[^r]: t *u*",
    "# A *b*\n\n> quote `c`\n\n- item **d**\n\n| e | f |\n|---|---|\n| *g* | h |\n\n[TOC]\n\n## A b",
    "snake_case_word 2 * 3 * 4, a_b_ *open `half",
    "Words\n=====\n\nmore\n# head\nrest\n\n***\n\nend\n---\n\n1. one\n2. two\n\n    in it\n\nout of it",
    "a\n> quote\n\n- x\n\n  y\n\nz\n- no item\n\n    code\n\n\n    code\n\nword\n    no code",
    "!!! note\n\n    in\n\nout\n\n??? open\n    in\n\n    - item\n\n        in it\n\nout\n!!! tip\n    in",
    "say [^n]\n\n[^n]: note\n\n    more of it\n\nno more\n[k]: l\n\na | b\n--|--\nc | d\n\nlast [k]",
    "```\n# code\n```\n\n<div>html</div>\n\nwords <b>\n\n1986\\. A year\n\n\n\nend   ",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize(
    "more",
    [
        (),
        ("admonition", "pymdownx.details"),
        ("pymdownx.mark", "pymdownx.magiclink", "smarty", "abbr"),
    ],
)
def test_a_text_is_rendered_as_by_the_parsers_own_stages(text: str, more: tuple[str, ...]) -> None:
    own = Markdown(extensions=[*EXTENSIONS, *more])
    quick = Markdown(extensions=[QuickExtension(), *EXTENSIONS, *more])
    settle(quick)
    assert quick.convert(text) == own.convert(text)
    assert vars(quick)["toc_tokens"] == vars(own)["toc_tokens"]


@pytest.mark.parametrize(
    ("pattern", "needed"),
    [
        (r"\[(a|b)\]", "["),
        (r"(\*|_)x?", "*_"),
        (r"(?:!\w)+", "!"),
        (r"(?:!\w)*", ""),
        (r"\w+", ""),
        (r"(?i)#", ""),
    ],
)
def test_what_a_match_must_hold_is_read_from_the_pattern(pattern: str, needed: str) -> None:
    assert marks(re.compile(pattern)) == needed
