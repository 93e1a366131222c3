"""Names in running text: which may be looked for, how they compare, where they stand as words."""

from __future__ import annotations

import re
from typing import NamedTuple

from citewiki.text.phrases import common_word

_UNSPACED = (  # scripts in which any character may begin a word
    r"\u2E80-\u303B\u3040-\u30FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7AF\u0E00-\u0E7F\uF900-\uFAFF"
)
WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
"""A word; of scripts without spaces one character."""
_IN_UNSPACED = re.compile(rf"[{_UNSPACED}]")
_NO_NAME = frozenset("[]|#^")


class Spelling(NamedTuple):
    """A name as it is looked for in a text."""

    key: str  # lower case, of equal length
    words: tuple[str, ...]  # of the key
    exact: bool  # whether the case has to match as well: acronyms and names of one short word


def spelling(name: str) -> Spelling | None:
    """How `name` (NFC, single spaces) is looked for; None when it is no name to look for.

    Everyday words are none, nor are numbers, single characters, and what a link cannot hold.
    """
    if len(name) < 2 or name.isdigit() or _NO_NAME & set(name):
        return None
    key = lowered(name)
    words = tuple(WORD.findall(key))
    if not words or common_word(name):
        return None
    exact = len(words) == 1 and (len(name) < 4 or not name[1:].islower())
    return Spelling(key, words, exact)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether text[start:end] begins and ends where words do."""
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (_joins(before, text[start]) or _joins(text[end - 1], after))


def lowered(text: str) -> str:
    """Lower case at equal length."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _joins(left: str, right: str) -> bool:
    """Whether two neighbouring characters belong to one word."""
    if not left or not right or _IN_UNSPACED.match(left) or _IN_UNSPACED.match(right):
        return False
    if (left.isalnum() or left == "_") and (right.isalnum() or right == "_"):
        return True
    return right in "+#" and (left.isalnum() or left in "+#")
