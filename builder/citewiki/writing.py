"""What a wiki's viewer may write: pages, texts, and what becomes of pages. Part of `wiki.py`.

Whoever acts changes only pages that they own; the operator all. What they may not see makes no
difference to what is written, said or refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from citewiki.config import Config
    from citewiki.distill.saving import Saved
    from citewiki.distill.texts import Ingested
    from citewiki.llm.port import Engine
    from citewiki.model import SourceRef, Viewer
    from citewiki.store.deeds import Change, How


class Opened(Protocol):
    """What writing needs of an opened wiki."""

    @property
    def root(self) -> Path:
        """The folder that holds wiki/."""

    @property
    def cache(self) -> Path:
        """Where derived files go."""

    @property
    def viewer(self) -> Viewer:
        """Who acts."""

    @property
    def config(self) -> Config:
        """What the wiki sets for itself."""


class Writing:
    """Methods of `Wiki` that write; each holds the wiki's lock, and raises NotAllowed for `"*"`."""

    def save_page(
        self: Opened,
        title: str,
        body: str,
        *,
        now: datetime,
        domain: str = "",
        summary: str = "",
        tags: Iterable[str] = (),
        aliases: Iterable[str] = (),
        shared_with: Iterable[str] | None = None,
        type: str = "concept",
        sources: Iterable[SourceRef | Mapping[str, str] | str] = (),
        why: str = "",
    ) -> Saved:
        """Write a page of that title; no model is asked, and the text stays as it is.

        It becomes the text of the page of that title (or slug, or alias) which the viewer owns,
        merged with what was changed there by hand; or else a new page, which only they can read
        unless `shared_with` says more. Tags and aliases join those of before; with a reason
        (`why`) they take their place, and the text may be reworded. What the page would lose
        otherwise is told, and the text waits in the review queue. Raises DataError for an
        argument that cannot be used.
        """
        from citewiki import __version__
        from citewiki.distill.saving import save
        from citewiki.distill.wish import wish
        from citewiki.store.files import lock

        _may(self.viewer)
        wanted = wish(
            title,
            body,
            domain=domain,
            summary=summary,
            tags=tags,
            aliases=aliases,
            shared_with=shared_with,
            type=type,
            sources=sources,
            why=why,
        )
        with lock(self.cache):
            return save(
                self.root,
                self.cache,
                self.config,
                self.viewer,
                wanted,
                now=now,
                version=__version__,
            )

    def ingest_text(
        self: Opened,
        text: str,
        *,
        now: datetime,
        title: str = "",
        name: str = "",
        engine: Engine | None = None,
        review: bool = False,
        report: Callable[[int, int, str], None] | None = None,
    ) -> Ingested:
        """Keep a text as a source, and make pages of its sections, as `ingest` does of a file.

        The pages are the viewer's alone. `engine` writes them; None: the built-in way, in the
        text's own words. With `review` they are drafts that wait for a person. `report` is told
        (sections done, of how many, what) and may raise to break off between two sections: what
        is done stays, and the same text goes on from there. Raises DataError for a text that
        cannot be used.
        """
        from citewiki import __version__
        from citewiki.distill.texts import ingest_text

        _may(self.viewer)
        return ingest_text(
            self.root,
            self.cache,
            self.config,
            self.viewer,
            text,
            title=title,
            name=name,
            engine=engine,
            judge=_says if engine else None,
            review=review,
            report=report or (lambda done, total, what: None),
            now=now,
            version=__version__,
        )

    def archive_page(self: Opened, name: str, *, now: datetime, why: str = "") -> Change:
        """Put a page away: not found or cited any more; `restore_page` brings it back.

        Raises UnknownPage, NotAllowed and LifecycleError, as do the next ones.
        """
        from citewiki.store.lifecycle import archive

        return _done(self, now, why, lambda how: archive(self.root, [name], **how))

    def restore_page(self: Opened, name: str, *, now: datetime, why: str = "") -> Change:
        """Bring an archived page back."""
        from citewiki.store.lifecycle import restore

        return _done(self, now, why, lambda how: restore(self.root, [name], **how))

    def reverify_page(
        self: Opened, name: str, *, now: datetime, by: str = "", why: str = ""
    ) -> Change:
        """Record that a page was checked and still holds; `by` whom: the viewer."""
        from citewiki.store.lifecycle import reverify

        return _done(self, now, why, lambda how: reverify(self.root, [name], by=by, **how))

    def share(self: Opened, name: str, users: Sequence[str], *, now: datetime) -> Change:
        """Let `users` read a page; "*" is anyone."""
        from citewiki.store.sharing import share

        return _done(self, now, "", lambda how: share(self.root, [name], users, **how))

    def unshare(self: Opened, name: str, users: Sequence[str], *, now: datetime) -> Change:
        """Take back that `users` may read a page."""
        from citewiki.store.sharing import unshare

        return _done(self, now, "", lambda how: unshare(self.root, [name], users, **how))


def _done(
    wiki: Opened, now: datetime, why: str, act: Callable[[How], tuple[Change, ...]]
) -> Change:
    """One action on one page, under the wiki's lock."""
    from citewiki.store.files import lock

    _may(wiki.viewer)
    with lock(wiki.cache):
        return act({"now": now, "why": why, "viewer": wiki.viewer})[0]


def _may(viewer: Viewer) -> None:
    """Raises NotAllowed for one who goes by no name."""
    from citewiki.errors import NotAllowed
    from citewiki.model import ANYONE

    if viewer is not None and viewer.strip() in ("", ANYONE):
        raise NotAllowed("anyone", "may read what is for all, and write nothing", hint="log in")


def _says(statement: str, passages: Sequence[str]) -> bool:
    """The judge's verdict on a statement that a model wrote."""
    from citewiki.judge.core import check_claim

    return check_claim(statement, passages).supported
