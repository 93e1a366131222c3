"""The adapter against replies as the Messages API sends them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import httpx2
import pytest

from citewiki.errors import (
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnavailable,
    EngineUnusable,
)
from citewiki.llm.anthropic import AnthropicEngine
from citewiki.llm.port import Block, Reply, Request, Role, Tool, ToolCall, ToolResult, Turn, Usage
from citewiki.llm.shaped import Shaped

MODELS: dict[Role, str] = {
    "answer": "claude-sonnet-5-5",
    "judge": "claude-opus-5-5",
    "distill": "claude-haiku-5-5",
    "lint": "claude-sonnet-5-5",
    "review": "claude-opus-5-5",
}


@dataclass(frozen=True)
class Capital:
    country: str
    city: str


REQUEST = Request(
    "answer",
    "You know capitals.",
    (Block("<page>Paris is the capital of France.</page>", cache=True), Block("Of France?")),
    shape=Capital,
)
PARIS = '{"country": "France", "city": "Paris"}'
SEARCH = Tool("search", "Finds pages.", {"type": "object", "properties": {}})


def message(*content: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A reply's body as it was recorded, with this content."""
    return {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5-20260928",
        "content": list(content),
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 40,
            "cache_creation_input_tokens": 2000,
            "cache_read_input_tokens": 0,
            "output_tokens": 12,
            "service_tier": "standard",
        },
        **more,
    }


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words, "citations": None}


def failure(status: int, kind: str, said: str, **headers: str) -> httpx2.Response:
    body = {"type": "error", "error": {"type": kind, "message": said}}
    return httpx2.Response(status, json=body, headers=headers)


@dataclass
class Wire:
    """Sends recorded replies in order and keeps what was asked."""

    replies: list[dict[str, Any] | httpx2.Response | Exception]
    sent: list[dict[str, Any]] = field(default_factory=list)
    headers: list[httpx2.Headers] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append(json.loads(request.content))
        self.headers.append(request.headers)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return httpx2.Response(200, json=reply) if isinstance(reply, dict) else reply


def server(wire: Callable[[httpx2.Request], httpx2.Response], **settings: Any) -> AnthropicEngine:
    settings = {"key": "sk-test", "models": MODELS, **settings}
    return AnthropicEngine(transport=httpx2.MockTransport(wire), **settings)


def engine(wire: Callable[[httpx2.Request], httpx2.Response], **settings: Any) -> Shaped:
    return Shaped(server(wire, **settings))


def ask(*replies: Any, request: Request = REQUEST, **settings: Any) -> tuple[Reply, Wire]:
    wire = Wire(list(replies))
    return engine(wire, **settings).reply(request), wire


def test_a_reply_fills_the_shape_that_was_asked_for() -> None:
    reply, wire = ask(message(text(PARIS)))
    assert reply.data == Capital("France", "Paris")
    [sent] = wire.sent
    assert sent["model"] == "claude-sonnet-5-5"
    assert sent["output_config"]["format"]["type"] == "json_schema"
    schema = sent["output_config"]["format"]["schema"]
    assert schema["required"] == ["country", "city"]
    assert schema["additionalProperties"] is False


def test_settings_that_current_models_turn_down_are_not_sent() -> None:
    _, wire = ask(message(text(PARIS)))
    assert not {"temperature", "top_p", "top_k", "thinking", "tool_choice"} & set(wire.sent[0])


def test_every_role_is_asked_of_its_own_model() -> None:
    _, wire = ask(message(text(PARIS)), request=replace(REQUEST, role="judge"))
    assert wire.sent[0]["model"] == "claude-opus-5-5"


def test_marked_blocks_are_cached_and_the_question_after_them_is_not() -> None:
    _, wire = ask(message(text(PARIS)))
    pages, question = wire.sent[0]["messages"][0]["content"]
    assert pages["cache_control"] == {"type": "ephemeral"}
    assert "cache_control" not in question


def test_usage_counts_the_cache_and_knows_the_price() -> None:
    reply, _ = ask(message(text(PARIS)))
    assert reply.usage.usd is not None
    assert replace(reply.usage, usd=None) == Usage(40, 12, 0, 2000, None)
    assert reply.usage.usd == pytest.approx((40 * 2 + 12 * 10 + 2000 * 2.5) / 1e6)


def test_the_price_of_an_unknown_model_is_not_made_up() -> None:
    reply, _ = ask(message(text(PARIS)), models={**MODELS, "answer": "qwen4"})
    assert reply.usage.usd is None
    assert "usd" not in reply.usage.as_dict()


