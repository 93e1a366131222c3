"""The library's door: one wiki, opened on behalf of one viewer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.store.paths import ARCHIVE

if TYPE_CHECKING:
    from citewiki.config import Config
    from citewiki.index.graph import LinkGraph
    from citewiki.index.index import Index
    from citewiki.llm.port import Engine
    from citewiki.model import Answer, Hit, Page, Viewer
    from citewiki.query.web import Searcher


@dataclass(frozen=True)
class Wiki:
    """A wiki on disk, as `viewer` may see it: pages to find, read and ask.

    Every method sees the files as they are now; the index under `.citewiki/` follows them.
    """

    root: Path  # the folder that holds wiki/
    cache: Path  # where derived files go: normally root/.citewiki
    viewer: Viewer = None  # a user name, "*" (anyone), or None (the operator: sees all)

    @classmethod
    def open(
        cls, path: str | Path = ".", *, viewer: Viewer = None, cache: str | Path | None = None
    ) -> Wiki:
        """The wiki in `path` (a folder with wiki/ in it), or the one that `path` lies in.

        `cache` is where derived files go when not in `.citewiki/`, for a wiki that is read-only.
        Raises WikiNotFound.
        """
        path = Path(path)
        if (path / "wiki").is_dir():
            root = path.resolve()
        else:
            from citewiki.config import find_root

            root = find_root(path)
        return cls(root, Path(cache) if cache else root / ".citewiki", viewer)

    @cached_property
    def config(self) -> Config:
        """What the wiki sets for itself, read when it is first needed. Raises SettingError."""
        from citewiki.config import load_config

        return load_config(self.root)

    @property
    def folder(self) -> Path:
        """The folder of the pages."""
        return self.root / "wiki"

    @property
    def index(self) -> Index:
        """The index of the pages as they are now; use it in a `with` statement."""
        from citewiki.index.index import open_index

        return open_index(self.folder, self.cache, self.viewer)

    def index_at(self, known_at: datetime | None) -> Index:
        """The index by which to ask what the wiki had at `known_at`; None: what it has now.

        What was archived since stands in an index of its own, made when it is first asked for, so
        that not even counts of words tell those of it who ask what is here now.
        """
        index = self.index
        if known_at is None or not (index.leaves_out or (self.folder / ARCHIVE).is_dir()):
            return index
        from citewiki.index.index import open_index

        index.close()
        return open_index(self.folder, self.cache, self.viewer, archived=True)

    def ask(
        self,
        question: str,
        *,
        depth: int | None = None,
        strict: bool = False,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        domain: str = "",
        engine: Engine | None = None,
        agentic: bool = False,
        web: Searcher | None = None,
        newest_wins: bool = False,
        allow_stale: bool = False,
        explain: bool = False,
        now: datetime | None = None,
    ) -> Answer:
        """An answer whose every claim cites a page that says it, or a refusal.

        `depth` is how many links are followed from the best pages (1..3); `strict` wants pages
        to state the claim, not merely support it. `as_of` is a time at which the pages have to
        hold, `known_at` one at which the wiki had to have them; without an offset they are UTC.
        Pages that may no longer hold are no basis, unless `allow_stale`: then the answer warns.
        With `engine` a language model
        writes the claims, and with `agentic` it looks the pages up itself; a second one judges.
        Pages that disagree make a refusal, unless `newest_wins`.
        With `web`, what the wiki refuses is asked of pages of the web, cited by their URL.
        Raises QuestionError for a question that is empty or too long, EngineError for a model
        that gives no usable reply.
        """
        from citewiki.ask import Scope, ask
        from citewiki.query.times import utc

        put = partial(
            ask,
            text=question,
            settings=self.config.ask,
            depth=depth or self.config.ask.depth,
            strict=strict,
            engine=engine,
            newest_wins=newest_wins,
            allow_stale=allow_stale,
            explain=explain,
            now=now or datetime.now(UTC),
        )
        scope = Scope(domain, utc(as_of), utc(known_at))
        with self.index_at(scope.known_at) as index:
            answer = put(index, scope=scope, agentic=agentic)
        if answer.refusal is None or web is None:
            return answer
        from citewiki.query.web import web_index, web_pages
        from citewiki.sources.fetch import read_url

        found = web_pages(question, web, read_url, limit=self.config.ask.web_pages)
        with web_index(found.pages) as index:
            outside = put(index)
        return outside if outside.refusal is None else answer

    def search(
        self,
        words: str,
        *,
        limit: int = 10,
        domain: str = "",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> tuple[Hit, ...]:
        """The pages that `words` find, best first; at most `limit`."""
        from citewiki.query.retrieve import search
        from citewiki.query.times import utc

        as_of, known_at = utc(as_of), utc(known_at)
        with self.index_at(known_at) as index:
            return search(index, words, limit=limit, domain=domain, as_of=as_of, known_at=known_at)

    def page(
        self, name: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Page:
        """The page called `name`: a title, alias, slug or path. Raises UnknownPage.

        A page that did not hold at `as_of`, or that the wiki did not have at `known_at`, is none,
        and what came later is not in the others.
        """
        if as_of is not None or known_at is not None:
            return _called(name, self.pages(as_of=as_of, known_at=known_at))
        from citewiki.errors import UnknownPage
        from citewiki.query.times import as_it_was

        with self.index as index:
            names = index.names()
            path = names.resolve(name).path if name.strip() else None
            page = index.page(path) if path else None
            if page is None:
                raise UnknownPage(name, names.nearest(name))
            return as_it_was(page, index.slugs((page.superseded_by, *page.supersedes)))

    def pages(
        self, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> list[Page]:
        """All pages, by path; without those archived, or that were archived at `known_at`."""
        from citewiki.query.times import as_seen, utc

        with self.index_at(utc(known_at)) as index:
            return as_seen(index.pages(), utc(as_of), utc(known_at))

    def graph(
        self,
        around: str = "",
        *,
        depth: int = 1,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> LinkGraph:
        """The graph of links: of the whole wiki, or of what lies within `depth` links of a page.

        Its pages are those of `pages`.
        """
        from citewiki.index.graph import link_graph, neighbourhood

        graph = link_graph(self.pages(as_of=as_of, known_at=known_at))
        if not around:
            return graph
        return neighbourhood(graph, _called(around, graph.pages.values()).path, depth)


def _called(name: str, pages: Collection[Page]) -> Page:
    """The page called `name`. Raises UnknownPage with the nearest names."""
    from citewiki.errors import UnknownPage
    from citewiki.store.names import Names

    names = Names(pages)
    path = names.resolve(name).path if name.strip() else None
    found = next((page for page in pages if page.path == path), None)
    if found is None:
        raise UnknownPage(name, names.nearest(name))
    return found
