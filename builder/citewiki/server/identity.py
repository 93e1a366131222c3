"""Who asks: only what a token proves, in `Authorization` or behind a signed cookie.

No other header says who somebody is.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from citewiki.errors import Limited
from citewiki.model import ANYONE
from citewiki.server.problems import problem

if TYPE_CHECKING:
    from itsdangerous import URLSafeTimedSerializer

    from citewiki.model import Viewer
    from citewiki.server.serving import Serving
    from citewiki.store.users import Identity

COOKIE = "user"
DAYS = 30
"""How long a session lasts, unless its token ends before."""
BEARER_ONLY = "/mcp"
"""The address at which a cookie counts for nothing: what calls it are programs."""


class Identify:
    """Puts the `Identity` of a request, or None, where `identity_of` finds it.

    A token that is not known is refused, not taken for nobody: who sends one means to be somebody.
    """

    def __init__(self, app: ASGIApp, serving: Serving) -> None:
        self.app, self.serving = app, serving

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = HTTPConnection(scope)
        serving, identity = self.serving, None
        token = bearer(request.headers)
        if token is not None:
            try:
                identity = await run_sync(check_token, serving, token, address_of(request))
            except Limited as error:
                await problem(error)(scope, receive, send)
                return
            if identity is None:
                refusal = problem(None, 401, "The token is not known, revoked, or has expired.")
                refusal.headers["www-authenticate"] = 'Bearer error="invalid_token"'
                await refusal(scope, receive, send)
                return
        elif (cookie := request.cookies.get(COOKIE)) and scope["path"] != BEARER_ONLY:
            identity = await run_sync(read_cookie, serving.root, cookie, serving.now())
        scope.setdefault("state", {})["identity"] = identity
        await self.app(scope, receive, send)


def identity_of(request: HTTPConnection) -> Identity | None:
    """Who makes the request; None: nobody that is known."""
    identity: Identity | None = request.scope.get("state", {}).get("identity")
    return identity


def viewer_of(request: HTTPConnection) -> Viewer:
    """On whose behalf a request reads. Never the operator, who sees all."""
    identity = identity_of(request)
    return identity.user if identity else ANYONE


def caller_of(request: HTTPConnection) -> str:
    """Whose calls a request counts among: a user's, or those of an address."""
    from citewiki.server.limits import origin

    identity = identity_of(request)
    return identity.user if identity else origin(address_of(request))


def address_of(request: HTTPConnection) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else ""


def bearer(headers: Headers) -> str | None:
    """The token of an Authorization header; None when it holds none. Two headers are no token."""
    given = headers.getlist("authorization")
    scheme, _, token = (given[0] if given else "").partition(" ")
    if scheme.lower() != "bearer":
        return None
    return token.strip() if len(given) == 1 else ""


def check_token(serving: Serving, token: str, address: str) -> Identity | None:
    """Whose `token` it is; a wrong one is counted against `address`. Raises Limited.

    A good one is taken however many wrong ones came before: others share an address, as behind a
    proxy, and 32 random bytes are not found by trying.
    """
    from citewiki.store.users import authenticate

    identity = authenticate(serving.root, token, now=serving.now())
    if identity is None:
        serving.limits.login(address)
        serving.limits.failed_login(address)
    return identity


def write_cookie(root: Path, identity: Identity) -> str:
    """A session for who has shown a token: it names the user and the token, and is signed."""
    return str(_serializer(root).dumps([identity.user, identity.token, identity.sha256]))


def read_cookie(root: Path, cookie: str, now: datetime) -> Identity | None:
    """Who a cookie proves to be; None when it is forged, too old, or its token is gone."""
    from itsdangerous import BadData

    from citewiki.store.users import identity_by

    try:
        (user, name, proof), signed_at = _serializer(root).loads(cookie, return_timestamp=True)
    except (BadData, ValueError, TypeError):
        return None
    if now - signed_at > timedelta(days=DAYS):
        return None
    return identity_by(root, str(user), str(name), str(proof), now=now)


def is_still(serving: Serving, identity: Identity | None) -> bool:
    """Whether who came in as `identity` would still be let in."""
    from citewiki.store.users import identity_by

    if identity is None:
        return True
    user, name, proof = identity.user, identity.token, identity.sha256
    return identity_by(serving.root, user, name, proof, now=serving.now()) is not None


def is_secure(request: Request, serving: Serving) -> bool:
    """Whether the browser talks to us over TLS, also when a proxy in front does."""
    return request.url.scheme == "https" or serving.url.startswith("https://")


def _serializer(root: Path) -> URLSafeTimedSerializer:
    from itsdangerous import URLSafeTimedSerializer

    from citewiki.store.keys import cookie_keys

    return URLSafeTimedSerializer(
        cookie_keys(root)[::-1],  # the newest, which signs, stands last
        salt="citewiki.cookie",
        signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
    )
