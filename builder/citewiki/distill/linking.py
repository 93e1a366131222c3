"""Links between all pages brought up to date, after pages came or went."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

from citewiki.distill.crosslinks import Linker, first_words
from citewiki.distill.shelf import Shelf
from citewiki.model import ANYONE, Page, Viewer
from citewiki.store import bases
from citewiki.store.pages import body_sha256, edited_by_hand
from citewiki.store.visibility import may_write, visible

SAVED = "saved"
"""Ends `generated.by` of pages that somebody handed in: their text is left as it is."""


class Linkers:
    """Links the pages of a shelf to one another, each as if it saw only what its readers see.

    A link would tell them of a page; and a page of the same name that they cannot see would keep
    one from being made.
    """

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._linkers: dict[frozenset[str], Linker] = {}

    def link(self, page: Page) -> Page:
        """`page` with first mentions linked; the same page when there is nothing to link."""
        readers = readers_of(page)
        if readers not in self._linkers:
            seen = (
                other
                for other in self._shelf.served()
                if all(visible(other, reader) for reader in readers)
            )
            self._linkers[readers] = Linker(seen)
        return self._linkers[readers].link(page)


def readers_of(page: Page) -> frozenset[str]:
    """Who may see a page: its owner and the users it is shared with, or anyone."""
    if ANYONE in page.shared_with or not (page.owner or page.shared_with):
        return frozenset((ANYONE,))
    return frozenset(filter(None, (page.owner, *page.shared_with)))


def link_shelf(
    shelf: Shelf,
    cache: Path,
    *,
    links: bool = True,
    viewer: Viewer = None,
    fresh: Collection[str] | None = None,
) -> list[str]:
    """Link first mentions on every page that is still as the program wrote it; their slugs.

    What the program wrote, also of pages that are not changed (or without `links`), is kept as
    the base of later merges. Pages are written at once; for a `viewer`, only their own. With
    `fresh`, only those of these slugs, and those that may mention one of them.
    """
    linkers = Linkers(shelf)
    names = first_words(shelf[slug] for slug in fresh or ())
    changed: list[str] = []
    for slug in [page.slug for page in shelf.served() if may_write(page, viewer)]:
        page = shelf.written(slug)
        if fresh is not None and slug not in fresh and not _holds_any(page.body, names):
            continue
        if edited_by_hand(page):
            continue
        linked = linkers.link(page) if links and not handed_in(page) else page
        if linked is not page:
            linked = replace(linked, generated_sha256=body_sha256(linked.body))
            shelf.write(linked)
            changed.append(slug)
        if bases.kept(cache, linked.generated_sha256) is None:
            bases.keep(cache, linked.body)
    return changed


def _holds_any(text: str, words: Iterable[str]) -> bool:
    lower = text.lower()
    return any(word in lower for word in words)


def handed_in(page: Page) -> bool:
    """Whether somebody handed the page in as it is, and nothing was compiled into it."""
    return page.generated_by.endswith(f"+{SAVED}")
