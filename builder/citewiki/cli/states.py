"""What became of pages that a page links to, and of one that is asked for and put away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from citewiki.errors import CitewikiError, LifecycleError

if TYPE_CHECKING:
    from citewiki.index.graph import LinkGraph
    from citewiki.model import Page
    from citewiki.wiki import Wiki


@dataclass(frozen=True, slots=True)
class LinkState:
    """A link to a page that is archived or superseded."""

    title: str
    slug: str
    state: str  # "archived 2026-05-12", "superseded by fusion-2"


def link_states(opened: Wiki, page: Page, graph: LinkGraph) -> Iterator[LinkState]:
    """The links of `page` to pages out of use, each page once, in reading order."""
    from citewiki.store.names import Names

    away: Names | None = None
    put_away: dict[str, Page] = {}
    seen: set[str] = set()
    for edge in graph.out.get(page.path, ()):
        if edge.target:
            meant: Page | None = graph.pages[edge.target]
        elif opened.viewer is not None:  # only the operator is told what was put away
            continue
        else:
            if away is None:  # read only where a link leads nowhere
                put_away = {each.path: each for each in archived_pages(opened)}
                away = Names(put_away.values())
            meant = put_away.get(away.resolve(edge.link.name, page.path, page.owner).path or "")
        states = state(meant) if meant else []
        if meant and states and meant.path not in seen:
            seen.add(meant.path)
            yield LinkState(meant.title, meant.slug, "; ".join(states))


def state(page: Page) -> list[str]:
    """What became of a page, for a person; nothing of one that is in use."""
    from citewiki.model import iso
    from citewiki.store.pages import is_archived

    states: list[str] = []
    if is_archived(page):
        states.append(f"archived {iso(page.archived_at)[:10]}" if page.archived_at else "archived")
    if page.superseded_by:
        states.append(f"superseded by {page.superseded_by}")
    return states


def archived_pages(opened: Wiki) -> list[Page]:
    """The pages put away that the viewer may know of."""
    from citewiki.store.pages import is_archived, load_pages

    pages, _ = load_pages(opened.folder, archived=True, viewer=opened.viewer)
    return [page for page in pages if is_archived(page)]


def missing(opened: Wiki, name: str, error: CitewikiError) -> CitewikiError:
    """The error for a page that is not found: tells the operator when it has been put away."""
    from citewiki.store.names import Names

    if opened.viewer is not None:
        return error
    pages = {page.path: page for page in archived_pages(opened)}
    path = Names(pages.values()).resolve(name).path if name.strip() else None
    if path is None:
        return error
    hint = f"bring it back with: citewiki restore {pages[path].slug}"
    return LifecycleError(pages[path].slug, f"is archived (wiki/{path})", hint=hint)
