"""The port over Anthropic's Messages API, and over servers that speak it (Ollama, vLLM, LiteLLM).

What is sent is what all current models take: no temperature, no forced tool choice, no thinking
budget (models of 2026 turn these down), and content is read by type, as thinking may come first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
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
from citewiki.llm.port import NOTHING, Reply, Request, Role, ToolCall, Turn, Usage
from citewiki.llm.prompt import prompt

if TYPE_CHECKING:
    import httpx2
    from anthropic import Anthropic, APIRequest, APIResponse, CallNext

ANTHROPIC = "https://api.anthropic.com"

MODELS: Mapping[Role, str] = {
    "answer": "claude-sonnet-5-5",
    "judge": "claude-opus-5-5",  # another mind than the answerer's, and the more careful one
    "distill": "claude-sonnet-5-5",
}

LONGEST_WAIT = 60.0
"""Seconds that a server may have us wait before a retry; for longer a person should decide."""

_TRUNCATED = ("max_tokens", "model_context_window_exceeded")


@dataclass(frozen=True)
class AnthropicEngine:
    """Models of one server, one for each role.

    Raises EngineError when it has no key, or when one model would judge its own answers.
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
        if self.models["judge"] == self.models["answer"]:
            raise EngineError(
                f"the judge has to be another model than the answerer, not {self.models['judge']}",
                hint="name two models in [tool.citewiki.engine]",
            )

    def reply(self, request: Request) -> Reply:
        """The model's next turn; a reply without the form asked for is asked for once again."""
        first = self._turn(request)
        try:
            return _filled(first, request)
        except EngineUnusable as error:
            again = Turn("user", (prompt("again", fault=error.message),))
        request = replace(request, turns=(*request.turns, first.turn, again), may_call=False)
        return _filled(self._turn(request, first.usage), request)

    def _turn(self, request: Request, spent: Usage = NOTHING) -> Reply:
        """One call and what it gave, unless the model refused or was cut off."""
        model = self.models[request.role]
        message = self._send(self._body(request, model))
        try:
            usage = wire.usage(message.get("usage") or {})
            usage = spent + replace(usage, usd=prices.usd(model, usage))
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

    def _body(self, request: Request, model: str) -> dict[str, Any]:
        """The request as the Messages API takes it."""
        system = request.system
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

    def _send(self, body: dict[str, Any]) -> dict[str, Any]:
        """The message that came back, as plain JSON; what went wrong as our own errors."""
        import anthropic

        model = body["model"]
        try:
            message = self._client.messages.create(**body)
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
        # A server that is none of these answers with something else, which the client passes on.
        plain = message.to_dict() if isinstance(message, anthropic.types.Message) else {}
        if not isinstance(plain.get("content"), list):
            raise self._no_reply()
        return plain

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


def _filled(reply: Reply, request: Request) -> Reply:
    """The reply with its text read into the shape; one with calls is not final yet."""
    if request.shape is None or reply.calls:
        return reply
    try:
        return replace(reply, data=structured.parse(reply.text, request.shape))
    except EngineUnusable as error:
        error.usage = reply.usage.as_dict()
        raise


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
