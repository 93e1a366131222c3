"""Replies of a given shape: the JSON schema to ask for, and the tolerant reading of what came."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from citewiki.errors import EngineUnusable

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MENDED_CHARS = 400_000
"""Characters of the longest reply that is mended; no reply that fits a model's limits is longer."""

_DECODER = json.JSONDecoder(strict=False)  # raw line breaks inside strings are let through
_BRACKETS_AND_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|["{}\[\]]', re.DOTALL)


def json_schema(shape: type[Any]) -> dict[str, Any]:
    """The JSON schema of a dataclass."""
    return _adapter(shape).json_schema()


def parse(text: str, shape: type[Any]) -> Any:
    """The instance of `shape` that a reply holds.

    Some models put JSON into a fence, or words before and after it: the last object that fits
    counts. Where none does, marks are mended (commas, quotation marks, escapes such as `\\$`),
    never an end that is missing: what was cut off is not known.
    Raises EngineUnusable; its message tells the model what to change.
    """
    faults: list[str] = []
    for objects in (_objects(text, faults), _mended(text, faults)):
        fitting = [found for value in objects if (found := _fit(value, shape, faults)) is not None]
        if fitting:
            return fitting[-1]
    fault = "; ".join(faults[:3]) or "there is no JSON object in it"
    raise EngineUnusable(f"the language model's reply has no usable form ({fault})")


def _adapter(shape: type[Any]) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(shape)


def _fit(value: Any, shape: type[Any], faults: list[str]) -> Any:
    """The value as a `shape`; None, with the reasons noted, when it is none."""
    from pydantic import ValidationError

    try:
        return _adapter(shape).validate_python(value)
    except ValidationError as error:
        for item in error.errors(include_url=False)[:3]:
            fault = f"{'.'.join(map(str, item['loc'])) or 'the object'}: {item['msg']}"
            if fault not in faults:
                faults.append(fault)
    return None


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


def _mended(text: str, faults: list[str]) -> Iterator[Any]:
    """The objects in a text whose marks are put right."""
    if "{" not in text or len(text) > MENDED_CHARS:
        return
    if _cut_off(text):
        faults.insert(0, "it ends before its JSON object does")
        return
    import json_repair

    try:
        value = json_repair.loads(text[text.find("{") :], skip_json_loads=True)
    except (RecursionError, ValueError):
        return
    for item in value if isinstance(value, list) else (value,):
        if isinstance(item, dict):
            yield item


def _cut_off(text: str) -> bool:
    """Whether more brackets open than close, or a string has no end.

    Quotation marks that stand bare inside a string can mislead it: then the reply is asked for
    again, which costs little.
    """
    depth = 0
    for mark in _BRACKETS_AND_STRINGS.findall(text[text.find("{") :]):
        if mark == '"':
            return True
        depth += (mark in "{[") - (mark in "}]") if len(mark) == 1 else 0
    return depth > 0
