"""Whether passages say a claim: measures, two fitted probabilities, and the named checks.

`covered` is the probability that the passages say the claim at all, `turned_alike` that they do
not say its opposite. A claim is supported when both are enough and no check finds a number that no
passage has, or a plain contradiction in a sentence that says nearly all of the claim.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from citewiki.judge import checks
from citewiki.judge.doubts import Doubt, doubts, points_elsewhere
from citewiki.judge.measures import (
    Aligned,
    Contrast,
    Coverage,
    align,
    contrast,
    coverage,
    said_turns,
)
from citewiki.judge.reading import Passage, Sentence, read_passage, read_sentence
from citewiki.judge.weights import ALIKE, COVERED, ENOUGH_ALIKE, ENOUGH_COVERED
from citewiki.model import Check
from citewiki.text.folding import quote_key
from citewiki.text.sentences import sentence_spans

_OPPOSING = 0.8  # share of a claim from which a sentence that says "not" or "less" contradicts it
_REPLACING = (
    0.6  # … from which one with another name or word in its place does: its share is lacking
)
_LITERAL = 0.85  # share of letters from which a claim that turns nothing else is taken as a quote
_BELOW = 0.49  # the highest score of a claim that does not stand
_STATED = 0.8  # share of a claim that one sentence must say in strict mode

_MARK = re.compile(r"\s*\[\^?\d+(?:\s*[-–,]\s*\d+)*\]")
_GIVEN = r"(?:contexts?|passages?|pages?|sources?|documents?|texts?|information)"
_FRAME = re.compile(
    r"^\W*(?:\d{1,2}[.)]\s+)?(?:(?:yes|no)\s*,\s*)?"
    rf"|\({_GIVEN} \d+(?:(?:, | and |, and )\d+)*\)"
    rf"|(?:based on|according to|as per) the (?:given |provided )?{_GIVEN}(?: provided)?\s*,?\s*",
    re.IGNORECASE,
)
"""What a writer says of the claim and not in it: its number, "yes", and from which of the texts at
hand it is, by whatever name they go."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge finds of one claim."""

    supported: bool
    score: float  # 0..1: the lesser of the two probabilities; 0.5 and more exactly if supported
    covered: bool  # the passages speak of it: they say it, or its opposite
    said: float  # 0..1: share of its words that one sentence has
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """A claim beside passages, measured."""

    claim: Sentence
    passages: tuple[Passage, ...]
    coverage: Coverage  # of the passage that says most
    contrast: Contrast  # … the same
    beside: Aligned | None  # the sentence that says most of the claim
    others: tuple[Aligned, ...]  # the further ones of that passage that share words with it
    mean_coverage: float  # over all passages: a claim should be in each that it cites


def check_claim(
    claim: str,
    passages: Sequence[str],
    *,
    strict: bool = False,
    granted: frozenset[Doubt] = frozenset(),
) -> Judgement:
    """Whether `passages`, each some sentences of plain text, say `claim`.

    `strict` wants it stated: by one sentence, in its words, with its numbers and quantities,
    without a doubt (other than those `granted`, which the question asks for) and without a word
    that points at another sentence.
    """
    read = [read_passage(text) for text in passages]
    return judge_passages(claim, read, strict=strict, granted=granted)


def judge_passages(
    claim: str,
    passages: Sequence[Passage],
    *,
    strict: bool = False,
    granted: frozenset[Doubt] = frozenset(),
) -> Judgement:
    """`check_claim` over passages that are read already.

    A claim that is a sentence of a passage, or several on end, word for word, is said there. Of any
    other claim every sentence must stand.
    """
    stated = _stated(claim, granted) if strict else ()
    stands = all(check.passed for check in stated)
    if _is_quoted(claim, passages):
        quoted = Check("quoted", True)
        return Judgement(stands, 1.0 if stands else _BELOW, True, 1.0, (quoted, *stated))
    parts = [_judged(gather(part, passages), strict=strict) for part in read_claim(claim)]
    if not stands:
        parts.append(Judgement(False, _BELOW, True, 1.0, stated))
    return Judgement(
        all(part.supported for part in parts),
        min(part.score for part in parts),
        all(part.covered for part in parts),
        min(part.said for part in parts),
        _merged(part.checks for part in parts),
    )


def _stated(claim: str, granted: frozenset[Doubt]) -> tuple[Check, Check]:
    """Whether the words of a claim state anything, whoever says them."""
    doubted = tuple(word for kind, word in doubts(claim).items() if kind not in granted)
    pointer = points_elsewhere(claim)
    return (
        Check("hedges", not doubted, doubted),
        Check("pointers", not pointer, (pointer,) if pointer else ()),
    )


def _judged(found: Beside, *, strict: bool) -> Judgement:
    covered = probability(COVERED, coverage_features(found))
    alike = probability(ALIKE, contrast_features(found))
    is_covered = covered >= ENOUGH_COVERED
    supported, named = decide(found, is_covered, alike >= ENOUGH_ALIKE, strict=strict)
    score = min(_scaled(covered, ENOUGH_COVERED), _scaled(alike, ENOUGH_ALIKE))
    if not supported:
        score = min(score, _BELOW)
    return Judgement(supported, score, is_covered or supported, found.coverage.sentence, named)


def _merged(every: Iterable[tuple[Check, ...]]) -> tuple[Check, ...]:
    """One check of each name, which fails where any of its name does, on the words of them all."""
    named: dict[str, Check] = {}
    for check in chain.from_iterable(every):
        known = named.get(check.name, Check(check.name, True))
        words = tuple(dict.fromkeys(known.words + check.words))
        named[check.name] = Check(check.name, known.passed and check.passed, words)
    return tuple(named.values())


