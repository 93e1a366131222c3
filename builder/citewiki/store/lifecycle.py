"""What becomes of pages: put away, brought back, superseded, verified again, deleted.

Every action is planned first, as values, and refused as a whole where it cannot be done; then all
its files change as one (`store/journal.py`), with a line for each page in wiki/log.md. All but
`delete` can be taken back by their opposite, which gives back the bytes of before.

The caller holds the wiki's lock. Before anything is changed, every function raises UnknownPage,
NotAllowed, LifecycleError, and PageError for a file that cannot be read; WriteError leaves all as
it was. With `viewer`, pages that they do not see do not exist, and only their own are changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Unpack

from citewiki.errors import LifecycleError, NotAllowed
from citewiki.model import ANYONE, Page, iso
from citewiki.store.catalog import NOT_FOR_ALL
from citewiki.store.deeds import Change, Deed, How, as_time
from citewiki.store.pages import END_BEFORE
from citewiki.store.paths import ARCHIVE
from citewiki.store.selection import NOWHERE, Where
from citewiki.store.stamps import key_of
from citewiki.store.succession import chain, end_by
from citewiki.store.visibility import visible


def archive(
    root: Path, names: Sequence[str] = (), *, where: Where = NOWHERE, **how: Unpack[How]
) -> tuple[Change, ...]:
    """Put pages away: into wiki/_archive/, under their path there.

    A user's page stays where it is, put away by its time alone, unless its file bears their name:
    that way nobody takes its place meanwhile, and none that they do not see is in its way.
    """
    with Deed(root, "archive", how) as deed:
        for page in deed.choose(names, where):
            target = deed.free(f"{ARCHIVE}/{page.path}") if deed.bears_name(page) else page.path
            keys = {"archived_at": how["now"], **deed.slug_kept(page, target)}
            deed.plan(page, keys, target, f"archived {_called(page)}")
        return deed.done()


def restore(
    root: Path, names: Sequence[str] = (), *, where: Where = NOWHERE, **how: Unpack[How]
) -> tuple[Change, ...]:
    """Bring pages back from the archive: to their old path, or to a free one beside it."""
    with Deed(root, "restore", how) as deed:
        for page in deed.choose(names, where, archived=True):
            clash = next((p for p in page.problems if p.code == "duplicate-slug"), None)
            if clash:
                raise LifecycleError(
                    page.path, f"{clash.message}; archive or delete the other first"
                )
            target = page.path
            if target.startswith(f"{ARCHIVE}/"):
                target = deed.free(target.removeprefix(f"{ARCHIVE}/"))
            keys = {"archived_at": None, **deed.slug_kept(page, target)}
            deed.plan(page, keys, target, f"restored {_called(page)}")
        return deed.done()


def supersede(
    root: Path,
    old: str | Sequence[str],
    new: str,
    *,
    where: Where = NOWHERE,
    until: datetime | None = None,
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Record, in all of them, that the page `new` replaces the `old` ones.

    An old page holds until `until`: by default until the new one starts to hold, or until now
    where that is not known, or came before the old one's own start. An earlier end stays.
    """
    with Deed(root, "supersede", how) as deed:
        (newer,) = deed.choose([new], NOWHERE)
        olds = deed.choose([old] if isinstance(old, str) else old, where)
        if where:
            olds = [page for page in olds if page.path != newer.path and not deed.successor(page)]
        for page in olds:
            _may_succeed(page, newer, deed)
            end = _end(page, newer, until, how["now"])
            keys: dict[str, Any] = {"superseded_by": newer.slug, "superseded_at": how["now"]}
            if key_of(deed.text(page), END_BEFORE) is None:  # else a half chain is completed
                keys[END_BEFORE] = deed.time(page, "valid_until") or "open"
            if page.valid_until is None or end < page.valid_until:
                keys["valid_until"] = end
            deed.plan(page, keys, says=f"superseded {_called(page)} by {_called(newer)}")
        deed.plan_supersedes(gained={newer.slug: [page.slug for page in olds]})
        return deed.done()


def unsupersede(
    root: Path, old: Sequence[str] = (), *, where: Where = NOWHERE, **how: Unpack[How]
) -> tuple[Change, ...]:
    """Take back that pages are superseded: they hold as they did before."""
    with Deed(root, "unsupersede", how) as deed:
        olds = [page for page in deed.choose(old, where) if deed.successor(page) or not where]
        for page in olds:
            if not deed.successor(page):
                raise LifecycleError(page.slug, "is not superseded")
            deed.plan(page, deed.reopened(page), says=f"no longer superseded: {_called(page)}")
        deed.plan_supersedes(lost={page.slug for page in olds})
        return deed.done()


