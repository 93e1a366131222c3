"""How often a PDF's pieces of drawing draw one another, told before a reader draws them.

A form XObject is drawn wherever a page or another form names it (ISO 32000-1 §8.10). Six forms that
draw the next one ten times each make a million pieces out of a file of a thousand bytes. The bytes
are looked through as they are, as a reader repairs files that a strict one would not open.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

MOST_DRAWN = 20_000
"""Forms that one form may draw, those inside others included. Maps have some thousands."""

_OBJECT = re.compile(rb"(\d{1,9})\s+\d{1,5}\s+obj\b")
_STREAM = re.compile(rb"stream\r?\n")
_NAMED = re.compile(rb"/([^\s/<>\[\]()]+)\s+(\d{1,9})\s+\d{1,5}\s+R\b")
_DRAWS = re.compile(rb"/([^\s/<>\[\]()]+)\s+Do\b")
_NESTED = 3  # forms inside one another, below which nothing is drawn very often
_LONGEST = 4 << 20  # bytes of a form that are looked at
_RESOURCES = (b"Resources", b"XObject")


@dataclass(frozen=True, slots=True)
class _Form:
    dictionary: bytes
    draws: tuple[bytes, ...]  # names of what it draws, in order


def draws_too_often(data: bytes) -> bool:
    """Whether a form of the file draws more than `MOST_DRAWN` forms, those inside them included.

    Resources that are packed into object streams, and encrypted forms, are not seen.
    """
    if data.count(b"/Form") < _NESTED:
        return False
    dictionaries, forms = _objects(data)
    if sum(bool(form.draws) for form in forms.values()) < _NESTED:
        return False
    drawn: dict[int, int] = {}
    return any(_drawn(number, forms, dictionaries, drawn) > MOST_DRAWN for number in forms)


def _objects(data: bytes) -> tuple[dict[int, bytes], dict[int, _Form]]:
    """All objects' dictionaries by number, and those that are forms."""
    dictionaries: dict[int, bytes] = {}
    forms: dict[int, _Form] = {}
    starts = list(_OBJECT.finditer(data))
    for found, following in zip(starts, [*starts[1:], None], strict=True):
        body = data[found.end() : following.start() if following else len(data)]
        stream = _STREAM.search(body)
        dictionary = body[: stream.start()] if stream else body
        number = int(found[1])
        dictionaries[number] = dictionary
        if stream and b"/Form" in dictionary:
            content = _unpacked(body[stream.end() :]) if b"/Fl" in dictionary else body
            forms[number] = _Form(dictionary, tuple(_DRAWS.findall(content[:_LONGEST])))
    return dictionaries, forms


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data, _LONGEST)
    except zlib.error:
        return b""


def _drawn(
    number: int,
    forms: Mapping[int, _Form],
    dictionaries: Mapping[int, bytes],
    drawn: dict[int, int],
) -> int:
    """How many forms a form draws, itself included; `drawn` holds what is known.

    Goes down without recursion, as a file may hold chains of any length. A form that draws itself
    counts once.
    """
    waiting = [number]
    while waiting:
        at = waiting[-1]
        if at in drawn and drawn[at] > 0:
            waiting.pop()
            continue
        form = forms.get(at)
        names = _names(form.dictionary, dictionaries) if form and form.draws else {}
        inner = [names[name] for name in form.draws if name in names] if form else []
        unknown = [each for each in set(inner) if each not in drawn]
        if at not in drawn and unknown:
            drawn[at] = 0  # under way
            waiting += unknown
            continue
        drawn[at] = 1 + sum(drawn.get(each, 0) for each in inner)
        waiting.pop()
    return drawn[number]


def _names(dictionary: bytes, dictionaries: Mapping[int, bytes]) -> dict[bytes, int]:
    """Which object each name means, in a form's dictionary and the resources that it points at."""
    names = {name: int(number) for name, number in _NAMED.findall(dictionary)}
    for _ in _RESOURCES:
        for key in _RESOURCES:
            pointed = dictionaries.get(names.get(key, -1), b"")
            names |= {name: int(number) for name, number in _NAMED.findall(pointed)}
    return names
