"""Key phrases of one text, and titles that say too little to stand for a subject.

Candidates are the runs of words between stop words and punctuation (Rose et al. 2010, "Automatic
keyword extraction from individual documents") and the shorter runs inside them; Chinese runs are
of characters, Vietnamese ones of syllables. They are ranked by C-value (Frantzi, Ananiadou & Mima
2000, "Automatic recognition of multi-word terms"), which takes from a phrase the occurrences that
it only has inside a longer one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from math import log2
from typing import NamedTuple

from citewiki.text.folding import fold, nfc
from citewiki.text.language import language
from citewiki.text.words import COMMON_WORDS, GENERIC_HEADINGS, STOP_WORDS

_HAN, _HAN_OR_KANA = "\u3400-\u9fff\uf900-\ufaff", "\u3040-\u9fff\uf900-\ufaff"
_UNIT = re.compile(
    rf"(?P<han>[{_HAN}]+)|(?P<kana>[\u30a1-\u30fa\u30fc]+)"
    rf"|(?P<word>[^\W_{_HAN_OR_KANA}]+(?:[-'’.&/][^\W_{_HAN_OR_KANA}]+)*(?:\+\+|\#)?)"
    r"|(?P<blank>\n\s*\n)|(?P<stop>[.!?。！？:：])|(?P<gap>\S)"
)
# Characters that part Chinese words more surely than they belong to one …
_HAN_GAP = re.compile(
    "[的了和是在与及或而就都也还很把被从但于之其这那我你他她它们吗呢吧啊么什怎哪并且则若以为因所如将已着让會與這個們麼從於並]+"
)
# … and that no Chinese phrase worth naming begins or ends with.
_HAN_EDGE = frozenset(
    "用可能会要中上下里后前时个种些次第一二两三不没有多少每各某做请看来去说需使对到等更最又再只才给由"
)
_LONGEST_WORDS, _LONGEST_SYLLABLES, _LONGEST_HAN = 3, 6, 6
_IN_TITLE, _IN_HEADING, _NAME, _ONCE = 3.0, 1.6, 1.3, 0.4  # chosen on wikis in three languages
_MUCH_MORE = 3

_NUMBERING = re.compile(
    r"(?:part|chapter|section|appendix|step|unit|lesson|phần|chương|bài|mục|teil|kapitel|partie"
    r"|chapitre|parte|capítulo)\s+(?:\d+(?:\.\d+)*|[ivxlc]+|[a-z])(?![^\W\d_])[.):：、-]*\s*"
    r"|\d+(?:\.\d+)*(?:[.):：、-]+\s*|\s+|$)|(?:[ivxlc]+|[a-z])[.):、]\s*"
    r"|(?:第\s*[\d一二三四五六七八九十百]+\s*[章节節部回课講讲篇]|[一二三四五六七八九十]+、)[:：.、\s]*"
)


class _Unit(NamedTuple):  # of which a text has thousands
    """One word, kana run or Han character of a run."""

    key: str  # what its spellings have in common
    surface: str
    opens: bool  # first of its sentence, so that its capital tells nothing
    spaced: bool  # of a script that parts words by spaces


@dataclass(frozen=True, slots=True)
class _Run:
    """Units that follow one another."""

    units: Sequence[_Unit]
    keys: Sequence[str]
    joiner: str  # between them: a space, or nothing in Chinese and Japanese

    def key(self, start: int, end: int) -> str:
        """What spellings of the phrase units[start:end] have in common."""
        return self.joiner.join(self.keys[start:end])


@dataclass(slots=True)
class _Candidate:
    """A phrase and what was counted of it."""

    units: Sequence[str]  # keys
    joiner: str
    count: int  # occurrences
    whole: bool = False  # it was a whole run, or a name in one
    surface: str = ""  # the spelling with the fewest capitals, as these may be a heading's
    capitals: float = 1e9  # in `surface`; half a one more where a sentence's start may hide one

    def see(self, units: Sequence[_Unit]) -> None:
        """Take in the spelling of an occurrence."""
        surface = _spelling(units, self.joiner)
        capitals = _capitals(surface) + (0.5 if units[0].opens else 0)
        if capitals < self.capitals:
            self.surface, self.capitals = surface, capitals


def key_phrases(
    text: str,
    title: str = "",
    limit: int = 6,
    headings: Iterable[str] = (),
    *,
    spoken: str = "",
) -> list[str]:
    """The phrases that tell most of what plain `text` is about, best first; at most `limit`.

    Names and acronyms keep their case, all else is lower case. No phrase is a stop word or a
    number, and none stands inside another unless it is much more frequent by itself. `spoken` is
    the language (ISO 639-1) where it is known; else it is told from the text.
    """
    longest = _LONGEST_SYLLABLES if (spoken or language(text)) == "vi" else _LONGEST_WORDS
    parts = list(headings)
    found = _candidates("\n\n".join([text, *parts, title]), longest)
    nested = _nested(found)
    named = _candidates(title, longest)
    headed = _candidates("\n\n".join([title, *parts]), longest) if parts else named
    boosts = dict.fromkeys(headed, _IN_HEADING)
    boosts |= {key: _IN_TITLE for key, part in named.items() if part.whole}
    scores: dict[str, float] = {}
    for key, candidate in found.items():
        score = log2(1 + len(candidate.units)) * (candidate.count - nested.get(key, 0))
        score *= boosts.get(key, 1) * (_NAME if _is_name(candidate.surface) else 1)
        scores[key] = score * (_ONCE if candidate.count == 1 else 1)
    ranked = sorted((key for key in scores if scores[key] > 0), key=lambda key: -scores[key])
    standing = (  # looked at one by one, as the first few are enough
        key
        for key in ranked
        if key not in COMMON_WORDS
        and key not in GENERIC_HEADINGS
        and _may_stand(found[key], syllables=longest == _LONGEST_SYLLABLES)
    )
    return [found[key].surface for key in islice(_without_repeats(standing, found), limit)]


def common_word(title: str) -> bool:
    """Whether `title` is an everyday word, a section's name, a number or a single letter.

    Such a title is not linked wherever its word occurs.
    """
    words = [word for word in fold(title).split() if word not in STOP_WORDS]
    phrase = " ".join(words).strip(".,:;!?()[]\"'")
    if len(phrase) < 2 or not any(map(str.isalpha, phrase)):
        return True
    spellings = {phrase, _singular(phrase), fold(title).strip()}
    return bool(spellings & COMMON_WORDS) or generic_heading(title)


def generic_heading(title: str) -> bool:
    """Whether a section's title says only which part it is: "1.2 Overview", "Part 3", "总结"."""
    text = fold(nfc(title)).strip(" \t.:：#*_`()[]【】-–—")
    numbering = _NUMBERING.match(text)
    rest = text[numbering.end() :].strip(" .:：、-–—") if numbering else text
    return len(rest) < 2 or not any(map(str.isalpha, rest)) or rest in GENERIC_HEADINGS


