"""MCP over Streamable HTTP: who may come in, and whose session is whose."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.transport_security import TransportSecuritySettings
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from citewiki.server.identity import identity_of
from citewiki.server.mcp.server import build_mcp
from citewiki.server.problems import problem

if TYPE_CHECKING:
    from citewiki.server.serving import Serving
    from citewiki.store.users import Identity

MOST_SESSIONS = 1000  # that clients of before 2026 may have open; later ones have none
IDLE = 15 * 60.0  # seconds after which one that nobody uses is closed


class Gate:
    """Lets in who has a token, or anybody where the wiki says so.

    To the SDK it says whose token it is, so that no other token gets at a session of its.
    """

    def __init__(self, app: ASGIApp, public: bool) -> None:
        self._app, self._public = app, public

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        identity = identity_of(HTTPConnection(scope))
        if identity is None and not self._public:
            refusal = problem(None, 401, "Send a token: Authorization: Bearer cw_…")
            refusal.headers["www-authenticate"] = 'Bearer realm="citewiki"'
            await refusal(scope, receive, send)
            return
        user = {"user": _principal(identity)} if identity else {}
        await self._app({**scope, **user}, receive, send)


def mcp_asgi(
    serving: Serving,
) -> tuple[ASGIApp, Callable[[], AbstractAsyncContextManager[None]]]:
    """What answers at /mcp, and what has to be entered while it does.

    It relies on the checks in front of it: of hosts and origins, of tokens, of how long a body is.
    """
    config = serving.config.server
    server = build_mcp(serving.session, config, serving.opened.stamp, serving.limits)
    server.streamable_http_app(
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=config.body_bytes,
        max_sessions=MOST_SESSIONS,
        session_idle_timeout=IDLE,
    )
    manager = server.session_manager
    return Gate(manager.asgi_app, config.public_mcp), manager.run


def _principal(identity: Identity) -> AuthenticatedUser:
    token = AccessToken(token="", client_id=identity.user, subject=identity.sha256, scopes=[])
    return AuthenticatedUser(token)
