"""The port to language models: one method, frozen values in and out.

A request is a system prompt, the blocks of the first message (what is given as data, then what
is asked), and the turns that followed. Where `shape` is set, the reply's `data` is an instance
of it; the engine sees to it or raises. Errors are the kinds of `EngineError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from citewiki.errors import EngineError, EngineUnusable

Role = Literal["answer", "judge", "distill", "lint", "review", "privacy"]
"""What a model is asked for; every role may have a model of its own."""

MAX_TOKENS = 8_000
"""Room for one reply. Models that think before they write spend part of it on that."""

Shape = TypeVar("Shape")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the first message."""

    text: str
    cache: bool = False  # whether everything up to its end is likely to be sent again soon


@dataclass(frozen=True, slots=True)
class Tool:
    """What the model may call; every tool of this program only reads."""

    name: str
    description: str
    parameters: Mapping[str, Any]  # JSON schema of an object


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The model's wish to have a tool called."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the call with that `id` gave."""

    id: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """A part that only the engine understands (such as signed thinking); goes back untouched."""

    value: Any


Part = str | ToolCall | ToolResult | Opaque


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of the conversation after the first one."""

    speaker: Literal["user", "assistant"]
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What calls cost. Sums keep the USD unknown once any part of it is."""

    input: int = 0  # tokens read at full price
    output: int = 0  # tokens written, thinking included
    cache_read: int = 0  # tokens read from the prompt cache
    cache_write: int = 0  # tokens read and put into the prompt cache
    usd: float | None = 0.0  # None: the model's price is not known

    def __add__(self, other: Usage) -> Usage:
        known = self.usd is not None and other.usd is not None
        return Usage(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            (self.usd or 0.0) + (other.usd or 0.0) if known else None,
        )

    @classmethod
    def of(cls, counts: Mapping[str, float]) -> Usage:
        """From what `as_dict` gives."""
        return cls(
            int(counts.get("input_tokens", 0)),
            int(counts.get("output_tokens", 0)),
            int(counts.get("cache_read_tokens", 0)),
            int(counts.get("cache_write_tokens", 0)),
            counts.get("usd"),
        )

    @property
    def tokens(self) -> int:
        """All tokens, read or written."""
        return self.input + self.output + self.cache_read + self.cache_write

    def as_dict(self) -> dict[str, float]:
        """As `Answer.usage` holds it; without `usd` when that is not known."""
        tokens: dict[str, float] = {
            "input_tokens": self.input,
            "output_tokens": self.output,
            "cache_read_tokens": self.cache_read,
            "cache_write_tokens": self.cache_write,
        }
        return tokens if self.usd is None else {**tokens, "usd": round(self.usd, 6)}


NOTHING = Usage()
"""Nothing asked yet."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a model is asked."""

    role: Role
    system: str
    blocks: tuple[Block, ...]
    turns: tuple[Turn, ...] = ()
    shape: type[Any] | None = None  # dataclass that the reply fills; None: free text
    tools: tuple[Tool, ...] = ()
    may_call: bool = True  # False: the tools stand there for the record, the reply has to be final
    max_tokens: int = MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model gave: either `calls`, or a complete reply in `text` and `data`."""

    text: str
    data: Any = None  # an instance of the request's shape; None while there are calls
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = NOTHING
    turn: Turn = Turn("assistant", ())  # to be sent back as it is


class Engine(Protocol):
    """A language model, or what stands in for one."""

    def reply(self, request: Request) -> Reply:
        """The model's next turn.

        Raises EngineRefused, EngineTruncated, EngineUnavailable, EngineUnusable.
        """
        ...


def charged(error: EngineError, usage: Usage) -> EngineError:
    """The error, with what earlier calls cost added to what it cost itself."""
    before, own = usage.as_dict(), error.usage or NOTHING.as_dict()
    error.usage = {key: before[key] + own[key] for key in before if key in own}
    return error


def filled(reply: Reply, shape: type[Shape]) -> Shape:
    """The reply's data, known to be a `shape`. Raises EngineUnusable when it is none."""
    if not isinstance(reply.data, shape):
        raise EngineUnusable(
            f"the language model gave no {shape.__name__.lower()}", usage=reply.usage.as_dict()
        )
    return reply.data
