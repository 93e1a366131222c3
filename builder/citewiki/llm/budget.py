"""What a run spends: counted call by call, and kept below a limit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from threading import Condition

from citewiki.errors import EngineBudget, EngineError
from citewiki.llm import prices, structured
from citewiki.llm.port import NOTHING, Engine, Reply, Request, Role, Usage

CHARS_PER_TOKEN = 2.0
"""Characters that a token has at the least in texts of many scripts; so a cost is never guessed
too low by more than texts of rare characters (emoji, ancient scripts) make it."""


def most(request: Request, model: str) -> float | None:
    """USD that one call costs at the most; None when the model's price is not known."""
    told = [request.system, *(block.text for block in request.blocks)]
    for turn in request.turns:
        told += [part if isinstance(part, str) else repr(part) for part in turn.parts]
    if request.shape:
        told.append(json.dumps(structured.json_schema(request.shape)))
    tokens = sum(map(_tokens, told))
    return prices.usd(model, Usage(output=request.max_tokens, cache_write=tokens))


def _tokens(text: str) -> int:
    """Tokens of a text, rather too many: wide characters may take two each."""
    wide = sum(character > "\u2e7f" for character in text)
    return int((len(text) - wide) / CHARS_PER_TOKEN + 2 * wide) + 1


class Metered:
    """An engine that counts what calls cost, from any number of threads.

    With a `limit` in USD no call is made that could pass it: what a call may cost at the most is
    set aside until it is known. Raises EngineBudget then, and at once for a model whose price is
    not known.
    """

    def __init__(
        self, engine: Engine, models: Mapping[Role, str], *, limit: float | None = None
    ) -> None:
        self._engine, self._models, self._limit = engine, models, limit
        self._known = Condition()  # told when it is known what a call has cost
        self._aside = 0.0
        self.spent: Usage = NOTHING
        self.calls = 0

    def reply(self, request: Request) -> Reply:
        """The engine's reply, when there is money for it."""
        aside = self._set_aside(request)
        usage = NOTHING
        try:
            reply = self._engine.reply(request)
            usage = reply.usage
        except EngineError as error:
            usage = Usage.of(error.usage) if error.usage else NOTHING
            raise
        finally:
            with self._known:
                self._aside -= aside
                self.spent += usage
                self.calls += 1
                self._known.notify_all()
        return reply

    def _set_aside(self, request: Request) -> float:
        if self._limit is None:
            return 0.0
        model = self._models[request.role]
        price = most(request, model)
        if price is None:
            raise EngineBudget(
                f"the price of {model} is not known, so no budget can be kept",
                hint="leave out --budget",
            )
        with self._known:
            while self._aside and price > self._left():
                self._known.wait()  # calls under way may cost less than is set aside for them
            if price > self._left():
                raise EngineBudget(
                    f"${self._left():.2f} of ${self._limit:.2f} are left,"
                    f" and the next call may cost ${price:.2f}",
                    hint="raise --budget and run it again; what was done stays",
                )
            self._aside += price
        return price

    def _left(self) -> float:
        return (self._limit or 0.0) - (self.spent.usd or 0.0) - self._aside
