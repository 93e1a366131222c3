"""The hooks file is thin: it hands every event on."""

from __future__ import annotations

import ast
from pathlib import Path

HOOKS = Path(__file__).parents[2] / "hooks"


def test_hooks_are_short_and_hold_no_logic() -> None:
    for path in HOOKS.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 60
        tree = ast.parse(text)
        assert not [node for node in ast.walk(tree) if isinstance(node, ast.If | ast.For | ast.Try)]


def test_every_hook_is_an_event_of_mkdocs() -> None:
    from mkdocs.plugins import EVENTS

    text = (HOOKS / "citewiki_hooks.py").read_text(encoding="utf-8")
    names = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert names
    assert {name.removeprefix("on_") for name in names} <= set(EVENTS)
