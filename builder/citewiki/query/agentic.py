"""Research by a language model: it searches, reads and follows links itself, and only that.

For questions that one retrieval cannot answer. Its answer passes the same checks as any other.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from citewiki.errors import CitewikiError, EngineError, EngineUnusable, UnknownPage
from citewiki.index.graph import links, resolve_links
from citewiki.index.index import Index
from citewiki.llm.port import (
    NOTHING,
    Block,
    Engine,
    Request,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
    charged,
    filled,
)
from citewiki.llm.prompt import block, prompt
from citewiki.model import Hit, Page
from citewiki.query.llm_answer import LlmDraft, WrittenAnswer, checked, claim_rules
from citewiki.store.names import Names

ROUNDS = 6
"""Turns of the model, the one with the answer included; with less than two it can read nothing."""

TOKEN_CAP = 100_000
"""Tokens, read and written, after which the answer is asked for."""

PART_CHARS = 8000
"""Characters of a page that one call shows."""


@dataclass(frozen=True, slots=True)
class Library:
    """What the model may do, all of it reading, on behalf of one viewer."""

    search: Callable[[str], Sequence[Hit]]  # words → pages, best first
    page: Callable[[str], Page]  # slug → page; raises UnknownPage
    links: Callable[[str], Sequence[Page]]  # slug → pages that it links; raises UnknownPage


@dataclass(frozen=True, slots=True)
class Step:
    """One call of the model and what became of it."""

    tool: str
    arguments: Mapping[str, object]
    result: str  # in a few words: "3 pages", or why it failed


@dataclass(frozen=True, slots=True)
class Research:
    """What the model proposed, from which pages, and how it went about it."""

    draft: LlmDraft
    pages: Mapping[str, Page]  # that it has read, by slug
    steps: tuple[Step, ...]


def library(
    index: Index,
    search: Callable[[str], Sequence[Hit]],
    allowed: Callable[[Page], bool] | None = None,
    current: Callable[[Page], Page | None] = lambda page: page,
) -> Library:
    """The library of an index, as its viewer sees it.

    `search` is retrieval with its filters; pages that are not `allowed` do not exist, and
    `current` gives what holds in place of a page, if anything does.
    """
    may = allowed or (lambda _page: True)
    names = Names(filter(allowed, index.pages())) if allowed else index.names()

    def page(slug: str) -> Page:
        found = index.by_slug(slug)
        now = current(found) if found and may(found) else None
        if now is None:
            raise UnknownPage(slug, tuple(names.nearest(slug)))
        return now

    def linked(slug: str) -> list[Page]:
        here = page(slug)
        edges = resolve_links(here, links(here), names)
        paths = dict.fromkeys(edge.target for edge in edges if edge.target)
        pages = (index.page(path) for path in paths if path != here.path)
        found = (current(each) for each in pages if each and may(each))
        return [each for each in found if each]

    return Library(search, page, linked)


TOOLS = (
    Tool(
        "search",
        "Finds pages by words; gives slug and title of each, the best first.",
        {
            "type": "object",
            "properties": {"words": {"type": "string", "description": "names and rare words"}},
            "required": ["words"],
        },
    ),
    Tool(
        "read_page",
        "Gives the text of a page; a long one in parts, the first unless said otherwise.",
        {
            "type": "object",
            "properties": {"slug": {"type": "string"}, "part": {"type": "integer"}},
            "required": ["slug"],
        },
    ),
    Tool(
        "follow_links",
        "Gives slug and title of the pages that a page links, in its order.",
        {"type": "object", "properties": {"slug": {"type": "string"}}, "required": ["slug"]},
    ),
)


def research(
    question: str,
    library: Library,
    engine: Engine,
    *,
    rounds: int = ROUNDS,
    token_cap: int = TOKEN_CAP,
    strict: bool = False,
) -> Research:
    """What the model answers from the pages that it finds and reads.

    It has at most `rounds` turns. Once `token_cap` tokens are spent, or it makes a call for the
    second time, the next turn has to be the answer. Raises EngineError of the kind that fits.
    """
    desk = _Desk(library)
    turns: tuple[Turn, ...] = ()
    usage = NOTHING
    request = Request(
        "answer",
        prompt("agentic", rounds=str(rounds), claims=claim_rules(strict)),
        (Block(block("question", question)),),
        shape=WrittenAnswer,
        tools=TOOLS,
    )
    for left in range(rounds - 1, -1, -1):
        last = not left or usage.tokens >= token_cap or desk.repeated
        if last and turns:
            turns = (*turns[:-1], Turn("user", (*turns[-1].parts, prompt("final"))))
        try:
            reply = engine.reply(replace(request, turns=turns, may_call=not last))
        except EngineError as error:
            raise charged(error, usage) from None
        usage += reply.usage
        if not reply.calls:
            draft = checked(filled(reply, WrittenAnswer), desk.pages, usage)
            return Research(draft, desk.pages, tuple(desk.steps))
        if last:
            break
        turns = (*turns, reply.turn, Turn("user", tuple(map(desk.answer, reply.calls))))
    raise EngineUnusable(
        "the language model went on searching instead of answering", usage=usage.as_dict()
    )


class _BadCall(Exception):
    """A call that cannot be answered; the message goes back to the model."""


class _Desk:
    """Answers calls and remembers them; nothing that goes wrong in one ends the research."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._made: set[str] = set()
        self.pages: dict[str, Page] = {}  # that were read, by slug
        self.steps: list[Step] = []
        self.repeated = False  # whether a call was made for the second time

    def answer(self, call: ToolCall) -> ToolResult:
        """The result of one call."""
        try:
            text, summary = self._run(call)
            failed = False
        except (_BadCall, CitewikiError) as error:
            text = summary = str(error)
            failed = True
        self.steps.append(Step(call.name, call.arguments, summary))
        return ToolResult(call.id, text, failed)

    def _run(self, call: ToolCall) -> tuple[str, str]:
        made = json.dumps([call.name, call.arguments], sort_keys=True, default=str)
        if made in self._made:
            self.repeated = True
            raise _BadCall("this call was made before; its result stands above")
        self._made.add(made)
        match call.name:
            case "search":
                return self._search(_text(call, "words"))
            case "read_page":
                return self._read(_text(call, "slug"), call.arguments.get("part", 1))
            case "follow_links":
                return self._links(_text(call, "slug"))
        raise _BadCall(f"there is no tool “{call.name}”")

    def _search(self, words: str) -> tuple[str, str]:
        hits = self._library.search(words)
        return _listed([(hit.slug, hit.title) for hit in hits])

    def _links(self, slug: str) -> tuple[str, str]:
        return _listed([(page.slug, page.title) for page in self._library.links(slug)])

    def _read(self, slug: str, part: object) -> tuple[str, str]:
        page = self._library.page(slug)
        parts = max(1, math.ceil(len(page.body) / PART_CHARS))
        if not isinstance(part, int) or not 1 <= part <= parts:
            raise _BadCall(f"“{page.title}” has the parts 1 to {parts}")
        self.pages[page.slug] = page
        text = page.body[(part - 1) * PART_CHARS : part * PART_CHARS]
        shown = block("page", text, slug=page.slug, title=page.title, part=f"{part} of {parts}")
        return shown, f"part {part} of {parts} of “{page.title}”"


def _text(call: ToolCall, name: str) -> str:
    value = call.arguments.get(name)
    if not isinstance(value, str) or not value.strip():
        raise _BadCall(f"`{call.name}` needs `{name}`, a text")
    return value.strip()


def _listed(pages: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """Slugs and titles, a page a line, as a block; and how many."""
    lines = "\n".join(f"{slug}: {title}" for slug, title in pages) or "no page"
    return block("result", lines), f"{len(pages)} pages"
