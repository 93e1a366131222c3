"""Replies that fill the shape asked for, whatever the engine behind gives."""

from __future__ import annotations

from dataclasses import replace

from citewiki.errors import EngineError, EngineUnusable
from citewiki.llm import structured
from citewiki.llm.port import Engine, Reply, Request, Turn, charged
from citewiki.llm.prompt import prompt


class Shaped:
    """An engine over one whose replies are only text: reads them into the request's shape.

    A reply that does not fit is asked for once again, with the fault.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def reply(self, request: Request) -> Reply:
        """The reply with its `data`. Raises EngineUnusable when the second does not fit either."""
        first = self._engine.reply(request)
        try:
            return _filled(first, request)
        except EngineUnusable as error:
            again = Turn("user", (prompt("again", fault=error.message),))
        request = replace(request, turns=(*request.turns, first.turn, again), may_call=False)
        try:
            second = self._engine.reply(request)
        except EngineError as error:
            raise charged(error, first.usage) from error.__cause__
        return _filled(replace(second, usage=first.usage + second.usage), request)


def _filled(reply: Reply, request: Request) -> Reply:
    """The reply with its text read into the shape; one with calls is not final yet."""
    if request.shape is None or reply.calls or reply.data is not None:
        return reply
    try:
        return replace(reply, data=structured.parse(reply.text, request.shape))
    except EngineUnusable as error:
        error.usage = reply.usage.as_dict()
        raise