def _candidates(text: str, longest: int) -> dict[str, _Candidate]:
    """Phrases that recur, and those that are a whole run or a name, in no special order.

    Longer phrases are looked for only where shorter ones recur (the Apriori principle).
    """
    runs = list(_runs(text))
    found: dict[str, _Candidate] = {}
    places = [(run, start) for run in runs for start in range(len(run.units))]
    size = 0
    while places:
        size += 1
        places = [
            (run, start)
            for run, start in places
            if start + size <= len(run.keys) and size <= _most(run, longest)
        ]
        keys = [
            run.keys[start] if size == 1 else run.key(start, start + size) for run, start in places
        ]
        counts = Counter(keys)
        same: dict[str, list[tuple[_Run, int]]] = {}
        for key, (run, start) in zip(keys, places, strict=True):
            if counts[key] > 1:
                same.setdefault(key, []).append((run, start))
                candidate = found.get(key)
                if candidate is None:
                    units = run.keys[start : start + size]
                    candidate = found[key] = _Candidate(units, run.joiner, counts[key])
                if candidate.capitals:
                    candidate.see(run.units[start : start + size])
        places = list(chain.from_iterable(same.values()))
    for run in runs:
        whole = (0, len(run.units))
        for start, end in (whole, *_names(run.units)) if len(run.units) > 1 else (whole,):
            if end - start <= _most(run, longest):
                key = run.key(start, end)
                if key not in found:
                    found[key] = _Candidate(run.keys[start:end], run.joiner, 1)
                    found[key].see(run.units[start:end])
                found[key].whole = True
    return found


def _most(run: _Run, longest: int) -> int:
    return longest if run.joiner else _LONGEST_HAN


