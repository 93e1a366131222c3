"""What compiling with language models would cost, before anything is sent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.checked import Checked
from citewiki.distill.drafting import Context
from citewiki.distill.ground import Ground
from citewiki.distill.related import Related, may_mention
from citewiki.distill.shapes import WrittenPage
from citewiki.distill.shelf import Shelf
from citewiki.distill.worklist import Worklist
from citewiki.distill.written import first_request, lint_request
from citewiki.llm import prices
from citewiki.llm.port import Request, Usage
from citewiki.store import review

CHARS_PER_TOKEN = 3.5
"""Characters that a token has in prose of Latin letters; wide characters count as a token each."""

PAGE_SHARE = 2.0
"""Tokens of a written page by those of its section: statements with their quotes, and thinking."""

PREFIXES = (1_000, 200)
"""Tokens sent and written, beside the page itself, to prefix the passages of one page."""

FINDINGS = 400
"""Tokens of a reply of pass 2: some objections, and thinking."""

MOST = 2.0
"""At the most, by what is likely: every page is put right once, and checked twice."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one model would do."""

    model: str
    calls: int
    input: int  # tokens
    output: int
    usd: float | None  # None: its price is not known


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would cost."""

    sections: int
    calls: int
    models: tuple[Share, ...]
    usd: float | None  # likely; None when a price is not known
    usd_at_most: float | None


def estimate(
    root: Path,
    config: Config,
    *,
    only: Collection[str] = (),
    password: str = "",
    cache: Path | None = None,
    share: float = 1.0,
) -> Estimate:
    """The likely cost of compiling what is new or changed; nothing is sent or written.

    `share` is what a call costs beside the list price (a half in a batch). Raises DataError for a
    source that is not in the manifest.
    """
    cache = cache or root / ".citewiki"
    shelf = Shelf(root / "wiki")
    waiting = {item.id: item.section_sha256 for item in review.items(cache)}
    work = Worklist(
        root,
        shelf,
        password=password,
        privacy=replace(config.privacy, model=""),  # nothing is sent
        waiting=waiting,
        takes_advice=True,
    )
    pages = [page for page in shelf.served() if may_mention(page, config)]
    context = Context(cache, shelf, Related(pages), config)
    written, checked = Usage(), Usage()
    sections = 0
    for record in work.chosen(only):
        for job in work.jobs(record):
            sections += 1
            ground = Ground(job.section, job.source)
            size = tokens(job.section.text)
            first = first_request(ground, context.fresh(job), job.rejection)
            blank = Checked(WrittenPage("", "", ()), job.section.title, "", ())
            second = lint_request(ground, blank, {})
            written += Usage(input=_sent(first), output=round(PAGE_SHARE * size))
            written += Usage(input=PREFIXES[0] + size, output=PREFIXES[1])
            checked += Usage(input=_sent(second) + size, output=FINDINGS)
    engine = config.engine
    models = (
        _share(engine.distill_model or engine.answer_model, 2 * sections, written, share),
        _share(engine.lint_model or engine.judge_model, sections, checked, share),
    )
    costs = [each.usd for each in models]
    usd = None if None in costs else sum(cost for cost in costs if cost is not None)
    return Estimate(sections, 3 * sections, models, usd, None if usd is None else MOST * usd)


def tokens(text: str) -> int:
    """About how many tokens a text has."""
    wide = sum(char > "\u2e7f" for char in text)
    return round((len(text) - wide) / CHARS_PER_TOKEN) + wide


def _sent(request: Request) -> int:
    return tokens(request.system) + sum(tokens(block.text) for block in request.blocks)


def _share(model: str, calls: int, usage: Usage, share: float) -> Share:
    cost = prices.usd(model, usage)
    usd = None if cost is None else round(cost * share, 6)
    return Share(model, calls, usage.input, usage.output, usd)
