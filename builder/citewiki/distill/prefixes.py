"""A sentence by a language model on what each passage is about, for the index to find it by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from citewiki.errors import EngineError, EngineRefused, EngineTruncated, EngineUnusable
from citewiki.llm.port import NOTHING, Block, Engine, Request, Usage, charged, filled
from citewiki.llm.prompt import block, prompt
from citewiki.markdown.structure import Passage, passages
from citewiki.model import Page
from citewiki.store.prefixes import passage_key, prefix_file, read_prefixes, save_prefixes

PAGE_CHARS = 24_000
"""Characters of a page that a model is shown around its passages."""

AT_ONCE = 12
"""Passages that one call asks for."""

PASSAGE_CHARS = 1500
"""Characters of a passage that are shown once more: enough to tell which one is meant."""

LONGEST = 300
"""Characters of a prefix; a model that writes more has written no sentence."""

Report = Callable[[int, int, str], None]

_OF_ONE_PAGE = (EngineRefused, EngineTruncated, EngineUnusable)


@dataclass(frozen=True, slots=True)
class WrittenPrefix:
    """A prefix as the model writes it."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class WrittenPrefixes:
    """The form of a reply."""

    prefixes: tuple[WrittenPrefix, ...]


@dataclass(frozen=True, slots=True)
class Prefixed:
    """What a run did."""

    written: int = 0  # prefixes that are new
    kept: int = 0  # … that stood already
    failed: tuple[str, ...] = ()  # for a person: of which pages some are lacking, and why
    usage: Usage = NOTHING


def write_prefixes(
    engine: Engine,
    pages: Iterable[Page],
    cache: Path,
    *,
    report: Report = lambda done, total, what: None,
) -> Prefixed:
    """Write a prefix for every passage of `pages` that has none yet, and drop those of old texts.

    A page is told of itself only, so that a prefix never says what its page's readers may not
    see. What a call gave is kept at once: a run that was broken off goes on where it was.
    The index takes them in when it is opened next. A page on which the model has no usable reply
    is told of, and the run goes on; it is asked about again next time. Raises EngineError when no
    call can be made, with the cost of those before it.
    """
    pages = list(pages)
    done = Prefixed()
    for number, page in enumerate(pages):
        report(number, len(pages), page.title)
        file = prefix_file(cache, page.path)
        known = read_prefixes(file)
        wanted = {passage_key(page.title, each.text): each for each in passages(page.body)}
        kept = {key: known[key] for key in wanted if key in known}
        if kept != known:
            save_prefixes(file, kept)
        done = replace(done, kept=done.kept + len(kept))
        lacking = [key for key, each in wanted.items() if each.text and key not in kept]
        for keys in _in_groups(lacking):
            try:
                told, usage = _asked(engine, page, [wanted[key] for key in keys])
            except _OF_ONE_PAGE as error:
                spent = Usage.of(error.usage) if error.usage else NOTHING
                failed = (*done.failed, f"{page.title}: {error.message}")
                done = replace(done, failed=failed, usage=done.usage + spent)
                continue
            except EngineError as error:
                raise charged(error, done.usage) from error.__cause__
            kept |= {keys[place]: text for place, text in told.items()}
            save_prefixes(file, kept)
            done = replace(done, written=done.written + len(told), usage=done.usage + usage)
    return done


def _in_groups(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(keys), AT_ONCE):
        yield keys[start : start + AT_ONCE]


def _asked(engine: Engine, page: Page, group: Sequence[Passage]) -> tuple[dict[int, str], Usage]:
    """What the model writes on some passages of a page, by their place in the group."""
    around = page.body
    if len(around) > PAGE_CHARS:  # what stands before and after the first of them
        start = max(0, min(group[0].start - PAGE_CHARS // 4, len(around) - PAGE_CHARS))
        around = around[start : start + PAGE_CHARS]
    shown = "\n\n".join(
        block(
            "section",
            each.text[:PASSAGE_CHARS],
            number=str(number),
            heading=" › ".join(each.path),
        )
        for number, each in enumerate(group, 1)
    )
    request = Request(
        "distill",
        prompt("prefixes"),
        (
            Block(block("page", around, title=page.title, domain=page.domain), cache=True),
            Block(shown),
        ),
        shape=WrittenPrefixes,
    )
    reply = engine.reply(request)
    found: dict[int, str] = {}
    for each in filled(reply, WrittenPrefixes).prefixes:
        text = " ".join(each.text.split())
        if 1 <= each.number <= len(group) and 0 < len(text) <= LONGEST:
            found.setdefault(each.number - 1, text)
    return found, reply.usage