def test_a_rate_limit_is_waited_for_and_tried_again() -> None:
    limited = failure(429, "rate_limit_error", "slow down", **{"retry-after-ms": "1"})
    reply, wire = ask(limited, message(text(PARIS)))
    assert reply.data == Capital("France", "Paris")
    assert len(wire.sent) == 2


def test_an_overload_that_lasts_is_an_error_of_its_own_kind() -> None:
    replies = [
        failure(529, "overloaded_error", "Overloaded", **{"retry-after-ms": "1"}) for _ in range(3)
    ]
    wire = Wire(list(replies))
    with pytest.raises(EngineUnavailable, match=r"529.*try again later"):
        engine(wire, retries=2).reply(REQUEST)
    assert len(wire.sent) == 3


def test_a_server_that_asks_to_wait_for_an_hour_is_not_waited_for() -> None:
    wire = Wire([failure(429, "rate_limit_error", "later", **{"retry-after": "3600"})])
    with pytest.raises(EngineUnavailable, match="3600 s"):
        engine(wire).reply(REQUEST)
    assert len(wire.sent) == 1


def test_a_wait_until_a_distant_date_is_not_waited_for() -> None:
    date = "Fri, 31 Dec 2100 23:59:59 GMT"
    wire = Wire([failure(429, "rate_limit_error", "later", **{"retry-after": date})])
    with pytest.raises(EngineUnavailable, match="asks to wait"):
        engine(wire).reply(REQUEST)


def test_a_time_out_says_how_long_was_waited() -> None:
    wire = Wire([httpx2.ReadTimeout("slow")])
    with pytest.raises(EngineUnavailable, match="within 7 s"):
        engine(wire, retries=0, timeout=7.0).reply(REQUEST)


def test_a_server_out_of_reach_is_named() -> None:
    wire = Wire([httpx2.ConnectError("no route")])
    with pytest.raises(EngineUnavailable, match=r"http://localhost:11434"):
        engine(wire, retries=0, base_url="http://localhost:11434").reply(REQUEST)


@pytest.mark.parametrize(
    ("status", "kind", "error", "words"),
    [
        (401, "authentication_error", EngineUnavailable, "ANTHROPIC_API_KEY"),
        (403, "permission_error", EngineUnavailable, "ANTHROPIC_API_KEY"),
        (404, "not_found_error", EngineUnavailable, "claude-sonnet-5-5"),
        (400, "invalid_request_error", EngineUnavailable, "because of this"),
        (413, "request_too_large", EngineTruncated, "too long"),
    ],
)
def test_what_no_retry_mends_fails_at_once(
    status: int, kind: str, error: type[EngineError], words: str
) -> None:
    wire = Wire([failure(status, kind, "because of this.")])
    with pytest.raises(error, match=words):
        engine(wire).reply(REQUEST)
    assert len(wire.sent) == 1


def test_a_refusal_is_an_error_of_its_own_kind_and_says_what_it_cost() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": "It could do harm."}
    refusal = message(stop_reason="refusal", stop_details=details)
    with pytest.raises(EngineRefused, match=r"It could do harm\.") as caught:
        ask(refusal)
    assert caught.value.usage["input_tokens"] == 40


@pytest.mark.parametrize("stop", ["max_tokens", "model_context_window_exceeded"])
def test_a_reply_that_was_cut_off_is_never_used(stop: str) -> None:
    with pytest.raises(EngineTruncated, match=stop):
        ask(message(text(PARIS), stop_reason=stop))


def test_a_reply_of_another_form_is_asked_for_once_again_with_the_fault() -> None:
    reply, wire = ask(message(text('{"country": "France"}')), message(text(PARIS)))
    assert reply.data == Capital("France", "Paris")
    _, first, again = wire.sent[1]["messages"]
    assert first == {
        "role": "assistant",
        "content": [{"type": "text", "text": '{"country": "France"}'}],
    }
    assert "city: Field required" in again["content"][0]["text"]
    assert reply.usage.input == 80


def test_two_replies_without_the_form_are_an_error() -> None:
    with pytest.raises(EngineUnusable, match="no usable form") as caught:
        ask(message(text("Paris.")), message(text("It is Paris.")))
    assert caught.value.usage["output_tokens"] == 24


def test_an_empty_reply_is_asked_for_again_without_an_empty_turn() -> None:
    reply, wire = ask(message(text("")), message(text(PARIS)))
    assert reply.data == Capital("France", "Paris")
    assert [turn["role"] for turn in wire.sent[1]["messages"]] == ["user", "user"]


