"""One question to the server: checked, counted, and put to the wiki for whoever asks."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.requests import HTTPConnection

from citewiki.errors import QuestionError
from citewiki.model import moment as written
from citewiki.server.identity import identity_of
from citewiki.server.serving import Serving

if TYPE_CHECKING:
    from citewiki.ask import Report
    from citewiki.model import Answer

LONGEST = 4_000
"""Characters of a question; `query.question` has the same limit."""


def moment(value: Any) -> Any:
    """A day or time as people write it, in UTC; a day alone is its first moment; "" is none."""
    if not isinstance(value, str):
        return value
    if not value:
        return None
    try:
        return written(value)
    except ValueError:
        raise ValueError("write it as 2026-05-12 or 2026-05-12T14:00:00Z") from None


Moment = Annotated[datetime | None, BeforeValidator(moment)]


class Asked(BaseModel):
    """A question, and how it is to be answered."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(max_length=LONGEST, description="In full, in any language.")
    depth: int | None = Field(None, ge=1, le=3, description="Links to follow from the best pages.")
    strict: bool = Field(False, description="Only what a page states by itself.")
    domain: str = Field("", max_length=200, description="Only pages of this domain.")
    as_of: Moment = Field(None, description="Only what held at that time.")
    known_at: Moment = Field(None, description="Only what the wiki had at that time.")
    newest_wins: bool = Field(False, description="Where pages disagree, take the newest.")
    allow_stale: bool = Field(False, description="Also from pages that may no longer hold.")
    web: bool = Field(False, description="Ask the web when the wiki refuses, where it is offered.")


def put(
    serving: Serving, request: HTTPConnection, asked: Asked, report: Report | None = None
) -> Answer:
    """The wiki's answer to who makes the request. Raises what `Wiki.ask` raises, and Limited.

    Models and the web work for users only: they cost, and strangers could spend without end.
    """
    known_user = identity_of(request) is not None
    if asked.known_at and asked.known_at > serving.now() + timedelta(days=1):
        raise QuestionError("known_at lies in the future", hint="give a day that has come")
    if asked.web and not offers_web(serving, request):
        raise QuestionError("the web is not asked here", hint="ask without web")
    engine = serving.engines.answers() if known_user else None
    searches = serving.engines.searches if asked.web else None
    with serving.limits.model_call() if engine or searches else nullcontext():
        return serving.wiki(request).ask(
            asked.question,
            depth=asked.depth,
            strict=asked.strict,
            domain=asked.domain,
            as_of=asked.as_of,
            known_at=asked.known_at,
            newest_wins=asked.newest_wins,
            allow_stale=asked.allow_stale,
            engine=engine,
            web=searches() if searches else None,
            now=serving.now(),
            report=report,
        )


def offers_web(serving: Serving, request: HTTPConnection) -> bool:
    """Whether who makes the request may have the web asked."""
    return serving.engines.searches is not None and identity_of(request) is not None