def _runs(text: str) -> Iterator[_Run]:
    """Units that follow one another without a stop word or a sign between them."""
    units: list[_Unit] = []
    opens = True
    end = -1
    for match in _UNIT.finditer(nfc(text)):
        kind, surface = match.lastgroup, match[0]
        if kind == "word":
            key = _content_key(surface)
            if units and not (key and units[0].spaced):
                yield _run(units)
                units = []
            if key:
                units.append(_Unit(key, surface, opens, True))
            opens = False
        elif kind == "han" or kind == "kana":
            if units and (units[0].spaced or match.start() != end):
                yield _run(units)
                units = []
            if kind == "kana":
                units.append(_Unit(_singular(fold(surface)), surface, opens, False))
            else:
                for number, piece in enumerate(_HAN_GAP.split(surface)):
                    if number and units:
                        yield _run(units)
                        units = []
                    units += [_Unit(char, char, False, False) for char in piece]
            opens = False
        else:
            if units:
                yield _run(units)
                units = []
            opens = kind in ("blank", "stop") or opens
        end = match.end()
    if units:
        yield _run(units)


@lru_cache(maxsize=1 << 16)
def _content_key(word: str) -> str:
    """What the spellings of a word have in common; "" for a stop word."""
    key = fold(word)
    return "" if key in STOP_WORDS else _singular(key)


def _run(units: list[_Unit]) -> _Run:
    joiner = " " if units[0].spaced else ""
    return _Run(units, [unit.key for unit in units], joiner)


def _names(units: Sequence[_Unit]) -> Iterator[tuple[int, int]]:
    """Where two or more words in a row are written with a capital."""
    start = 0
    for index in range(len(units) + 1):
        if index == len(units) or not units[index].surface[0].isupper():
            if index - start > 1:
                yield start, index
            start = index + 1


def _nested(candidates: dict[str, _Candidate]) -> dict[str, int]:
    """For each phrase inside longer ones that recur: the occurrences of the most frequent one.

    C-value subtracts their mean; the many rare long candidates of one page would pull that down.
    """
    most: dict[str, int] = {}
    for candidate in candidates.values():
        units = candidate.units if candidate.count > 1 else ()
        for start in range(len(units)):
            for end in range(start + 1, len(units) + (start > 0)):
                part = candidate.joiner.join(units[start:end])
                if most.get(part, 0) < candidate.count:
                    most[part] = candidate.count
    return most


def _may_stand(candidate: _Candidate, *, syllables: bool) -> bool:
    surface = candidate.surface
    first, last = candidate.units[0], candidate.units[-1]
    if candidate.count == 1 and not candidate.whole:
        return False
    if not any(map(str.isalpha, first)) or not any(map(str.isalpha, last)):
        return False
    if _is_han(first):
        return len(surface) > 1 and not (first in _HAN_EDGE or last in _HAN_EDGE)
    if len(candidate.units) > 1:
        return len(first) > 1
    if _capitals(surface):
        return len(surface) > 1
    return not syllables and len(surface) > 2  # a syllable alone is seldom a Vietnamese word


def _without_repeats(ranked: Iterable[str], candidates: dict[str, _Candidate]) -> Iterator[str]:
    """`ranked` without what stands in, or holds, a phrase before it.

    Both stand when the longer one recurs and the shorter one is a subject by itself, which shows
    in being much more frequent.
    """
    chosen: list[str] = []
    for key in ranked:
        pairs = [sorted((key, other), key=len) for other in chosen]
        if all(
            candidates[shorter].count >= _MUCH_MORE * candidates[longer].count > _MUCH_MORE
            for shorter, longer in pairs
            if _holds(longer, shorter)
        ):
            chosen.append(key)
            yield key


def _holds(longer: str, shorter: str) -> bool:
    return shorter in longer if _is_han(shorter) else f" {shorter} " in f" {longer} "


def _spelling(units: Sequence[_Unit], joiner: str) -> str:
    """How a phrase is written here, without the capital that only its place gives it."""
    surface = joiner.join([unit.surface for unit in units])
    first = units[0].surface
    if (
        not units[0].opens
        or _capitals(first[1:])
        or any(unit.surface[0].isupper() for unit in units[1:])
    ):
        return surface
    return first.lower() + surface[len(first) :]


def _capitals(text: str) -> int:
    return 0 if text.islower() else sum(map(str.isupper, text))


def _is_name(surface: str) -> bool:
    return not surface.islower() and all(map(_capitals, surface.split()))


def _is_han(text: str) -> bool:
    """Whether a text starts with a Han or Kana character."""
    return "\u3041" <= text[:1] <= "\u9fff" or "\uf900" <= text[:1] <= "\ufaff"


def _singular(word: str) -> str:
    """An English plural without its ending: databases, queries → databas·e, query."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    return f"{word[:-3]}y" if word.endswith("ies") else word[:-1]