def test_what_the_first_reply_cost_counts_when_the_second_is_cut_off() -> None:
    with pytest.raises(EngineTruncated) as caught:
        ask(message(text("Paris.")), message(text("{"), stop_reason="max_tokens"))
    assert caught.value.usage["output_tokens"] == 24


def test_thinking_before_the_text_is_not_part_of_the_reply() -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": "EqQBCgIYAhIM"}
    reply, _ = ask(message(thinking, text(PARIS)))
    assert reply.text == PARIS


def test_tool_calls_come_back_with_their_arguments() -> None:
    call = {"type": "tool_use", "id": "toolu_01", "name": "search", "input": {"words": "capital"}}
    reply, wire = ask(
        message(text("Let me look."), call, stop_reason="tool_use"),
        request=replace(REQUEST, tools=(SEARCH,)),
    )
    assert reply.calls == (ToolCall("toolu_01", "search", {"words": "capital"}),)
    assert reply.data is None
    assert wire.sent[0]["tools"] == [
        {"name": "search", "description": "Finds pages.", "input_schema": SEARCH.parameters}
    ]


def test_a_turn_goes_back_as_it_came_with_its_thinking_and_the_results_after_it() -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": "EqQBCgIYAhIM"}
    call = {"type": "tool_use", "id": "toolu_01", "name": "search", "input": {"words": "capital"}}
    request = replace(REQUEST, tools=(SEARCH,))
    reply, _ = ask(message(thinking, call, stop_reason="tool_use"), request=request)
    results = Turn("user", (ToolResult("toolu_01", "no page", failed=True),))
    request = replace(request, turns=(reply.turn, results), may_call=False)
    _, wire = ask(message(text(PARIS)), request=request)
    _, assistant, user = wire.sent[0]["messages"]
    assert assistant == {"role": "assistant", "content": [thinking, call]}
    assert user["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": "toolu_01",
            "content": "no page",
            "is_error": True,
            "cache_control": {"type": "ephemeral"},
        }
    ]
    assert wire.sent[0]["tool_choice"] == {"type": "none"}


def test_a_server_that_knows_no_schemas_gets_it_in_the_prompt_and_may_reply_in_a_fence() -> None:
    fenced = f"Here it is:\n```json\n{PARIS}\n```\nAnything else?"
    local = {"type": "message", "role": "assistant", "content": [text(fenced)]}
    reply, wire = ask(local, base_url="http://localhost:11434", key="")
    assert reply.data == Capital("France", "Paris")
    assert "output_config" not in wire.sent[0]
    assert '"country"' in wire.sent[0]["system"]
    assert reply.usage.tokens == 0


def test_a_server_of_another_kind_is_told_from_a_model() -> None:
    wire = Wire([httpx2.Response(200, html="<h1>It works!</h1>")])
    with pytest.raises(EngineUnusable, match="base URL"):
        engine(wire, base_url="http://localhost:8080").reply(REQUEST)


@pytest.mark.parametrize(
    "sent",
    [
        httpx2.Response(
            200, text="<html>busy</html>", headers={"content-type": "application/json"}
        ),
        httpx2.Response(200, text='{"content": [', headers={"content-type": "application/json"}),
        httpx2.Response(200, json={**message(), "content": [5, None]}),
        httpx2.Response(200, json={**message(text("x")), "usage": {"input_tokens": "many"}}),
    ],
    ids=["no JSON", "cut off", "odd content", "odd usage"],
)
def test_a_reply_that_is_no_message_is_one_line_and_no_traceback(sent: httpx2.Response) -> None:
    with pytest.raises(EngineUnusable, match="no reply of a language model"):
        engine(lambda _request: sent).reply(REQUEST)


def test_without_a_key_there_is_no_engine() -> None:
    with pytest.raises(EngineUnavailable, match="ANTHROPIC_API_KEY"):
        AnthropicEngine("")


@pytest.mark.parametrize(
    ("role", "work"), [("judge", "answer"), ("lint", "distill"), ("review", "distill")]
)
def test_no_model_looks_over_its_own_work(role: Role, work: Role) -> None:
    with pytest.raises(EngineError, match="another model"):
        AnthropicEngine("sk-test", {**MODELS, role: MODELS[work]})


def test_the_key_goes_to_the_server_that_was_named_and_is_never_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://elsewhere.example")
    wire = Wire([message(text(PARIS))])
    client = server(wire)
    client.reply(REQUEST)
    assert any("sk-test" in value for value in wire.headers[0].values())
    assert wire.headers[0]["host"] == "api.anthropic.com"
    assert "sk-test" not in repr(client)
