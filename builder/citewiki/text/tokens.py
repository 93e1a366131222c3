"""The one analyzer: what pages are indexed by, and what questions are asked by.

A text is cut into runs. Scripts that write no spaces (Han, Kana, Thai, …) and Hangul give
overlapping pairs of characters; all other scripts give words. A word gives one or more terms: the
word itself without case and English endings, the same without diacritics, and, where it is
composed (`HTTP-403`, `snake_case`, `camelCase`, `GPT4`, `foo/bar.py`), its parts and what they make
when written as one (`nodejs`). `1.2.3` and `v1.2.3` share a term, beside that of each spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise

from citewiki.text.folding import fold, strip_marks
from citewiki.text.words import STOP_WORDS

# Vowel signs and points that stand inside words and that Python's \w leaves out.
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0dff\u0e31-\u0e4e\u1000-\u109f"
)
_ASCII_RUN = re.compile(
    r"(?:(?<!\w)\.(?=[A-Za-z]))?\w+(?:[-.'/&]\w+)*(?:\+\+\d*|\#)?(?![A-Za-z0-9_])|\w+"
)
_UNSPACED_FROM = "\u0e01"  # Thai: below it every script parts its words by spaces
_UNSPACED = (  # scripts that are cut into pairs, as ranges: two characters with a hyphen between
    # Han and Kana make one run, as Japanese mixes them inside a word.
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "\u1100-\u11ff\uac00-\ud7ff",  # Hangul
    "\u0e01-\u0e4e",  # Thai
    "\u0e81-\u0ecd",  # Lao
    "\u1000-\u109f",  # Burmese
    "\u1780-\u17d3",  # Khmer
)
_RANGES = [(script[at], script[at + 2]) for script in _UNSPACED for at in range(0, len(script), 3)]
_NUMBER = re.compile(r"[vV]?(\d+(?:\.\d+)+)")  # versions, decimals, addresses
_PART = re.compile(
    r"\d+(?:\.\d+)+(?![^\W_])"  # a number with points stays whole …
    r"|[^\W\d_]+(?=\d+\.\d)"  # … also after letters: Python3.11
    rf"|(?:[^\W_]|[{_MARKS}])+(?:\+\+|\#)?"
)
_NUMBERED = re.compile(r"([^\W\d_]{2,}|[vV])(\d+)")  # GPT4, v2
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_VOWEL = re.compile("[aeiouy]")

_AFTER = "\"'.,;:!?)"  # stripped, so that a word is cut once, not once with every mark after it
_BEFORE = "(\"'"
_CACHED = 32  # characters; longer chunks (a sentence without spaces, an address) hardly repeat
_LONGEST = 60  # characters; longer words (hashes, base64) are cut, as nobody asks for them whole
_VARIANT_WEIGHT = 0.3  # bench/README.md, "Retrieval": 0 to 0.6 differ by less than chance


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One term that a question looks for."""

    text: str  # as the index holds it
    weight: float  # 0..1: how much of the word it stands for
    words: str  # the word of the question that it comes from, as written


def tokens(text: str) -> list[str]:
    """The terms of a text in reading order; a word's variants follow one another."""
    if len(_chunks) > _MOST_CHUNKS:
        _chunks.clear()
    return list(chain.from_iterable(map(_chunks.__getitem__, text.split())))


def query_terms(text: str) -> list[QueryTerm]:
    """The distinct terms of a question, without stop words unless it holds nothing else.

    A word's own term weighs 1; its form without diacritics and its parts weigh less, so that the
    exact spelling ranks first.
    """
    every: dict[str, QueryTerm] = {}
    for chunk in text.split():
        for run in _runs(chunk):
            paired = is_unspaced(run)
            for place, term in enumerate(_terms(run)):
                weight = 1.0 if paired or place == 0 else _VARIANT_WEIGHT
                known = every.get(term)
                if known is None or known.weight < weight:
                    every[term] = QueryTerm(term, weight, run)
    content = [term for term in every.values() if not (is_stop(term.text) or is_stop(term.words))]
    return content or list(every.values())


def neighbours(text: str) -> list[tuple[str, str]]:
    """Distinct pairs of a question's words that stand side by side, neither a stop word.

    Each word is given by its own term. Unspaced scripts give none: their terms are pairs already.
    """
    pairs: dict[tuple[str, str], None] = {}
    before = ""
    for chunk in text.split():
        for run in _runs(chunk):
            term = "" if is_unspaced(run) or is_stop(run) else _terms(run)[0]
            if before and term and before != term:
                pairs[before, term] = None
            before = term
        if chunk[-1] in ".,;:!?":
            before = ""
    return list(pairs)


def own_terms(text: str) -> list[str]:
    """One term for every word, stop words too; a run of an unspaced script stays whole."""
    runs = chain.from_iterable(map(_runs, text.split()))
    return [run if is_unspaced(run) else _terms(run)[0] for run in runs]


def written_terms(text: str) -> list[str]:
    """The terms of a text without those of other spellings: of its words and of their parts."""
    runs = chain.from_iterable(map(_runs, text.split()))
    return [
        term
        for run in runs
        for term in (_terms(run) if is_unspaced(run) else _word_terms(_bare(run), spellings=False))
    ]


def content_words(text: str) -> list[str]:
    """The distinct terms of a text without stop words, in reading order."""
    return [term for term in dict.fromkeys(tokens(text)) if term not in _STOP_TERMS]


def is_stop(term: str) -> bool:
    """Whether a term, or a word as written, is a function word of any known language."""
    return term in _STOP_TERMS or (not term.islower() and fold(term) in _STOP_TERMS)


