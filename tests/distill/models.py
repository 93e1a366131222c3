"""Models for tests: what a good one, and every kind of bad one, replies to a request."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from citewiki.distill.prefixes import WrittenPrefixes
from citewiki.errors import EngineError
from citewiki.llm.port import Reply, Request
from citewiki.llm.scripted import ScriptedEngine
from citewiki.markdown.structure import sentences

Step = str | Reply | EngineError
Script = Callable[[Request], Step]


def told(request: Request) -> str:
    """All that a request tells the model."""
    return "\n\n".join(block.text for block in request.blocks)


def section_of(request: Request) -> tuple[str, str]:
    """(title, text) of the section that a request holds."""
    found = re.search(
        r'<section title="([^"]*)"[^>]*>\n(.*?)\n</section>', told(request), re.DOTALL
    )
    assert found
    return found[1].rpartition(" › ")[2], found[2]


def claim(text: str, *quotes: str) -> dict[str, Any]:
    return {"text": text, "quotes": list(quotes or (text,))}


def page(title: str, *claims: Mapping[str, Any], **more: Any) -> str:
    """A draft as a model writes it."""
    summary = more.pop("summary", claims[0]["text"] if claims else "")
    parts = more.pop("parts", [{"heading": "", "claims": list(claims), "copied": ""}])
    return json.dumps({"title": title, "summary": summary, "parts": parts, **more})


def objections(*found: Mapping[str, Any]) -> str:
    return json.dumps({"objections": list(found)})


def faithful(request: Request) -> str:
    """A good model: says what the section says, sentence by sentence; finds no fault."""
    if request.role == "lint":
        return objections()
    title, text = section_of(request)
    said = [sentence.text for sentence in sentences(text)]
    return page(title, *map(claim, said))


def model(
    drafts: Mapping[str, Step] | Script | None = None, lint: Script | None = None
) -> ScriptedEngine:
    """A model that drafts by section title, else faithfully, and lints by `lint`."""

    def script(request: Request) -> Step:
        if request.shape is WrittenPrefixes:
            return json.dumps({"prefixes": []})
        if request.role == "lint":
            return lint(request) if lint else objections()
        if callable(drafts):
            return drafts(request)
        return (drafts or {}).get(section_of(request)[0]) or faithful(request)

    return ScriptedEngine(script)
