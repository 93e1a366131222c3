"""Two statements side by side: whether they give one subject two values that exclude each other.

They do when all words are the same but one slot, the slot stands where a subject has one value at a
time, and its two fillings cannot both be so. What is merely another example, another member,
another time or scope, or a value in another unit, does not exclude.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import chain, pairwise
from typing import Literal

from citewiki.text.folding import fold
from citewiki.text.opposites import OPPOSITES
from citewiki.text.quantities import Measure, Time
from citewiki.text.relations import (
    BY_MANY,
    LABELS,
    MADE_BY,
    MANY,
    MEASURES,
    NO_VALUE,
    ONCE,
    ONE_PLACE,
    OTHER_TIME,
    USES,
)
from citewiki.text.statements import Statement, Token
from citewiki.text.tokens import is_unspaced

ENOUGH_WORDS = 3  # shared words from which a subject is described
ENOUGH_HAN = 4  # … letters, in a script without spaces
LONGEST_VALUE = 5  # words

Subject = Literal["named", "described", "pointed at"]
"""How words tell of what they speak: by a name or a kind ("archived pages"); as one of a kind ("the
billing service"), which another page may mean otherwise; or not at all ("it", "the tower")."""


@dataclass(frozen=True, slots=True)
class Difference:
    """In what two statements differ."""

    one: str  # as written; both "" when one of them says "not"
    other: str
    subject: Subject  # in the words that they share


@dataclass(frozen=True, slots=True)
class _Slot:
    """The tokens of one statement that the other one has not, and where they stand."""

    statement: Statement
    start: int
    end: int

    @property
    def tokens(self) -> tuple[Token, ...]:
        return self.statement.tokens[self.start : self.end]

    @property
    def before(self) -> tuple[Token, ...]:
        return self.statement.tokens[: self.start]

    @property
    def after(self) -> tuple[Token, ...]:
        return self.statement.tokens[self.end :]

    @property
    def text(self) -> str:
        glue = "" if all(is_unspaced(token.text) for token in self.tokens) else " "
        return glue.join(token.text for token in self.tokens)


def difference(
    one: Statement, other: Statement, names: Mapping[str, str] | None = None
) -> Difference | None:
    """The difference, if the two exclude each other; `names` gives what names a thing its page."""
    if one.keys == other.keys and one.negated == other.negated:
        return None
    equal, slots, extras = _aligned(one, other)
    if len(slots) > 1 or not _harmless(extras, equal):
        return None
    anaphoric = one.anaphoric or other.anaphoric
    subject = _subject(equal, anaphoric)
    if not slots:
        if extras or len(equal) < ENOUGH_WORDS:
            return None
        content = sum(not token.is_mark for token in equal)
        told = subject == "pointed at" and content > ENOUGH_WORDS  # all of it is the same
        return Difference("", "", "described" if told and not anaphoric else subject)
    (first, second) = slots[0]
    kinds = {_kind(first.tokens), _kind(second.tokens)}
    if one.negated != other.negated or len(kinds) > 1:
        return None
    if not _EXCLUDES[kinds.pop()](first, second, names or {}):
        return None
    return Difference(first.text, second.text, subject)


def replaced(one: Statement, other: Statement) -> str:
    """The word of `one` for which `other`, of otherwise the same words, has another; "" if none."""
    _, slots, extras = _aligned(one, other)
    if len(slots) != 1 or extras or one.negated != other.negated:
        return ""
    (first, second) = slots[0]
    if len(first.tokens) > 1 or len(second.tokens) > 1 or first.tokens[0].is_mark:
        return ""
    return first.text


def _aligned(
    one: Statement, other: Statement
) -> tuple[list[Token], list[tuple[_Slot, _Slot]], list[tuple[Token, ...]]]:
    """What both have, what stands for what, and what only one of them has."""
    head = _common(one.keys, other.keys)
    tail = _common(one.keys[head:][::-1], other.keys[head:][::-1])
    end, end2 = len(one.keys) - tail, len(other.keys) - tail
    equal = list(one.tokens[:head])
    slots: list[tuple[_Slot, _Slot]] = []
    extras: list[tuple[Token, ...]] = []
    middle = SequenceMatcher(None, one.keys[head:end], other.keys[head:end2], autojunk=False)
    for code, *places in middle.get_opcodes():
        start, stop, start2, stop2 = (place + head for place in places)
        if code == "equal":
            equal += one.tokens[start:stop]
        elif code == "replace":
            slots.append((_Slot(one, start, stop), _Slot(other, start2, stop2)))
        else:
            extras.append(one.tokens[start:stop] or other.tokens[start2:stop2])
    return equal + list(one.tokens[end:]), slots, extras


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many of their first keys are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _harmless(extras: Sequence[tuple[Token, ...]], equal: Sequence[Token]) -> bool:
    """Whether what only one statement says narrows it to no other time, part or condition.

    What happened once may be told with more or fewer circumstances; what is so may not.
    """
    happened = any(token.key in ONCE or token.key in ONE_PLACE for token in equal)
    for extra in extras:
        if any(fold(token.text) in OTHER_TIME or token.key in ("may", "than") for token in extra):
            return False
        if all(token.is_mark and token.key in ("be", "of", "in") for token in extra):
            continue
        if not (happened and extra[0].is_mark and extra[0].key in ("in", "by", "for", "and")):
            return False
    return True


def _subject(equal: Sequence[Token], anaphoric: bool) -> Subject:
    """How the words before the verb, or all of them where it comes first, tell the subject."""
    if anaphoric:
        return "pointed at"
    copulas = (at for at, token in enumerate(equal) if at and token.key in ("be", "have"))
    verbs = (at for at in range(1, len(equal)) if _is_verb(equal[at - 1], equal[at]))
    subject = equal[: next(chain(copulas, verbs), len(equal))]
    names = [token for token in subject if token.is_name and not is_unspaced(token.text)]
    if any(not token.first for token in names):
        return "named"
    if any(
        mark.key in ("of", "for") and mark.text != "'s" and not token.definite
        for mark, token in pairwise(subject)
    ):
        return "named"
    if names or _is_plural(subject):
        return "described"
    if len(subject) == 1 and subject[0].definite:
        return "pointed at"
    content = [token for token in equal if not token.is_mark]
    han = sum(len(token.text) for token in content if is_unspaced(token.text))
    if han >= ENOUGH_HAN or len(content) >= ENOUGH_WORDS:
        return "described"
    return "pointed at"


def _is_plural(subject: Sequence[Token]) -> bool:
    """Whether a subject is all of a kind ("sessions"): no article, and an -s."""
    nouns = [token for token in subject if not token.is_mark]
    return bool(nouns) and not nouns[0].definite and nouns[-1].text.endswith("s")


def _is_verb(before: Token, token: Token) -> bool:
    if token.is_mark:
        return token.key == "by"
    if any(token.key in verbs for verbs in (ONCE, ONE_PLACE, USES, MEASURES)):
        return True
    ends_like_verb = token.text.islower() and token.text.endswith(("s", "ed"))
    return ends_like_verb and not (before.is_mark or token.definite)


def _kind(tokens: Sequence[Token]) -> str:
    """Of what the tokens are: "number", "time", "words"; or "mixed"."""
    kinds = set()
    for token in tokens:
        if isinstance(token.quantity, Time):
            kinds.add("time")
        elif isinstance(token.quantity, Measure):
            kinds.add("number")
        elif not token.is_mark or len(tokens) == 1:
            kinds.add("words")
    return kinds.pop() if len(kinds) == 1 else "mixed"


def _numbers(one: _Slot, other: _Slot, names: Mapping[str, str]) -> bool:
    """Numbers of one dimension after a verb, that tell no things apart and differ."""
    first = [token.quantity for token in one.tokens if isinstance(token.quantity, Measure)]
    second = [token.quantity for token in other.tokens if isinstance(token.quantity, Measure)]
    if max(len(first), len(second)) > 2 or not one.before:
        return False
    if one.before[-1].key in LABELS or not any(map(_gives, one.before, range(len(one.before)))):
        return False
    if any(token.key == "may" for token in one.before) or _tenses_differ(one, other):
        return False
    return all(each.excludes(value) for each in first for value in second)


def _gives(token: Token, place: int) -> bool:
    """Whether a token is a verb that may give a number to what stands before it."""
    if token.key in ("be", "have") or token.key in MEASURES or token.key in ONCE:
        return True
    if is_unspaced(token.text):
        return True
    return place > 0 and token.text.islower() and token.text.endswith(("s", "ed"))


def _times(one: _Slot, other: _Slot, names: Mapping[str, str]) -> bool:
    """Times of what happens once or is due at a time, of which the shared parts differ."""
    first = [token.quantity for token in one.tokens if isinstance(token.quantity, Time)]
    second = [token.quantity for token in other.tokens if isinstance(token.quantity, Time)]
    before = [token for token in one.before if token.key not in ("in", "năm")]
    if not before or len(first) != len(second):
        return False
    if any(token.a_thing and not token.definite for token in before):
        return False  # "a paper": there may be another one
    dated = before[-1].key in ("be", "since") or any(token.key in ONCE for token in before)
    routine = any(time.weekday or time.clock for time in first)
    if not (dated or routine):
        return False
    return any(each.excludes(value) for each, value in zip(first, second, strict=True))


def _words(one: _Slot, other: _Slot, names: Mapping[str, str]) -> bool:
    """Values of words in a place where a subject has one: both opposite, or in one relation."""
    if max(len(one.tokens), len(other.tokens)) > LONGEST_VALUE or _tenses_differ(one, other):
        return False
    if _same_thing(one, other, names):
        return False
    if fold(other.text) in OPPOSITES.get(fold(one.text), ()):
        return any(token.key == "be" for token in one.before)
    return _one_at_a_time(one) and _one_at_a_time(other)


def _one_at_a_time(slot: _Slot) -> bool:
    """Whether a subject has one such value at a time, by the words around the slot."""
    if any(token.key in ("and", "may", "than") for token in (*slot.tokens, *slot.before[-3:])):
        return False
    if slot.tokens[0].is_mark or slot.tokens[-1].is_mark:
        return False
    before = slot.before
    if not before:
        return False
    while len(before) > 2 and before[-1].key == "of" and before[-2].definite:
        before = before[:-2]  # "in the province of"
    lead = before[-1]
    verb = next((token for token in reversed(before[:-1]) if not token.is_mark), None)
    if lead.key == "be":
        return _is_relation(before[:-1]) and _is_value(slot)
    if lead.key == "by":
        return verb is not None and verb.key not in BY_MANY and slot.tokens[0].is_name
    if lead.key in ("in", "of", "from", "after"):
        if verb is not None and verb.key in ONE_PLACE:
            return True
        copula = len(before) > 1 and before[-2].key == "be"
        return copula and not slot.after and _is_relation(before[:-2])
    if lead.key in ONE_PLACE and lead.key not in MADE_BY:
        return is_unspaced(lead.text)
    if lead.key in USES:
        ends = not slot.after or slot.after[0].key in ("as", "for") or slot.after[0].key in MADE_BY
        return ends and all(token.is_name for token in slot.tokens)
    return False


def _is_relation(subject: Sequence[Token]) -> bool:
    """Whether a subject is the N of X (for X, X's N): of which there is one."""
    nouns = [token for token in subject if not token.is_mark]
    related = any(token.key in ("of", "for", "in") for token in subject)
    return related and len(nouns) > 1 and not any(token.key in MANY for token in nouns)


def _is_value(slot: _Slot) -> bool:
    """Whether the slot names something, and does not only describe."""
    if slot.after and not slot.after[0].is_mark:
        return False
    if all(token.is_name for token in slot.tokens) or slot.tokens[0].a_thing:
        return True
    return len(slot.tokens) == 1 and not NO_VALUE.search(fold(slot.text))


def _tenses_differ(one: _Slot, other: _Slot) -> bool:
    """Whether one was so and the other is so."""
    if any(token.key in ONCE or token.key in ONE_PLACE for token in one.before):
        return False
    told = [
        [token.past or token.text.endswith("ed") for token in slot.before] for slot in (one, other)
    ]
    return told[0] != told[1]


def _same_thing(one: _Slot, other: _Slot, names: Mapping[str, str]) -> bool:
    """Whether two values may name one thing: a part, an initial, a longer form, one page."""
    first, second = fold(one.text), fold(other.text)
    if names.get(first, first) == names.get(second, second):
        return True
    words = [token.key.rstrip(".") for token in one.tokens]
    others = [token.key.rstrip(".") for token in other.tokens]
    if set(words) <= set(others) or set(others) <= set(words):
        return True
    return len(words) == len(others) and all(map(_abbreviates, words, others))


def _abbreviates(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and (len(short) == 1 or len(short) >= 4 or short == long)


_EXCLUDES: dict[str, Callable[[_Slot, _Slot, Mapping[str, str]], bool]] = {
    "number": _numbers,
    "time": _times,
    "words": _words,
    "mixed": lambda one, other, names: False,
}
