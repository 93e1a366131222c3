"""Script and style as they are published."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from citewiki.site.compact import compact

ASSETS = sorted((Path(__file__).parents[2] / "builder/citewiki/site/assets").iterdir())


def test_whole_lines_of_comment_and_indentation_go_and_all_else_stays() -> None:
    text = (
        "/* What this\n   does. */\nconst a = 1; // kept: it shares its line\n\n"
        "  // gone\n  /* gone */\n  /* kept */ f('/* a */  b'); // c */\n    if (a) {\n"
        "      g(`x  ${a}`);\n    }\n"
    )
    assert compact(text) == (
        "const a = 1; // kept: it shares its line\n"
        "/* kept */ f('/* a */  b'); // c */\nif (a) {\ng(`x  ${a}`);\n}\n"
    )


def test_what_is_compact_stays_as_it_is() -> None:
    for path in ASSETS:
        once = compact(path.read_text(encoding="utf-8"))
        assert compact(once) == once


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_no_text_in_backticks_spans_lines(path: Path) -> None:
    """Its indentation would be lost. Patterns may hold single ones."""
    pattern = re.compile(r"/(?:\\.|\[[^\]\n]*\]|[^/\n])+/[a-z]*")
    for line in path.read_text(encoding="utf-8").splitlines():
        assert pattern.sub("", line).count("`") % 2 == 0, line
