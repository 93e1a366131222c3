"""The library's door: one wiki, opened on behalf of one viewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

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
        explain: bool = False,
        now: datetime | None = None,
    ) -> Answer:
        """An answer whose every claim cites a page that says it, or a refusal.

        `depth` is how many links are followed from the best pages (1..3); `strict` wants pages
        to state the claim, not merely support it. `as_of` is a day that the pages have to hold
        on, `known_at` a day by which the wiki had to know them. With `engine` a language model
        writes the claims, and with `agentic` it looks the pages up itself; a second one judges.
        Pages that disagree make a refusal, unless `newest_wins`.
        With `web`, what the wiki refuses is asked of pages of the web, cited by their URL.
        Raises QuestionError for a question that is empty or too long, EngineError for a model
        that gives no usable reply.
        """
        from citewiki.ask import Scope, ask

        put = partial(
            ask,
            text=question,
            settings=self.config.ask,
            depth=depth or self.config.ask.depth,
            strict=strict,
            engine=engine,
            newest_wins=newest_wins,
            explain=explain,
            now=now or datetime.now(UTC),
        )
        with self.index as index:
            answer = put(index, scope=Scope(domain, as_of, known_at), agentic=agentic)
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

        return search(self.index, words, limit=limit, domain=domain, as_of=as_of, known_at=known_at)

    def page(self, name: str) -> Page:
        """The page called `name`: a title, alias, slug or path. Raises UnknownPage."""
        from citewiki.errors import UnknownPage

        with self.index as index:
            names = index.names()
            path = names.resolve(name).path if name.strip() else None
            page = index.page(path) if path else None
            if page is None:
                raise UnknownPage(name, names.nearest(name))
            return page

    def pages(self) -> list[Page]:
        """All pages, by path; without the archived ones."""
        with self.index as index:
            return index.pages()

    def graph(self, around: str = "", *, depth: int = 1) -> LinkGraph:
        """The graph of links: of the whole wiki, or of what lies within `depth` links of a page."""
        from citewiki.index.graph import link_graph, neighbourhood

        graph = link_graph(self.pages())
        return neighbourhood(graph, self.page(around).path, depth) if around else graph
