"""Under what conditions a page holds: its two bounds in time, and notes beside other pages.

Two pages that disagree may both be right: each for its own time, or its own case. What a person
says of that is written on the page, so that it is not asked again.
"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any, Unpack

from citewiki.errors import LifecycleError
from citewiki.model import Drift, Page, iso
from citewiki.store.deeds import Change, Deed, How, as_time
from citewiki.store.selection import NOWHERE
from citewiki.store.stamps import key_of

BOUNDS_BEFORE = "bounds_before"
"""Front matter key of a limited page: the bounds that it had before, "open" for one it had not."""


def limit(
    root: Path,
    name: str,
    drift: Drift,
    *,
    start: datetime | None = None,
    until: datetime | None = None,
    note: str = "",
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Record the conditions under which the page called `name` holds beside the other of `drift`.

    `start` and `until` become its bounds in time; with `note`, a text, the two sentences of the
    drift no longer count as one, until one of them changes. The caller holds the wiki's lock.
    Raises UnknownPage, LifecycleError and PageError before anything is changed.
    """
    note = " ".join(note.split())
    if not (start or until or note):
        raise LifecycleError(
            name, "no condition is given", hint="say --from, --until, or --note TEXT"
        )
    with Deed(root, "limit", how) as deed:
        (page,) = deed.choose([name], NOWHERE)
        first, last = start or page.valid_from, until or page.valid_until
        if first and last and last <= first:
            raise LifecycleError(
                page.slug, f"would end ({iso(last)}) before it starts to hold ({iso(first)})"
            )
        keys: dict[str, Any] = {}
        if start:
            keys["valid_from"] = start
        if until:
            keys["valid_until"] = until
        if keys:
            before = {name: deed.time(page, name) or "open" for name in keys}
            keys[BOUNDS_BEFORE] = {**before, **_bounds_before(deed, page)}
        if note:
            other = next(slug for slug in drift.pages if slug != page.slug)
            rest = [each for each in page.scopes if (each.beside, each.of) != (other, drift.key)]
            keys["scopes"] = [
                *({"beside": each.beside, "note": each.note, "of": each.of} for each in rest),
                {"beside": other, "note": note, "of": drift.key},
            ]
        spans = [
            f"from {iso(start)[:10]}" if start else "",
            f"until {iso(until)[:10]}" if until else "",
        ]
        told = ", ".join(filter(None, (" ".join(filter(None, spans)), note)))
        deed.plan(page, keys, says=f"limited “{page.title}” ({page.slug}): {told}")
        return deed.done()


def unlimit(root: Path, name: str, **how: Unpack[How]) -> tuple[Change, ...]:
    """Take back all that limits the page called `name`: what that settled is open again."""
    with Deed(root, "unlimit", how) as deed:
        (page,) = deed.choose([name], NOWHERE)
        before = _bounds_before(deed, page)
        if not (page.scopes or before):
            raise LifecycleError(page.slug, "has no note of when it holds beside another page")
        if page.superseded_by and "valid_until" in before:
            raise LifecycleError(
                page.slug,
                "was superseded since",
                hint=f"take that back first: citewiki supersede --undo {page.slug}",
            )
        keys: dict[str, Any] = {"scopes": None} if page.scopes else {}
        for key, bound in before.items():
            keys[key] = bound if bound != "open" else None
        if before:
            keys[BOUNDS_BEFORE] = None
        deed.plan(page, keys, says=f"reopened “{page.title}” ({page.slug})")
        return deed.done()


def _bounds_before(deed: Deed, page: Page) -> dict[str, date | str]:
    """The bounds that a page had before it was limited, by key."""
    found = key_of(deed.text(page), BOUNDS_BEFORE)
    bounds = found if isinstance(found, dict) else {}
    return {
        key: as_time(bounds[key]) or "open"
        for key in ("valid_from", "valid_until")
        if key in bounds
    }
