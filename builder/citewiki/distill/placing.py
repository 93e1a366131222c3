"""What becomes of a proposal: a page to be written, or an item of the review queue."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.markdown.footnotes import footnotes
from citewiki.model import Page, Proposal
from citewiki.store import bases
from citewiki.store.guard import losses
from citewiki.store.merge import Conflict, merge
from citewiki.store.pages import body_sha256, edited_by_hand, render_page
from citewiki.store.review import ASKED, Evidence, Item, item_id


@dataclass(frozen=True, slots=True)
class Placed:
    """A proposal after the write guard."""

    page: Page | None = None  # to be written, its hash that of the program's own text
    item: Item | None = None  # to be queued for a person


def place(
    proposal: Proposal,
    current: Page | None,
    *,
    cache: Path,
    now: datetime,
    review: bool = False,
    section_sha256: str = "",
    previous: str = "",
) -> Placed:
    """Decide what becomes of a proposal to write `proposal.draft.page`.

    `current` is the page that stands in its place, with its body; None for a new one. What a
    person changed there is merged with the new text. It waits for a person when it has problems,
    when `review` asks for it, when both sides changed the same, when something would be lost
    (`guard.losses`), and when it would have a page contradicted or superseded. `previous` is the
    text of the page's present file.
    """
    page = proposal.draft.page
    reasons = list(proposal.problems)
    person = ""
    program = page.body
    if current is not None and edited_by_hand(current):
        page, conflicts = _merged(current, page, cache)
        reasons += (_told(conflict) for conflict in conflicts)
        person = "\n\n".join(conflict.person for conflict in conflicts)
    page = replace(page, generated_sha256=body_sha256(program))
    front = page
    if current is not None:
        page = bases.with_edits(cache, current, page)
    if current is not None and not person:
        base = bases.base_of(cache, current)
        why = proposal.why if proposal.kind != "addition" else ""
        reasons += losses(current, page, base=base, why=why)
    if proposal.kind == "supersession":
        reasons.append(f"it would take the place of {proposal.target}")
    if proposal.kind == "contradiction":
        reasons.append(f"a source says otherwise than {proposal.target}")
    if review and not reasons:
        reasons.append(ASKED)
    if page.body != program or reasons:
        bases.keep(cache, program)
    if not reasons:
        bases.keep_front(cache, page.slug, front, new=current is None)
        return Placed(page)
    told = tuple(dict.fromkeys(reasons))
    item = _item(proposal, page, current, told, person, now, section_sha256, previous)
    bases.keep_front(cache, item.id, front)
    return Placed(None, item)


def _merged(current: Page, page: Page, cache: Path) -> tuple[Page, tuple[Conflict, ...]]:
    """The new text merged into what a person has made of the old one.

    With conflicts it holds the program's side. Where nobody knows what the program wrote before,
    all of the page is the person's.
    """
    base = bases.base_of(cache, current)
    if base is None:
        return page, (Conflict("", "", current.body, page.body),)
    merged = merge(base, current.body, page.body)
    body = merged.program if merged.conflicts else merged.body
    return replace(page, body=body), merged.conflicts


def _told(conflict: Conflict) -> str:
    where = f" under “{conflict.heading}”" if conflict.heading else ""
    return f"a person and the source have both changed the same{where}"


def _item(
    proposal: Proposal,
    page: Page,
    current: Page | None,
    reasons: tuple[str, ...],
    person: str,
    now: datetime,
    section_sha256: str,
    previous: str,
) -> Item:
    draft = proposal.draft
    return Item(
        id=item_id(draft.source, draft.section or page.body, page.slug),
        kind=proposal.kind,
        slug=page.slug,
        title=page.title,
        path=page.path,
        before_sha256=body_sha256(current.body) if current else "",
        page_text=render_page(page, previous),
        why=proposal.why,
        reasons=reasons,
        evidence=_evidence(proposal, page),
        source=draft.source,
        section=draft.section,
        section_sha256=section_sha256,
        by=proposal.by,
        at=now,
        person=person,
    )


def _evidence(proposal: Proposal, page: Page) -> tuple[Evidence, ...]:
    """The quotes, each with the place that its footnote names."""
    notes = {note.quote: note for note in footnotes(page.body).values() if note.quote}
    found: list[Evidence] = []
    for quote in proposal.quotes:
        note = notes.get(" ".join(quote.split()))
        resource, locator = (note.resource, note.locator) if note else (proposal.draft.source, "")
        found.append(Evidence(quote, resource, locator))
    return tuple(found)
