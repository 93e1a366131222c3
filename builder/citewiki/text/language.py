"""Which language a text is in: by its script, else by its letters and function words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from citewiki.text.folding import fold, nfc, strip_marks
from citewiki.text.words import FUNCTION_WORDS

_ENOUGH = 5000  # characters looked at: a page's language shows in its first lines
# Patterns stay texts, which `re` compiles when they are first used: all of them takes milliseconds.
_SCRIPTS = (
    ("ja", r"[\u3041-\u3096\u30a1-\u30fa]"),
    ("zh", r"[\u3400-\u9fff\uf900-\ufaff]"),
    ("ko", r"[\uac00-\ud7a3\u1100-\u11ff]"),
    ("th", r"[\u0e01-\u0e3a\u0e40-\u0e4d]"),
    ("ru", r"[\u0400-\u04ff]"),
    ("ar", r"[\u0620-\u064a\u0671-\u06d3]"),
    ("he", r"[\u05d0-\u05ea]"),
    ("el", r"[\u0370-\u03ff]"),
    ("hi", r"[\u0904-\u0939]"),
)
_HIRAGANA = r"[\u3041-\u3096]"
_LETTERS_PER_WORD = {"zh": 1, "ja": 1, "ko": 2, "th": 3}  # of what a Latin word would say
_IN_SCRIPT = {  # letters that only one language of a script has
    "ru": ("uk", r"[іїєґ]"),
    "ar": ("fa", r"[پچژگ]"),
}
_VIETNAMESE = r"[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]"
_LETTERS = {  # letters that tell languages in Latin letters apart, and how much one counts
    "de": r"[äöüß]",
    "fr": r"[çœêèàùëïî]|(?<=\b[ldnsjcmt])['’]",
    "es": r"[ñ¿¡áíóú]",
}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_ASCII = "".join(char if char.isalpha() or char == "'" else " " for char in map(chr, range(128)))
_LATIN = ("en", "vi", "de", "fr", "es")


def language(text: str) -> str:
    """ISO 639-1 code of the language that most of `text` is in; "" when nothing tells.

    Works on a question of three words as on a page. Several words in Latin letters, none of them
    a function word of the languages known here, are taken for English.
    """
    sample = nfc(text[:_ENOUGH]).lower()
    if sample.isascii():
        words = _ascii_words(sample)
        return _latin(words, sample) if words else ""
    words = _WORD.findall(sample)
    counts = {code: len(re.findall(letters, sample)) for code, letters in _SCRIPTS}
    kana = max(len(re.findall(_HIRAGANA, sample)) * 8, counts["ja"] * 2)
    if kana >= counts["zh"]:  # no Japanese without kana, but Chinese text may name a Japanese film
        counts["ja"], counts["zh"] = kana and counts["ja"] + counts["zh"], 0
    else:
        counts["ja"], counts["zh"] = 0, counts["ja"] + counts["zh"]
    script = max(counts, key=lambda code: counts[code])
    latin = sum(word[0] <= "\u024f" or "\u1e00" <= word[0] <= "\u1eff" for word in words)
    if counts[script] and counts[script] >= latin * _LETTERS_PER_WORD.get(script, 5):
        return _within_script(script, sample)
    return _latin(words, sample) if latin else ""


def _within_script(code: str, sample: str) -> str:
    other, letters = _IN_SCRIPT.get(code, (code, ""))
    return other if re.search(letters, sample) else code


def _ascii_words(sample: str) -> list[str]:
    """What `_WORD` finds in ASCII text, by a table, which is five times as fast."""
    words = sample.translate(_ASCII).split()
    if "'" not in sample:
        return words
    found: list[str] = []
    for word in words:
        found += _WORD.findall(word) if "'" in word else (word,)
    return found


def _latin(words: list[str], sample: str) -> str:
    scores = dict.fromkeys(_LATIN, 0.0)
    spoken = _languages_of_words()
    is_ascii = sample.isascii()
    folded: Iterable[str] = words if is_ascii else map(fold, words)
    for known in filter(None, map(spoken.get, folded)):
        for code in known:
            scores[code] += 1 / len(known)
    if not is_ascii or "'" in sample:  # no other of these letters is ASCII
        for code, letters in _LETTERS.items():
            scores[code] += len(re.findall(letters, sample)) / 2
    if not is_ascii:
        scores["vi"] += sum(1 for word in words if re.search(_VIETNAMESE, word))
    best = max(_LATIN, key=lambda code: scores[code])
    most = max(scores[best], 1)
    hurried = _vietnamese_without_marks()
    if not hurried.isdisjoint(words) and sum(map(hurried.__contains__, words)) > most:
        return "vi"
    return best if scores[best] > 0 else "en" if len(words) > 1 else ""


@lru_cache(maxsize=1)
def _languages_of_words() -> dict[str, list[str]]:
    """The languages in Latin letters of which a word is a function word."""
    found: dict[str, list[str]] = {}
    for code in _LATIN:
        for word in FUNCTION_WORDS[code]:
            found.setdefault(word, []).append(code)
    return found


@lru_cache(maxsize=1)
def _vietnamese_without_marks() -> frozenset[str]:
    """Vietnamese function words as they are typed in a hurry, less those of other languages."""
    others = frozenset[str]().union(*(FUNCTION_WORDS[code] for code in _LATIN if code != "vi"))
    return frozenset(map(strip_marks, FUNCTION_WORDS["vi"])) - others
