"""Values as YAML text: one spelling for each, read back the same by every YAML 1.1/1.2 reader.

A text is left plain only where no reader takes it for anything else: `no`, `1.10`, `2024-01-01`
and `12:30` get quotes (YAML 1.1, https://yaml.org/type/).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

Value = str | list["Value"] | dict[str, "Value"] | None
"""What front matter holds once read: every scalar is text, and nothing is None."""

_NUMBER_OR_TIME = re.compile(r"[-+.\d][-+.:\d_a-fxotzA-FXOTZ \t]*")  # hex, octal, 1e3, 12:30, dates
_WORD_OF_YAML = frozenset("y yes n no on off true false null ~ = <<".split())
_UNSAFE_START = re.compile(r"[-?:](?!\S)|[\s#,\[\]{}&*!|>'\"%@`=<~]")
_UNSAFE_INSIDE = re.compile(
    r":(?=\s|$)|\s#|\s$|[\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff]"
)
_UNSAFE_IN_FLOW = re.compile(r"[,\[\]{}:?]")
_NOT_PRINTABLE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def scalar(value: object, *, flow: bool = False) -> str:
    """One text, number, truth value, time (UTC, to the second) or None; `flow`: inside [] or {}."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return value if _is_plain(value, flow=flow) else _quoted(value)
    return _typed(value)


def entry_text(key: str, value: Any) -> str:
    """`key: value` as whole lines: mappings in a list one a line, all else in flow style."""
    name = scalar(key)
    if isinstance(value, Sequence) and not isinstance(value, str) and _holds_mappings(value):
        lines = "".join(f"  - {_flow(item)}\n" for item in value)
        return f"{name}:\n{lines}"
    text = _flow(value) if isinstance(value, Mapping | list | tuple) else scalar(value)
    return f"{name}: {text}\n"


def as_read(value: Any) -> Value:
    """What `value` is once written and read again: texts, lists, mappings and None."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {str(key): as_read(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_read(item) for item in value]
    return _typed(value)


def _holds_mappings(items: Sequence[Any]) -> bool:
    return bool(items) and all(isinstance(item, Mapping) for item in items)


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        pairs = (f"{scalar(str(key), flow=True)}: {_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return scalar(value, flow=True)


def _typed(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        moment = value.astimezone(UTC) if value.tzinfo else value
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and "e" in repr(value):  # YAML 1.1 reads 1e-05 as text
        return f"{value:.20f}".rstrip("0")
    return str(value)


def _is_plain(text: str, *, flow: bool) -> bool:
    return not (
        not text
        or text.lower() in _WORD_OF_YAML
        or _NUMBER_OR_TIME.fullmatch(text)
        or _UNSAFE_START.match(text)
        or _UNSAFE_INSIDE.search(text)
        or (flow and _UNSAFE_IN_FLOW.search(text))
        or text.startswith(("---", "..."))
    )


def _quoted(text: str) -> str:
    """JSON's string is YAML's double-quoted one, once what YAML does not print is escaped."""
    clean = _SURROGATE.sub("\ufffd", text)  # no file can hold half a character
    return _NOT_PRINTABLE.sub(
        lambda char: f"\\u{ord(char[0]):04x}", json.dumps(clean, ensure_ascii=False)
    )
