"""`citewiki serve` as one ASGI application: MCP, the site, pages, questions, sessions."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from citewiki.errors import CitewikiError, Limited
from citewiki.server import api, ask, login, pages
from citewiki.server.identity import Identify
from citewiki.server.limits import Limits
from citewiki.server.mcp.session import Engines
from citewiki.server.opened import Opened
from citewiki.server.problems import calls_programs, problem, told
from citewiki.server.security import BODY_SECONDS, LOCAL_HOSTS, Bodies, Guard, add_headers, hostname
from citewiki.server.serving import Serving, serving_of
from citewiki.server.site import Sites

if TYPE_CHECKING:
    from citewiki.config import Config


def _clock() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def build_app(
    root: Path,
    config: Config,
    *,
    url: str = "",
    hosts: Iterable[str] = (),
    engines: Engines | None = None,
    cache: Path | None = None,
    now: Callable[[], datetime] = _clock,
    body_seconds: float = BODY_SECONDS,
) -> Starlette:
    """The server of the wiki at `root`.

    `url` is the address under which people reach it, when that is not the one it listens on;
    `hosts` are names under which it answers, beside that one, those of the settings, and
    localhost. `engines` are what texts are written with; without it all is built in.
    """
    from citewiki.server.mcp.http import mcp_asgi

    url = url.rstrip("/")
    opened = Opened(root, cache)
    serving = Serving(
        root=root,
        config=config,
        opened=opened,
        limits=Limits(config),
        sites=Sites(opened),
        engines=engines or Engines(),
        now=now,
        url=url,
    )
    names = {*LOCAL_HOSTS, *hosts, *config.server.hosts, urlsplit(url).netloc}
    mcp, mcp_lifespan = mcp_asgi(serving)

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with mcp_lifespan():
            yield
        serving.sites.close()
        opened.close()

    app = Starlette(
        routes=[
            Route("/mcp", mcp),
            Route("/health", health),
            Route("/login", login.form, methods=["GET"]),
            Route("/login", login.login, methods=["POST"]),
            Route("/logout", login.logout, methods=["POST"]),
            *ask.ROUTES,
            *api.ROUTES,
            *pages.ROUTES,
        ],
        middleware=[
            Middleware(Guard, hosts=filter(None, map(hostname, names))),
            Middleware(Bodies, most=config.server.body_bytes, seconds=body_seconds),
            Middleware(Identify, serving=serving),
        ],
        exception_handlers={
            CitewikiError: _wrong,
            HTTPException: _refused,
            Exception: _broken,
        },
        lifespan=lifespan,
    )
    app.state.serving = serving
    return app


async def health(request: Request) -> Response:
    """Whether the server is up; nothing about what it holds."""
    return JSONResponse({"status": "ok"})


def failure(request: Request, status: int, detail: str, headers: Any = None) -> Response:
    """An error as a page, or as problem details where programs call."""
    if calls_programs(request):
        response: Response = problem(None, status, detail)
        response.headers.update(headers or {})
        return response
    values = {"status": status, "detail": detail}
    return serving_of(request).page(request, "error.html", values, status, headers)


async def _wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, CitewikiError)
    if calls_programs(request):
        return problem(error)
    status, detail = told(error)
    wait = {"retry-after": str(error.seconds)} if isinstance(error, Limited) else None
    return failure(request, status, f"{detail}.", wait)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: pages.NOTHING, 405: "This address does not take such requests."}
    return failure(
        request, error.status_code, words.get(error.status_code, error.detail), error.headers
    )


async def _broken(request: Request, error: Exception) -> Response:
    """Said of a fault of our own; the server's log has the rest."""
    response = failure(request, 500, "Something went wrong here; the server's log says what.")
    add_headers(MutableHeaders(raw=response.raw_headers))
    return response
