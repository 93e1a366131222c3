from __future__ import annotations

from pathlib import Path

from citewiki.config import Config, EngineConfig
from citewiki.distill.estimate import estimate, tokens
from citewiki.distill.ingest import register
from citewiki.sources.manifest import load_manifest
from tests.conftest import NOW, MakeWiki
from tests.distill.models import model
from tests.distill.test_compile import NOTE, compiled, snapshot


def registered(make_wiki: MakeWiki) -> Path:
    root = make_wiki({"raw/ml/notes.md": NOTE})
    register(root, load_manifest(root), NOW)
    return root


def test_an_estimate_counts_sections_calls_and_money_and_writes_nothing(make_wiki: MakeWiki):
    root = registered(make_wiki)
    before = snapshot(root)
    found = estimate(root, Config())
    assert (found.sections, found.calls) == (3, 9)
    assert [share.model for share in found.models] == ["claude-sonnet-5-5", "claude-opus-5-5"]
    assert found.usd is not None
    assert found.usd_at_most is not None
    assert 0 < found.usd < found.usd_at_most < 1
    assert snapshot(root) == before


def test_a_batch_costs_half(make_wiki: MakeWiki):
    root = registered(make_wiki)
    whole, half = estimate(root, Config()), estimate(root, Config(), share=0.5)
    assert whole.usd is not None
    assert half.usd is not None
    assert abs(half.usd - whole.usd / 2) < 1e-5


def test_what_is_compiled_already_costs_nothing(make_wiki: MakeWiki):
    root = registered(make_wiki)
    compiled(root, engine=model())
    assert estimate(root, Config()).sections == 0


def test_a_price_that_is_not_known_is_not_guessed(make_wiki: MakeWiki):
    root = registered(make_wiki)
    config = Config(engine=EngineConfig(distill_model="llama-local"))
    assert estimate(root, config).usd is None


def test_wide_letters_are_tokens_of_their_own():
    assert tokens("检索" * 10) == 20
    assert tokens("abcdefg" * 10) == 20
