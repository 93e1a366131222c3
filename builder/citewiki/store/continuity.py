"""What stays of a page when its text is written anew."""

from __future__ import annotations

from dataclasses import replace

from citewiki.model import Page

LASTING = (
    "path",
    "slug",
    "title",
    "redirect_from",
    "domain",
    "owner",
    "shared_with",
    "ingested_at",
    "verified",
    "scopes",
    "valid_until",
    "valid_until_before",
    "superseded_by",
    "superseded_at",
    "archived_at",
)
"""What a page is called, whose it is, where it lies, and its past: never a new text's to change."""


def continued(old: Page, new: Page) -> Page:
    """`new` as the page that `old` was until now."""
    return replace(new, **{name: getattr(old, name) for name in LASTING})
