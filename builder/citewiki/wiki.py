"""The library's door: one wiki, opened on behalf of one viewer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from citewiki.store.paths import ARCHIVE
from citewiki.writing import Writing

if TYPE_CHECKING:
    from citewiki.ask import Report
    from citewiki.config import Config
    from citewiki.index.graph import LinkGraph
    from citewiki.index.index import Index
    from citewiki.interchange.folder import Exported
    from citewiki.llm.port import Engine
    from citewiki.model import Answer, Hit, Page, Viewer
    from citewiki.query.reading import Article, Listing, Packed
    from citewiki.query.web import Searcher
    from citewiki.sources.news import News

_AROUND = 5  # pages that words find, from which a graph about them starts


@dataclass(frozen=True)
class Wiki(Writing):
    """A wiki on disk, as `viewer` may see it: pages to find, read and ask.

    Every method sees the files as they are now; the index under `.citewiki/` follows them.
    """

    root: Path  # the folder that holds wiki/
    cache: Path  # where derived files go: normally root/.citewiki
    viewer: Viewer = None  # a user name, "*" (anyone), or None (the operator: sees all)
    lend: Callable[[Viewer, bool], Index] | None = field(default=None, compare=False, repr=False)
    # where indexes come from that stay open between calls; None: each call opens its own

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
        return self._index(archived=False)

    def _index(self, *, archived: bool) -> Index:
        if self.lend:
            return self.lend(self.viewer, archived)
        from citewiki.index.index import open_index

        return open_index(self.folder, self.cache, self.viewer, archived=archived)

    def index_at(self, known_at: datetime | None) -> Index:
        """The index by which to ask what the wiki had at `known_at`; None: what it has now.

        What was archived since stands in an index of its own, made when it is first asked for, so
        that not even counts of words tell those of it who ask what is here now.
        """
        return self.index if known_at is None else self._with_archived()

    def _with_archived(self) -> Index:
        index = self.index
        if not (index.leaves_out or (self.folder / ARCHIVE).is_dir()):
            return index
        index.close()
        return self._index(archived=True)

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
        report: Report | None = None,
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
        `report` is called at every stage; see `ask.Report`.
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
            report=report,
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

    def query(
        self,
        question: str,
        *,
        depth: int = 2,
        domain: str = "",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        now: datetime | None = None,
    ) -> Packed:
        """The passages that speak most of a question: of 3 pages at depth 1, 5 at 2, 8 at 3.

        No model is asked and nothing is judged. Raises QuestionError as `ask` does.
        """
        from citewiki.query.filter import Filter
        from citewiki.query.reading import packed
        from citewiki.query.times import utc

        where = Filter(domain or None, utc(as_of), utc(known_at))
        now = now or datetime.now(UTC)  # not its minute: a page of just now does hold
        minute = now.replace(second=0, microsecond=0)  # for which a reply is kept
        ask = self.config.ask
        with self.index_at(where.known_at) as index:
            put = partial(
                packed,
                index,
                question,
                now,
                depth=depth,
                where=where,
                stale_days=ask.stale_days,
                page_chars=ask.page_chars,
                budget=ask.budget_chars,
            )
            return index.kept(("query", question, depth, where, minute), put)

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
            return _called(name, self.pages(as_of=as_of, known_at=known_at), self.viewer)
        from citewiki.errors import UnknownPage
        from citewiki.query.times import as_it_was

        with self.index as index:
            names = index.names()
            path = names.resolve(name).path if name.strip() else None
            page = index.page(path) if path else None
            if page is None:
                raise UnknownPage(name, names.nearest(name))
            return as_it_was(page, index.slugs((page.superseded_by, *page.supersedes)))

    def article(
        self,
        name: str,
        *,
        heading: str = "",
        level: str = "full",
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        now: datetime | None = None,
    ) -> Article:
        """The page called `name` at one of three lengths, whole or from one of its headings.

        `level` is "abstract" (its summary), "overview" (and each heading with its first sentence)
        or "full". Raises UnknownPage, and QuestionError for a heading that it does not have.
        """
        from citewiki.query.reading import article
        from citewiki.query.times import Moment, utc

        page = self.page(name, as_of=as_of, known_at=known_at)
        moment = Moment(now or datetime.now(UTC), utc(as_of), utc(known_at))
        days = self.config.ask.stale_days
        with self.index_at(moment.known_at) as index:
            return article(index, page, moment, heading=heading, level=level, stale_days=days)

    def list_pages(
        self,
        *,
        domain: str = "",
        tag: str = "",
        owner: str = "",
        stale_days: int | None = None,
        offset: int = 0,
        limit: int = 50,
        now: datetime | None = None,
    ) -> Listing:
        """Pages by title, `limit` of them from `offset` on; what is empty asks for nothing.

        With `stale_days` only those that nobody verified for so many days.
        """
        from citewiki.query.reading import listing

        return listing(
            self._outlines(),
            domain=domain,
            tag=tag,
            owner=owner,
            stale_days=stale_days,
            offset=offset,
            limit=limit,
            now=now or datetime.now(UTC),
        )

    def users(self) -> tuple[str, ...]:
        """Who owns or may read pages that the viewer sees, and the viewer; for the operator all."""
        from citewiki.store.users import known_users, load_users

        users = load_users(self.root) if self.viewer is None else ()
        return known_users(self._outlines(), self.viewer, users)

    def log(self) -> str:
        """What happened to pages that the viewer sees, newest first; the operator reads it all."""
        from citewiki.query.reading import told

        with self._with_archived() as index:
            return told(self.folder, index.outlines, self.viewer)

    def news(self, limit: int = 20, since: datetime | None = None) -> News:
        """The newest entries of the feeds that the wiki follows, and which could not be read."""
        from citewiki.query.times import utc
        from citewiki.sources.news import news

        return news(self.config.news.feeds, since=utc(since), limit=limit)

    def pages(
        self, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> list[Page]:
        """All pages, by path; without those archived, or that were archived at `known_at`."""
        from citewiki.query.times import as_seen, utc

        with self.index_at(utc(known_at)) as index:
            return as_seen(index.pages(), utc(as_of), utc(known_at))

    def _outlines(self) -> list[Page]:
        from citewiki.query.times import as_seen

        with self.index as index:
            return as_seen(index.outlines, None)

    def export(
        self,
        form: str,
        folder: str | Path,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        archived: bool = False,
        force: bool = False,
    ) -> Exported:
        """Write the pages into a new folder as "okf" (Open Knowledge Format) or "json".

        `archived` takes along what was put away, of a user only their own. With `force` an earlier
        export in the folder is replaced. Raises DataError for a folder that holds anything else.
        """
        from citewiki.interchange.export import export
        from citewiki.query.times import as_seen, utc

        times = utc(as_of), utc(known_at)
        whole = self.viewer is None and times == (None, None)
        return export(
            self.root,
            form,
            Path(folder),
            viewer=self.viewer,
            archived=archived,
            seen=None if whole else lambda pages: as_seen(pages, *times),
            then=known_at is not None,
            dated=times != (None, None),
            force=force,
            days=self.config.ask.stale_days,
        )

    def graph(
        self,
        around: str = "",
        *,
        depth: int = 1,
        about: str = "",
        limit: int | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> LinkGraph:
        """The graph of links: of the whole wiki, or of what lies within `depth` links of a page.

        With `about`, of what lies around the pages that these words find best. Its pages are those
        of `pages`; at most `limit` of them, the nearest, or else the first by path.
        """
        from citewiki.index.graph import link_graph, nearest
        from citewiki.query.times import as_seen, utc

        times = utc(as_of), utc(known_at)
        with self.index_at(times[1]) as index:
            if any(times):
                graph = link_graph(as_seen(index.pages(), *times))
            else:
                graph = index.kept("graph", lambda: link_graph(as_seen(index.pages(), *times)))
        if around:
            starts = [_called(around, graph.pages.values(), self.viewer).path]
        elif about:
            hits = self.search(about, limit=_AROUND, as_of=as_of, known_at=known_at)
            starts = [hit.path for hit in hits]
        else:
            return graph if limit is None else nearest(graph, graph.pages, 0, limit)
        return nearest(graph, starts, depth, limit)


def _called(name: str, pages: Collection[Page], viewer: Viewer) -> Page:
    """The page called `name`. Raises UnknownPage with the nearest names."""
    from citewiki.errors import UnknownPage
    from citewiki.store.names import Names

    names = Names(pages, viewer)
    path = names.resolve(name).path if name.strip() else None
    found = next((page for page in pages if page.path == path), None)
    if found is None:
        raise UnknownPage(name, names.nearest(name))
    return found
