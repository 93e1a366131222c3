"""Helpers that look for private things beside the rules: a local language model, and Presidio."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from citewiki.config import PrivacyConfig
from citewiki.errors import SettingError
from citewiki.llm.port import Block, Engine, Request, Role, filled
from citewiki.llm.prompt import block, prompt
from citewiki.model import Source
from citewiki.sources.finding import Finding, Kind
from citewiki.sources.privacy import Finder, masked, rules

CHUNK_CHARS = 6_000
"""Characters that a small model can look through at once."""

CONFIDENCE = 0.6
"""Of what only a language model calls private."""

# What Presidio calls what we have a word for. Places and dates are no secrets; addresses of mail
# are left to the rules, as its recognizer for them reads a list from the network.
_PRESIDIO: dict[str, Kind] = {
    "CREDIT_CARD": "card",
    "IBAN_CODE": "card",
    "US_BANK_NUMBER": "card",
    "CRYPTO": "card",
    "PHONE_NUMBER": "phone",
    "US_SSN": "identity",
    "US_PASSPORT": "identity",
    "US_DRIVER_LICENSE": "identity",
    "US_ITIN": "identity",
    "UK_NHS": "identity",
    "UK_NINO": "identity",
    "MEDICAL_LICENSE": "identity",
}
PRESIDIO_LEAST = 0.5
"""Score from which a finding of Presidio's counts: below are forms without any cue beside them."""


@dataclass(frozen=True, slots=True)
class Detail:
    """One private thing, in the words of the text."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Details:
    """All private things that a model saw in a text."""

    details: tuple[Detail, ...]


def hidden(source: Source, settings: PrivacyConfig) -> Source:
    """The source without what these settings take out; its problems say what was found.

    Asks the local model where one is named. Raises SettingError, EngineError.
    """
    return masked(source, settings, _finders(settings)) if settings.mask else source


@lru_cache(maxsize=4)
def _finders(settings: PrivacyConfig) -> tuple[Finder, ...]:
    if not settings.model:
        return finders(settings)
    check_local(settings)
    from citewiki.llm.anthropic import AnthropicEngine
    from citewiki.llm.shaped import Shaped

    models: dict[Role, str] = {"privacy": settings.model}
    return finders(settings, Shaped(AnthropicEngine("", models, settings.base_url)))


def finders(settings: PrivacyConfig, engine: Engine | None = None) -> tuple[Finder, ...]:
    """All that looks for private things by these settings; `engine` is the local model's.

    Raises SettingError when Presidio is asked for and not installed.
    """
    found = [rules(settings)]
    if settings.presidio:
        found.append(_presidio())
    if engine is not None:
        found.append(by_model(engine))
    return tuple(found)


def check_local(settings: PrivacyConfig) -> None:
    """Raises SettingError unless the server is on this machine or in a private network.

    A text that may hold secrets goes nowhere else to be searched for them.
    """
    host = urlsplit(settings.base_url).hostname or ""
    try:
        near = ipaddress.ip_address(host)
        local = near.is_loopback or near.is_private
    except ValueError:
        local = host == "localhost" or host.endswith((".localhost", ".local", ".internal"))
    if not local:
        raise SettingError("pyproject.toml", "privacy.base_url", "an address of your own network")


def by_model(engine: Engine) -> Finder:
    """What finds private things by asking a language model; only what stands in the text counts."""

    def find(text: str) -> Iterator[Finding]:
        for start in range(0, len(text), CHUNK_CHARS):
            part = text[max(0, start - 200) : start + CHUNK_CHARS]  # nothing is cut at a border
            request = Request(
                "privacy", prompt("private"), (Block(block("section", part)),), shape=Details
            )
            for detail in filled(engine.reply(request), Details).details:
                yield from _everywhere(detail, text)

    return find


def _everywhere(detail: Detail, text: str) -> Iterator[Finding]:
    words = detail.text.strip()
    at = text.find(words) if len(words) > 1 else -1
    while at >= 0:
        yield Finding(detail.kind, at, at + len(words), CONFIDENCE)
        at = text.find(words, at + len(words))


def _presidio() -> Finder:
    """Presidio's recognizers for English, those of form and check digits."""
    try:
        from presidio_analyzer import RecognizerRegistry
    except ImportError as error:
        raise SettingError(
            "pyproject.toml",
            "privacy.presidio",
            "false unless Presidio is installed: pip install citewiki[pii]",
        ) from error
    registry = RecognizerRegistry()
    registry.load_predefined_recognizers(languages=["en"])
    usable: list[Any] = [
        one for one in registry.recognizers if set(one.supported_entities) & set(_PRESIDIO)
    ]

    def find(text: str) -> Iterable[Finding]:
        for recognizer in usable:
            wanted = [name for name in recognizer.supported_entities if name in _PRESIDIO]
            for item in recognizer.analyze(text, wanted, None) or ():
                if item.score >= PRESIDIO_LEAST:
                    kind = _PRESIDIO[item.entity_type]
                    yield Finding(kind, item.start, item.end, min(0.9, item.score))

    return find
