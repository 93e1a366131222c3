"""The pages that leave the wiki: as one viewer may have them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from citewiki.errors import PageError
from citewiki.interchange.links import Targets, without_links
from citewiki.markdown.wikilinks import Wikilink
from citewiki.model import ANYONE, Page, Problem, Viewer
from citewiki.site.files import Files
from citewiki.site.media import Media, media_paths
from citewiki.store.pages import is_archived, load_page, parse_page, render_page, unique_slugs
from citewiki.store.paths import ARCHIVE, page_paths
from citewiki.store.visibility import visible

Seen = Callable[[Iterable[Page]], list[Page]]
"""Leaves out the pages that were not there at the time asked for, and what came later."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A page, and the text of its file as it leaves the wiki."""

    page: Page
    text: str
    files: tuple[str, ...] = ()  # under wiki/: those that the page shows


@dataclass(frozen=True)
class Named:
    """What names mean in an export: the pages and files that its viewer may have."""

    targets: Targets
    shown: Files

    def files(self, text: str, at: str) -> tuple[str, ...]:
        """The files that a text on the page at `at` shows."""
        page = self.shown.pages.get(at) or Page(at, "", "", "")
        return tuple(self.shown.shown(replace(page, body=text)))

    def leads(self, link: Wikilink, at: str) -> bool:
        """Whether a link leads to a page, or to a file."""
        if not link.target or self.targets.page(link, at) is not None:
            return True
        return bool(self.shown.resolve(link.target, at))


def copies(
    wiki: Path,
    viewer: Viewer,
    *,
    archived: bool = False,
    seen: Seen | None = None,
    then: bool = False,
) -> tuple[list[Copy], list[Problem], Named]:
    """The pages under `wiki` that `viewer` sees, by path; for the operator also what is unreadable.

    The operator has the files as they are. An owner has their own whole, but for what `seen` takes
    out. Others have what a page says and who owns it: no key that only its writer knows, no other
    reader's name, and in place of links to what they do not see the words. Archived pages leave
    only when asked for, and only with the operator or their owner; with `then`, `seen` tells which
    of them had not been put away yet.
    """
    pages: list[Page] = []
    texts: dict[str, str] = {}
    problems: list[Problem] = []
    hidden: set[str] = set()
    for path in page_paths(wiki, archived=archived or then or viewer is not None):
        try:
            page = load_page(wiki, path)
            texts[path] = (wiki / path).read_bytes().decode("utf-8")
        except (PageError, OSError, UnicodeDecodeError) as error:
            why = getattr(error, "reason", "cannot be read")
            problems.append(Problem(path, str(why), 0, "error", "unreadable-page"))
            continue
        owned = viewer is None or (page.owner == viewer and viewer != ANYONE)
        leaves = then or not is_archived(page) or (archived and owned)
        if not visible(page, viewer):
            hidden.add(path)
        elif leaves:
            pages.append(page)
    found = unique_slugs(pages)
    if viewer is not None or seen is not None:
        found = (seen or list)(found)
    if then:
        found = _brought_back(found, texts)
    named = _named(wiki, found, hidden)
    if viewer is None and seen is None:
        made = [Copy(page, texts[page.path]) for page in found]
    else:
        slugs = {page.slug for page in found}
        made = [
            _as_owned(page, texts[page.path])
            if viewer is None or (page.owner == viewer and viewer != ANYONE)
            else _as_read(page, str(viewer), named, slugs)
            for page in found
        ]
    with_files = [replace(copy, files=tuple(named.shown.shown(copy.page))) for copy in made]
    return with_files, problems if viewer is None else [], named


def _named(wiki: Path, pages: list[Page], hidden: set[str]) -> Named:
    media = Media(media_paths(wiki))
    # a link may lead to a page by a name that no page goes by: only what is a file itself leaves
    real = [path for path in media.paths if not _leads_elsewhere(wiki, path, media.paths)]
    by_path = {page.path: page for page in pages}
    return Named(Targets(pages), Files(wiki, Media(real), by_path, frozenset(hidden), {}))


def _leads_elsewhere(wiki: Path, path: str, files: frozenset[str]) -> bool:
    """Whether a file, or a folder above it, is a link to something that is no such file."""
    real = os.path.realpath(wiki / path)
    try:
        return Path(real).relative_to(os.path.realpath(wiki)).as_posix() not in files
    except ValueError:
        return True


def _brought_back(pages: list[Page], texts: dict[str, str]) -> list[Page]:
    """The same pages, where those put away since lie where they were."""
    taken = {page.path for page in pages}
    found: list[Page] = []
    for page in pages:
        path = page.path.removeprefix(f"{ARCHIVE}/")
        if path in taken and path != page.path:
            path = page.path
        texts[path] = texts[page.path]
        found.append(replace(page, path=path))
    return sorted(found, key=lambda page: page.path)


def _as_owned(page: Page, text: str) -> Copy:
    """With all that its owner has written into the file."""
    changed = render_page(page, previous=text) if parse_page(text, page.path) != page else text
    return Copy(page, changed)


def _as_read(page: Page, viewer: str, named: Named, slugs: set[str]) -> Copy:
    """With what a reader may know."""
    read = replace(
        page,
        body=without_links(page.body, page.path, named.leads),
        owner="" if viewer == ANYONE else page.owner,
        shared_with=tuple(each for each in page.shared_with if each in (viewer, ANYONE)),
        scopes=tuple(scope for scope in page.scopes if scope.beside in slugs),
        related=(),
        problems=(),
        body_line=1,
    )
    return Copy(read, render_page(read))