def decide(
    found: Beside, is_covered: bool, is_alike: bool, *, strict: bool = False
) -> tuple[bool, tuple[Check, ...]]:
    """Whether the claim stands, given what the two probabilities say, and every check."""
    claim, passages, beside = found.claim, found.passages, found.beside
    named = (
        checks.is_statement(claim),
        Check("coverage", is_covered, tuple(word.text for word in found.coverage.unsaid)),
        *checks.numbers(claim, passages, strict=strict),
        checks.names(claim, passages),
        checks.other_names(claim, beside, passages),
        checks.other_numbers(claim, beside, found.others),
        checks.otherwise(claim, passages),
        checks.negation(claim, beside, found.contrast),
        checks.direction(claim, beside),
        checks.opposites(claim, beside),
        checks.quantities(claim, beside, strict=strict),
        Check("contrast", is_alike or _is_literal(found), found.contrast.words),
        *((checks.hedges(claim, beside), checks.other_words(claim, passages)) if strict else ()),
    )
    share = beside.share if beside else 0.0
    decisive = set(_DECISIVE)
    decisive |= _IF_REPLACING if share >= _REPLACING else set()
    decisive |= _IF_OPPOSING if share >= _OPPOSING else set()
    decisive |= _IF_STRICT if strict else set()
    stated = not strict or found.coverage.sentence >= _STATED
    failed = {check.name for check in named if not check.passed}
    return stated and not failed & decisive, named


_DECISIVE = frozenset(("statement", "coverage", "numbers", "dates", "contrast", "otherwise"))
_IF_REPLACING = frozenset(("other_names", "opposites"))
_IF_OPPOSING = frozenset(("other_numbers", "negation", "direction", "quantities"))
_IF_STRICT = frozenset(("names", "negation", "opposites", "quantities", "hedges", "other_words"))


def read_claim(text: str) -> list[Sentence]:
    """The sentences of a claim, without marks such as [1] and phrases about the pages; never none.

    A scrap of one word ("Yes.") is no sentence of its own.
    """
    plain = _FRAME.sub("", _MARK.sub("", text)).strip(" ,.;:")
    spans = sentence_spans(plain)
    parts = [read_sentence(plain[a:b]) for a, b in spans]
    if len(parts) < 2:
        return [read_sentence(plain)]
    return [part for part in parts if len(part.content) > 1] or [read_sentence(plain)]


def gather(claim: Sentence, passages: Sequence[Passage]) -> Beside:
    """The measures of a claim beside passages; of several the one that says most of it decides."""
    if not passages:
        return Beside(claim, (), Coverage(unsaid=tuple(claim.content)), Contrast(), None, (), 0.0)
    measured = [coverage(claim, each) for each in passages]
    best = max(range(len(measured)), key=lambda at: measured[at].letters + measured[at].window)
    beside = align(claim, passages[best])
    return Beside(
        claim,
        tuple(passages),
        measured[best],
        contrast(claim, passages[best]),
        beside[0] if beside else None,
        tuple(beside[1:]),
        sum(each.passage for each in measured) / len(measured),
    )


def coverage_features(found: Beside) -> dict[str, float]:
    """What `COVERED` weighs."""
    claim, said = found.claim, found.coverage
    lacking = [checks.unsaid_numbers(claim, each) for each in found.passages]
    return {
        "letters": said.letters,
        "letters²": said.letters**2,
        "longest_gap": said.longest_gap,
        "mean_coverage": found.mean_coverage,
        "name_missing": float(not checks.names(claim, found.passages).passed),
        "number_missing": float(bool(set(claim.values).intersection(*lacking))),
        "number_everywhere": float(not any(lacking)),
        "length": math.log(1 + len(claim.content)),
    }


def contrast_features(found: Beside) -> dict[str, float]:
    """What `ALIKE` weighs."""
    turns = [word for word in found.claim.words if word.turn]
    lowered = sum(word.turn != "up" for word in turns) % 2
    return {
        "same": found.contrast.same,
        "only_claim": found.contrast.only_claim,
        "only_passage": found.contrast.only_passage,
        "negation": found.contrast.negation * (1 - found.contrast.denied_alike),
        "object": found.contrast.object,
        "turns": float(bool(turns)),
        "lowers": float(lowered),
        "window": found.coverage.window,
    }


def probability(weights: Mapping[str, float], features: Mapping[str, float]) -> float:
    """Logistic regression; the weight "bias" stands for itself."""
    total = weights["bias"] + sum(weights[name] * value for name, value in features.items())
    return 1 / (1 + math.exp(-total))


def _scaled(value: float, enough: float) -> float:
    """0..1 with `enough` at 0.5."""
    return 0.5 * value / enough if value < enough else 0.5 + 0.5 * (value - enough) / (1 - enough)


def _is_quoted(claim: str, passages: Sequence[Passage]) -> bool:
    wanted = _key(claim)
    for each in passages:
        said = [_key(sentence.text) for sentence in each.sentences]
        for first, start in enumerate(said):
            joined = start
            for more in said[first + 1 :]:
                if not joined or len(joined) >= len(wanted) or not wanted.startswith(joined):
                    break
                joined = f"{joined} {more}"
            if wanted and joined == wanted:
                return True
    return False


def _key(text: str) -> str:
    return re.sub(r"[^\w]+", " ", quote_key(text).casefold()).strip()


def _is_literal(found: Beside) -> bool:
    """Whether the passage has the claim's letters nearly all, and every word that turns it."""
    return found.coverage.letters >= _LITERAL and said_turns(found.claim, found.beside)
