"""Errors as those who call see them: a status, one line, and nothing of the machine."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse

from citewiki.errors import (
    CitewikiError,
    EngineError,
    EngineUnavailable,
    LifecycleError,
    Limited,
    NotAllowed,
    SettingError,
    UnknownPage,
    UserError,
    WikiNotFound,
    WriteError,
)

_STATUS: tuple[tuple[type[CitewikiError], int], ...] = (
    (UnknownPage, 404),
    (NotAllowed, 403),
    (LifecycleError, 409),
    (Limited, 429),
    (EngineUnavailable, 503),
    (EngineError, 502),
    (WriteError, 503),
    (SettingError, 500),
    (UserError, 500),
    (WikiNotFound, 500),
)
_OF_THE_MACHINE = {
    WriteError: "the wiki cannot be written to just now; try again in a minute",
    SettingError: "a setting of this server is wrong; its operator can tell which",
    UserError: "the list of users of this server cannot be read; its operator can tell why",
    WikiNotFound: "the wiki of this server is gone",
}
"""What is said where an error names paths or settings that are the operator's."""


FOR_PROGRAMS = ("/api", "/mcp", "/health")
"""Addresses whose errors are JSON."""


def calls_programs(request: HTTPConnection) -> bool:
    """Whether a request is made to an address that programs call."""
    path: str = request.scope["path"]
    return any(path == start or path.startswith(f"{start}/") for start in FOR_PROGRAMS)


def told(error: CitewikiError) -> tuple[int, str]:
    """The status and the line for `error`."""
    status = next((status for kind, status in _STATUS if isinstance(error, kind)), 400)
    hidden = next((text for kind, text in _OF_THE_MACHINE.items() if isinstance(error, kind)), "")
    return status, hidden or str(error)


def problem(
    error: CitewikiError | None, status: int = 400, detail: str = "", **more: Any
) -> JSONResponse:
    """A reply of problem details (RFC 9457) for `error`, or for a status of our own."""
    headers = {}
    if error is not None:
        status, detail = told(error)
    if isinstance(error, Limited):
        more["seconds"] = error.seconds
        headers["retry-after"] = str(error.seconds)
    return JSONResponse(
        {
            "type": "about:blank",
            "title": HTTPStatus(status).phrase,
            "status": status,
            "detail": detail,
            **more,
        },
        status,
        headers,
        media_type="application/problem+json",
    )
