"""What a text measures and dates, as values that can be compared: numbers with units, times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from citewiki.text.numbers import Value, values

_UNITS = {
    "time": {
        60.0: "minute minutes min mins phút 分钟 分鐘",
        1.0: "second seconds sec secs giây 秒 秒钟",
        3600.0: "hour hours h hrs giờ 小时 小時",
        86400.0: "day days ngày 天",
        604800.0: "week weeks tuần 周 星期",
        2592000.0: "month months tháng 个月 個月",
        31536000.0: "year years năm 年",
    },
    "length": {
        1.0: "m metre metres meter meters mét 米",
        1e3: "km kilometre kilometres kilometer kilometers 公里 千米 cây·số",
        1e-2: "cm centimetre centimetres centimeter centimeters 厘米",
        1e-3: "mm millimetre millimetres millimeter millimeters 毫米",
        0.3048: "ft foot feet 英尺",
        0.0254: "inch inches 英寸",
        1609.344: "mile miles 英里",
    },
    "mass": {
        1.0: "g gram grams 克",
        1e3: "kg kilogram kilograms kilo kilos ký 公斤 千克",
        1e6: "t ton tons tonne tonnes tấn 吨 噸",
        453.592: "lb lbs pound pounds",
    },
    "bytes": {1.0: "byte bytes", 1e3: "kb", 1e6: "mb", 1e9: "gb", 1e12: "tb"},
}  # fmt: skip
_UNIT = {
    name.replace("·", " "): (dimension, size)
    for dimension, sizes in _UNITS.items()
    for size, names in sizes.items()
    for name in names.split()
}
_SPELLED = "|".join(re.escape(name) for name in sorted(_UNIT, key=len, reverse=True))
_AFTER = re.compile(rf"[\s-]?({_SPELLED})(?![A-Za-zÀ-ỹ])", re.IGNORECASE)
_GLUED = re.compile(r"[A-Za-z_]")  # "1960s", "3rd", "2x": no number of its own
_CONVERTED = 0.04  # a month is 28 to 31 days: what two units may differ by and still say the same

_BOUNDS: tuple[tuple[Literal["<", ">"], str], ...] = (
    (">", r"(?:more than|at least|over|above|from|minimum of|hơn|trên|ít nhất|tối thiểu|"
          r"超过|多于|至少|最少|不少于)\s*$"),
    ("<", r"(?:less than|fewer than|at most|up to|under|below|no more than|dưới|nhiều nhất|"
          r"tối đa|少于|不到|至多|最多|不超过)\s*$"),
)  # fmt: skip
_BOUND_BEFORE = tuple((sign, re.compile(words, re.IGNORECASE)) for sign, words in _BOUNDS)
_BOUND_AFTER = re.compile(r"\s*(?:\+(?!\w)|or more|and more|trở lên|以上)", re.IGNORECASE)

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAYS = (
    ("monday", "thứ hai", "星期一", "周一"), ("tuesday", "thứ ba", "星期二", "周二"),
    ("wednesday", "thứ tư", "星期三", "周三"), ("thursday", "thứ năm", "星期四", "周四"),
    ("friday", "thứ sáu", "星期五", "周五"), ("saturday", "thứ bảy", "星期六", "周六"),
    ("sunday", "chủ nhật", "星期日", "周日", "星期天"),
)  # fmt: skip
_WEEKDAY = {name: number for number, names in enumerate(_DAYS, 1) for name in names}
_YEAR = r"(?:1[0-9]|20)\d\d"
_TIME = re.compile(
    rf"""(?<![\w.,/-])(?:
      (?P<y1>{_YEAR})-(?P<m1>\d\d)(?:-(?P<d1>\d\d))?(?![\w-])
    | (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s+{_MONTH.format("n2")}(?:,?\s+(?P<y2>{_YEAR}))?(?![\w])
    | {_MONTH.format("n3")}\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s+(?P<y3>{_YEAR})(?!\d))?
    | {_MONTH.format("n4")}\s+(?P<y4>{_YEAR})(?!\w)
    | (?:ngày\s+(?P<d5>\d{{1,2}})\s+)?tháng\s+(?P<m5>\d{{1,2}})(?:\s+năm\s+(?P<y5>{_YEAR}))?(?!\w)
    | (?:năm|in|since|by|until|of|during|from|before|after|circa)\s+(?P<y6>{_YEAR})(?![\w%]|[.,]\d)
    | (?P<clock>\d{{1,2}}[:：]\d\d)(?!\w)
    | (?P<weekday>(?:mon|tues|wednes|thurs|fri|satur|sun)day|thứ\s(?:hai|ba|tư|năm|sáu|bảy)
        |chủ\snhật)s?(?!\w)
    )
    | (?<!\d)(?P<y7>{_YEAR})年(?:(?P<m7>\d{{1,2}})月(?:(?P<d7>\d{{1,2}})[日号])?)?
    | (?<!\d)(?P<m8>\d{{1,2}})月(?P<d8>\d{{1,2}})[日号]
    | (?P<weekday2>(?:星期|周)[一二三四五六日天])""",
    re.VERBOSE | re.IGNORECASE,
)
_LEAD = re.compile(r"[^\W\d]+\s+(?=\d{4}$)")  # "in 1931": the word is no part of the value


@dataclass(frozen=True, slots=True)
class Measure:
    """A number with its unit, in the base unit of its dimension."""

    text: str = field(compare=False)  # as written, with the unit
    value: Value = field(compare=False)
    size: float  # the number times the unit
    dimension: str  # "time", "length", "mass", "bytes", "%", or "" for any other
    bound: Literal["<", ">", ""] = ""  # it is at most, at least, or exactly so much
    converted: float = field(default=1.0, compare=False)  # what one of its unit is in base units

    def excludes(self, other: Measure) -> bool:
        """Whether not both can be so: 5 and 7 do, 5 and "at least 3" or "5.2 rounded" do not."""
        if self.dimension != other.dimension or not self.text or not other.text:
            return False
        if self.bound != other.bound:
            low, high = (self, other) if self.bound == ">" or other.bound == "<" else (other, self)
            return low.size > high.size
        if self.converted != other.converted:
            difference = abs(self.size - other.size)
            return difference > _CONVERTED * max(abs(self.size), abs(other.size))
        return not (self.value.agrees(other.value) or other.value.agrees(self.value))


@dataclass(frozen=True, slots=True)
class Time:
    """A date as far as it is given, a weekday, or a time of day; 0 and "": not given."""

    text: str = field(compare=False)  # as written
    year: int = 0
    month: int = 0
    day: int = 0
    weekday: int = 0
    clock: str = ""

    def excludes(self, other: Time) -> bool:
        """Whether a part that both give differs: May 1921 goes with 3 May 1921, not with 1922."""
        return any(
            one and two and one != two for one, two in zip(self.parts, other.parts, strict=True)
        )

    @property
    def parts(self) -> tuple[int | str, ...]:
        """What is known of it: year, month, day, weekday, clock; 0 or "" what is not."""
        return (self.year, self.month, self.day, self.weekday, self.clock)


@dataclass(frozen=True, slots=True)
class Placed:
    """A quantity, and where its text has it."""

    quantity: Measure | Time
    start: int
    end: int


def quantities(text: str) -> list[Placed]:
    """The times and the measured numbers of a text in reading order, none over another."""
    found: list[Placed] = list(_times(text))
    taken = [(each.start, each.end) for each in found]
    for value in values(text):
        if value.unit != "month" and not any(value.start < e and s < value.end for s, e in taken):
            placed = _measure(text, value)
            if not _GLUED.match(text, placed.end):
                found.append(placed)
    return sorted(found, key=lambda each: each.start)


def _times(text: str) -> Iterator[Placed]:
    for match in _TIME.finditer(text):
        given = {name: value for name, value in match.groupdict().items() if value}
        weekday = given.pop("weekday", "") or given.pop("weekday2", "")
        clock = given.pop("clock", "")
        parts = {name[0]: value for name, value in given.items()}
        month = int(parts.get("m", 0))
        if "n" in parts:
            month = _MONTHS.index(parts["n"][:3].lower()) + 1
        start = match.start()
        lead = _LEAD.match(match[0])
        if lead and not clock and len(parts) == 1:
            start += lead.end()
        time = Time(
            text[start : match.end()],
            int(parts.get("y", 0)),
            month,
            int(parts.get("d", 0)),
            _WEEKDAY.get(" ".join(weekday.lower().split()), 0),
            clock.replace("：", ":").zfill(5) if clock else "",
        )
        yield Placed(time, start, match.end())


def _measure(text: str, value: Value) -> Placed:
    unit = _AFTER.match(text, value.end)
    end = unit.end() if unit else value.end
    dimension, size = _UNIT[unit[1].lower()] if unit else (value.unit, 1.0)
    before = text[max(0, value.start - 20) : value.start]
    bound: Literal["<", ">", ""] = ""
    for sign, words in _BOUND_BEFORE:
        if words.search(before):
            bound = sign
    after = _BOUND_AFTER.match(text, end)
    if after:
        bound, end = ">", after.end()
    written = text[value.start : unit.end() if unit else value.end].strip()
    measure = Measure(written, value, value.number * size, dimension, bound, size)
    return Placed(measure, value.start, end)
