"""A model that says what it is told to: the one stand-in that tests use, behind the same port."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from citewiki.errors import EngineError, EngineUnavailable
from citewiki.llm import structured
from citewiki.llm.port import Reply, Request, Turn

Script = Iterable["str | Reply | EngineError"] | Callable[[Request], "str | Reply | EngineError"]


class ScriptedEngine:
    """Replies from a list, one a request, or from a function of the request.

    A text is read as the reply of a real model would be: it has to fill the request's shape.
    An EngineError is raised. `requests` records what was asked.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        if callable(script):
            self._next = script
        else:
            replies = iter(script)
            self._next = lambda _request: next(
                replies, EngineUnavailable("the script of replies has ended")
            )

    def reply(self, request: Request) -> Reply:
        """The script's next reply."""
        self.requests.append(request)
        step = self._next(request)
        if isinstance(step, EngineError):
            raise step
        reply = Reply(step, turn=Turn("assistant", (step,))) if isinstance(step, str) else step
        if request.shape is None or reply.calls or reply.data is not None:
            return reply
        data: Any = structured.parse(reply.text, request.shape)
        return replace(reply, data=data)
