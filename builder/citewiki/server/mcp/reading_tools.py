"""Tools that read. Their docstrings are what the choosing model is told."""

from __future__ import annotations

import base64
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, ImageContent
from pydantic import Field

from citewiki.server.mcp import shapes
from citewiki.server.mcp.calls import Calls, moment, now
from citewiki.server.mcp.drawing import drawn, png
from citewiki.server.mcp.render import (
    answered,
    article,
    bullet_list,
    document,
    listed,
    news,
    page_url,
    passages_found,
    quoted,
    reply,
    rows_of,
)

Request = Context[Any, Any]

Question = Annotated[
    str,
    Field(min_length=1, max_length=4000, description="The question, in full and in any language."),
]
Words = Annotated[str, Field(min_length=1, max_length=500, description="Words to look for.")]
PageName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=500,
        description='Title, alias, slug or path of the page: "BM25", "bm25", "retrieval/bm25.md".',
    ),
]
Domain = Annotated[str, Field(max_length=200, description="Only pages of this domain; '' for all.")]
Day = Annotated[
    str,
    Field(max_length=40, description="Only what held on that day, such as 2026-05-12; '' for now."),
]
Offset = Annotated[int, Field(ge=0, le=1_000_000_000, description="Where to go on reading.")]


class ReadingTools:
    """The tools of one server that read."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._room = calls.settings.answer_chars // 2  # text and its checkable form: both count

    async def wiki_query(
        self,
        ctx: Request,
        question: Question,
        depth: Annotated[
            int, Field(ge=1, le=3, description="1: 3 pages, 2: 5 pages, 3: 8 pages.")
        ] = 2,
        domain: Domain = "",
        as_of: Day = "",
    ) -> Annotated[CallToolResult, shapes.PassagesFound]:
        """Get the wiki's best passages on a question, to answer from them yourself.

        Use this first for anything the wiki may know: it is fast, needs no language model, and
        follows links between pages. Start with depth 2; use 3 where the answer lies several pages
        apart, 1 for a quick fact. Answer only from what the passages say, and cite page titles.
        Do not use it to read one page whole (wiki_get_article), to see which pages there are
        (wiki_list_pages), or when a checked answer with citations is wanted (wiki_ask).

        Returns the passages of 3 to 8 pages as Markdown, each page in a block with its title and
        slug; nothing, when no page speaks of it: then say that the wiki does not cover it.

        Example: {"question": "Which k does reciprocal rank fusion use, and why?", "depth": 2}
        """
        at = moment(as_of)
        found = await self._calls.read(
            ctx,
            lambda session: session.wiki.query(
                question, depth=depth, domain=domain, as_of=at, now=now()
            ),
        )
        return passages_found(found, self._room)

    async def wiki_ask(
        self,
        ctx: Request,
        question: Question,
        domain: Domain = "",
        strict: Annotated[
            bool, Field(description="Only claims that a page states in so many words.")
        ] = False,
        as_of: Day = "",
        enable_web: Annotated[
            bool, Field(description="Ask pages of the web where the wiki refuses.")
        ] = False,
    ) -> Annotated[CallToolResult, shapes.Answered]:
        """Get an answer whose every claim was judged against the page that it cites, or a refusal.

        Use this when the person wants an answer to rely on: dates, figures, decisions, who said
        what. A refusal is a result, not a fault: pass it on with its reason, and do not answer
        from memory instead. Do not use it for an overview of a subject or to gather material
        (wiki_query), nor for several questions at once: ask them one by one.

        Returns claims with page, heading, verbatim quote and original, warnings about pages that
        may not hold any more, and disagreements between pages; or why there is no answer and what
        to do. With enable_web, an answer may come from the web; it says so.

        Example: {"question": "When was BM25 developed?", "strict": true}
        """
        at = moment(as_of)
        searches = self._calls.session(ctx).engines.searches if enable_web else None
        if enable_web and searches is None:
            raise ToolError("this server does not ask the web; call this without enable_web")
        answer = await self._calls.think(
            ctx,
            lambda session: session.engines.answers(),
            lambda session, engine: session.wiki.ask(
                question,
                domain=domain,
                strict=strict,
                as_of=at,
                engine=engine,
                web=searches() if searches else None,
                now=now(),
            ),
            outside=searches is not None,
        )
        return answered(answer)

    async def wiki_search_index(
        self,
        ctx: Request,
        words: Words,
        limit: Annotated[int, Field(ge=1, le=50, description="At most so many pages.")] = 10,
        domain: Domain = "",
    ) -> Annotated[CallToolResult, shapes.PagesFound]:
        """Find pages by words: a list of titles with one line each, no text.

        Use this to learn what a page is called before you read, change or draw it, or to see
        whether the wiki has anything on a word. Do not use it to answer a question: wiki_query
        brings the passages themselves.

        Returns pages with slug, domain and summary, the best first.

        Example: {"words": "rank fusion", "limit": 5}
        """

        def find(session: Any) -> list[shapes.PageListed]:
            wiki = session.wiki
            return [
                listed(wiki.page(hit.path), now())
                for hit in wiki.search(words, limit=limit, domain=domain)
            ]

        pages = await self._calls.read(ctx, find)
        text = rows_of(pages) if pages else "No page has these words."
        return reply(text, shapes.PagesFound(pages=pages))

    async def wiki_list_pages(
        self,
        ctx: Request,
        domain: Domain = "",
        tag: Annotated[str, Field(max_length=200, description="Only pages with this tag.")] = "",
        owner: Annotated[str, Field(max_length=64, description="Only pages of this user.")] = "",
        stale_days: Annotated[
            int | None,
            Field(ge=0, le=36500, description="Only pages unverified for so many days."),
        ] = None,
        offset: Offset = 0,
        limit: Annotated[int, Field(ge=1, le=200, description="At most so many pages.")] = 50,
    ) -> Annotated[CallToolResult, shapes.PagesListed]:
        """List pages by title, filtered by domain, tag, owner, or how long nobody verified them.

        Use this to see what there is, or to find pages that need upkeep (stale_days). Do not page
        through the whole wiki to answer a question: wiki_query finds the passages.

        Returns up to `limit` pages, how many there are in all, and next_offset for the rest.

        Example: {"domain": "retrieval", "stale_days": 90}
        """
        found = await self._calls.read(
            ctx,
            lambda session: session.wiki.list_pages(
                domain=domain,
                tag=tag,
                owner=owner,
                stale_days=stale_days,
                offset=offset,
                limit=limit,
                now=now(),
            ),
        )
        value = shapes.PagesListed(
            pages=[listed(page, now()) for page in found.items],
            total=found.total,
            next_offset=found.next_offset,
        )
        text = rows_of(value.pages) if value.pages else "No page is like this."
        if found.next_offset is not None:
            text += f"\n\n{found.total} in all; call this again with offset={found.next_offset}."
        return reply(text, value)

    async def wiki_get_article(
        self,
        ctx: Request,
        name: PageName,
        level: Annotated[
            Literal["abstract", "overview", "full"],
            Field(description="abstract: summary; overview: and headings; full: the text."),
        ] = "full",
        heading: Annotated[
            str, Field(max_length=500, description="Only what stands under this heading.")
        ] = "",
        as_of: Day = "",
        offset: Offset = 0,
    ) -> Annotated[CallToolResult, shapes.ArticleRead]:
        """Read one page, at one of three levels of detail, whole or one heading of it.

        Use this when passages are not enough, or the person names a page. Begin with level
        "overview" for a page you do not know, then read single headings; "full" for short pages.
        Do not read page after page to find something: wiki_query does that in one call.

        Returns the page's Markdown, its headings, dates, sources and confidence, and a caution
        when it may not hold any more. A long page comes in parts: go on with offset.

        Example: {"name": "BM25", "level": "overview"}
        """
        at = moment(as_of)
        found = await self._calls.read(
            ctx,
            lambda session: session.wiki.article(
                name, heading=heading, level=level, as_of=at, now=now()
            ),
        )
        return article(found, offset, self._room)

    async def wiki_get_graph(
        self,
        ctx: Request,
        around: Annotated[
            str, Field(max_length=500, description="Title, slug or path of the page in the middle.")
        ] = "",
        query: Annotated[
            str, Field(max_length=500, description="Or words; the middle is what they find.")
        ] = "",
        depth: Annotated[int, Field(ge=1, le=3, description="How many links away.")] = 1,
        limit: Annotated[int, Field(ge=1, le=150, description="At most so many pages.")] = 40,
    ) -> Annotated[CallToolResult, shapes.GraphDrawn]:
        """Draw how pages link to one another, around a page or around what words find.

        Use this for questions about connections: what is related, what links here, how two
        subjects hang together. Do not use it for what pages say (wiki_query).

        Returns a picture (PNG), and the pages and links in it as text. Without `around` and
        `query` it is the whole wiki, as far as `limit` goes.

        Example: {"around": "BM25", "depth": 1}
        """

        def draw(session: Any) -> tuple[shapes.GraphDrawn, bytes]:
            graph = session.wiki.graph(around, about=query, depth=depth, limit=limit + 1)
            return drawn(graph, limit), png(graph, limit)

        value, picture = await self._calls.read(ctx, draw)
        if not value.nodes:
            return reply("There is no page to draw.", value)
        rows = [f"- {edge.source} → {edge.target}" for edge in value.edges]
        alone = {edge.source for edge in value.edges} | {edge.target for edge in value.edges}
        rows += [f"- {node.title}" for node in value.nodes if node.title not in alone]
        text = quoted("result", "\n".join(rows))
        if value.cut:
            text += f"\n\nThere are more pages than limit={limit}; the nearest are drawn."
        data = base64.b64encode(picture).decode()
        return reply(text, value, ImageContent(type="image", data=data, mime_type="image/png"))

    async def wiki_list_users(self, ctx: Request) -> Annotated[CallToolResult, shapes.Names]:
        """List whose pages you may see, and with whom they are shared.

        Use this for the exact name before you filter pages by owner, or name somebody in
        shared_with of wiki_save_page. It tells of nobody who stands on no page that you see.

        Returns names.

        Example: {}
        """
        users = await self._calls.read(ctx, lambda session: session.wiki.users())
        text = bullet_list(users, "Nobody is named on any page that you see.")
        return reply(text, shapes.Names(users=list(users)))

    async def wiki_news(
        self,
        ctx: Request,
        limit: Annotated[int, Field(ge=1, le=100, description="At most so many entries.")] = 20,
        since: Day = "",
    ) -> Annotated[CallToolResult, shapes.News]:
        """Get the newest entries of the news feeds that this wiki is set up to follow.

        Use this when the person asks what is new in the wiki's field, or for a news summary. It
        reads the feeds over the network and never changes the wiki. Do not use it for what the
        wiki itself says, nor to read an article that an entry links to.

        Returns entries with title, address, date and summary, the newest first, and which feeds
        could not be read.

        Example: {"limit": 10, "since": "2026-05-01"}
        """
        at = moment(since)
        found = await self._calls.fetch(ctx, lambda session: session.wiki.news(limit, at))
        return news(found, follows=bool(self._calls.session(ctx).wiki.config.news.feeds))

    async def search(
        self,
        ctx: Request,
        query: Annotated[str, Field(min_length=1, max_length=500, description="Words.")],
    ) -> shapes.SearchResults:
        """Search the wiki; for connectors that know only `search` and `fetch`.

        Use wiki_query instead where it is offered: it brings the passages themselves. Returns
        pages with id, title and url; hand an id to `fetch` to read one.

        Example: {"query": "rank fusion"}
        """

        def find(session: Any) -> shapes.SearchResults:
            hits = session.wiki.search(query, limit=10)
            return shapes.SearchResults(
                results=[
                    shapes.SearchResult(
                        id=hit.slug, title=hit.title, url=page_url(session.base_url, hit.slug)
                    )
                    for hit in hits
                ]
            )

        return await self._calls.read(ctx, find)

    async def fetch(
        self,
        ctx: Request,
        id: Annotated[
            str, Field(min_length=1, max_length=500, description="Of a result of `search`.")
        ],
    ) -> shapes.Document:
        """Read a page that `search` found; for connectors that know only `search` and `fetch`.

        Use wiki_get_article instead where it is offered. Returns the page's text, its address and
        what is known of it.

        Example: {"id": "bm25"}
        """

        def read(session: Any) -> shapes.Document:
            found = session.wiki.article(id, now=now())
            return document(found, self._room, page_url(session.base_url, found.page.slug))

        return await self._calls.read(ctx, read)
