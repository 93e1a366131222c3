"""Numbers in a text, as values that can be compared whatever they are written like."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_MONTHS = {
    name[:3]: number
    for number, name in enumerate(
        "january february march april may june july august september october november december"
        .split(),
        1,
    )
}  # fmt: skip
_WORDS = {
    word: float(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
} | {
    word: float(value)
    for value, word in zip(
        range(20, 100, 10),
        "twenty thirty forty fifty sixty seventy eighty ninety".split(),
        strict=True,
    )
}
_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "nghìn": 1e3, "ngàn": 1e3, "triệu": 1e6, "tỷ": 1e9, "tỉ": 1e9, "百": 1e2, "千": 1e3,
    "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "k": 1e3, "m": 1e6, "bn": 1e9,
}  # fmt: skip
# "one" is a pronoun more often than a number.
_SPELLED = "|".join(sorted(_WORDS.keys() - {"one"}, key=len, reverse=True))
_NUMBER = re.compile(
    rf"""(?<![A-Za-zÀ-ỹ0-9_])(?<![A-Za-z]-)(?<![0-9][.,·])  # not the 12 of B12, the 10 of IL-10
    (?:(?P<digits>\d{{1,3}}(?:[,·\u202f ]\d{{3}})+(?!\d)(?:\.\d+)?|\d+(?:[.·]\d+)*)
       (?:st|nd|rd|th)?
      |(?P<spelled>\b(?:{_SPELLED})(?:-(?:one|two|three|four|five|six|seven|eight|nine))?\b))
    (?:(?P<gap>\s?-?)(?P<scale>hundred|thousand|million|billion|trillion|nghìn|ngàn|triệu|tỷ|tỉ
       |[百千万萬亿億]|(?:bn|[kKM])\b))?
    (?P<percent>\s?(?:%|％|percent\b|per\scent\b|phần\străm))?""",
    re.VERBOSE | re.IGNORECASE,
)
_MONTH = re.compile(
    r"\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?(?=\s+\d)|"
    r"(?<=\d\s)(january|february|march|april|may|june|july|august|september|october|november"
    r"|december)\b",
    re.IGNORECASE,
)
_ROUGHLY = """
    about approximately around roughly nearly almost circa ca some estimated khoảng gần ~ ≈
    大约 大約
""".split()  # before a number that is not meant to the last digit
_ABOUT = re.compile(rf"(?:(?:^|\s)(?:{'|'.join(_ROUGHLY)})\s+|[~≈约約近])$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Value:
    """A number of a text."""

    text: str  # as written
    number: float  # 5.5 million is 5500000.0; of 1.2.3 the text tells, the number is nan
    unit: str = ""  # "%", "month", or "" for any other
    step: float = 1.0  # what its last digit counts: 5.5 million has 100000.0
    about: bool = False  # the words before it say that it is not exact
    start: int = field(default=0, compare=False)  # text[start:end] is the number as written
    end: int = field(default=0, compare=False)

    def agrees(self, other: Value, *, strict: bool = False) -> bool:
        """Whether `other` says the same: equal; unless strict, also rounded to this one's digits.

        A whole number below 10000 may be a year or a count: a whole number must equal it, unless
        the words before it say that it means about so many.
        """
        if self.unit != other.unit and "%" not in (self.unit, other.unit):
            return False
        if self.number != self.number or other.number != other.number:  # versions
            return self.text == other.text
        if abs(self.number - other.number) <= 1e-9 * max(1.0, abs(self.number)):
            return True
        if strict:
            return False
        if self.about and abs(self.number - other.number) <= 0.05 * abs(other.number):
            return True
        large = abs(self.number) >= 10_000
        if not large and other.step >= 1 and self.step >= 1:
            return False
        digit = self.step if large else min(self.step, 1.0)
        return other.step < digit and abs(self.number - other.number) <= digit / 2


def values(text: str) -> Iterator[Value]:
    """The numbers of `text` in reading order: digits, English words, scales, months of dates."""
    for match in _NUMBER.finditer(text):
        digits = match["digits"]
        if digits is None:
            number, step = _spelled(match["spelled"].lower()), 1.0
        elif digits.count(".") + digits.count("·") > 1:
            number, step = float("nan"), 1.0
        else:
            plain = re.sub(r"[,\s\u202f]", "", digits).replace("·", ".")
            number = float(plain)
            places = len(plain.partition(".")[2])
            zeros = len(plain) - len(plain.rstrip("0"))
            step = 10.0 ** (-places if places else zeros)
        if match["scale"]:
            scale = _SCALES[match["scale"].lower()]
            number, step = number * scale, step * scale
        about = bool(_ABOUT.search(text, max(0, match.start() - 20), match.start()))
        unit = "%" if match["percent"] else ""
        yield Value(match[0].strip(), number, unit, step, about, *match.span())
    for match in _MONTH.finditer(text):
        number = float(_MONTHS[match[0][:3].lower()])
        yield Value(match[0], number, "month", start=match.start(), end=match.end())


def _spelled(word: str) -> float:
    tens, _, ones = word.partition("-")
    return _WORDS[tens] + _WORDS.get(ones, 0.0)
