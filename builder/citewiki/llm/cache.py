"""Replies kept by what was asked, so that nothing is paid for twice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, MutableMapping

from citewiki.errors import EngineUnusable
from citewiki.llm import structured, wire
from citewiki.llm.port import Engine, Reply, Request, Role, Turn


def request_key(request: Request, models: Mapping[Role, str]) -> str:
    """What tells a request from all others: the SHA-256 (hex) of all that the model is told."""
    told = {
        "model": models[request.role],
        "system": request.system,
        "messages": wire.messages(request),
        "shape": structured.json_schema(request.shape) if request.shape else None,
        "room": request.max_tokens,
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


class Cached:
    """An engine that asks another one only what is not in `kept` (request key → text).

    What it has kept costs nothing. Replies with calls of tools are not kept, as what the tools
    give may have changed; nor is a correction that is no better, lest nobody is asked ever again.
    """

    def __init__(
        self, engine: Engine, kept: MutableMapping[str, str], models: Mapping[Role, str]
    ) -> None:
        self._engine, self._kept, self._models = engine, kept, models

    def reply(self, request: Request) -> Reply:
        """The reply that is kept, else the engine's."""
        if request.tools:
            return self._engine.reply(request)
        key = request_key(request, self._models)
        text = self._kept.get(key)
        if text is not None:
            if _is_in_vain(text, request):  # it came in a batch: this run's, not the next one's
                self._kept.pop(key, None)
            return Reply(text, turn=Turn("assistant", (text,)))
        reply = self._engine.reply(request)
        if not _is_in_vain(reply.text, request):
            self._kept[key] = reply.text
        return reply


def _is_in_vain(text: str, request: Request) -> bool:
    """Whether a reply to what was asked once again has no usable form either."""
    if request.shape is None or not request.turns:
        return False
    try:
        structured.parse(text, request.shape)
    except EngineUnusable:
        return True
    return False
