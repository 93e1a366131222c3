"""How everyday the characters of a text are: tells a right reading of bytes from a wrong one.

Read in the wrong encoding, ordinary Chinese, Japanese, Korean or Western text turns into
characters that exist but that nobody writes. The national standards list everyday characters
first (GB 2312 and JIS X 0208 call it level 1, Big5 its frequent block, KS X 1001 its syllables),
so their code ranges are the measure; a short list of the most frequent ones tells apart readings
that are both made of everyday characters, as Korean read as Chinese is.
"""

from __future__ import annotations

from functools import cache

CANDIDATES = (
    *("gb18030", "cp1252", "big5hkscs", "cp932", "cp949", "euc_jp"),
    *("cp1251", "koi8-r", "utf-16-le", "utf-16-be"),
)
"""Encodings worth trying on bytes that are not UTF-8; of equal readings the first one wins."""

# Encoding → the standard that orders its characters, the first and last lead byte of the everyday
# ones, and their first trail byte.
_BLOCKS = {
    "gb18030": ("gb2312", 0xB0, 0xD7, 0xA1),
    "big5hkscs": ("big5", 0xA4, 0xC6, 0x40),
    "cp932": ("euc_jp", 0xB0, 0xCF, 0xA1),
    "euc_jp": ("euc_jp", 0xB0, 0xCF, 0xA1),
    "cp949": ("euc_kr", 0xB0, 0xC8, 0xA1),
}
_CYRILLIC = frozenset(map(chr, range(0x400, 0x500)))
_FREQUENT_CYRILLIC = frozenset("оеаинтсрвлкмдпу")  # three quarters of running Russian
_KANA = frozenset(map(chr, range(0x3041, 0x30FF)))
_WIDE = frozenset("　、。〈〉《》「」『』【】〔〕・ー…—–‘’“”·※○●◎□■△▲★☆→←↑↓①②③④⑤⑥⑦⑧⑨⑩") | frozenset(
    map(chr, range(0xFF01, 0xFF5F))
)
# The most frequent characters, some 40 % of running text in each language.
_FREQUENT = {
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过"
        "发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开"
        "但因只从想实日者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手"
        "应文中件字体测试码简名数据网页系统程序"
    ),
    "big5hkscs": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過"
        "發後作里用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開"
        "但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手"
        "應文件字體測試碼簡繁名數據網頁系統程式"
    ),
    "cp932": _KANA,
    "euc_jp": _KANA,
    "cp949": frozenset(
        "이다는에을의가고하지기로한사은를도서리인자어나아시라대그들수해일있것정부스게으과보장전제여주구"
        "상원소만조동안성공문할되관면유우신비와안녕요세니까지글국습"
    ),
}
_QUOTES = frozenset("‘’“”‚„«»‹›…\u00a0")
_TYPOGRAPHIC = _QUOTES | frozenset("–—•€£¥§©®™°±²³µ·¼½¾¿¡×ªº†‡")
_LETTERS = frozenset(map(chr, range(0xC0, 0x100))) - set("×÷") | frozenset("ŒœŠšŽžŸ")
_WORDS_OF_ONE_LETTER = frozenset("àèéêòóùôåöøæíáÀÈÉÓÅÖØÁ")  # French, Spanish, Italian, Nordic


def plausibility(text: str, encoding: str) -> float:
    """From 0 to 1: how much `text`, read as `encoding`, looks like what people write.

    Only characters outside ASCII count; a text without any scores 1.
    """
    if encoding == "cp1252":
        return _western(text)
    if encoding in ("cp1251", "koi8-r"):
        return _russian(text)
    if encoding.startswith("utf-16"):
        return max(_by_letters(text, name) for name in _BLOCKS)
    return _by_letters(text, encoding)


def _by_letters(text: str, encoding: str) -> float:
    """Share of everyday characters; 30 % of it is for frequent ones, a third of which is plenty."""
    foreign = [char for char in text if char > "\x7f"]
    if not foreign:
        return 1.0
    everyday, frequent = _everyday(encoding), _FREQUENT[encoding]
    usual = sum(char in everyday for char in foreign) / len(foreign)
    letters = [char for char in foreign if char not in _WIDE] or foreign
    often = sum(char in frequent for char in letters) / len(letters)
    return usual * (0.7 + 0.3 * min(1.0, 3 * often))


def _russian(text: str) -> float:
    """Cyrillic words in mostly small letters, not mixed with Latin ones, of frequent letters."""
    places = [place for place, char in enumerate(text) if char > "\x7f"]
    if not places:
        return 1.0
    padded = f" {text} "
    usual = 0
    for place in places:
        before, char, after = padded[place], padded[place + 1], padded[place + 2]
        mixed = any(near.isascii() and near.isalpha() for near in (before, after))
        usual += char in _CYRILLIC and not mixed and not (char.isupper() and before.islower())
    often = sum(text[place] in _FREQUENT_CYRILLIC for place in places) / len(places)
    return usual / len(places) * min(1.0, 2 * often)


def _western(text: str) -> float:
    """Share of the characters outside ASCII that stand where Western writing has them."""
    places = [place for place, char in enumerate(text) if char > "\x7f"]
    if not places:
        return 1.0
    padded = f" {text} "
    usual = sum(_stands_well(*padded[place : place + 3]) for place in places)
    return usual / len(places)


def _stands_well(before: str, char: str, after: str) -> bool:
    """A sign apart from other signs; a letter in a word without capitals after small letters."""
    beside = {before, after}
    if char in _QUOTES:
        inside = before.isalnum() and after.isalnum() and char != "’"
        return not inside and not (min(beside) > "\x7f" and beside.isdisjoint(_QUOTES))
    if char in _TYPOGRAPHIC:
        return beside.isdisjoint(_TYPOGRAPHIC - _QUOTES) and not (
            before > "\x7f" and after > "\x7f"
        )
    if char not in _LETTERS or (char.isupper() and before.islower()):
        return False
    if char.islower() and after.isupper():
        return False
    if any(near.isascii() and near.isalpha() for near in beside):
        return True
    return char in _WORDS_OF_ONE_LETTER and not any(
        near.isalnum() or near in _TYPOGRAPHIC - _QUOTES for near in beside
    )


@cache
def _everyday(encoding: str) -> frozenset[str]:
    """The characters of the standard's everyday block, its kana, and wide punctuation."""
    standard, first, last, trail = _BLOCKS[encoding]
    codes = (bytes((a, b)) for a in range(first, last + 1) for b in range(trail, 0xFF))
    block = frozenset("".join(code.decode(standard, errors="ignore") for code in codes))
    return block | _WIDE | (_KANA if "j" in standard else frozenset())
