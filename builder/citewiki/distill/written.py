"""A section as a page, written by one model and checked by another and by the program.

Pass 1 writes statements with quotes. The program throws away what its checks do not bear out, and
has it put right once. Pass 2, another model that sees section and draft only, objects; what it
puts in is checked in the same way. After two rounds of objections a person decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from citewiki.distill.checked import Checked, check
from citewiki.distill.checks import Judge
from citewiki.distill.ground import Ground
from citewiki.distill.shapes import Findings, Objection, WrittenClaim, WrittenPage, WrittenPart
from citewiki.errors import EngineError
from citewiki.llm.port import NOTHING, Block, Engine, Reply, Request, Turn, Usage, charged, filled
from citewiki.llm.prompt import block, prompt
from citewiki.markdown.regions import regions
from citewiki.model import Section
from citewiki.text.folding import name_key

ROUNDS = 2
"""Rounds of objections before a person is asked."""

MAX_TOKENS = 16_000
"""Room for one page: a section of 2,500 words, its quotes beside its statements, and thinking."""

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Known:
    """What the wiki holds already, as far as the new page may speak of it."""

    domains: tuple[str, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()  # (title, summary) of the most related pages


@dataclass(frozen=True, slots=True)
class Written:
    """What came of a section."""

    draft: Checked
    problems: tuple[str, ...] = ()  # what a person has to decide; () when it may be written
    usage: Usage = NOTHING
    calls: int = 0


def write(
    ground: Ground, known: Known, engine: Engine, *, judge: Judge | None = None, reason: str = ""
) -> Written:
    """What two models make of a section. `reason`: why a person turned the last draft down.

    Raises EngineError of the kind that fits, with the usage of all calls of this section.
    """
    asked = _Asked(engine)
    titles = {name_key(title): title for title, _ in known.pages}
    request = first_request(ground, known, reason)
    page = asked.for_shape(request, WrittenPage)
    draft = check(page, ground, titles, judge)
    if draft.faults:
        again = prompt("distill_again", faults="\n".join(f"- {fault}" for fault in draft.faults))
        turns = (asked.last.turn, Turn("user", (again,)))
        page = asked.for_shape(replace(request, turns=turns), WrittenPage)
        better = check(page, ground, titles, judge)
        draft = better if better.kept >= draft.kept else draft
    problems: list[str] = []
    for _ in range(ROUNDS):
        if not draft.stands:
            break
        findings = asked.for_shape(lint_request(ground, draft, titles), Findings)
        objections = [each for each in findings.objections if _is_about(each, draft)]
        problems = [_told(each) for each in objections if each.better.strip()]
        if not objections:
            break
        draft = check(_adjusted(draft, objections), ground, titles, judge, before=draft)
        if not problems:  # statements were only taken out: nothing new to look at
            break
    if not draft.stands:
        problems = list(draft.faults) or ["too little of what the model wrote stands"]
    return Written(draft, tuple(dict.fromkeys(problems)), asked.usage, asked.calls)


def first_request(ground: Ground, known: Known, reason: str = "") -> Request:
    """Pass 1. What many sections share comes first, so that a server can keep it at hand."""
    shared = [block("domains", "\n".join(known.domains))]
    pages = [block("page", summary, title=title) for title, summary in known.pages]
    own = [*pages, _section(ground)]
    if reason:
        own.append(block("reason", reason))
    return Request(
        "distill",
        prompt("distill"),
        (Block("\n\n".join(shared), cache=True), Block("\n\n".join(own))),
        shape=WrittenPage,
        max_tokens=MAX_TOKENS,
    )


def lint_request(ground: Ground, draft: Checked, titles: Mapping[str, str]) -> Request:
    """Pass 2: section and draft, nothing of what was said before."""
    claims = [
        block("claim", statement.text, number=str(number))
        for number, statement in enumerate(draft.statements, 1)
    ]
    pages = [block("page", "", title=title) for title in titles.values()]
    # The draft's statements stand in blocks of their own: nothing in one can end the draft's.
    head = f"{block('draft', '', title=draft.title, summary=draft.summary)}"
    told = [*pages, head, *claims]
    return Request(
        "lint",
        prompt("lint"),
        (Block(_section(ground), cache=True), Block("\n\n".join(told))),
        shape=Findings,
    )


class _Asked:
    """Calls of one section, and what they cost together."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.usage = NOTHING
        self.calls = 0
        self.last = Reply("")

    def for_shape(self, request: Request, shape: type[Shape]) -> Shape:
        try:
            self.last = self._engine.reply(request)
        except EngineError as error:
            raise charged(error, self.usage) from error.__cause__
        self.usage += self.last.usage
        self.calls += 1
        return filled(self.last, shape)


def _section(ground: Ground) -> str:
    """The section as a block, without what its reader would not see."""
    section = ground.section
    called = " › ".join(filter(None, (*section.parents, section.title))) or ground.source.title
    return block("section", _shown(section), title=called, source=ground.source.title)


def _shown(section: Section) -> str:
    """The section's Markdown without comments and invisible characters."""
    text, pieces, done = section.text, list[str](), 0
    for region in regions(text):
        if region.kind == "comment":
            pieces.append(text[done : region.start])
            done = region.end
    return "".join((*pieces, text[done:])).translate(_INVISIBLE)


_INVISIBLE = dict.fromkeys(
    (0, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065),
     *range(0xE0000, 0xE0080))
)  # fmt: skip


def _is_about(objection: Objection, draft: Checked) -> bool:
    """Whether an objection names something that the draft has, and changes it."""
    better = " ".join(objection.better.split())
    if objection.where == "claim":
        if not 1 <= objection.claim <= len(draft.statements):
            return False
        return better != draft.statements[objection.claim - 1].text
    return better != (draft.title if objection.where == "title" else draft.summary)


def _told(objection: Objection) -> str:
    what = objection.where if objection.where != "claim" else f"statement {objection.claim}"
    return f"{what}: {objection.fault}{f' (“{objection.words}”)' if objection.words else ''}"


def _adjusted(draft: Checked, objections: Iterable[Objection]) -> WrittenPage:
    """The draft with every objection applied; the first about a thing counts."""
    claims: dict[int, str] = {}
    others: dict[str, str] = {}
    for each in objections:
        if each.where == "claim":
            claims.setdefault(each.claim, each.better)
        else:
            others.setdefault(each.where, each.better)
    parts: list[WrittenPart] = []
    number = 0
    for paragraph in draft.paragraphs:
        kept: list[WrittenClaim] = []
        for statement in paragraph.statements:
            number += 1
            text = claims.get(number, statement.text)
            if text.strip():
                kept.append(WrittenClaim(text, tuple(quote.text for quote in statement.quotes)))
        parts.append(WrittenPart(tuple(kept), paragraph.heading, paragraph.copied))
    return replace(
        draft.page,
        title=others.get("title", draft.title),
        summary=others.get("summary", draft.summary),
        parts=tuple(parts),
    )
