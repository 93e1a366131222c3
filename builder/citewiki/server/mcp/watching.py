"""Change notifications: who subscribed to a resource is told when it reads otherwise, to them.

A write that they may not see changes nothing for them, so it tells them nothing. It does not
matter which process wrote.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.subscriptions import ResourceUpdated, ServerEvent
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from citewiki.errors import CitewikiError
from citewiki.server.mcp.calls import Calls
from citewiki.server.mcp.resources import UnknownResource, read
from citewiki.server.mcp.session import Session
from citewiki.wiki import Wiki

EVERY = 1.0  # seconds between two looks at the files, while anybody is subscribed
MOST = 50  # resources of one subscription
PATIENCE = 5.0  # seconds for a subscriber to take what it is told: the others wait meanwhile
_MOST_WATCHERS = 1000  # of one server

log = logging.getLogger("citewiki.server")

Stamp = Callable[[], int]
"""A number that rises when files of the wiki have changed, whoever changed them."""


@dataclass
class Watcher:
    """A subscription."""

    session: Session  # of the subscriber
    prints: dict[str, str]  # by address: what it read like when last looked at
    tell: Callable[[str], Awaitable[None]]


_ASKED: ContextVar[tuple[Session, dict[str, str]] | None] = ContextVar("asked", default=None)
"""On whose behalf, and for which resources, the subscription that is being made is."""


class Watching:
    """All subscriptions of one server. It is the `SubscriptionBus` of the 2026 era."""

    def __init__(self, calls: Calls, stamp: Stamp) -> None:
        self._calls = calls
        self._stamp = stamp
        self._watchers: dict[object, Watcher] = {}
        self._somebody = anyio.Event()

    async def publish(self, event: ServerEvent) -> None:
        """Nothing: what is told to whom is found out by reading as they do."""

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Have `listener` told of the resources that the request being served asked for."""
        asked = _ASKED.get()
        if asked is None:
            return lambda: None

        async def tell(uri: str) -> None:
            listener(ResourceUpdated(uri=uri))

        key = object()
        self.add(key, Watcher(*asked, tell))
        return lambda: self._drop(key)

    async def noticing(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        """Middleware: who asks to be told, and how the resources read now."""
        if ctx.method != "subscriptions/listen":
            return await call_next(ctx)
        wanted = (ctx.params or {}).get("notifications")
        uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
        if not isinstance(uris, list) or not uris:
            return await call_next(ctx)
        if len(uris) > MOST or not all(isinstance(uri, str) for uri in uris):
            raise MCPError(INVALID_PARAMS, f"subscribe to at most {MOST} resources at once")
        session = self._calls.opened(ctx.request)
        token = _ASKED.set((session, await self._prints(session.wiki, uris)))
        try:
            return await call_next(ctx)
        finally:
            _ASKED.reset(token)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While it is entered, changes are noticed."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch)
            yield
            tasks.cancel_scope.cancel()

    def serve(self, server: Server[Any]) -> None:
        """Take `resources/subscribe` and `unsubscribe`, as they were before 2026."""
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._on)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._off)

    async def _on(
        self, ctx: ServerRequestContext[Any, Any], params: SubscribeRequestParams
    ) -> EmptyResult:
        uri = str(params.uri)
        # The SDK hands out a session for each request; only its connection lasts.
        connection = ctx.session._connection
        mine = sum(isinstance(key, tuple) and key[0] is connection for key in self._watchers)
        if mine >= MOST:
            raise MCPError(INVALID_PARAMS, f"subscribe to at most {MOST} resources at once")
        session = self._calls.opened(ctx.request)
        prints = await self._prints(session.wiki, [uri])
        self.add((connection, uri), Watcher(session, prints, ctx.session.send_resource_updated))
        connection.exit_stack.callback(self._drop, (connection, uri))
        return EmptyResult()

    async def _off(
        self, ctx: ServerRequestContext[Any, Any], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._drop((ctx.session._connection, str(params.uri)))
        return EmptyResult()

    def add(self, key: object, watcher: Watcher) -> None:
        """Watch for `watcher`, until it cannot be told any more. Raises MCPError."""
        if len(self._watchers) >= _MOST_WATCHERS:
            raise MCPError(INVALID_PARAMS, "too many subscriptions; try again later")
        self._watchers[key] = watcher
        self._somebody.set()

    def _drop(self, key: object) -> None:
        self._watchers.pop(key, None)

    async def _watch(self) -> None:
        seen = -1
        while True:
            if not self._watchers:
                self._somebody = anyio.Event()
                await self._somebody.wait()
            stamp = await anyio.to_thread.run_sync(self._stamp, abandon_on_cancel=True)
            if stamp != seen:
                seen = stamp
                for key, watcher in list(self._watchers.items()):
                    try:
                        if not await self._compare(watcher):
                            self._drop(key)
                    except Exception:  # one subscriber's fault is not the others'
                        log.exception("a subscriber could not be told")
                        self._drop(key)
            await anyio.sleep(EVERY)

    async def _compare(self, watcher: Watcher) -> bool:
        """Tell of what has changed; whether there is still somebody to tell."""
        if not await anyio.to_thread.run_sync(watcher.session.holds, abandon_on_cancel=True):
            return False
        now = await self._prints(watcher.session.wiki, list(watcher.prints))
        changed = [uri for uri, print in now.items() if watcher.prints[uri] != print]
        watcher.prints = now
        with anyio.move_on_after(PATIENCE) as waiting:
            for uri in changed:
                await watcher.tell(uri)
        return not waiting.cancelled_caught

    async def _prints(self, wiki: Wiki, uris: list[str]) -> dict[str, str]:
        return await anyio.to_thread.run_sync(
            partial(_prints, wiki, uris), abandon_on_cancel=True, limiter=self._calls.readers
        )


def _prints(wiki: Wiki, uris: list[str]) -> dict[str, str]:
    return {uri: _print(wiki, uri) for uri in uris}


def _print(wiki: Wiki, uri: str) -> str:
    """A hash of what a resource reads like; "" for none, and while it cannot be read."""
    try:
        text, _ = read(wiki, uri, _WHOLE)
    except (UnknownResource, CitewikiError):
        return ""
    return hashlib.sha256(text.encode()).hexdigest()


_WHOLE = 1_000_000_000  # characters: a change may be anywhere
