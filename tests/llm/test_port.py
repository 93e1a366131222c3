"""Usage, typed replies and the scripted engine."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from citewiki.errors import EngineRefused, EngineUnavailable, EngineUnusable
from citewiki.llm.port import Block, Reply, Request, Usage, filled
from citewiki.llm.prices import usd
from citewiki.llm.scripted import ScriptedEngine


@dataclass(frozen=True)
class Word:
    word: str


REQUEST = Request("answer", "Say a word.", (Block("please"),), shape=Word)


def test_usage_adds_up_until_a_price_is_unknown() -> None:
    total = Usage(1, 2, 3, 4, 0.5) + Usage(10, 20, 30, 40, 0.25)
    assert total == Usage(11, 22, 33, 44, 0.75)
    assert (total + Usage(1, usd=None)).usd is None
    assert Usage() + total == total


def test_a_dated_model_costs_what_its_family_costs() -> None:
    assert usd("claude-haiku-4-5-20251001", Usage(1_000_000)) == 1.0
    assert usd("claude-opus-5-5", Usage(1_000_000)) == 4.0
    assert usd("claude-opus-5", Usage(1_000_000)) == 5.0
    assert usd("llama", Usage(1)) is None


def test_long_prompts_cost_more_where_the_price_list_says_so() -> None:
    assert usd("claude-haiku-5-5", Usage(50_000, cache_read=50_000)) == pytest.approx(0.0055)
    assert usd("claude-haiku-5-5", Usage(50_001, cache_read=50_000)) == pytest.approx(
        0.0275, rel=1e-3
    )


def test_the_scripted_engine_reads_texts_as_replies_of_the_shape() -> None:
    engine = ScriptedEngine(['{"word": "yes"}', "no JSON", EngineRefused("I will not")])
    assert filled(engine.reply(REQUEST), Word) == Word("yes")
    with pytest.raises(EngineUnusable):
        engine.reply(REQUEST)
    with pytest.raises(EngineRefused):
        engine.reply(REQUEST)
    with pytest.raises(EngineUnavailable, match="ended"):
        engine.reply(REQUEST)
    assert engine.requests == [REQUEST] * 4


def test_a_reply_without_data_is_not_taken_for_a_filled_one() -> None:
    with pytest.raises(EngineUnusable, match="no word"):
        filled(Reply("hello"), Word)
