"""What a program can check of a statement that a model has written, beside the words it quotes.

Every check names what it turned on, in words that the model can act on. They err on the side of
turning a statement down: one that keeps to the words of its source passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from citewiki.distill.ground import Ground
from citewiki.markdown.plain import plain
from citewiki.text.folding import fold, quote_key, strip_marks
from citewiki.text.numbers import values
from citewiki.text.opposites import OPPOSITES
from citewiki.text.sentences import sentence_spans
from citewiki.text.tokens import content_words, is_stop, is_unspaced, own_terms, stem, tokens
from citewiki.text.words import COMMON_WORDS

Judge = Callable[[str, Sequence[str]], bool]
"""Whether passages of plain text say a statement."""

COVERED = 0.8
"""Share of a statement's content words that its quotes, or the section's name, must have. Words of
the same root count; so a statement may put its source otherwise, but not say something else."""

_WORD = re.compile(r"[^\W_]+(?:[-.'’/&][^\W_]+)*(?:\+\+|#)?")
_NOT = re.compile(
    r"\b(?:not|no|never|none|nor|neither|nothing|nobody|without|cannot|\w+n['’]t|hardly|barely"
    r"|nicht|kein\w*|nie|niemals|ohne|pas|jamais|sans|aucun\w*|nunca|jamás|sin|não|sem|non|mai"
    r"|không|chưa|chẳng|chả|đừng|chớ)\b|[不没沒无無未非勿]|(?:ない|ません|ず[、。])|않|아니|없",
    re.IGNORECASE,
)
_HEDGE = re.compile(
    r"\b(?:estimated?|estimates?|approximately|roughly|about|around|nearly|almost|may|might|could"
    r"|perhaps|possibly|probably|likely|allegedly|reportedly|supposedly|unless|if|only|except"
    r"|geschätzt\w*|ungefähr|etwa|vermutlich|wahrscheinlich|vielleicht|environ|peut-être"
    r"|aproximadamente|quizás|khoảng|ước tính|ước chừng|có thể|có lẽ|nếu|trừ khi|chỉ)\b"
    r"|估计|估計|大约|大約|约|約|可能|也许|也許|如果|除非|只有|仅|僅|恐らく|およそ|約",
    re.IGNORECASE,
)
_SAME_HEDGE = (  # words that stand for one another
    re.compile(
        r"estimat|approx|rough|about|around|nearly|almost|geschätzt|ungefähr|etwa|environ|aproxim"
        r"|khoảng|ước|估|大约|大約|约|約|およそ",
        re.IGNORECASE,
    ),
    re.compile(
        r"may|might|could|perhaps|possibl|probabl|likely|alleg|reported|suppos|vermut|wahrsch"
        r"|vielleicht|peut|quiz|có thể|có lẽ|可能|也许|也許|恐らく",
        re.IGNORECASE,
    ),
    re.compile(r"unless|if|only|except|nếu|trừ|chỉ|如果|除非|只有|仅|僅", re.IGNORECASE),
)
_QUANTITIES = tuple(  # how many, how often: words of one group stand for one another
    re.compile(rf"\b(?:{words})\b|{wide}", re.IGNORECASE)
    for words, wide in (
        (
            r"all|every|each|always|whole|entire|any|tất cả|mọi|luôn|alle[rsnm]?|jede\w*|immer"
            r"|tou[ts]e?s?|toujours|todos?|todas?|siempre",
            "所有|全部|每|都|总是|總是|すべて",
        ),
        (
            r"most|mostly|usually|generally|typically|mainly|largely|hầu hết|thường|meist\w*"
            r"|plupart|mayoría",
            "大多|多数|多數|通常|一般|ほとんど",
        ),
        (
            r"many|often|frequently|nhiều|viele\w*|oft|häufig|souvent|beaucoup|much[oa]s",
            "许多|許多|很多|经常|經常",
        ),
        (
            r"some|several|sometimes|few|occasionally|partly|partially|certain|một số|vài|đôi khi"
            r"|einige\w*|manche\w*|manchmal|quelques|parfois|algun[oa]s",
            "一些|有些|有时|有時|部分|少数|少數",
        ),
        (r"rarely|seldom|hiếm khi|selten|rarement|raramente", "很少"),
    )
)
_WAY = re.compile(  # from one thing to another
    r"\bfrom\s+(\w+).{1,60}?\bto\s+(\w+)|\btừ\s+(\w+).{1,60}?\b(?:đến|sang|tới)\s+(\w+)"
    r"|从(.{1,12}?)(?:到|至)(\w{2})",
    re.IGNORECASE,
)
_PREFIX = 5  # letters from which two words of one beginning are taken for one root …
_STEM, _ENDING = 3, 1  # … and from which shorter ones are, with an ending up to that long


def faults(
    statement: str,
    quotes: Sequence[str],
    ground: Ground,
    judge: Judge | None = None,
    passages: Sequence[str] = (),
) -> list[str]:
    """What speaks against a statement (Markdown) beside `quotes` from the section (plain text).

    Empty when nothing does. The judge, if there is one, is asked last, and sees the `passages`
    around the quotes under the section's title.
    """
    text = plain(statement)
    found = [
        *_numbers(text, quotes),
        *_names(text, ground),
        *_uncovered(text, quotes, ground),
        *_turned(text, [ground.clause(quote) for quote in quotes]),
    ]
    if not found and judge:
        told = dict.fromkeys((f"{ground.section.title}.", *(passages or quotes)))
        if not judge(text, [" ".join(told)]):
            found.append("the quotes do not say it")
    return found


def best_sentences(text: str, ground: Ground) -> list[str]:
    """The sentences of the section that say most of `text`: evidence for what quotes nothing.

    For each sentence of the text the one with the most of its words, of equals the first.
    """
    found: dict[str, None] = {}
    for start, end in sentence_spans(text):
        wanted = set(content_words(text[start:end]))
        best, most = "", 0
        for sentence in ground.sentences:
            shared = len(wanted & set(tokens(sentence)))
            if shared > most:
                best, most = sentence, shared
        if best:
            found[best] = None
    return list(found)


def known(text: str, ground: Ground) -> bool:
    """Whether every content word of a short text (a title, a tag) occurs in the section."""
    words = list(_content(text))
    return bool(words) and all(_occurs(word, ground.words) for word in words)


def _numbers(text: str, quotes: Sequence[str]) -> Iterator[str]:
    said = [value for quote in quotes for value in values(quote)]
    for value in values(text):
        if not any(value.agrees(other, strict=True) for other in said):
            yield f"the number {value.text} is not in its quotes"


def _names(text: str, ground: Ground) -> Iterator[str]:
    """Words written as names are, which the section does not have."""
    german = ground.source.language == "de"  # writes every noun with a capital
    for start, end in sentence_spans(text):
        words = [match[0] for match in _WORD.finditer(text, start, end)]
        for place, word in enumerate(words):
            inner = any(map(str.isupper, word[1:])) or (
                any(map(str.isdigit, word)) and any(map(str.isalpha, word))
            )
            if not inner and (german or not word[:1].isupper()):
                continue
            if not inner and place == 0 and _everyday(word):
                continue
            if not _named(word, ground):
                yield f"the name “{word}” is not in the section"


def _everyday(word: str) -> bool:
    """Whether a sentence may begin with the word without its being a name."""
    folded = fold(word)
    return is_stop(folded) or folded in COMMON_WORDS or stem(folded) in COMMON_WORDS


def _named(word: str, ground: Ground) -> bool:
    bare = strip_marks(fold(quote_key(word))).removesuffix("'s")
    if is_unspaced(word):
        return bare in ground.names
    pattern = rf"(?<![^\W_]){re.escape(bare)}(?:'?s|es)?(?![^\W_])"
    if re.search(pattern, ground.names):
        return True
    parts = [part for part in re.split(r"[-/&.]", bare) if part]
    if len(parts) > 1 and not any(map(str.isdigit, bare)):
        return all(re.search(rf"(?<![^\W_]){re.escape(p)}", ground.names) for p in parts)
    # A plain word with a capital may be an everyday word in another form: "Adding" of "added".
    plain_word = word[1:].islower() and word.isalpha()
    return plain_word and _occurs(stem(bare), ground.words) and _everyday(word)


def _uncovered(text: str, quotes: Sequence[str], ground: Ground) -> Iterator[str]:
    """Too many content words that neither the quotes nor the section's name have."""
    words = list(_content(text))
    said = set(tokens(" \n ".join(quotes))) | ground.name
    unsaid = [word for word in words if not _occurs(word, said)]
    if not words or len(unsaid) > (1 - COVERED) * len(words):
        yield f"its quotes do not speak of: {', '.join(unsaid[:6]) or 'anything'}"


