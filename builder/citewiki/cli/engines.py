"""The language model and the web search that a command was told to use."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from citewiki.config import EngineConfig
    from citewiki.llm.anthropic import AnthropicEngine
    from citewiki.llm.batch import Batched
    from citewiki.llm.budget import Metered
    from citewiki.llm.port import Engine, Usage
    from citewiki.query.web import Searcher
    from citewiki.server.mcp.session import Engines

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
    from citewiki.llm.shaped import Shaped

    return Shaped(_server(config))


@dataclass(frozen=True)
class Distilling:
    """The engine of one run of `compile`, and what counts its costs."""

    engine: Engine
    meter: Metered | Batched
    batched: Batched | None = None  # with --batch: `send` and `collect` until nothing waits

    @property
    def spent(self) -> Usage:
        """What the run has cost so far."""
        return self.meter.spent


def distilling_engine(
    config: EngineConfig, name: str, cache: Path, *, budget: float | None, batch: bool
) -> Distilling | None:
    """The engine that pages are written with; None is the built-in, extractive one.

    Replies are kept below `cache`, so that a run that was broken off pays for nothing twice.
    """
    name = name or config.distill
    if name not in ENGINES:
        raise click.BadParameter(f"“{name}” is no engine; there are {', '.join(ENGINES)}")
    if name == "extractive":
        if budget is not None or batch:
            raise click.BadParameter("--budget and --batch need a language model: --engine")
        return None
    from citewiki.llm.batch import Batched
    from citewiki.llm.budget import Metered
    from citewiki.llm.cache import Cached
    from citewiki.llm.shaped import Shaped
    from citewiki.store.kept import Kept

    server, kept = _server(config), Kept(cache / "replies")
    if batch:
        batched = Batched(server, kept, Kept(cache / "batches"), limit=budget)
        return Distilling(Shaped(Cached(batched, kept, server.models)), batched, batched)
    meter = Metered(server, server.models, limit=budget)
    return Distilling(Shaped(Cached(meter, kept, server.models)), meter)


def _server(config: EngineConfig) -> AnthropicEngine:
    from citewiki.llm.anthropic import ANTHROPIC, AnthropicEngine

    return AnthropicEngine(
        key=os.environ.get("ANTHROPIC_API_KEY", ""),
        models={
            "answer": config.answer_model,
            "judge": config.judge_model,
            "distill": config.distill_model or config.answer_model,
            "lint": config.lint_model or config.judge_model,
            "review": config.review_model or config.judge_model,
        },
        base_url=config.base_url or os.environ.get("ANTHROPIC_BASE_URL") or ANTHROPIC,
        timeout=float(config.timeout),
        retries=config.retries,
    )


def served_engines(config: EngineConfig, cache: Path) -> Engines:
    """What a server answers and distils with, as configured, and how it looks at the web."""
    from citewiki.server.mcp.session import Engines

    def distils() -> Engine | None:
        chosen = distilling_engine(config, "", cache, budget=None, batch=False)
        return chosen.engine if chosen else None

    return Engines(lambda: chosen_engine(config, "", False), distils, web_searcher)


def web_searcher() -> Searcher:
    """The search engines of the web."""
    from citewiki.query.web import Ddgs

    return Ddgs()
