"""The sentences that could answer a question, each with what speaks for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Page
from citewiki.query.pack import PackedPage
from citewiki.query.question import Kind, Question
from citewiki.query.terms import Weighed
from citewiki.text.folding import fold, name_key
from citewiki.text.tokens import is_stop, is_unspaced, tokens


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence of a page, measured against a question. Shares are 0..1, weighed by idf."""

    page: Page
    sentence: Sentence
    rank: int  # of its page among the hits, from 0
    covers: frozenset[str]  # surface words of the question that it holds
    own: float  # share of the question that the sentence holds
    context: float  # … that it holds together with its title and headings
    pairs: float  # share of the question's neighbouring words that stand side by side in it
    typed: bool  # holds what the kind of question asks for: a number, a date, a cause, …
    score: float  # all of it together; comparable within one question


_UNSPACED_PAIR = 0.5
"""What a pair of characters that no page has counts: every other pair crosses a border of words.
One with a function character ("的", "是") always does, and counts nothing."""
_CONTEXT = 0.75  # a word that only the title or heading holds
_WEIGHTS = {"context": 1.0, "pairs": 0.15, "typed": 0.2, "rank": 1.0, "first": 0.1, "short": -0.3}
"""Weights of what speaks for a sentence; fitted by hand on one half of CLAPNQ's development
questions, measured on the other (bench/README.md)."""


def evidence(question: Question, weighed: Weighed, packed: Sequence[PackedPage]) -> list[Evidence]:
    """Every sentence of the packed passages, the best first."""
    weights, words_of, whole = _weights(weighed)
    if not whole:
        return []
    found: list[Evidence] = []
    for rank, item in enumerate(packed):
        titled = _words(item.page.title, words_of)
        for aliased in item.page.aliases:
            titled |= _words(aliased, words_of)
        for passage in item.passages:
            above = titled | _words(" ".join(passage.path), words_of)
            for place, sentence in enumerate(sentences(item.page.body, passage.start, passage.end)):
                held = _words(sentence.text, words_of)
                own = sum(weights[word] for word in held) / whole
                around = sum(weights[word] for word in above - held) / whole
                pairs = _side_by_side(sentence.text, weighed)
                typed = says_kind(question.kind, sentence.text, question.text, item.page.title)
                short = len(sentence.text.encode()) < 24
                found.append(
                    Evidence(
                        item.page,
                        sentence,
                        rank,
                        frozenset(held),
                        own,
                        own + _CONTEXT * around,
                        pairs,
                        typed,
                        _WEIGHTS["context"] * (own + _CONTEXT * around)
                        + _WEIGHTS["pairs"] * pairs
                        + _WEIGHTS["typed"] * typed
                        + _WEIGHTS["rank"] / (1 + rank)
                        + _WEIGHTS["first"] * (place == 0)
                        + _WEIGHTS["short"] * short,
                    )
                )
    return sorted(found, key=lambda each: -each.score)


def covered_by(text: str, weighed: Weighed) -> float:
    """Share of the question, by idf, that `text` holds; words that no page has count as rare."""
    weights, words_of, whole = _weights(weighed)
    return sum(weights[word] for word in _words(text, words_of)) / whole if whole else 0.0


def words_in(text: str, weighed: Weighed) -> set[str]:
    """The words of the question that `text` holds in any form."""
    return _words(text, _weights(weighed)[1])


def rarest_words(weighed: Weighed) -> list[str]:
    """The words of the question, the rarest first; those that no page has come before all."""
    rare = sorted(weighed.terms, key=lambda term: -term.idf)
    missing = (word for word in weighed.missing if _missing_weight(word))
    return list(dict.fromkeys((*missing, *(term.word for term in rare))))


def _weights(weighed: Weighed) -> tuple[dict[str, float], dict[str, list[str]], float]:
    """(idf of each word of the question, words by index term, idf of the whole question)."""
    weights: dict[str, float] = {}
    words_of: dict[str, list[str]] = {}
    for term in weighed.terms:
        weights[term.word] = max(weights.get(term.word, 0.0), term.idf)
        words_of.setdefault(term.text, []).append(term.word)
    rarest = max(weights.values(), default=0.0)
    missing = sum(map(_missing_weight, weighed.missing))
    return weights, words_of, sum(weights.values()) + missing * rarest


def _missing_weight(word: str) -> float:
    if not is_unspaced(word):
        return 1.0
    return 0.0 if any(map(is_stop, word)) else _UNSPACED_PAIR


def _words(text: str, words_of: dict[str, list[str]]) -> set[str]:
    """The question's words that `text` holds in any form."""
    return {word for token in tokens(text) for word in words_of.get(token, ())}


def _side_by_side(text: str, weighed: Weighed) -> float:
    if not weighed.pairs:
        return 0.0
    held = tokens(text)
    next_to = set(pairwise(held)) | set(zip(held, held[2:], strict=False))
    return sum(pair in next_to for pair in weighed.pairs) / len(weighed.pairs)


# -- does a sentence hold what the kind of question asks for? -------------------------------------

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
    r"\b(?:is|are|was|were|means?|refers? to|denotes?|consists? of|describes?|là|nghĩa là|gồm)\b|"
    r"是|指|即|称为|とは"
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
        return bool(_DEFINES.search(folded)) and name_key(title)[:12] in name_key(text)
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