def _content(text: str) -> Iterator[str]:
    """The distinct content words, one term each; of unspaced scripts the pairs."""
    for term in dict.fromkeys(own_terms(text)):
        if is_unspaced(term):
            yield from (pair for pair in tokens(term) if not is_stop(pair))
        elif not is_stop(term):
            yield term


def _occurs(word: str, said: frozenset[str] | set[str]) -> bool:
    """Whether a term is among others, or one of the same root is ("move", "moving")."""
    if word in said:
        return True
    if not (word.isalpha() and word[:1].islower()):
        return False
    return any(_one_root(word, other) for other in said if other[:3] == word[:3])


def _one_root(one: str, other: str) -> bool:
    """Whether two words have a long beginning in common, or one is the other with an ending."""
    if not other.isalpha():
        return False
    parted = (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    common = next(parted, min(len(one), len(other)))
    longest = max(len(one), len(other))
    return common >= _PREFIX or (common >= _STEM and common + _ENDING >= longest)


def _turned(text: str, quotes: Sequence[str]) -> Iterator[str]:
    """What turns a statement and is only on one side: negations, opposites, doubts, how many."""
    said = " ".join(quotes)
    sentences = [said[start:end] for start, end in sentence_spans(said)]
    denied = _NOT.search(text)
    if denied and not _NOT.search(said):
        yield f"it says “{denied[0]}”, which its quotes do not"
    if not denied and sentences and all(map(_NOT.search, sentences)):
        yield "its quotes deny something, and it does not"
    words = set(map(fold, _WORD.findall(said)))
    for word in map(fold, _WORD.findall(text)):
        if word not in words and (others := OPPOSITES.get(word, frozenset()) & words):
            yield f"it says “{word}” where its quotes say “{min(others)}”"
    for group in _QUANTITIES:
        ours, theirs = group.search(text), group.search(said)
        if ours and not theirs:
            yield f"it says “{ours[0]}”, which its quotes do not"
        elif theirs and not ours and len(sentences) == 1:
            yield f"it leaves out “{theirs[0]}”"
    yield from _other_way(text, said)
    for hedge in _HEDGE.finditer(said) if len(sentences) == 1 else ():
        kind = next(kind for kind in _SAME_HEDGE if kind.search(hedge[0]))
        if not kind.search(text):
            yield f"it leaves out “{hedge[0]}”"
            break


def _other_way(text: str, said: str) -> Iterator[str]:
    """From B to A, where the quotes say from A to B."""
    ours, theirs = _WAY.search(text), _WAY.search(said)
    if ours and theirs:
        start, end = (fold(part) for part in ours.groups() if part)
        first, last = (fold(part) for part in theirs.groups() if part)
        if (start, end) == (last, first):
            yield f"it says “{ours[0]}”, the other way round"
