"""The wiki's pages while sources are compiled: in memory without their bodies."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from citewiki.distill.duplicates import Called
from citewiki.errors import PageError
from citewiki.markdown.frontmatter import split
from citewiki.model import Page, Problem, Viewer
from citewiki.store.files import write_atomic
from citewiki.store.ledger import Ledger
from citewiki.store.pages import load_page, render_page, unique_slugs
from citewiki.store.paths import ARCHIVE, page_paths, unnamed_paths
from citewiki.store.visibility import visible
from citewiki.text.folding import name_key


class Shelf:
    """All pages by slug, archived ones too. A body is read when it is needed.

    So memory grows by what front matter holds, some 2 KiB a page, and not by the text.
    """

    def __init__(
        self,
        wiki: Path,
        viewer: Viewer = None,
        readers: Collection[str] = (),
        cache: Path | None = None,
    ) -> None:
        """With a `viewer`, only the pages that they see are there.

        `readers`: who will read what is made; names that they may not know are not in the way.
        `cache`: where it is kept what pages are called, so that files need not all be read.
        """
        self._wiki, self._readers = wiki, readers
        self.problems: list[Problem] = []  # files that cannot be read
        with Ledger(wiki, cache) if cache else nullcontext() as ledger:
            pages = list(ledger.pages(archived=True)) if ledger else []
            paths = ledger.unreadable() if ledger else page_paths(wiki, archived=True)
        for path in paths:
            try:
                pages.append(_bare(load_page(wiki, path)))
            except PageError as error:
                self.problems.append(
                    Problem(path, error.reason, error.line, "error", "unreadable-page")
                )
        for path in unnamed_paths(wiki, archived=True):
            message = "its name is not UTF-8; rename it"
            self.problems.append(Problem(path, message, 0, "error", "unreadable-page"))
        if viewer is not None:  # of a file that cannot be read, only the operator hears
            pages, self.problems = [page for page in pages if visible(page, viewer)], []
        self._pages = {page.slug: page for page in unique_slugs(pages)}
        self._unwritten: dict[str, Page] = {}
        self.overwrites: set[str] = set()  # slugs of pages to be written that are there already
        self.titles = {name_key(page.title) for page in self._pages.values() if self.shows(page)}
        self.called = Called(filter(self.shows, self.served()))

    def __contains__(self, slug: str) -> bool:
        """Whether there is a page of that slug."""
        return slug in self._pages

    def __len__(self) -> int:
        """How many pages there are."""
        return len(self._pages)

    def __getitem__(self, slug: str) -> Page:
        """The page without its body. Raises KeyError."""
        return self._pages[slug]

    @property
    def slugs(self) -> dict[str, Page]:
        """The pages by slug; to be looked at only."""
        return self._pages

    def served(self) -> Iterator[Page]:
        """The pages that are not archived, without bodies."""
        return (page for page in self._pages.values() if not archived(page))

    def shows(self, page: Page) -> bool:
        """Whether all readers of what is made may know of a page."""
        return all(visible(page, reader) for reader in self._readers)

    def whole(self, slug: str) -> Page:
        """The page with its body. Raises KeyError, and PageError when its file has gone bad."""
        if slug in self._unwritten:
            return self._unwritten[slug]
        return replace(load_page(self._wiki, self._pages[slug].path), slug=slug)

    def written(self, slug: str) -> Page:
        """The page with the body of its file, and the front matter known of it: read faster.

        Raises KeyError, and PageError when its file has gone bad.
        """
        page = self._pages[slug]
        try:
            text = (self._wiki / page.path).read_bytes().decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise PageError(page.path, f"cannot be read ({error})") from error
        _, body, _ = split(text)
        return replace(page, body=body.replace("\r\n", "\n").replace("\r", "\n"))

    def text(self, slug: str) -> str:
        """The text of the page's file as it is on disk; "" when there is none yet."""
        path = self._wiki / self._pages[slug].path
        return path.read_text(encoding="utf-8-sig") if path.exists() else ""

    def put(self, page: Page) -> None:
        """Take in a page that is to be written by `flush`."""
        if page.slug in self._pages and page.slug not in self._unwritten:
            self.overwrites.add(page.slug)
        self._unwritten[page.slug] = page
        self._pages[page.slug] = _bare(page)
        if self.shows(page):
            self.titles.add(name_key(page.title))
            self.called.add(page)

    @property
    def waiting(self) -> int:
        """How many pages are to be written."""
        return len(self._unwritten)

    def flush(self) -> None:
        """Write what was put. Raises WriteError; what was not written stays to be."""
        for slug in list(self._unwritten):
            self.write(self._unwritten[slug])
            del self._unwritten[slug]
        self.overwrites.clear()

    def write(self, page: Page) -> None:
        """Write one page now, with the keys of its file that are not the program's."""
        previous = self.text(page.slug)
        write_atomic(self._wiki / page.path, render_page(page, previous))
        self._pages[page.slug] = _bare(page)


def archived(page: Page) -> bool:
    """Whether a page is put away."""
    return page.path.startswith(f"{ARCHIVE}/")


def _bare(page: Page) -> Page:
    return replace(page, body="", problems=(), related=())
