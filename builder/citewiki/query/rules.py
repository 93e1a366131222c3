"""What the built-in engine knows of questions, as plain data: the Ask page of a site reads it.

Patterns are written as JavaScript has them (its flag "v"), so that the site's scripts hold the
steps of answering and none of its knowledge: word lists, patterns and weights stand here alone.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from types import ModuleType
from typing import Any

from citewiki.query import (
    answer,
    asked,
    basis,
    chains,
    evidence,
    forms,
    frames,
    kinds,
    parts,
    persons,
    question,
    refusal,
    relations,
    retrieve,
    terms,
)
from citewiki.text import language, sentences, tokens, verbs, words

_MODULES: tuple[ModuleType, ...] = (
    answer, asked, basis, chains, evidence, forms, frames, kinds, language, parts, persons,
    question, refusal, relations, retrieve, sentences, terms, tokens, verbs,
)  # fmt: skip
_LEFT_OUT = frozenset(
    "FUNCTION_WORDS STOP_WORDS VERBS OTHERS BASES DIGITS WORDED HAN SINGLE LENGTH TIME MONEY FREE "
    "MASS AREA BYTES RATE DEGREES PERCENT OFTEN SIZED HOW_MANY_VI NOUN COUNTS STOPS X AND ASKS "
    "FAMILY MARKS ASCII ASCII_RUN UNSPACED RANGES PART MOST_CHUNKS".split()
)
"""Names of what others are made from, or what the scripts have in a form of their own."""
_WORD = r"\p{L}\p{N}_"
_CLASSES = {"w": _WORD, "d": r"\p{Nd}", "s": r"\s"}
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_IN_SETS = _SYNTAX | frozenset("&-!#%,:;<=>@`~")  # what "v" lets be escaped there


def rules() -> dict[str, dict[str, Any]]:
    """Every constant of the engine that data can tell, by module and name.

    Names are without the underscore that marks them as private.
    """
    found = {
        module.__name__.rpartition(".")[2]: {
            name.strip("_"): value
            for name, each in vars(module).items()
            if name.isupper()
            and name.strip("_") not in _LEFT_OUT
            and (value := _data(each)) is not None
        }
        for module in _MODULES
    }
    found["sentences"]["COUNTS"] = _data(sentences._COUNTS)
    found["words"] = {"FUNCTION_WORDS": _data(words.FUNCTION_WORDS)}
    return found


def _data(value: Any) -> Any:
    """A constant as JSON types; None for what cannot be told."""
    if isinstance(value, re.Pattern):
        flags = "i" if value.flags & re.IGNORECASE else ""
        if value.flags & re.VERBOSE:
            return None
        return {"pattern": javascript(value.pattern), "flags": flags}
    if isinstance(value, str | int | float):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _data(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {str(key): _data(each) for key, each in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(map(_data, value), key=str)
    if isinstance(value, tuple | list):
        return [_data(each) for each in value]
    return None


def javascript(pattern: str) -> str:
    """A pattern of `re` as JavaScript reads it with the flag "v"."""
    found: list[str] = []
    inside = False  # a set of characters
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\":
            found.append(_escaped(pattern[at + 1], inside=inside))
            at += 2
            continue
        if inside:
            if char == "]":
                inside = False
                found.append("]")
            elif char == "-" and pattern[at + 1] != "]" and pattern[at - 1] not in "[^":
                found.append("-")
            else:
                found.append(_plain(char, _IN_SETS))
        elif char == "[":
            inside = True
            negated = pattern[at + 1] == "^"
            found.append("[^" if negated else "[")
            at += negated
        elif pattern.startswith("(?P<", at):
            found.append("(?<")
            at += 3
        else:
            found.append(char)
        at += 1
    return "".join(found)


def _escaped(char: str, *, inside: bool) -> str:
    if char == "b" and not inside:
        return r"\b"  # JavaScript's knows ASCII alone: the scripts put their own in its place
    if char.lower() in _CLASSES:
        negated = "^" if char.isupper() else ""
        body = _CLASSES[char.lower()]
        return body if inside and not negated else f"[{negated}{body}]"
    if char in "nrtfvux" or char.isdigit():
        return f"\\{char}"
    return _plain(char, _IN_SETS if inside else _SYNTAX)


def _plain(char: str, special: frozenset[str]) -> str:
    return f"\\{char}" if char in special else char
