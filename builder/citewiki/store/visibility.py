"""The one rule for who may read a page."""

from __future__ import annotations

from citewiki.model import ANYONE, Page, Viewer


def visible(page: Page, viewer: Viewer) -> bool:
    """Whether `viewer` may know that `page` exists.

    The operator (None) sees all; an owner their own; a user what is shared with them or with
    anyone. A page that names neither owner nor readers is everybody's.
    """
    if viewer is None or (not page.owner and not page.shared_with):
        return True
    if viewer != ANYONE and viewer == page.owner:
        return True
    return ANYONE in page.shared_with or viewer in page.shared_with
