"""What a run pays: nothing twice, nothing over its limit, half in batches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citewiki.errors import (
    EngineBudget,
    EngineDeferred,
    EngineError,
    EngineRefused,
    EngineTruncated,
    EngineUnavailable,
    EngineUnusable,
)
from citewiki.llm.anthropic import MODELS, AnthropicEngine
from citewiki.llm.batch import Batched
from citewiki.llm.budget import Metered, most
from citewiki.llm.cache import Cached, request_key
from citewiki.llm.port import Block, Reply, Request, Usage
from citewiki.llm.scripted import ScriptedEngine
from citewiki.llm.shaped import Shaped
from citewiki.store.kept import Kept
from tests.llm.server import BUSY, OVERLOADED, REFUSAL, Wire, cut_off, failure, serving, told


@dataclass(frozen=True)
class Word:
    word: str


ASKED = Request("distill", "Say a word.", (Block("please"),), shape=Word, max_tokens=1000)
YES = '{"word": "yes"}'


def other(number: int) -> Request:
    return replace(ASKED, blocks=(Block(f"please, number {number}"),))


def test_what_was_paid_for_is_never_asked_again_also_by_another_process(tmp_path: Path) -> None:
    Cached(ScriptedEngine([YES]), Kept(tmp_path), MODELS).reply(ASKED)
    again = Shaped(Cached(ScriptedEngine([]), Kept(tmp_path), MODELS)).reply(ASKED)
    assert again.data == Word("yes")
    assert again.usage.tokens == 0


@pytest.mark.parametrize(
    "changed",
    [
        replace(ASKED, system="Say another."),
        replace(ASKED, blocks=(Block("now"),)),
        replace(ASKED, role="lint"),
        replace(ASKED, max_tokens=500),
    ],
)
def test_another_question_is_asked(changed: Request, tmp_path: Path) -> None:
    assert request_key(changed, MODELS) != request_key(ASKED, MODELS)


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    engine = Cached(ScriptedEngine([EngineUnavailable("busy"), YES]), Kept(tmp_path), MODELS)
    with pytest.raises(EngineUnavailable):
        engine.reply(ASKED)
    assert engine.reply(ASKED).text == YES


def test_a_reply_without_form_is_kept_so_that_its_correction_is_found_too(tmp_path: Path) -> None:
    with serving(lambda request: YES if len(request["messages"]) > 1 else "yes!") as server:
        for _ in range(2):
            client = AnthropicEngine("", base_url=server.url)
            engine = Shaped(Cached(client, Kept(tmp_path), MODELS))
            assert engine.reply(ASKED).data == Word("yes")
    assert len(server.requests) == 2


def test_a_correction_without_form_is_not_kept_and_the_next_run_asks_for_another(
    tmp_path: Path,
) -> None:
    with serving(lambda request: "yes!" if len(server.requests) < 3 else YES) as server:
        engine = Shaped(Cached(AnthropicEngine("", base_url=server.url), Kept(tmp_path), MODELS))
        with pytest.raises(EngineUnusable):
            engine.reply(ASKED)
        assert engine.reply(ASKED).data == Word("yes")
    assert len(server.requests) == 3


def costs(usd: float) -> Callable[[Request], Reply]:
    return lambda _request: Reply(YES, usage=Usage(10, 5, usd=usd))


def test_calls_and_their_cost_are_counted_also_of_failures() -> None:
    paid = EngineRefused("no", usage=Usage(10, 0, usd=0.25).as_dict())
    replies: list[Reply | EngineError] = [Reply(YES, usage=Usage(10, 5, usd=0.5)), paid]
    meter = Metered(ScriptedEngine(replies), MODELS)
    meter.reply(ASKED)
    with pytest.raises(EngineRefused):
        meter.reply(ASKED)
    assert (meter.calls, meter.spent) == (2, Usage(20, 5, usd=0.75))


def test_the_limit_is_never_passed_whatever_calls_cost() -> None:
    price = most(ASKED, MODELS["distill"])
    assert price is not None
    meter = Metered(ScriptedEngine(costs(price)), MODELS, limit=3.5 * price)
    for _ in range(3):
        meter.reply(ASKED)
    with pytest.raises(EngineBudget, match="raise --budget"):
        meter.reply(ASKED)
    assert meter.spent.usd == pytest.approx(3 * price)


def test_many_threads_pass_the_limit_no_more_than_one() -> None:
    price = most(ASKED, MODELS["distill"])
    assert price is not None
    meter = Metered(ScriptedEngine(costs(price / 2)), MODELS, limit=4.2 * price)

    def attempt(number: int) -> bool:
        try:
            return bool(meter.reply(other(number)))
        except EngineBudget:
            return False

    with ThreadPoolExecutor(8) as pool:
        done = sum(pool.map(attempt, range(30)))
    assert 7 <= done <= 8  # all but what the last call might have cost is used
    assert (meter.spent.usd or 0) <= 4.2 * price


def test_a_budget_for_a_model_without_a_price_is_refused_at_once() -> None:
    engine = ScriptedEngine([YES])
    with pytest.raises(EngineBudget, match="price of llama is not known"):
        Metered(engine, {**MODELS, "distill": "llama"}, limit=1.0).reply(ASKED)
    assert not engine.requests


@given(st.text(max_size=400))
def test_a_call_is_never_estimated_at_nothing(words: str) -> None:
    price = most(replace(ASKED, blocks=(Block(words),)), MODELS["distill"])
    assert price is not None
    assert price > ASKED.max_tokens * 10 / 1e6


def batched(url: str, folder: Path, **settings: Any) -> tuple[Shaped, Batched]:
    client, kept = AnthropicEngine("", base_url=url, retries=0), Kept(folder / "replies")
    later = Batched(client, kept, Kept(folder / "batches"), **settings)
    return Shaped(Cached(later, kept, MODELS)), later


def put_off(engine: Shaped, *requests: Request) -> None:
    for request in requests:
        with pytest.raises(EngineDeferred):
            engine.reply(request)


def no_pause() -> None:
    raise AssertionError("the batch is done at once")


def test_a_batch_brings_all_replies_at_half_the_price(tmp_path: Path) -> None:
    with serving(lambda request: YES) as server:
        engine, later = batched(server.url, tmp_path)
        put_off(engine, other(1), other(2), other(1))
        assert later.send() == 2
        assert later.collect(no_pause) == 2
    assert [engine.reply(other(number)).data for number in (1, 2)] == [Word("yes")] * 2
    assert later.spent.usd == pytest.approx(2 * 0.5 * (100 * 2 + 50 * 10) / 1e6)


def test_a_run_that_was_killed_finds_its_batch_and_sends_nothing_twice(tmp_path: Path) -> None:
    with serving(lambda request: YES) as server:
        engine, later = batched(server.url, tmp_path)
        put_off(engine, other(1))
        later.send()
        engine, later = batched(server.url, tmp_path)  # the next run
        put_off(engine, other(1), other(2))
        assert later.send() == 1
        later.collect(no_pause)
        assert engine.reply(other(1)).data == engine.reply(other(2)).data == Word("yes")
        assert sum(map(len, server.batches.values())) == 2


def test_replies_of_a_batch_are_kept_also_when_nobody_waits_for_them(tmp_path: Path) -> None:
    with serving(lambda request: YES) as server:
        engine, later = batched(server.url, tmp_path)
        put_off(engine, other(1))
        later.send()
        batched(server.url, tmp_path)[1].collect(no_pause)
        assert batched(server.url, tmp_path)[0].reply(other(1)).data == Word("yes")


@pytest.mark.parametrize(
    ("wire", "error"),
    [
        (failure(400, "invalid_request_error"), EngineUnusable),
        (cut_off('{"word": "y'), EngineTruncated),
        (REFUSAL, EngineRefused),
    ],
)
def test_what_a_batch_failed_at_is_an_error_and_tried_anew_by_the_next_run(
    wire: Wire, error: type[EngineError], tmp_path: Path
) -> None:
    def model(request: dict[str, Any]) -> str | Wire:
        return wire if "number 1" in told(request) else YES

    with serving(model) as server:
        engine, later = batched(server.url, tmp_path)
        put_off(engine, other(1), other(2))
        later.send()
        later.collect(no_pause)
        with pytest.raises(error):
            engine.reply(other(1))
        assert engine.reply(other(2)).data == Word("yes")
        put_off(batched(server.url, tmp_path)[0], other(1))


def test_a_batch_is_no_dearer_than_its_limit(tmp_path: Path) -> None:
    price = most(other(1), MODELS["distill"])
    assert price is not None
    with serving(lambda request: YES) as server:
        engine, later = batched(server.url, tmp_path, limit=price * 1.2)
        put_off(engine, other(1), other(2), other(3))
        assert later.send() == 2
        _, poor = batched(server.url, tmp_path / "poor", limit=price * 0.4)
        put_off(Shaped(poor), other(1))
        with pytest.raises(EngineBudget, match="raise --budget"):
            poor.send()


def test_a_server_that_is_busy_now_and_then_only_costs_time() -> None:
    answers: Iterator[str | Wire] = iter([BUSY, OVERLOADED, failure(500), YES])
    with serving(lambda request: next(answers)) as server:
        reply = Shaped(AnthropicEngine("", base_url=server.url)).reply(ASKED)
    assert reply.data == Word("yes")
    assert len(server.requests) == 4


def test_calls_run_at_once_over_one_engine() -> None:
    both = threading.Barrier(2, timeout=10)

    def model(request: dict[str, Any]) -> str:
        both.wait()
        return YES

    with serving(model) as server:
        engine = Shaped(AnthropicEngine("", base_url=server.url))
        with ThreadPoolExecutor(2) as pool:
            replies = list(pool.map(engine.reply, (other(1), other(2))))
    assert [reply.data for reply in replies] == [Word("yes")] * 2
    assert server.most_at_once == 2
