"""Where sentences begin and end, in prose of any script, by rules and in one pass.

A full stop of the Latin kind ends a sentence unless what stands before it is an abbreviation or an
initial, or what stands after it goes on in lower case; the stops of Chinese, Japanese, Hindi, …
need no space after them. Thai writes no stops: there a space ends a sentence that has grown long.
A line break is a space (wrapped paragraphs); a blank line ends a sentence.
"""

from __future__ import annotations

import re


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Never the last word of a sentence: a name, a number or an explanation follows.
_INTRODUCES = _words(
    """mr mrs ms mx dr prof rev hon st ste mt ft gen col capt cpt lt sgt maj cmdr adm gov sen rep
    pres fr br messrs mme mlle dipl ing e.g i.e eg ie cf viz vs v approx ca resp incl esp lit
    z.b d.h u.a bzw vgl sog evtl ggf hl geb gest ts ths gs pgs tp tt đ/c"""
)
# Never the last word where a number follows: "No. 5", but "He said no. Then he left."
_COUNTS = _words(
    """no nos nr fig figs tab eq eqs sec ch chap vol pp p art op ed ref refs abb bd jh tel c q"""
)
# May end a sentence or not: only a word that commonly starts one decides that it does.
_MAY_END = _words(
    """inc ltd co corp llc plc bros dept univ assn est jr sr esq etc usw ave blvd rd jan feb mar apr
    jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun min max hr hrs km cm mm kg lb
    oz eds trans al a.m p.m u.s u.k u.n ph.d b.c a.d v.v v.d"""
)
# Words that, capitalised, start a sentence far more often than they go on a name.
_STARTERS = _words(
    """the a an this that these those it its he she they we you i his her their our in on at by for
    from with as if when while after before since during although though because however but and
    or so then there here what who where why how some many most all no not to of one other another
    both each such according despite unlike today later also is are was were
    der die das ein eine er sie es wir ich im in am auf bei mit nach vor seit wenn als aber und
    các những một đây đó năm trong khi nếu theo từ tuy sau trước với ông bà anh chị họ"""
)
# German writes ordinals with a stop: "am 3. Oktober", "im 19. Jahrhundert".
_AFTER_ORDINAL = _words(
    """januar februar märz april mai juni juli august september oktober november dezember
    jahrhundert jahrhunderts jahrhunderte jahrtausend jahrtausends auflage klasse etage stock
    kapitel platz mal tag tages woche spieltag weltkrieg"""
)

_CLOSERS = "\"'”’»)\\]}」』）】》〉］｝"
# Stops with what closes after them: quotes, brackets (tokenised text puts a space before them),
# and references such as [3] or [^paper.1].
_STOPS = ".!?…。！？；｡．।॥؟۔։።။។"
_STOP = re.compile(  # begins with one set of signs, so that `re` skips all others in one go
    rf"""[{_STOPS}\n](?:
    (?<!\n)[{_STOPS}]*
    (?P<close>(?:[{_CLOSERS}*_]|\ ?''|\ [”)\]](?=\s|$))*)
    (?P<refs>(?:\[\^?[^\]\[\s]{{1,60}}\])*)
    | (?<=\n)(?P<blank>[^\S\n]*\n\s*))""",
    re.VERBOSE,
)
_FULL_STOPS = frozenset("。！？；｡．।॥؟۔։።။។…")
_BEFORE = re.compile(r"(?:[^\W_]|[./])*[^\W_](?=\s?$)")  # the word before a stop, with inner stops
_LETTER_STOPS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")  # U.S, Ph.D is listed, e.g is listed
_NEXT_WORD = re.compile(r"\s*[\"'“‘«(\[*_`]*([^\W_]*)")
_CASELESS = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_GOES_ON = frozenset("，、,;:：）)]")
_QUOTE_GOES_ON = re.compile(r"(?:と|って|という|など|的)")  # 「…。」と言った
_THAI_SPACE = re.compile(r"[\u0e00-\u0e7f]([^\S\n]+)(?=[\u0e00-\u0e7f])")
# Thai sentences of prose run to about a hundred letters; a space before that parts clauses.
_THAI_LENGTH = 80


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of plain prose as `(start, end)`: ascending, disjoint, without outer spaces.

    Together they hold every character that is not white space. Time is linear in the text.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _STOP.finditer(text):
        if match["blank"] is not None or _ends(text, start, match):
            _add(spans, text, start, match.end())
            start = match.end()
    _add(spans, text, start, len(text))
    return spans


def _add(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    """`text[start:end]` as one sentence, or as several where it is Thai."""
    for space in _THAI_SPACE.finditer(text, start, end):
        if space.start(1) - start >= _THAI_LENGTH:
            spans.append(_trimmed(text, start, space.start(1)))
            start = space.end()
    start, end = _trimmed(text, start, end)
    if start < end:
        spans.append((start, end))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _ends(text: str, start: int, match: re.Match[str]) -> bool:
    """Whether the stop that `match` found ends the sentence that began at `start`."""
    end = match.end()
    if end == len(text):
        return True
    after = text[end]
    stop = text[match.start() : match.start("close")]
    if stop[-1] in _FULL_STOPS and stop != "…":
        spoken = match["close"] and _QUOTE_GOES_ON.match(text, end)
        return not spoken and after not in _GOES_ON
    if not after.isspace():  # "3.5", "example.org"; but "用Python.然后", "真的?是的"
        before = text[match.start() - 1 : match.start()]
        return bool(_CASELESS.match(after)) and not before.isdigit()
    found = _NEXT_WORD.match(text, end)
    word = found[1] if found else ""
    if word[:1].islower() and not any(letter.isupper() for letter in word[1:3]):
        return False
    if stop != ".":
        return True
    return not _abbreviates(text, start, match.start(), word)


def _abbreviates(text: str, start: int, stop: int, following: str) -> bool:
    """Whether the full stop at `stop` belongs to the word before it, and `following` goes on."""
    found = _BEFORE.search(text, max(start, stop - 24), stop)
    if found is None:
        return False
    word = found[0].lower()
    opens_sentence = text[start : found.start()].strip(" \n\t*_([\"'“") == ""
    if word.isdigit():
        return len(word) <= 3 and (opens_sentence or following.lower() in _AFTER_ORDINAL)
    if word in _INTRODUCES or (word in _COUNTS and following[:1].isdigit()):
        return True
    if len(word) == 1 and len(following) == 1 and following not in "AI":  # "z. B.", "J. R."
        return True
    initial = len(word) == 1 and found[0].isupper()
    if initial or word in _MAY_END or _LETTER_STOPS.fullmatch(word):
        return following.lower() not in _STARTERS
    return False
