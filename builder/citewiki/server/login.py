"""/login and /logout: a token as password, a signed cookie in return."""

from __future__ import annotations

from anyio.to_thread import run_sync
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from citewiki.errors import Limited
from citewiki.server import identity as identities
from citewiki.server.security import local_path
from citewiki.server.serving import serving_of

WRONG = "This token is not known here. It may have been revoked, or have expired."
"""The same for every token that does not work, so that none can be told from another."""


async def form(request: Request) -> Response:
    """The form to log in with."""
    return _form(request, local_path(request.query_params.get("next", "/")))


async def login(request: Request) -> Response:
    """Check a token; who shows a good one gets a session."""
    serving = serving_of(request)
    fields = await request.form(max_files=0, max_fields=8)
    token, following = str(fields.get("token", "")).strip(), str(fields.get("next", "/"))
    following = local_path(following)
    address = identities.address_of(request)
    try:
        identity = await run_sync(identities.check_token, serving, token, address)
    except Limited as error:
        response = _form(request, following, f"{error}.", 429)
        response.headers["retry-after"] = str(error.seconds)
        return response
    if identity is None:
        return _form(request, following, WRONG, 401)
    response = RedirectResponse(following, 303)
    response.set_cookie(
        identities.COOKIE,
        await run_sync(identities.write_cookie, serving.root, identity),
        max_age=identities.DAYS * 24 * 60 * 60,
        httponly=True,
        samesite="lax",
        secure=identities.is_secure(request, serving),
    )
    return response


async def logout(request: Request) -> Response:
    """End the session of this browser, and what it keeps of it."""
    response = RedirectResponse("/login", 303, {"clear-site-data": '"cache"'})
    response.delete_cookie(
        identities.COOKIE,
        httponly=True,
        samesite="lax",
        secure=identities.is_secure(request, serving_of(request)),
    )
    return response


def _form(request: Request, following: str, fault: str = "", status: int = 200) -> Response:
    values = {"next": following, "fault": fault}
    return serving_of(request).page(request, "login.html", values, status)
