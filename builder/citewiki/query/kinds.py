"""Signs that a sentence answers a question of some kind, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

from citewiki.query.forms import beyond
from citewiki.query.question import Kind
from citewiki.text.folding import fold
from citewiki.text.tokens import tokens

FORMED = frozenset((Kind.WHO, Kind.WHEN, Kind.WHERE, Kind.HOW_MANY, Kind.DEFINITION))
"""Kinds whose answer has a form of its own: a name, a date, a number, “X is a …”."""

_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|"
    r"thousands?|millions?|billions?|half|once|twice|một|hai|ba|bốn|năm|sáu|bảy|tám|chín|mười|"
    r"trăm|nghìn|triệu|tỷ)\b|[零一二两三四五六七八九十百千万亿半]"
)
_DATE = re.compile(
    r"\b(?:1[0-9]{3}|20[0-9]{2})\b|\b(?:january|february|march|april|may|june|july|august|september|"
    r"october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|"
    r"summer|autumn|winter|century|decade|ago|yesterday)\b|\b(?:năm|tháng|ngày|thế kỷ) \d|"
    r"[0-9〇零一二三四五六七八九十]+\s*[年月日]|世纪"
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|so that|so|therefore|thus|hence|reasons?|causes?d?|owing to|"
    r"in order|thanks to|as a result|otherwise|vì|bởi|do|để|nên|nhờ|nguyên nhân|lý do)\b|"
    r"因为|由于|所以|因此|为了|以便|原因|导致|否则"
)
_MEANS = re.compile(
    r"\b(?:by|using|through|via|with|first|then|must|steps?|method|bằng|qua|dùng|cách|phải)\b|"
    r"通过|使用|用|先|然后|方法|需要"
)
_NAME = re.compile(r"[^\W\d_a-zà-ỹ][\w'’.-]+(?:\s+[^\W\d_a-zà-ỹ][\w'’.-]+)*")
_HAN_NAME = re.compile(r"[\u4e00-\u9fff]{2,4}")
_DEFINES = re.compile(
    r"\b(?:is|was) (?:an?|the|one|any)\b|\b(?:are|were) (?!not\b|\w+ed\b)\w|"
    r"\b(?:means?|refers? to|denotes?|consists? of|describes?|là|nghĩa là|gồm)\b|是|指|即|称为|とは"
)


def says_kind(kind: Kind, text: str, asked: str, title: str) -> bool:
    """Whether `text` holds what a question of `kind` wants, beyond what the question says itself.

    Kinds whose answer has no form of its own (which, how, yes or no) are always satisfied.
    """
    folded = fold(text)
    if kind is Kind.HOW_MANY:
        return any(match.group() for match in _NUMBER.finditer(beyond(folded, asked)))
    if kind is Kind.WHEN:
        return bool(_DATE.search(beyond(folded, asked)))
    if kind is Kind.WHY:
        return bool(_CAUSE.search(folded))
    if kind in (Kind.WHO, Kind.WHERE):
        return _names_something(text, f"{asked} {title}")
    if kind is Kind.DEFINITION:
        named = set(tokens(title))
        return bool(_DEFINES.search(folded)) and 2 * len(named & set(tokens(text))) >= len(named)
    if kind is Kind.HOW:
        return bool(_MEANS.search(folded))
    return True


def _names_something(text: str, known: str) -> bool:
    """Whether `text` holds a name that is not in `known`; not the mere first word of a sentence."""
    said = fold(known)
    for match in _NAME.finditer(text):
        words = _new(match.group().split(), said)
        if words and (match.start() > 0 or len(words) > 1):
            return True
    if _HAN_NAME.search(text) and not re.search(r"[A-Za-z]{3}", text):
        return any(found not in known for found in _HAN_NAME.findall(text))
    return False


def _new(words: Iterable[str], said: str) -> list[str]:
    return [word for word in words if fold(word).strip(".'’-") not in said]


_PASSING = re.compile(
    r"\b(?:best|worst|should|most|highest|cheapest|nearest|near me|from here|my|this week|new"
    r"|next|latest|nên|tốt nhất|của tôi|tuần này|gần nhất|mới nhất)\b"
    r"|应该|最好|最佳|我的|本周|最新|附近",
    re.IGNORECASE,
)


def asks_for_passing(asked: str) -> bool:
    """Whether a question asks for a judgement, or for what is so only here and now.

    Pages seldom answer it, however much they say of its words.
    """
    return bool(_PASSING.search(asked))
