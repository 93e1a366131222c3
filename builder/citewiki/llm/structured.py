"""Replies of a given shape: the JSON schema to ask for, and the tolerant reading of what came."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from citewiki.errors import EngineUnusable

_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside strings are let through


def json_schema(shape: type[Any]) -> dict[str, Any]:
    """The JSON schema of a dataclass."""
    from pydantic import TypeAdapter

    return TypeAdapter(shape).json_schema()


def parse(text: str, shape: type[Any]) -> Any:
    """The instance of `shape` that a reply holds.

    Some models put JSON into a fence, or words before and after it: the last object that fits
    counts. Nothing is repaired, as a repaired quote or verdict would be a guess.
    Raises EngineUnusable; its message tells the model what to change.
    """
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(shape)
    fitting: list[Any] = []
    faults: list[str] = []
    for value in _objects(text, faults):
        try:
            fitting.append(adapter.validate_python(value))
        except ValidationError as error:
            faults.extend(
                f"{'.'.join(map(str, item['loc'])) or 'the object'}: {item['msg']}"
                for item in error.errors(include_url=False)[:3]
            )
    if not fitting:
        fault = "; ".join(faults[:3]) or "there is no JSON object in it"
        raise EngineUnusable(f"the language model's reply has no usable form ({fault})")
    return fitting[-1]


def _objects(text: str, faults: list[str]) -> Iterator[Any]:
    """The JSON objects in a text, outermost only; what keeps others from being one is noted."""
    start = text.find("{")
    while start >= 0:
        try:
            value, end = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            faults.append(f"no valid JSON: {error}")
            end = start + 1
        except RecursionError:
            faults.append("JSON of such depth is not read")
            end = start + 1
        else:
            yield value
        start = text.find("{", end)
