"""A page as somebody hands it in: written, merged with what is there, or left to a person.

No model is asked. What would cost the page something (`store/guard.py`), or what a person changed
otherwise, waits in the review queue.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from citewiki.config import Config
from citewiki.distill.domains import DEFAULT_DOMAIN
from citewiki.distill.linking import SAVED, handed_in
from citewiki.distill.placing import Placed, place
from citewiki.distill.wish import DEFAULT_TYPE, Wish
from citewiki.model import Draft, Page, Proposal, SourceRef, Viewer
from citewiki.store import bases, review
from citewiki.store.catalog import index_of, index_row, log_lines
from citewiki.store.confidence import CONFIDENCE
from citewiki.store.continuity import continued
from citewiki.store.guard import losses
from citewiki.store.journal import INDEX, Step, carry_out, finish, read_text
from citewiki.store.kept import Kept
from citewiki.store.ledger import Ledger
from citewiki.store.pages import body_sha256, edited_by_hand, load_page, render_page
from citewiki.store.review import Item
from citewiki.text.folding import name_key
from citewiki.text.slugs import owned_slug, slugify

FOLDER = "saved"
"""Of .citewiki/: which bodies of compiled pages were handed in, by their hash."""

AUTHORITY = "note"


@dataclass(frozen=True, slots=True)
class Saved:
    """What became of a page that was handed in."""

    slug: str  # of the page
    path: str  # of its file, relative to wiki/
    action: Literal["created", "merged", "unchanged", "queued"]
    message: str  # what was done, and what to do next; one or two sentences
    losses: tuple[str, ...] = ()  # why it was queued: what the page would have lost
    draft: str = ""  # id of the draft that waits for review; "" when none does


@dataclass(frozen=True, slots=True)
class _Saving:
    """Where a page is saved, for whom and when."""

    root: Path
    cache: Path
    config: Config
    viewer: Viewer
    now: datetime
    by: str
    taken: Ledger = field(repr=False)

    @property
    def owner(self) -> str:
        """Of a new page."""
        return self.config.owner if self.viewer is None else self.viewer

    @property
    def wiki(self) -> Path:
        """The folder of the pages."""
        return self.root / "wiki"


def save(
    root: Path,
    cache: Path,
    config: Config,
    viewer: Viewer,
    wish: Wish,
    *,
    now: datetime,
    version: str,
) -> Saved:
    """Write the page that `viewer` hands in; the caller holds the wiki's lock.

    It becomes the text of the page of that name which they own, merged with what was changed there
    by hand since, or else a new one. Which pages others have makes no difference to a user.
    """
    finish(root, viewer)
    with Ledger(root / "wiki", cache) as ledger:
        saving = _Saving(root, cache, config, viewer, now, f"citewiki/{version}+{SAVED}", ledger)
        owners = dict.fromkeys(("", config.owner)) if viewer is None else (viewer,)
        found = ledger.called(wish.title, *owners)
        if not found:
            return _created(saving, wish, owners)
        return _merged(saving, wish, load_page(root / "wiki", found[0].path))


def _created(saving: _Saving, wish: Wish, owners: tuple[str, ...] | dict[str, None]) -> Saved:
    now, domain = saving.now, _domain(saving, wish.domain)
    slug = owned_slug(wish.title, saving.viewer or "", _Taken(saving, domain))
    shared = saving.config.shared_with if saving.viewer is None else ()
    page = Page(
        path=f"{domain}/{slug}.md",
        slug=slug,
        title=wish.title,
        body=wish.body,
        type=wish.type,
        aliases=wish.aliases,
        summary=wish.summary,
        domain=domain,
        tags=wish.tags,
        owner=saving.owner,
        shared_with=shared if wish.shared_with is None else wish.shared_with,
        sources=wish.sources,
        source_authority=AUTHORITY,
        confidence=CONFIDENCE[AUTHORITY],
        ingested_at=now,
        last_verified_at=now,
        valid_from=now,
        generated_by=saving.by,
        generated_at=now,
    )
    placed = _placed(saving, wish, page, None)
    saved = _done(saving, wish, placed, None, _shared(placed.page or page))
    if saving.taken.called(wish.title, *owners, archived=True):
        again = "; an older page of that name is archived, and can be restored"
        return replace(saved, message=saved.message + again)
    return saved


def _merged(saving: _Saving, wish: Wish, current: Page) -> Saved:
    page = _wished(saving, wish, current)
    compiled = bool(current.generated_by) and not handed_in(current)
    if _says(page, current, saving.cache):
        return Saved(current.slug, current.path, "unchanged", "the page says this already")
    known = _known(saving.cache, current, page)
    edited = edited_by_hand(known)
    placed = _placed(saving, wish, page, known)
    if compiled:  # for its source, what was handed in is a person's edit
        placed = _for_compiling(placed, current, saving.wiki)
    if placed.page and _same(placed.page, current):
        return Saved(current.slug, current.path, "unchanged", "the page says this already")
    how = "merged with what was changed there by hand" if edited else "in place of its last text"
    if wish.domain and _domain(saving, wish.domain) != current.domain:
        how += f"; the page stays in “{current.domain}”"
    if placed.page and placed.page.summary != page.summary:
        how += "; its summary stays as it was changed by hand"
    return _done(saving, wish, placed, current, how)


def _wished(saving: _Saving, wish: Wish, current: Page) -> Page:
    """The page as it would be if nobody had changed it since it was last written."""
    both = (lambda given, had: given) if wish.why else _joined
    shared = current.shared_with if wish.shared_with is None else wish.shared_with
    page = replace(
        current,
        body=wish.body,
        type=current.type if wish.type == DEFAULT_TYPE else wish.type,
        summary=wish.summary or current.summary,
        tags=both(wish.tags, current.tags) if wish.tags else current.tags,
        aliases=both(wish.aliases, current.aliases) if wish.aliases else current.aliases,
        sources=_sources(wish.sources, current.sources),
        last_verified_at=saving.now,
        generated_by=saving.by,
        generated_at=saving.now,
    )
    return replace(continued(current, page), shared_with=shared)


def _known(cache: Path, current: Page, page: Page) -> Page:
    """`current` with the base that a new text is to be merged on.

    A compiled page whose text was handed in is its own base, and so is one of which nobody knows
    what it was before, as long as the new text keeps all of it.
    """
    now = body_sha256(current.body)
    unknown = bases.base_of(cache, current) is None and not losses(current, page, base="")
    return replace(current, generated_sha256=now) if unknown or now in _handed(cache) else current


def _placed(saving: _Saving, wish: Wish, page: Page, current: Page | None) -> Placed:
    bases.keep(saving.cache, page.body)
    proposal = Proposal(
        Draft(page, "", ""),
        "update" if current else "new",
        current.slug if current else "",
        wish.why,
        by=saving.viewer or "operator",
    )
    previous = _text(saving.wiki, current) if current else ""
    return place(proposal, current, cache=saving.cache, now=saving.now, previous=previous)


def _for_compiling(placed: Placed, current: Page, wiki: Path) -> Placed:
    """The same page, of which compiling knows the text that it wrote itself."""

    def kept(page: Page) -> Page:
        return replace(
            page,
            generated_by=current.generated_by,
            generated_at=current.generated_at,
            generated_sha256=current.generated_sha256,
        )

    if placed.page:
        return Placed(kept(placed.page))
    if placed.item:
        text = render_page(kept(placed.item.page), _text(wiki, current))
        return Placed(None, replace(placed.item, page_text=text))
    return placed


def _done(saving: _Saving, wish: Wish, placed: Placed, current: Page | None, message: str) -> Saved:
    """Write the page, or put it into the queue; what was done."""
    if placed.item:
        return _queued(saving, placed.item, current)
    page = placed.page
    assert page is not None
    _handed(saving.cache)[body_sha256(page.body)] = page.slug
    action: Literal["created", "merged"] = "merged" if current else "created"
    before = _text(saving.wiki, page) if current else None
    listed = read_text(saving.root / INDEX, INDEX)
    says = f"{'saved' if current else 'created'} “{page.title}” ({page.slug})"
    said = [f"{says}: {wish.why}" if wish.why else says]
    steps = [
        Step(f"wiki/{page.path}", before, render_page(page, before or "")),
        Step(INDEX, listed, _listed(saving, page, listed or "")),
    ]
    carry_out(saving.root, steps, log_lines(saving.now, saving.viewer or "", said))
    return Saved(page.slug, page.path, action, f"{action}, {message}")


def _queued(saving: _Saving, item: Item, current: Page | None) -> Saved:
    review.queue(saving.cache, item, current.body if current else "")
    message = (
        "nothing was changed: it waits for review, as the page would lose something; "
        "hand in a text that keeps it, or say why it may go"
    )
    return Saved(item.slug, item.path, "queued", message, item.reasons, item.id)


def _listed(saving: _Saving, page: Page, listed: str) -> str:
    """wiki/index.md with the page."""
    others = (row for row in saving.taken.listed() if row.path != page.path)
    return index_of([*others, index_row(page)], listed)


class _Taken:
    """The slugs that are in use, or that would be the name of a file that is there."""

    def __init__(self, saving: _Saving, domain: str) -> None:
        self._saving, self._domain = saving, domain

    def __contains__(self, slug: object) -> bool:
        """Whether a page cannot be called so."""
        file = self._saving.wiki / self._domain / f"{slug}.md"
        return slug in self._saving.taken or file.exists()


def _domain(saving: _Saving, wanted: str) -> str:
    """The domain that is meant, in the spelling that exists among what the viewer sees."""
    if not wanted:
        return DEFAULT_DOMAIN
    known = {name_key(name): name for name in sorted(saving.taken.domains(saving.viewer))}
    found = known.get(name_key(wanted)) or known.get(slugify(wanted)) or slugify(wanted)
    return slugify(found) if "/" in found or found.startswith((".", "_")) else found


def _says(page: Page, current: Page, cache: Path) -> bool:
    """Whether `page` asks for nothing but what is there, or what was last handed in."""
    base = bases.base_of(cache, current) or current.body
    body = page.body.strip()
    same = _same(replace(page, body=current.body), current)
    return same and body in (current.body.strip(), base.strip())


def _same(page: Page, current: Page) -> bool:
    """Whether two pages are alike but for when they were written."""
    return _said(page) == _said(current)


def _said(page: Page) -> Page:
    return replace(
        page,
        body=page.body.strip(),
        generated_by="",
        generated_at=None,
        generated_sha256="",
        last_verified_at=None,
        related=(),
        problems=(),
        body_line=1,
    )


def _handed(cache: Path) -> Kept:
    return Kept(cache / FOLDER, durable=False)


def _text(wiki: Path, page: Page) -> str:
    return read_text(wiki / page.path, page.path) or ""


def _joined(given: tuple[str, ...], had: tuple[str, ...]) -> tuple[str, ...]:
    return tuple({name_key(text): text for text in (*given, *had)}.values())


def _sources(given: tuple[SourceRef, ...], had: tuple[SourceRef, ...]) -> tuple[SourceRef, ...]:
    return tuple({(ref.id, ref.locator): ref for ref in (*had, *given)}.values())


def _shared(page: Page) -> str:
    readers = ", ".join("anyone" if user == "*" else user for user in page.shared_with)
    if not page.owner and not readers:
        return "for anyone to read"
    return f"shared with {readers}" if readers else f"for {page.owner} alone to read"
