"""Signs that a sentence answers a question of some kind, whatever it is about."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
        return any(match.group() for match in _NUMBER.finditer(_beyond(folded, asked)))
    if kind is Kind.WHEN:
        return bool(_DATE.search(_beyond(folded, asked)))
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


def _beyond(text: str, asked: str) -> str:
    """`text` without the numbers that the question itself names."""
    for number in re.findall(r"\d[\d.,]*", asked):
        text = re.sub(rf"(?<!\d){re.escape(number.strip('.,'))}(?!\d)", " ", text)
    return text


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


# -- does a sentence speak of what the question's verb asks? --------------------------------------


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_ASKS_SAYS = tuple(
    (_pattern(rf"\b(?:{asks})\b"), _pattern(rf"\b(?:{says})\b"))
    for asks, says in (
        (
            "sing|sings|sang|sung|singer|recorded",
            "sings?|sang|sung|recorded|recording|performed|covered|vocals?|singer|version",
        ),
        (
            r"plays?|played|actor|actress|voiced?|voice of|talks? for|portray\w*|star\w*|cast",
            r"play(?:s|ed|ing)?|portray\w*|starr?\w*|cast|role|voic\w+|actor|actress",
        ),
        (
            "wrote|write|writes|written|author|writer",
            r"wrote|writes?|written|author\w*|writer|penned|composed|attributed|by",
        ),
        (
            r"made|makes?|created?|invent\w*|came up|develop\w*|design\w*|discover\w*|found"
            r"|founded|founder|start|started|begin|began|establish\w*",
            "created|invented|developed|designed|discovered|(?:co-)?founded|established|introduced"
            "|began|begun|started|opened|formed|launched|built|originated|founder|inventor|first",
        ),
        (
            r"come out|came out|come on|release\w*|premier\w*|air(?:ed)?|debut|start|begin",
            r"released?|premiered?|debut(?:ed)?|air(?:ed|ing)?|published|launch(?:ed)?|scheduled"
            "|opened|broadcast",
        ),
        (
            r"com(?:e|es) from|came from|origin\w*|derive\w*|gets? (?:its|their|his) name"
            "|named after",
            r"origin\w*|deriv\w*|etymology|named|comes from|came from|roots?|from the",
        ),
        (
            "where|located|location|find|found",
            r"located|situated|lies|found (?:in|on)|in the|near|at the|headquarter\w*|based|between"
            r"|border\w*|capital|(?:north|south|east|west)(?:ern)?",
        ),
        (
            r"made (?:out )?(?:of|from)|consist\w*|materials?|contain\w*",
            r"made (?:of|from|up|out)|consists?|composed|comprise[sd]?|contains?|includ\w+"
            r"|material\w*|constructed",
        ),
        (
            r"purpose|function|role|job|point|used for|do|does|responsib\w*|use",
            r"purpose|function\w*|role|responsible|used (?:to|for|in|as)|in order to|serves?"
            "|designed to|allows?|helps?|enables?|provides?|duties|aims?",
        ),
        (
            "means?|meaning|definition|define|what (?:is|are)",
            "is (?:an?|the)|are|means?|meaning|refers? to|defined|known as|derives?|denotes?|term",
        ),
        (
            r"die[ds]?|death|dead|kill\w*|murder\w*",
            r"die[ds]?|death|dead|kill(?:ed|s)|murder\w*|executed|assassinat\w*|buried",
        ),
        (
            "wins?|won|winner|champion",
            r"w[io]n(?:s|ner|ning)?|defeat\w*|beat|champion\w*|victory|title",
        ),
        (
            "how many|how much|number|population",
            "total|number|population|approximately|about|estimated|million|billion|thousand|percent"
            "|average",
        ),
        (
            "why|reason|cause[sd]?",
            r"because|due to|caused?|result(?:ed|s)?|reason\w*|le(?:d|ads?) to|since|therefore"
            r"|so that|in order|driven|response|contribut\w*",
        ),
        (
            "how (?:do|does|did|can|is|are|to)|process|steps?|stages?",
            "by|through|using|process|method|first|then|when|must|via|involves?|divided",
        ),
        (
            "types?|kinds?|examples?|list|parts?|stages?|characteristics|features",
            r"includ\w+|such as|types?|divided|categor\w*|consist\w*|two|three|four|five|six"
            "|several|classified|e\\.g",
        ),
        (r"buil[dt]|construct\w*|erect\w*", r"buil[dt]|construct\w*|erect\w*|completed|opened"),
        ("owns?|owned|owner", r"own\w*|subsidiary|acquired|purchased|sold|parent"),
        (
            r"live[sd]?|living|habitat|grow\w*",
            r"live[sd]?|native|habitat|inhabit\w*|found|reside\w*|grows?|range|distribut\w*",
        ),
        (
            r"happen\w*|occur\w*|takes? place|took place",
            r"occur\w*|took place|takes place|happen\w*|held|result\w*|began|during",
        ),
        (
            "lead|leader|head|president|king|ruler|ruled?",
            r"led|leader|head\w*|president|king|ruled?|ruler|appointed|elected|monarch|chief"
            r"|commander|reign\w*",
        ),
        (
            "difference|differ|compare|versus|vs",
            r"differ\w*|unlike|whereas|while|contrast|distinct|compared|than|however"
            r"|distinguish\w*",
        ),
    )
)
"""What English questions ask with, and what the sentences that answer them say instead: relations
of everyday life. A question in other words, or another language, is simply not helped by it."""

_NEUTRAL = 0.5


def says_relation(asked: str, text: str) -> float:
    """Share of the relations that `asked` asks for of which `text` speaks; 0.5 when it asks none.

    >>> says_relation("who sang it", "It was recorded by the band in 1963.")
    1.0
    """
    wanted = [says for asks, says in _ASKS_SAYS if asks.search(asked)]
    if not wanted:
        return _NEUTRAL
    return sum(bool(says.search(text)) for says in wanted) / len(wanted)


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
