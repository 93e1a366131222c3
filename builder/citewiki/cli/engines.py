"""The language model and the web search that a command was told to use."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from citewiki.config import EngineConfig
    from citewiki.llm.port import Engine
    from citewiki.query.web import Searcher

ENGINES = ("extractive", "anthropic")


def chosen_engine(config: EngineConfig, name: str, agentic: bool) -> Engine | None:
    """The engine called `name`, else the configured one; None is the built-in, extractive one.

    The key comes from ANTHROPIC_API_KEY; the server from `base_url`, else ANTHROPIC_BASE_URL.
    """
    name = name or ("anthropic" if agentic else config.name)
    if name not in ENGINES:
        raise click.BadParameter(f"“{name}” is no engine; there are {', '.join(ENGINES)}")
    if name == "extractive":
        if agentic:
            raise click.BadParameter("--agentic needs a language model: --engine anthropic")
        return None
    from citewiki.llm.anthropic import ANTHROPIC, AnthropicEngine

    return AnthropicEngine(
        key=os.environ.get("ANTHROPIC_API_KEY", ""),
        models={
            "answer": config.answer_model,
            "judge": config.judge_model,
            "distill": config.answer_model,
        },
        base_url=config.base_url or os.environ.get("ANTHROPIC_BASE_URL") or ANTHROPIC,
        timeout=float(config.timeout),
        retries=config.retries,
    )


def web_searcher() -> Searcher:
    """The search engines of the web."""
    from citewiki.query.web import Ddgs

    return Ddgs()
