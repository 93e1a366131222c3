"""Who else may read a page: `shared_with`, changed by its owner."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from citewiki.errors import LifecycleError
from citewiki.model import ANYONE, Page
from citewiki.store.deeds import Change, Deed, How
from citewiki.store.selection import NOWHERE, Where
from citewiki.text.folding import nfc


def share(
    root: Path,
    names: Sequence[str],
    users: Sequence[str],
    *,
    where: Where = NOWHERE,
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Let `users` read pages; "*" is anyone. `unshare` takes it back.

    The caller holds the wiki's lock. Raises UnknownPage, NotAllowed and LifecycleError before
    anything is changed: a page is not shared with its owner, nor one that is everybody's.
    """
    wanted = _users(users)
    with Deed(root, "share", how) as deed:
        for page in deed.choose(names, where, archived=None):
            deed.check(page)
            _has_owner(page)
            if page.owner in wanted:
                raise LifecycleError(
                    page.slug, f"is {page.owner}'s own; name others to share it with"
                )
            new = [user for user in wanted if user not in page.shared_with]
            if new:
                shared = {"shared_with": [*page.shared_with, *new]}
                deed.plan(
                    page, shared, says=f"shared “{page.title}” ({page.slug}) with {_told(new)}"
                )
        return deed.done()


def unshare(
    root: Path,
    names: Sequence[str],
    users: Sequence[str] = (),
    *,
    where: Where = NOWHERE,
    everyone: bool = False,
    **how: Unpack[How],
) -> tuple[Change, ...]:
    """Take back that `users` may read pages; with `everyone`, that anybody but the owner may.

    The same errors as `share`; and LifecycleError where a page is not shared with a user.
    """
    wanted = () if everyone else _users(users)
    with Deed(root, "unshare", how) as deed:
        for page in deed.choose(names, where, archived=None):
            deed.check(page)
            _has_owner(page)
            gone = page.shared_with if everyone else wanted
            left = [user for user in page.shared_with if user not in gone]
            if missing := [user for user in gone if user not in page.shared_with]:
                raise LifecycleError(page.slug, f"is not shared with {_told(missing)}")
            if gone:
                says = f"no longer shared “{page.title}” ({page.slug}) with {_told(gone)}"
                # compiling writes an empty list, a person none
                none: list[str] | None = [] if page.generated_by else None
                deed.plan(page, {"shared_with": left or none}, says=says)
        return deed.done()


def _has_owner(page: Page) -> None:
    """Raises LifecycleError for a page that names neither owner nor readers.

    Everybody sees it; with a reader it would be hidden from all others, and without its last one
    be everybody's again.
    """
    if not page.owner:
        raise LifecycleError(
            page.slug,
            "has no owner, so who may read it cannot be changed",
            hint="write “owner: NAME” into its front matter first",
        )


def _users(users: Sequence[str]) -> tuple[str, ...]:
    wanted = tuple(dict.fromkeys(nfc(user.strip()) for user in users))
    if not wanted or not all(wanted):
        raise LifecycleError("no user", "name one, or “*” for anyone")
    return wanted


def _told(users: Sequence[str]) -> str:
    return ", ".join("anyone" if user == ANYONE else user for user in users)
