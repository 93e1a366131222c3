"""The port over Anthropic's Messages API, and over servers that speak it (Ollama, vLLM, LiteLLM).

What is sent is what all current models take: no temperature, no forced tool choice, no thinking
budget (models of 2026 turn these down), and content is read by type, as thinking may come first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from citewiki.errors import (
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnavailable,
    EngineUnusable,
)
from citewiki.llm import prices, structured, wire
from citewiki.llm.port import Reply, Request, Role, ToolCall, Turn
from citewiki.llm.prompt import prompt

if TYPE_CHECKING:
    import httpx2
    from anthropic import Anthropic, APIRequest, APIResponse, CallNext

ANTHROPIC = "https://api.anthropic.com"

MODELS: Mapping[Role, str] = {
    "answer": "claude-sonnet-5-5",
    "judge": "claude-opus-5-5",  # another mind than the answerer's, and the more careful one
    "distill": "claude-sonnet-5-5",
    "lint": "claude-opus-5-5",  # reads what "distill" wrote, so it is another model too
    "review": "claude-opus-5-5",
}

CHECKS: Mapping[Role, Role] = {"judge": "answer", "lint": "distill", "review": "distill"}
"""Which role's work a role looks over: nobody passes a judgement on their own."""

LONGEST_WAIT = 60.0
"""Seconds that a server may have us wait before a retry; for longer a person should decide."""

_TRUNCATED = ("max_tokens", "model_context_window_exceeded")


