"""Sentences as statements: tokens in one order, so that two of the same frame lie side by side.

The order is subject, predicate, value, time: "In 1931 the bridge was opened" and "The bridge was
opened in 1931" are one, as are "Anna Kern designed the bridge" and "The bridge was designed by Anna
Kern", "Lee Wong is the head of Hexon" and "Hexon's head is Lee Wong". Articles and adverbs that
change nothing are left out, function words stand for their kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from citewiki.text.folding import fold
from citewiki.text.quantities import Measure, Time, quantities
from citewiki.text.relations import (
    ANAPHORA,
    DROPPED,
    IRREGULAR,
    MADE_BY,
    MARKS,
    NO_STATEMENT,
    PAST,
    PHRASE_STEMS,
)
from citewiki.text.subjects import clauses, with_subject
from citewiki.text.tokens import is_stop, is_unspaced, stem
from citewiki.text.words import COMMON_WORDS

MOST_TOKENS = 40  # a longer sentence is a list or a tale, not a statement of one value
MOST_NAMES = 4  # words of the name before a verb

_HAN = "\u3400-\u9fff\uf900-\ufaff"
_BY_LENGTH = sorted(PHRASE_STEMS.keys() | MARKS.keys(), key=len, reverse=True)
_HAN_WORDS = "|".join(word for word in _BY_LENGTH if is_unspaced(word))
_SPACED_PHRASES = "|".join(word for word in _BY_LENGTH if " " in word)
_PIECE = re.compile(
    rf"(?P<phrase>\b(?:{_SPACED_PHRASES})\b)|(?P<han>{_HAN_WORDS})"
    rf"|(?P<chunk>(?:(?!{_HAN_WORDS})[{_HAN}])+)"
    rf"|(?P<word>[^\W\d{_HAN}](?:[^\W{_HAN}]|['’.+#/-](?=[^\W{_HAN}]))*(?:\+\+|\#)?)",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]|,\s+(?:which|who|where)\s[^,]{1,120},")
_NEXT_CLAUSE = re.compile(
    r"[;；]|,\s+(?:and|but|which|where|who|while|whereas|so|nhưng|còn|và)\s|，(?=但|而|并|也|其)"
    r"|\s+and\s+(?=\w+(?:ed|en)\s+(?:by|in|at|on|to|from)\b)"
)
_LEAD = re.compile(
    r"^(?:according to|per|theo) [^,]{1,60},\s*"
    r"|^(?:\w+ed|born|built|known) (?:in|by|at|on|as|for|from|to) [^,]{1,60},\s*",
    re.IGNORECASE,
)  # "according to the manual, ", "founded in 1998, "
_DEFINITE = frozenset(("the", "its", "their", "his", "her", "our"))
_ARTICLES = frozenset(("the", "a", "an"))
_DO = frozenset(("do", "does", "did"))


@dataclass(frozen=True, slots=True)
class Token:
    """One word, name, function word or quantity of a statement."""

    text: str  # as written
    key: str  # by which it equals another
    is_mark: bool = False  # a function word; `key` is its kind
    is_name: bool = False
    quantity: Measure | Time | None = None
    definite: bool = False  # "the" or the like stands before it
    a_thing: bool = False  # an article does
    past: bool = False
    first: bool = False  # begins the sentence, so that its capital tells little


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence states."""

    tokens: tuple[Token, ...]  # without negation
    negated: bool
    anaphoric: bool  # a word in it points at what stands elsewhere on its page
    keys: tuple[str, ...]

    def shares(self, other: Statement) -> bool:
        """Whether half of the shorter one's keys are in the other: a quick look before aligning."""
        shared = len(set(self.keys) & set(other.keys))
        return 2 * shared >= min(len(self.keys), len(other.keys))


@lru_cache(maxsize=4096)
def read(sentence: str, title: str) -> Statement | None:
    """The statement of a sentence on a page of that title; None where it states nothing."""
    if NO_STATEMENT.search(sentence):
        return None
    return _stated(_LEAD.sub("", head(_ASIDE.sub("", sentence))), title)


@lru_cache(maxsize=4096)
def read_clauses(sentence: str, title: str, kinds: frozenset[str]) -> tuple[Statement, ...]:
    """What a sentence states as a whole, and in each clause where several share a subject.

    `kinds` are words by which the page calls what its title names (`subjects.kinds`).
    """
    if NO_STATEMENT.search(sentence):
        return ()
    plain = with_subject(_LEAD.sub("", _ASIDE.sub("", sentence)), title, kinds)
    several = clauses(plain)
    texts = dict.fromkeys((plain, *(several if len(several) > 1 else ())))
    found = (_stated(head(text), title) for text in texts)
    return tuple(each for each in found if each)


def _stated(text: str, title: str) -> Statement | None:
    text = with_subject(text, title)
    every = list(_tokens(text))
    tokens = tuple(_role_first(_active_as_passive(_times_last(_undenied(every)))))
    if not 2 <= len(tokens) <= MOST_TOKENS:
        return None
    denials = sum(token.key == "not" for token in every)
    keys = tuple(token.key for token in tokens)
    return Statement(tokens, denials % 2 == 1, bool(ANAPHORA.search(text)), keys)


def _undenied(tokens: Sequence[Token]) -> list[Token]:
    """Without "not" and the "does" of "does not", which says no more than the verb after it."""
    denials = {at for at, token in enumerate(tokens) if token.key == "not"}
    doing = {near for at in denials for near in (at - 1, at + 1) if _is_do(tokens, near)}
    return [token for at, token in enumerate(tokens) if at not in denials | doing]


