"""Message batches: half the price, for work that may wait.

A run goes over its work as always. A request whose reply is not kept is put off; at the end all
of those go out as one batch, its replies are kept, and the run goes over its work again, until
nothing is put off. A run that was killed finds its batches in `pending` and waits for them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from citewiki.errors import EngineBudget, EngineDeferred, EngineError, EngineUnusable
from citewiki.llm.budget import most
from citewiki.llm.cache import request_key
from citewiki.llm.port import NOTHING, Reply, Request, Usage

if TYPE_CHECKING:
    from citewiki.llm.anthropic import AnthropicEngine

SHARE = 0.5
"""What a call in a batch costs beside a call of its own (the provider's price list)."""

LARGEST = 10_000
"""Requests in one batch: the API takes 100,000 of up to 256 MB together; these stay below both."""


class Batched:
    """An engine that puts every request off until `send` and `collect` have brought its reply.

    `kept` holds replies by request key; `pending` what is under way, by the batch's id. With a
    `limit` in USD only what is sure to cost no more is sent.
    """

    def __init__(
        self,
        server: AnthropicEngine,
        kept: MutableMapping[str, str],
        pending: MutableMapping[str, str],
        *,
        limit: float | None = None,
    ) -> None:
        self._server, self._kept, self._pending, self._limit = server, kept, pending, limit
        self._waiting: dict[str, Request] = {}
        self._failed: dict[str, EngineError] = {}
        self.spent: Usage = NOTHING
        self.calls = 0

    def reply(self, request: Request) -> Reply:
        """Always an error: that of the request's last try, or EngineDeferred."""
        key = request_key(request, self._server.models)
        if key in self._failed:
            raise self._failed[key]
        self._waiting[key] = request
        raise EngineDeferred("the request waits for a batch")

    @property
    def waiting(self) -> int:
        """How many requests are put off or under way."""
        return len(self._waiting)

    def send(self) -> int:
        """Send what was put off and is not under way yet; how many requests that were.

        Raises EngineBudget when there is something to send, but money for none of it.
        """
        under_way = {key for keys in self._pending.values() for key in json.loads(keys)}
        asked = {key: item for key, item in self._waiting.items() if key not in under_way}
        fresh = list(self._affordable(asked).items())
        if asked and not fresh and not under_way:
            raise EngineBudget(
                f"${self.spent.usd or 0:.2f} of ${self._limit:.2f} are spent,"
                " and the rest does not cover the next call",
                hint="raise --budget and run it again; what was done stays",
            )
        for start in range(0, len(fresh), LARGEST):
            part = fresh[start : start + LARGEST]
            batch = self._server.submit(part)
            self._pending[batch] = json.dumps([key for key, _ in part])
        return len(fresh)

    def _affordable(self, requests: Mapping[str, Request]) -> dict[str, Request]:
        """The first of the requests whose costs, at the most, stay below the limit together."""
        if self._limit is None:
            return dict(requests)
        left, chosen = self._limit - (self.spent.usd or 0.0), {}
        for key, request in requests.items():
            price = most(request, self._server.models[request.role])
            if price is None or price * SHARE > left:
                break
            left -= price * SHARE
            chosen[key] = request
        return chosen

    def collect(self, pause: Callable[[], None]) -> int:
        """Wait for all batches, with `pause` between looks; how many replies came.

        What a batch failed at raises its error when it is asked for again in this run, and is
        sent anew by the next one.
        """
        came = 0
        for batch in list(self._pending):
            while (results := self._server.results(batch)) is None:
                pause()
            for key, result in results:
                came += self._take(key, result)
            del self._pending[batch]
        self._waiting.clear()
        return came

    def _take(self, key: str, result: Mapping[str, Any]) -> bool:
        """Keep one reply, or note why there is none; one that nobody waits for is kept as well."""
        request = self._waiting.get(key)
        if result.get("type") != "succeeded":
            fault = (result.get("error") or {}).get("error") or {}
            why = fault.get("message") or result.get("type")
            self._failed[key] = EngineUnusable(f"the batch gave no reply ({why})")
            return False
        message = result.get("message") or {}
        if request is None:  # of a run before this one: its text is all that is needed
            texts = [part.get("text") or "" for part in message.get("content") or []]
            if message.get("stop_reason") == "end_turn":
                self._kept[key] = "".join(texts)
            return message.get("stop_reason") == "end_turn"
        try:
            reply = self._server.read(message, request)
        except EngineError as error:
            self._failed[key] = error
            self._count(Usage.of(error.usage))
            return False
        self._kept[key] = reply.text
        self._count(reply.usage)
        return True

    def _count(self, usage: Usage) -> None:
        self.calls += 1
        self.spent += usage if usage.usd is None else replace(usage, usd=usage.usd * SHARE)
