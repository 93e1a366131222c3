"""Tools that write, none of which takes anything away for good."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import anyio.from_thread
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from citewiki.server.mcp import shapes
from citewiki.server.mcp.calls import Calls, now
from citewiki.server.mcp.render import bullet_list, reply, text_taken
from citewiki.server.mcp.session import Session

if TYPE_CHECKING:
    from citewiki.distill.saving import Saved
    from citewiki.distill.texts import Ingested
    from citewiki.llm.port import Engine
    from citewiki.store.deeds import Change

Request = Context[Any, Any]

PageName = Annotated[
    str, Field(min_length=1, max_length=500, description="Title, alias, slug or path of the page.")
]
Why = Annotated[str, Field(max_length=500, description="The reason, for the wiki's log.")]
Label = Annotated[str, Field(min_length=1, max_length=200)]


class WritingTools:
    """The tools of one server that write."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def wiki_ingest_text(
        self,
        ctx: Request,
        text: Annotated[
            str, Field(min_length=1, max_length=1_000_000, description="The whole text, as it is.")
        ],
        title: Annotated[
            str, Field(max_length=300, description="What it is called; '' takes its heading.")
        ] = "",
        name: Annotated[
            str, Field(max_length=200, description="File name to keep it under, such as notes.md.")
        ] = "",
        review: Annotated[
            bool, Field(description="Leave drafts for a person to accept, instead of pages.")
        ] = False,
    ) -> Annotated[CallToolResult, shapes.TextTaken]:
        """Take a text into the wiki as a source, and make pages of what it says.

        Use this for a document, a transcript or an article that the person wants kept: the
        original stays, and every page cites it. Do not use it for a page that you wrote yourself
        (wiki_save_page), for secrets, or for what the person did not ask to have kept. It may
        take a minute and reports its progress; it can be cancelled, and what is done by then
        stays. The same text twice changes nothing.

        Returns which pages hold it now and which of them are new, which drafts wait for a person,
        and what did not become a page.

        Example: {"title": "Team meeting 12 May", "text": "# Decisions\\n\\nWe move to …"}
        """

        def take(session: Session, engine: Engine | None) -> Ingested:
            report = _Progress(ctx)
            report(0, 0, "reading")
            return session.wiki.ingest_text(
                text,
                title=title,
                name=name,
                engine=engine,
                review=review,
                report=report,
                now=now(),
            )

        return text_taken(
            await self._calls.write_thinking(ctx, lambda session: session.engines.distils(), take)
        )

    async def wiki_save_page(
        self,
        ctx: Request,
        title: Annotated[str, Field(min_length=1, max_length=300, description="Of the page.")],
        body: Annotated[
            str,
            Field(
                min_length=1,
                max_length=200_000,
                description="Markdown without front matter; [[Title]] links another page.",
            ),
        ],
        domain: Annotated[
            str, Field(max_length=200, description="The subject it belongs to, as others are.")
        ] = "",
        summary: Annotated[
            str, Field(max_length=1000, description="One or two sentences of what it says.")
        ] = "",
        tags: Annotated[list[Label], Field(max_length=30)] = [],  # noqa: B006  pydantic copies it
        aliases: Annotated[list[Label], Field(max_length=30)] = [],  # noqa: B006
        shared_with: Annotated[
            list[Label] | None,
            Field(max_length=100, description="User names that may read it; omit: nobody else."),
        ] = None,
        why: Why = "",
    ) -> Annotated[CallToolResult, shapes.PageSaved]:
        """Save a page that you wrote, for the person you act for; no language model rewrites it.

        Use this when the person asks to write something down or to correct a page of theirs. Look
        first with wiki_search_index whether there is a page; a page of theirs with the same title
        is merged with yours, so send the whole text, not the change. Do not use it for a document
        by others (wiki_ingest_text), or for pages of other people: those cannot be changed.

        Returns what really happened: created, merged, unchanged, or queued for a person, because
        the page would have lost something; then `losses` says what, and nothing was changed.

        Example: {"title": "Rank fusion", "body": "Reciprocal rank fusion uses k = 60.",
        "domain": "retrieval", "tags": ["ranking"]}
        """

        def save(session: Session) -> Saved:
            return session.wiki.save_page(
                title,
                body,
                domain=domain,
                summary=summary,
                tags=tuple(tags),
                aliases=tuple(aliases),
                shared_with=None if shared_with is None else tuple(shared_with),
                why=why,
                now=now(),
            )

        done = await self._calls.write(ctx, save)
        value = shapes.PageSaved(
            slug=done.slug,
            action=done.action,
            losses=list(done.losses),
            message=done.message,
        )
        said = value.message.removeprefix(f"{value.action}, ")
        text = f"{value.action}: {value.slug}, {said}."
        if value.losses:
            text += f"\n\nIt would have lost:\n{bullet_list(value.losses, '')}"
        return reply(text, value)

    async def wiki_archive_page(
        self, ctx: Request, name: PageName, why: Why = ""
    ) -> Annotated[CallToolResult, shapes.PageChanged]:
        """Put a page away: out of search, answers and the site; a person can bring it back.

        Use this for a page of the person's that no longer holds and that nothing replaces, after
        they agreed. Do not use it for a page that is only unverified (wiki_reverify_page), that
        needs another text (wiki_save_page), or that belongs to others. Nothing is deleted.

        Returns what was done.

        Example: {"name": "Old deployment guide", "why": "the service was shut down"}
        """
        done = await self._calls.write(
            ctx, lambda session: session.wiki.archive_page(name, why=why, now=now())
        )
        return _changed(done, "It was put away, and can be brought back.")

    async def wiki_reverify_page(
        self, ctx: Request, name: PageName, why: Why = ""
    ) -> Annotated[CallToolResult, shapes.PageChanged]:
        """Record that a page was checked against its sources and still holds.

        Use this only after you or the person really compared the page with its sources. Do not
        use it to make stale pages look fresh, or where the page was wrong (wiki_save_page).

        Returns what was recorded.

        Example: {"name": "BM25", "why": "compared with the 2009 paper"}
        """
        done = await self._calls.write(
            ctx, lambda session: session.wiki.reverify_page(name, why=why, now=now())
        )
        return _changed(done, "It is recorded as checked today.")


def _changed(done: Change, message: str) -> CallToolResult:
    value = shapes.PageChanged(slug=done.slug, action=done.action, message=message)
    return reply(f"{value.slug}: {value.action}. {message}", value)


class _Progress:
    """How far a thread is, told to the client; whoever asks for nothing is told nothing."""

    def __init__(self, ctx: Request) -> None:
        self._ctx = ctx
        self._told = -1

    def __call__(self, done: int, total: int, what: str) -> None:
        """Tell it; raises where the client has cancelled. Only rising numbers are allowed."""
        anyio.from_thread.check_cancelled()
        if done > self._told:
            self._told = done
            anyio.from_thread.run(self._ctx.report_progress, done, total or None, what)