def _is_do(tokens: Sequence[Token], at: int) -> bool:
    return 0 <= at < len(tokens) and fold(tokens[at].text).removesuffix("n't") in _DO


def head(sentence: str) -> str:
    """What stands before the next clause, and after who says it or when: "Ann: k is 20"."""
    clause = _NEXT_CLAUSE.split(sentence)[0]
    said = clause.rpartition(": ")[2]
    return said if said.count(" ") >= 2 or not said.isascii() else clause


def _tokens(text: str) -> Iterator[Token]:
    at = 0
    definite = article = False
    first = True
    for placed in [*quantities(text), None]:
        end = placed.start if placed else len(text)
        for match in _PIECE.finditer(text[:end], at):
            word = fold(match[0]).replace("’", "'")
            if (word in DROPPED and (first or word == match[0])) or PHRASE_STEMS.get(word) == "":
                definite = definite or word in _DEFINITE
                article = article or word in _ARTICLES
                first = first and word not in _DEFINITE
                continue
            for token in _word(match, word, text, first=first):
                yield (
                    replace(token, definite=definite, a_thing=article)
                    if article or definite
                    else token
                )
            first = definite = article = False
        if placed:
            quantity = placed.quantity
            if isinstance(quantity, Time):
                key = f"@{quantity.parts}"
            else:
                key = f"#{quantity.size:g}{quantity.dimension}"
            yield Token(quantity.text, key, quantity=quantity)
            at, definite, article, first = placed.end, False, False, False


def _word(match: re.Match[str], word: str, text: str, *, first: bool) -> Iterator[Token]:
    written = match[0]
    if word.endswith("n't"):
        yield Token(written, "not", is_mark=True)
        word = word[:-3]
    if word.endswith("'s") and len(word) > 3:
        yield from _word(match, word[:-2], text, first=first)
        yield Token("'s", "of", is_mark=True)
        return
    if word in MARKS:
        yield Token(written, MARKS[word], is_mark=True, past=word in PAST)
        return
    if word in PHRASE_STEMS:
        key = PHRASE_STEMS[word]
        yield Token(written, key, is_mark=key in MARKS.values())
        return
    if match["chunk"]:
        yield Token(written, word, is_name=len(word) <= MOST_NAMES)
        return
    capital = written[0].isupper() or any(map(str.isupper, written))
    if first and capital and written[1:].islower():
        following = text[match.end() : match.end() + 2].strip()
        named = following[:1].isupper()
        capital = named or not (word.endswith("s") or word in COMMON_WORDS or is_stop(word))
    yield Token(written, IRREGULAR.get(word, stem(word)), is_name=capital, first=first)


def _times_last(tokens: list[Token]) -> list[Token]:
    """Every time, with the "in" before it, at the end; what stands after it moves up."""
    rest: list[Token] = []
    times: list[Token] = []
    for token in tokens:
        if isinstance(token.quantity, Time):
            lead = rest.pop() if rest and rest[-1].key in ("in", "since", "from") else None
            times += [lead, token] if lead else [token]
        else:
            rest.append(token)
    return rest + times


def _active_as_passive(tokens: list[Token]) -> list[Token]:
    """ "Anna Kern designed X" as "X be designed by Anna Kern"; the times stay last."""
    verb = next((at for at, each in enumerate(tokens[: MOST_NAMES + 1]) if _made(each)), 0)
    names = tokens[:verb]
    after = tokens[verb + 1 :]
    if not names or not after or not all(each.is_name for each in names):
        return _without_passive(tokens)
    if after[0].is_mark or after[0].quantity:
        return tokens
    ends = next(
        (at for at, each in enumerate(after) if isinstance(each.quantity, Time)), len(after)
    )
    if 0 < ends < len(after) and after[ends - 1].is_mark:
        ends -= 1
    by = Token("by", "by", is_mark=True)
    return [*after[:ends], tokens[verb], by, *names, *after[ends:]]


def _role_first(tokens: list[Token]) -> list[Token]:
    """ "Lee Wong is the head of X" and "X's head is Lee Wong" as "head of X be Lee Wong"."""
    marks = [at for at, token in enumerate(tokens) if token.is_mark]
    if not marks:
        return tokens
    first, second = marks[0], marks[1] if len(marks) > 1 else len(tokens)
    if tokens[first].text == "'s":
        return [*tokens[first + 1 : second], tokens[first], *tokens[:first], *tokens[second:]]
    named = first > 0 and all(token.is_name for token in tokens[:first])
    is_role = second < len(tokens) - 1 and tokens[second].key in ("of", "for")
    if named and is_role and tokens[first].key == "be" and tokens[first + 1].definite:
        return [*tokens[first + 1 :], tokens[first], *tokens[:first]]
    return tokens


def _without_passive(tokens: Sequence[Token]) -> list[Token]:
    """Without the "be" of a passive, and with the agent after the verb: "由李明设计"."""
    kept: list[Token] = []
    for at, token in enumerate(tokens):
        if token.key == "be" and at + 1 < len(tokens) and _made(tokens[at + 1]):
            continue
        kept.append(token)
    by = next((at for at, each in enumerate(kept) if each.key == "by"), None)
    if by is None:
        return kept
    verb = next((at for at in range(by + 2, len(kept)) if _made(kept[at])), None)
    if verb is None or any(map(_made, kept[:by])):
        return kept
    return [*kept[:by], kept[verb], *kept[by:verb], *kept[verb + 1 :]]


def _made(token: Token) -> bool:
    """Whether it is a verb of making; with an article it is a noun ("the head", "a design")."""
    return token.key in MADE_BY and not (token.definite or token.a_thing)