def reverify(
    root: Path,
    names: Sequence[str] = (),
    *,
    where: Where = NOWHERE,
    by: str = "",
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Record that pages were checked against their sources and still hold.

    `by`: "human:alice", "process:nightly" or "checker/1.2" (OKF v0.2, 7); a bare name is a
    person's. By default who acts.
    """
    viewer = how.get("viewer")
    actor = " ".join((by or viewer or how.get("who", "")).split()) or "operator"
    actor = actor if ":" in actor or "/" in actor else f"human:{actor}"
    if viewer is not None and actor.startswith("human:") and actor != f"human:{viewer}":
        raise NotAllowed(actor, f"{viewer} verifies for themselves, not for other people")
    with Deed(root, "reverify", how) as deed:
        for page in deed.choose(names, where):
            _starts_before_it_ends(page)
            event: dict[str, Any] = {"by": actor, "at": how["now"]}
            if previous := deed.time(page, "last_verified_at"):
                event["previous"] = previous
            keys = {"last_verified_at": how["now"], "verified": [*deed.verified(page), event]}
            deed.plan(page, keys, says=f"verified {_called(page)} by {actor}")
        return deed.done()


def unverify(
    root: Path, names: Sequence[str] = (), *, where: Where = NOWHERE, **how: Unpack[How]
) -> tuple[Change, ...]:
    """Take back the last verification of pages."""
    with Deed(root, "unverify", how) as deed:
        for page in deed.choose(names, where):
            if not page.verified:
                raise LifecycleError(page.slug, "no verification of it is recorded")
            *rest, last = deed.verified(page)
            keys: dict[str, Any] = {"verified": rest or None}
            if page.last_verified_at == page.verified[-1].at:
                keys["last_verified_at"] = as_time(last.get("previous")) or (
                    page.verified[-2].at if rest else None
                )
            deed.plan(page, keys, says=f"took back the verification of {_called(page)}")
        return deed.done()


def delete(
    root: Path,
    names: Sequence[str],
    *,
    where: Where = NOWHERE,
    also: Mapping[str, str] | None = None,
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Delete pages for good; what stays is a line of the log, the tombstone.

    Where one stood in a chain of supersession, the chain closes over the gap; what only it had
    superseded holds again. `also`: other files that are written with it, by path from the root.
    """
    with Deed(root, "delete", how) as deed:
        gone = {page.slug: page for page in deed.choose(names, where, archived=None)}
        for page in gone.values():
            hidden = "" if visible(page, ANYONE) else f", {NOT_FOR_ALL}"
            deed.plan(page, None, says=f"deleted {_called(page)}{hidden}, wiki/{page.path}")
        gained: dict[str, list[str]] = {}
        for page in deed.pages.superseded_by(gone):
            if page.slug in gone:
                continue
            after = chain(deed.pages, page.superseded_by)
            heir = next((slug for slug in after if slug not in gone), page.slug)
            if heir == page.slug:
                deed.plan(page, deed.reopened(page))
            else:
                deed.plan(page, {"superseded_by": heir})
                gained.setdefault(heir, []).append(page.slug)
        deed.plan_supersedes(gained, set(gone))
        return deed.done(also or {})


def _may_succeed(page: Page, newer: Page, deed: Deed) -> None:
    """Raises LifecycleError when `newer` may not be what `page` is superseded by."""
    if page.path == newer.path:
        raise LifecycleError(page.slug, "cannot supersede itself")
    for problem in (*page.problems, *newer.problems):
        if problem.code == "duplicate-slug":  # the slug would mean another page
            raise LifecycleError(problem.path, f"{problem.message}; give it a slug of its own")
    after = chain(deed.pages, newer.slug)
    if page.slug in after:
        circle = " → ".join((page.slug, *after[: after.index(page.slug) + 1]))
        raise LifecycleError(page.slug, f"would come after itself: {circle}")
    known = deed.successor(page)
    if known and (known != newer.slug or page.slug in newer.supersedes):
        raise LifecycleError(
            page.slug,
            f"is superseded by “{known}” already",
            hint=f"take that back with: citewiki supersede --undo {page.slug}",
        )


def _end(page: Page, newer: Page, until: datetime | None, now: datetime) -> datetime:
    """Until when `page` holds, once `newer` supersedes it."""
    _starts_before_it_ends(page)
    _starts_before_it_ends(newer)
    start = page.valid_from
    end = until or end_by(page, newer, now)
    if start and end < start:
        raise LifecycleError(
            page.slug,
            f"would end ({iso(end)}) before it starts to hold ({iso(start)})",
            hint="say when it was replaced: --until 2026-05-12",
        )
    return end


def _starts_before_it_ends(page: Page) -> None:
    if page.valid_from and page.valid_until and page.valid_until < page.valid_from:
        raise LifecycleError(
            page.path,
            f"ends ({iso(page.valid_until)}) before it starts to hold ({iso(page.valid_from)})",
            hint="mend valid_from or valid_until first",
        )


def _called(page: Page) -> str:
    return f"“{page.title}” ({page.slug})"
