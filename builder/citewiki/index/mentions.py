"""Names that a text mentions, whether or not a page goes by them.

Two pages that mention the same rare name are related even where no page has that name, so nothing
could be linked. A name is a run of capitalised words (Latin, Greek, Cyrillic, …) or what stands
between the title marks of Chinese and Japanese. Other scripts mark no names: there, links do.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citewiki.text.folding import fold
from citewiki.text.tokens import is_stop

_QUALIFIER = re.compile(r"(?<=\S)\s*[(（][^()（）]*[)）]\s*$")
_POSSESSIVE = re.compile(r"['’]s?(?=\s|$)")
_JOINERS = "of|the|de|la|le|les|du|des|da|do|dos|di|del|della|von|van|der|den|y|al|bin|ibn"
_ENDS = ("", *".!?…:\n")  # what stands before a word that starts a sentence or a line
_LONGEST = 80  # characters; a longer run of capitals is a heading or a table, not a name


def split_title(title: str) -> tuple[str, str]:
    """A title and what tells it from its namesakes: "Titanic (1997 film)" → "Titanic", "1997 film".

    The second part is "" for a title without such a qualifier.
    """
    match = _QUALIFIER.search(title)
    if not match:
        return title, ""
    return title[: match.start()], match.group().strip(" ()（）")


def mentions(text: str) -> list[str]:
    """The distinct names in plain text, folded, words joined by "_": "tim_burton".

    One capitalised word at the start of a sentence is none, unless it stands elsewhere as well.
    """
    found: dict[str, bool] = {}  # name → whether it is sure to be one
    for match in _pattern().finditer(text):
        name = name_term(match.group())
        if name:
            before = text[max(0, match.start() - 8) : match.start()].rstrip(" \"'“”‘’«([*-•")
            sure = " " in match.group() or before[-1:] not in _ENDS
            found[name] = found.get(name, False) or sure
    return [name for name, sure in found.items() if sure]


def name_term(name: str) -> str:
    """A name as the index holds it; "" when nothing tells it from other words."""
    words = _POSSESSIVE.sub("", fold(name).strip("《》「」『』").rstrip(".")).split()
    while words and is_stop(words[0]):
        del words[0]
    term = "_".join(words)
    return term if 2 < len(term) <= _LONGEST or (term and not term.isascii()) else ""


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    capital = "".join(char for char in map(chr, range(0x41, 0x1F00)) if char.isupper())
    initial = rf"[{capital}]\w?\.(?=\s)"  # "F." in "John F. Kennedy", "St." in "St. Louis"
    word = rf"[{capital}](?:[\w'’&-]|\.(?=\w))*"
    part = f"(?:{initial}|{word})"
    return re.compile(
        rf"(?<!\w){part}(?:[ \t]+(?:(?:{_JOINERS})[ \t]+){{0,2}}{part})*"
        r"|《[^《》\n]{2,40}》|「[^「」\n]{2,40}」|『[^『』\n]{2,40}』"
    )
