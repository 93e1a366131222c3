"""How every tool and resource calls the library: counted, in a thread, its errors made useful."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError

from citewiki.config import ServerConfig
from citewiki.errors import (
    CitewikiError,
    EngineError,
    LifecycleError,
    Limited,
    NotAllowed,
    QuestionError,
    UnknownPage,
    WriteError,
)
from citewiki.llm.port import Engine
from citewiki.server import asking
from citewiki.server.limits import Limits
from citewiki.server.mcp.session import Opened, Session

Result = TypeVar("Result")
Chosen = Engine | None
Choose = Callable[[Session], Chosen]
"""The language model for a session; None: what is built in."""

THREADS = 8  # calls at once that read; more only wait for one another
WRITERS = 4  # that write: apart, so that who waits for the wiki's lock keeps nobody from reading
FETCHERS = 2  # that look at other servers: apart, as these may take long to answer

READ_ONLY = (
    "this connection may only read, so nothing was written; tell the person that writing needs a "
    "token of their own that is not read-only"
)

_NEXT: tuple[tuple[type[CitewikiError], str], ...] = (
    (UnknownPage, "find its name with wiki_search_index or wiki_list_pages"),
    (NotAllowed, "save a page of your own with wiki_save_page instead"),
    (Limited, "wait that long, then call this again"),
    (LifecycleError, "read the page's state with wiki_get_article"),
    (QuestionError, "call this again with other arguments"),
    (EngineError, "read the passages with wiki_query, which needs no language model"),
    (WriteError, "try again in a few seconds; if it stays so, tell the person"),
)
"""What a model can do about an error of a kind; the first that fits."""


@dataclass(frozen=True)
class Calls:
    """The one way from a tool to the library."""

    opened: Opened
    settings: ServerConfig
    limits: Limits | None  # None: nothing is counted
    readers: anyio.CapacityLimiter
    writers: anyio.CapacityLimiter
    fetchers: anyio.CapacityLimiter

    def session(self, ctx: Context[Any, Any]) -> Session:
        """On whose behalf the request of `ctx` is."""
        return self.opened(ctx.request_context.request)

    async def read(self, ctx: Context[Any, Any], do: Callable[[Session], Result]) -> Result:
        """What `do` reads, in a thread; who cancels does not wait for it."""
        session = self.session(ctx)
        self._count(session)
        return await self._threaded(partial(do, session), self.readers)

    async def fetch(self, ctx: Context[Any, Any], do: Callable[[Session], Result]) -> Result:
        """The same of what other servers have."""
        session = self.session(ctx)
        self._count(session)
        return await self._threaded(partial(do, session), self.fetchers)

    async def think(
        self,
        ctx: Context[Any, Any],
        choose: Choose,
        do: Callable[[Session, Chosen], Result],
        *,
        outside: bool = False,
    ) -> Result:
        """The same with the language model that `choose` gives, at one of the places for them.

        What looks `outside`, at the web, takes such a place without a model as well.
        """
        session = self.session(ctx)
        self._count(session)
        call = partial(self._at_a_place, session, choose, do, outside)
        return await self._threaded(call, self.readers)

    async def write(self, ctx: Context[Any, Any], do: Callable[[Session], Result]) -> Result:
        """What `do` writes, in a thread that is waited for: a write ends before its answer.

        Raises ToolError where nothing may be written.
        """
        return await self._threaded(partial(do, self._writer(ctx)), self.writers)

    async def write_thinking(
        self, ctx: Context[Any, Any], choose: Choose, do: Callable[[Session, Chosen], Result]
    ) -> Result:
        """The same with a language model."""
        call = partial(self._at_a_place, self._writer(ctx), choose, do)
        return await self._threaded(call, self.writers)

    def _writer(self, ctx: Context[Any, Any]) -> Session:
        session = self.session(ctx)
        self._count(session)
        if not session.may_write:
            raise ToolError(READ_ONLY)
        return session

    def _count(self, session: Session) -> None:
        if self.limits and session.who:
            try:
                self.limits.call(session.who)
            except CitewikiError as error:
                raise ToolError(told(error)) from error

    def _at_a_place(
        self,
        session: Session,
        choose: Choose,
        do: Callable[[Session, Chosen], Result],
        outside: bool = False,
    ) -> Result:
        engine = choose(session)
        with self.limits.model_call() if (engine or outside) and self.limits else nullcontext():
            return do(session, engine)

    async def _threaded(self, call: Callable[[], Result], limiter: anyio.CapacityLimiter) -> Result:
        try:
            return await anyio.to_thread.run_sync(
                call, abandon_on_cancel=limiter is not self.writers, limiter=limiter
            )
        except CitewikiError as error:
            raise ToolError(told(error)) from error


def new_calls(opened: Opened, settings: ServerConfig, limits: Limits | None) -> Calls:
    """The calls of one server."""
    threads = map(anyio.CapacityLimiter, (THREADS, WRITERS, FETCHERS))
    return Calls(opened, settings, limits, *threads)


def told(error: CitewikiError) -> str:
    """An error in one line for a model: what was wrong, and which tool helps."""
    hint = "" if "citewiki " in error.hint else error.hint  # commands are for people
    advice = next((says for kind, says in _NEXT if isinstance(error, kind)), "")
    return "; ".join(part for part in (error.message, hint, advice) if part)


def moment(text: str) -> datetime | None:
    """A day or time that a model gave, in UTC; None for "". Raises ToolError."""
    try:
        found: datetime | None = asking.moment(text)
    except ValueError as error:
        raise ToolError(f"“{text}” is no date; {error}") from None
    return found


def now() -> datetime:
    """The clock, to the second, in UTC."""
    return datetime.now(UTC).replace(microsecond=0)