@dataclass(frozen=True)
class AnthropicEngine:
    """Models of one server, one for each role; its replies do not fill a shape yet (see `Shaped`).

    Raises EngineError when it has no key, or when one model would look over its own work.
    """

    key: str = field(repr=False)
    models: Mapping[Role, str] = field(default_factory=lambda: MODELS)
    base_url: str = ANTHROPIC
    structured: bool | None = None  # whether the server holds replies to a schema; None: by server
    timeout: float = 120.0  # seconds for one attempt
    retries: int = 4  # after rate limits, overload and lost connections, with growing pauses
    transport: httpx2.BaseTransport | None = None  # how requests travel; None: by network

    def __post_init__(self) -> None:
        if not self.key and self.base_url == ANTHROPIC:
            raise EngineUnavailable(
                "there is no key for the language model",
                hint="set ANTHROPIC_API_KEY, or leave out --engine",
            )
        for role, checked in CHECKS.items():
            if role in self.models and self.models[role] == self.models.get(checked):
                raise EngineError(
                    f"{role} has to be another model than {checked}, not {self.models[role]}",
                    hint="name two models in [tool.citewiki.engine]",
                )

    def reply(self, request: Request) -> Reply:
        """The model's next turn, as it came: one call, and a shape is not filled yet."""
        return self.read(self._send(self.body(request)), request)

    def read(self, message: Mapping[str, Any], request: Request) -> Reply:
        """The turn that a message of the API holds, unless the model refused or was cut off."""
        model = self.models[request.role]
        try:
            usage = wire.usage(message.get("usage") or {})
            usage = replace(usage, usd=prices.usd(model, usage))
            parts = tuple(wire.part(item) for item in message["content"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise self._no_reply() from error
        stop = message.get("stop_reason")
        if stop == "refusal":
            why = (message.get("stop_details") or {}).get("explanation")
            raise EngineRefused(
                f"the language model {model} declined to reply{f' ({why})' if why else ''}",
                hint="rephrase the question, or leave out --engine",
                usage=usage.as_dict(),
            )
        if stop in _TRUNCATED:
            raise EngineTruncated(
                f"the reply of the language model {model} was cut off ({stop})",
                hint="ask for less at once",
                usage=usage.as_dict(),
            )
        text = "".join(part for part in parts if isinstance(part, str))
        calls = tuple(part for part in parts if isinstance(part, ToolCall))
        return Reply(text, None, calls, usage, Turn("assistant", parts))

    def body(self, request: Request) -> dict[str, Any]:
        """The request as the Messages API takes it."""
        model, system = self.models[request.role], request.system
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": request.max_tokens,
            "messages": wire.messages(request),
        }
        if request.shape is not None:
            schema = structured.json_schema(request.shape)
            if self._holds_to_schemas:
                from anthropic import transform_schema

                body["output_config"] = {
                    "format": {"type": "json_schema", "schema": transform_schema(schema)}
                }
            else:
                system += "\n\n" + prompt("reply", schema=json.dumps(schema, ensure_ascii=False))
        if request.tools:
            body["tools"] = wire.tools(request.tools)
            if not request.may_call:
                body["tool_choice"] = {"type": "none"}
        return {**body, "system": system}

    @property
    def _holds_to_schemas(self) -> bool:
        return self.base_url == ANTHROPIC if self.structured is None else self.structured

    def _no_reply(self) -> EngineUnusable:
        """For a server that answers, but with no message of the form that was asked for."""
        return EngineUnusable(
            f"what {self.base_url} sent is no reply of a language model",
            hint="check the base URL",
        )

    def submit(self, requests: Iterable[tuple[str, Request]]) -> str:
        """Send requests, each with an id of up to 64 letters and digits, as one batch; its id.

        A batch costs half and is done within a day.
        """
        items: list[Any] = [{"custom_id": key, "params": self.body(item)} for key, item in requests]
        with self._told("of the batch"):
            return str(self._client.messages.batches.create(requests=items).id)

    def results(self, batch: str) -> Iterator[tuple[str, Mapping[str, Any]]] | None:
        """What became of each request of a batch, in any order; None while it is under way."""
        with self._told("of the batch"):
            if self._client.messages.batches.retrieve(batch).processing_status != "ended":
                return None
            found = self._client.messages.batches.results(batch)
            return iter([(item.custom_id, item.result.to_dict(warnings=False)) for item in found])

    def _send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The message that came back, as plain JSON."""
        import anthropic

        with self._told(body["model"]):
            message = self._client.messages.create(**body)
        # A server that is none of these answers with something else, which the client passes on.
        known = isinstance(message, anthropic.types.Message)
        plain = message.to_dict(warnings=False) if known else {}
        if not isinstance(plain.get("content"), list):
            raise self._no_reply()
        return plain

    @contextmanager
    def _told(self, model: str) -> Iterator[None]:
        """What goes wrong on the way as our own errors."""
        import anthropic

        try:
            yield
        except anthropic.APITimeoutError as error:
            raise EngineUnavailable(
                f"the language model {model} did not reply within {self.timeout:g} s"
            ) from error
        except anthropic.APIConnectionError as error:
            raise EngineUnavailable(
                f"the language model cannot be reached at {self.base_url}",
                hint="check the network and the base URL",
            ) from error
        except anthropic.APIStatusError as error:
            raise _turned_down(error.status_code, error.api_message or "", model) from error
        except ValueError as error:  # the body of the reply is no JSON, or cut off
            raise self._no_reply() from error
        except anthropic.AnthropicError as error:
            raise EngineUnavailable(f"the language model {model} was not asked: {error}") from error

    @cached_property
    def _client(self) -> Anthropic:
        import anthropic
        import httpx2

        client = httpx2.Client(transport=self.transport) if self.transport else None
        return anthropic.Anthropic(
            api_key=self.key or "none",  # local servers want none, the client wants something
            base_url=self.base_url,
            timeout=self.timeout,
            max_retries=self.retries,
            http_client=client,
            middleware=[_no_long_wait],
        )


def _turned_down(status: int, said: str, model: str) -> EngineError:
    """What an HTTP status means for the person who asked."""
    because = f": {said.rstrip('.')}" if said else ""
    if status in (401, 403):
        return EngineUnavailable(
            f"the language model's server turned the key down ({status}{because})",
            hint="check ANTHROPIC_API_KEY",
        )
    if status == 404:
        return EngineUnavailable(
            f"the server has no language model {model} (404{because})",
            hint="check the names in [tool.citewiki.engine]",
        )
    if status == 413:
        return EngineTruncated(f"the request is too long for the language model {model}{because}")
    if status == 429:
        return EngineUnavailable(
            f"the rate limit of the language model {model} holds, also after retries{because}",
            hint="try again later",
        )
    if status >= 500:
        return EngineUnavailable(
            f"the server of the language model {model} failed, also after retries"
            f" ({status}{because})",
            hint="try again later",
        )
    return EngineUnavailable(f"the language model {model} turned the request down{because}")


def _no_long_wait(request: APIRequest, call_next: CallNext) -> APIResponse[Any]:
    """The client waits as long as a server says before it retries, were it for days."""
    response = call_next(request)
    if response.status_code >= 400 and (wait := _wait(response.headers)) > LONGEST_WAIT:
        raise EngineUnavailable(
            f"the language model's server asks to wait for {wait:.0f} s ({response.status_code})",
            hint="try again later",
        )
    return response


def _wait(headers: Mapping[str, str]) -> float:
    """Seconds until a retry is welcome (RFC 9110 §10.2.3); 0 when not said."""
    said = headers.get("retry-after", "")
    try:
        return float(said)
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(said).timestamp() - time.time()
    except ValueError:
        return 0.0