def stem(word: str) -> str:
    """An English word without its plural, -ed and -ing; any other word as it is.

    The rules are Harman's S stemmer (1991, "How effective is suffixing?", table 1) and steps 1b
    and 5a of Porter (1980, "An algorithm for suffix stripping"), with a floor on what remains.
    """
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    if word[-1] == "s" and word[-2] not in "su":
        word = word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) > 2 and _VOWEL.search(base):
            doubled = base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    if word[-1] == "e" and len(word) > 4:
        return word[:-1]
    if word[-1] == "y" and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word


class _Chunks(dict[str, tuple[str, ...]]):
    """The terms of what stands between two white spaces; words repeat, so most are known."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(chunk) >= _CACHED:
            return tuple(chain.from_iterable(map(_terms, _runs(chunk))))
        bare = chunk if chunk.isalnum() else chunk.rstrip(_AFTER).lstrip(_BEFORE)
        if bare == chunk:
            terms = tuple(chain.from_iterable(map(_terms, _runs(chunk))))
        else:
            terms = self[bare]
        self[chunk] = terms
        return terms


_chunks = _Chunks()
_MOST_CHUNKS = 1 << 16  # that are kept from one text to the next


def _runs(chunk: str) -> list[str]:
    """Words and unspaced runs of a chunk, as written (compatibility forms made plain)."""
    if chunk.isascii():
        if chunk.isalnum():
            return [chunk]
        return _ASCII_RUN.findall(_THOUSANDS.sub("", chunk) if "," in chunk else chunk)
    runs: list[str] = []
    for run in _any_run().findall(_THOUSANDS.sub("", unicodedata.normalize("NFKC", chunk))):
        if max(run) < _UNSPACED_FROM:
            runs.append(run)
        else:
            runs += filter(None, _unspaced().split(run))
    return runs


@lru_cache(maxsize=1 << 13)
def _terms(run: str) -> tuple[str, ...]:
    """The index terms of one run; a word's own term comes first."""
    if is_unspaced(run):
        pairs = tuple(first + second for first, second in pairwise(run))
        return pairs or (run,)
    found = _word_terms(_bare(run))
    if not run.isascii():
        found += [stem(strip_marks(term)) for term in found]
    return tuple(dict.fromkeys(found))


def _word_terms(word: str, *, spellings: bool = True) -> list[str]:
    """The terms of a word with its case: its own, those of other spellings, those of its parts."""
    found = [stem(fold(word))]
    if _simple(word):
        return found
    parts = _parts(word)
    if spellings:
        if number := _NUMBER.fullmatch(word):
            found.append(f".{number[1]}")  # shared by all spellings; no word starts so
        elif len(parts) > 1 and _also_solid(word, parts):
            found.append(stem(fold("".join(parts))))
    for part in parts:
        if len(part) > 1 or part.isdigit() or "-" in word:
            found += _word_terms(part, spellings=spellings)
    return found


def _simple(word: str) -> bool:
    """Whether a word is plainly not composed."""
    return word.isalpha() and (word[1:].islower() or word.isupper() or len(word) == 1)


def _also_solid(word: str, parts: Sequence[str]) -> bool:
    """Whether a word is written as one too (nodejs, GPT4, email), as no mere compound is."""
    if "/" in word or "'" in word or _NUMBER.search(word):
        return False
    return any(len(part) == 1 or not part.isalpha() for part in parts) or bool(
        set(word) & set("._&")
    )


def _parts(word: str) -> Sequence[str]:
    """What a composed word is made of, in its order; nothing when it is not composed."""
    if "/" in word:
        return [part for part in word.split("/") if part]
    parts: list[str] = _PART.findall(word)
    if parts != [word]:
        return parts
    if "." in word:  # of a decimal number, the parts say nothing
        return word.split(".") if word.count(".") > 1 else ()
    if numbered := _NUMBERED.fullmatch(word):
        return numbered.groups()
    humps = _HUMP.split(word)
    return humps if len(humps) > 1 and not word.isupper() else ()


def is_unspaced(run: str) -> bool:
    """Whether a run of letters is of a script that is cut into pairs."""
    first = run[0]
    return first >= _UNSPACED_FROM and any(low <= first <= high for low, high in _RANGES)


@lru_cache(maxsize=1)
def _any_run() -> re.Pattern[str]:
    """`_ASCII_RUN` for all scripts. Compiled once needed: it takes milliseconds."""
    return re.compile(
        rf"(?:(?<!\w)\.(?=[A-Za-z]))?[\w{_MARKS}]+(?:[-.'’‑/&][\w{_MARKS}]+)*"
        r"(?:\+\+\d*|\#)?(?![A-Za-z0-9_])"
        rf"|[\w{_MARKS}]+"
    )


@lru_cache(maxsize=1)
def _unspaced() -> re.Pattern[str]:
    """Runs of the scripts that are cut into pairs. Compiled once needed, too."""
    return re.compile(f"({'|'.join(f'[{script}]+' for script in _UNSPACED)})")


def _bare(run: str) -> str:
    """A run with one kind of apostrophe and hyphen, without possessive ending."""
    word = run[:_LONGEST].replace("’", "'").replace("‑", "-")
    if word[-2:] in ("'s", "'S"):
        word = word[:-2]
    return word.strip("_") or word


def _own_term(run: str) -> str:
    """The first of the terms of a run."""
    return run[:2] if is_unspaced(run) else stem(fold(_bare(run)))


_STOP_TERMS = STOP_WORDS | {term for term in map(_own_term, STOP_WORDS) if len(term) > 1}
