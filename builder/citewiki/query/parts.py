"""Questions that are two: "When was X founded and who leads it?"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from citewiki.model import Answer, Caution
from citewiki.query.question import LONGEST, Kind, kind_of
from citewiki.text.folding import name_key

_ASKS = (
    r"(?:who|whom|whose|when|where|why|which|what|how"
    r"|ai|khi nào|ở đâu|vì sao|tại sao|bao nhiêu)\b"
)
_NEXT = re.compile(
    rf",?\s+(?:and|và)\s+(?={_ASKS})|[，,；;]\s*(?:并且|而且|以及)?(?=[^，,；;]*(?:谁|哪|什么|多少|几|何))",
    re.I,
)
_BACK = re.compile(r"\b(?:(its|their|his|her)|(it|they|he|him|she))\b", re.I)
_BACK_HAN = re.compile(r"[它他她其](?:的|们的?)?")
_THINGS = frozenset((Kind.WHO, Kind.WHICH, Kind.LIST))
"""What these ask for may be what “it” means afterwards: “Which firm made X and who owns it?”"""
_ASKED = frozenset(Kind) - {Kind.OTHER, Kind.COMPARISON}


def parts(text: str, titles: Callable[[str], Sequence[str]]) -> list[str]:
    """The questions that `text` asks one after the other; itself where it asks one.

    What a later one says by "it" or "its" is the longest title that the first one names, of the
    pages that its words find (`titles`); where it names none the question stays whole.

    >>> parts("When was Hexon founded and who is its head?", lambda words: ["Hexon"])
    ['When was Hexon founded?', 'who is Hexon’s head?']
    """
    if len(text) > LONGEST:
        return [text]
    first, *rest = (each.strip(" ?？") for each in _NEXT.split(" ".join(text.split())))
    if not rest or any(kind_of(f"{each}?") not in _ASKED for each in (first, *rest)):
        return [text]
    named = [each for each in titles(first) if name_key(each) in name_key(first)]
    subject = max(named, key=len, default="")
    points = any(_BACK.search(each) or _BACK_HAN.search(each) for each in rest)
    if points and (not subject or kind_of(f"{first}?") in _THINGS):
        return [text]
    return [f"{each}?" for each in (first, *(_with(subject, each) for each in rest))]


def _with(subject: str, text: str) -> str:
    """`text` with its subject in place of the words that point back at it."""
    spelt = _BACK.sub(lambda match: f"{subject}’s" if match[1] else subject, text)
    return _BACK_HAN.sub(lambda match: subject + ("的" if "的" in match[0] else ""), spelt)


def joined(text: str, asked: Sequence[str], answers: Sequence[Answer]) -> Answer:
    """One answer to a question of several parts; it says which part the pages do not answer.

    Where they answer none, it is the refusal of the first part that they are about.
    """
    told = [each for each in answers if each.claims]
    if not told:
        refused = next(
            (each for each in answers if each.refusal and each.refusal.available), answers[0]
        )
        return replace(refused, question=text)
    claims = {claim.text: claim for each in told for claim in each.claims}
    missing = tuple(
        Caution("", "", "unstated", f"no answer to “{part}”: {each.refusal.message.rstrip('.')}")
        for part, each in zip(asked, answers, strict=True)
        if each.refusal
    )
    hits = {hit.slug: hit for each in answers for hit in each.retrieved}
    explained = [each.explain for each in answers if each.explain]
    return replace(
        told[0],
        question=text,
        answer=" ".join(claims),
        claims=tuple(claims.values()),
        drift=tuple(dict.fromkeys(drift for each in told for drift in each.drift)),
        warnings=(*dict.fromkeys(one for each in told for one in each.warnings), *missing),
        retrieved=tuple(hits.values()),
        elapsed_ms=sum(each.elapsed_ms for each in answers),
        explain=_together(explained) if explained else None,
    )


def _together(explained: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The tables of several explanations, one after the other."""
    return {key: [row for each in explained for row in each.get(key, ())] for key in explained[0]}
