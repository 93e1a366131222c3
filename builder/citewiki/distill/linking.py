"""Links between all pages brought up to date, after pages came or went."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citewiki.distill.crosslinks import Linker
from citewiki.distill.shelf import Shelf
from citewiki.store import bases
from citewiki.store.pages import body_sha256, edited_by_hand


def link_shelf(shelf: Shelf, cache: Path, *, links: bool = True) -> list[str]:
    """Link first mentions on every page that is still as the program wrote it; their slugs.

    What the program wrote, also of pages that are not changed (or without `links`), is kept as
    the base of later merges. Pages are written at once.
    """
    linker = Linker(shelf.served()) if links else None
    changed: list[str] = []
    for slug in [page.slug for page in shelf.served()]:
        page = shelf.written(slug)
        if edited_by_hand(page):
            continue
        linked = linker.link(page) if linker else page
        if linked is not page:
            linked = replace(linked, generated_sha256=body_sha256(linked.body))
            shelf.write(linked)
            changed.append(slug)
        if bases.kept(cache, linked.generated_sha256) is None:
            bases.keep(cache, linked.body)
    return changed
