"""A local model looks for private things too."""

from __future__ import annotations

import json

import pytest

from citewiki.config import PrivacyConfig
from citewiki.distill.private import by_model, check_local, finders
from citewiki.errors import EngineUnavailable, SettingError
from citewiki.llm.scripted import ScriptedEngine
from citewiki.model import Section, Source
from citewiki.sources.privacy import masked

TEXT = (
    "Ann lives at 12 Elm Street. Her password is hunter2. Elm Street 12 is a house; 12 Elm Street."
)


def details(*found: tuple[str, str]) -> str:
    return json.dumps({"details": [{"kind": kind, "text": text} for kind, text in found]})


def hidden(*found: tuple[str, str]) -> str:
    engine = ScriptedEngine(lambda request: details(*found))
    source = Source("S", "text", "text/plain", (Section("a", "", "", TEXT),))
    settings = PrivacyConfig()
    return masked(source, settings, finders(settings, engine)).sections[0].text


def test_what_the_model_calls_private_is_masked_wherever_it_stands() -> None:
    shown = hidden(("person", "12 Elm Street"))
    assert "12 Elm Street" not in shown
    assert shown.count("[personal detail masked]") == 2


def test_the_rules_hold_whatever_the_model_says() -> None:
    assert "hunter2" not in hidden()


def test_what_does_not_stand_in_the_text_is_no_finding() -> None:
    text = "Nothing private."
    assert list(by_model(ScriptedEngine([details(("person", "Bob"), ("key", " "))]))(text)) == []


def test_a_long_text_is_looked_through_in_parts_and_nothing_is_cut_at_their_border() -> None:
    text = "x" * 5_990 + " 12 Elm Street " + "y" * 3_000
    engine = ScriptedEngine(
        lambda request: details(
            *([("person", "12 Elm Street")] if "12 Elm Street" in request.blocks[0].text else [])
        )
    )
    assert [text[f.start : f.end] for f in by_model(engine)(text)][:1] == ["12 Elm Street"]
    assert len(engine.requests) == 2


def test_a_model_that_is_out_of_reach_stops_the_run() -> None:
    with pytest.raises(EngineUnavailable):
        list(by_model(ScriptedEngine([EngineUnavailable("down")]))("text"))


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:11434", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://[::1]:8080", True),
        ("http://192.168.1.20:11434", True),
        ("http://llm.local", True),
        ("https://api.anthropic.com", False),
        ("https://8.8.8.8", False),
        ("", False),
    ],
)
def test_texts_are_searched_for_secrets_nearby_only(url: str, local: bool) -> None:
    settings = PrivacyConfig(base_url=url)
    if local:
        check_local(settings)
    else:
        with pytest.raises(SettingError, match="your own network"):
            check_local(settings)


def test_presidio_that_is_not_installed_is_named() -> None:
    try:
        import presidio_analyzer  # noqa: F401
    except ImportError:
        with pytest.raises(SettingError, match=r"citewiki\[pii\]"):
            finders(PrivacyConfig(presidio=True))
    else:
        assert len(finders(PrivacyConfig(presidio=True))) == 2
