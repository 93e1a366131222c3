"""What tests of writing share: users that hand in pages and texts, and what is there then."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

from citewiki.distill.saving import Saved
from citewiki.model import Page
from citewiki.store.pages import load_pages
from citewiki.wiki import Wiki
from tests.conftest import NOW

LATER = NOW + timedelta(days=1)
BODY = "The cache keeps 12 entries. It links [[Ledger]] and [[Nobody]].[^a.1]\n\n" + (
    '[^a.1]: raw/a.md, p. 4: "the cache keeps 12 entries"'
)
TEXT = """# Storage

## Cache tiers

The cache tier keeps 12 entries. It is read before the Ledger store is written.

## Ledger store

A Ledger store of kind 3 is dropped after 4 days. Cache tiers are kept.
"""


def page(title: str, body: str, *front: str) -> str:
    lines = "\n".join((f"title: {title}", *front))
    return f"---\n{lines}\n---\n{body}\n"


def opened(root: Path, viewer: str | None = "bob") -> Wiki:
    return Wiki.open(root, viewer=viewer)


def saved(root: Path, title: str, body: str, viewer: str | None = "bob", **more: Any) -> Saved:
    return opened(root, viewer).save_page(title, body, **{"now": NOW, **more})


def read(root: Path, slug: str) -> Page:
    pages, problems = load_pages(root / "wiki")
    assert not problems
    return next(page for page in pages if page.slug == slug)


def files(root: Path, below: str = "wiki") -> dict[str, bytes]:
    """Every file below a folder, without what is derived."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted((root / below).rglob("*"))
        if path.is_file()
    }
