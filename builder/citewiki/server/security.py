"""What every request has to pass, and what every reply carries: hosts, origins, sizes, headers."""

from __future__ import annotations

import re
from collections.abc import Iterable

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOCAL_HOSTS = ("localhost", "127.0.0.1", "[::1]")
BODY_SECONDS = 30.0
"""How long a request may take to arrive."""
JSON_DEPTH = 64
"""Brackets within brackets that a JSON body may have; what is deeper can exhaust a parser."""

_SAFE = ("GET", "HEAD", "OPTIONS")
_JSON_STRING = re.compile(rb'"(?:[^"\\]++|\\.?)*+(?:"|\Z)', re.S)
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; media-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
"""For what the server writes itself: nothing inline, nothing of other hosts."""

HEADERS = {
    "content-security-policy": PAGE_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "private, no-store",
    "vary": "Cookie, Authorization",
}
"""On every reply that does not set them itself."""


class Guard:
    """Refuses foreign hosts and cross-site writes before anything else sees them.

    A name that is not ours in `Host` is a name that somebody has made point here (DNS
    rebinding). A write from another site carries that site's origin, or the browser says so; what
    no browser sends carries neither, and no cookie that it was not given.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self.app, self.hosts = app, frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                add_headers(MutableHeaders(scope=message))
            await send(message)

        refused = self._refused(scope["method"], Headers(scope=scope))
        app = PlainTextResponse(refused[1], refused[0]) if refused else self.app
        await app(scope, receive, send_guarded)

    def _refused(self, method: str, headers: Headers) -> tuple[int, str] | None:
        named = headers.getlist("host")
        if len(named) != 1 or hostname(named[0]) not in self.hosts:
            return 421, "This server does not go by that name."
        if method in _SAFE:
            return None
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "Requests from other sites may not change anything."
        for origin in headers.getlist("origin"):
            if origin.lower().partition("://")[2] != named[0].lower():
                return 403, "Requests from other sites may not change anything."
        return None


class Bodies:
    """Reads a request's body whole, within limits of size, time and depth, before it is handled."""

    def __init__(self, app: ASGIApp, most: int, seconds: float = BODY_SECONDS) -> None:
        self.app, self.most, self.seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        stated = headers.get("content-length", "")
        body: bytes | None = None
        refused = (413, f"The request is larger than {self.most:,} bytes.")
        if not stated.isdecimal() or int(stated) <= self.most:
            with anyio.move_on_after(self.seconds) as waited:
                body = await self._read(receive)
            if waited.cancelled_caught:
                refused = (408, f"The request took longer than {self.seconds:g} s to arrive.")
        if body is None:
            closing = {"connection": "close"}  # the rest of it is not read
            await PlainTextResponse(refused[1], refused[0], closing)(scope, receive, send)
            return
        if "json" in headers.get("content-type", "").lower() and too_deep(body):
            refusal = PlainTextResponse(f"The JSON is nested deeper than {JSON_DEPTH} levels.", 400)
            await refusal(scope, receive, send)
            return
        replayed = False

        async def receive_again() -> Message:
            nonlocal replayed
            if replayed:
                return await receive()
            replayed = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self.app(scope, receive_again, send)

    async def _read(self, receive: Receive) -> bytes | None:
        """The whole body; None as soon as it is too large."""
        parts: list[bytes] = []
        size = 0
        while True:
            message = await receive()
            if message["type"] != "http.request":  # the client has left; nobody reads a reply
                return b"".join(parts)
            parts.append(message.get("body", b""))
            size += len(parts[-1])
            if size > self.most:
                return None
            if not message.get("more_body"):
                return b"".join(parts)


def add_headers(headers: MutableHeaders) -> None:
    """Set those of `HEADERS` that are not there."""
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


def hostname(host: str) -> str:
    """The name in a Host header, without the port; "" for one that no browser would send."""
    match = re.fullmatch(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+)(?::\d{1,5})?", host, re.ASCII)
    return match[1].lower() if match else ""


def local_path(path: str) -> str:
    """`path` when it leads to this server, as it may stand in a redirect; else "/".

    Browsers read "//host", "/\\host" and paths with tabs or line ends as other servers.
    """
    plain = all(char.isprintable() and char != "\\" for char in path)
    return path if plain and re.match(r"/(?!/)", path) else "/"


def too_deep(text: bytes, most: int = JSON_DEPTH) -> bool:
    """Whether the brackets of a JSON text stand more than `most` levels deep."""
    depth = 0
    for byte in _JSON_STRING.sub(b"", text).translate(None, _NO_BRACKETS):
        depth += 1 if byte in b"[{" else -1
        if depth > most:
            return True
    return False
