"""The form that an answer has to have: a date, a sum, a length, a number of things, a person, …

A question asks for a form in the words of its language; a sentence shows it whatever it is about.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from citewiki.text.folding import fold, strip_marks

_DIGITS = r"\d[\d.,]*(?: ?(?:thousand|million|billion|nghìn|triệu|tỷ|[百千万亿]+))?"
_WORDED = (
    r"(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|dozens?|hundreds?|thousands?|millions?|billions?|half|twice|hai|ba|bốn|năm|sáu|bảy|tám"
    r"|chín|mười|trăm|nghìn|triệu|tỷ)\b"
)
_HAN = "[零两二三四五六七八九十百千万亿半]"
_SINGLE = r"(?:an?|one|a single|một)\b|一"
_NUMBER = re.compile(rf"\d|\b{_WORDED}|{_HAN}|\bpair\b|\bboth\b|\bonce\b")

_YEAR = (
    r"\b1[0-9]{3}s?\b|\b20[0-9]{2}s?\b|\bnăm \d|[0-9〇零一二三四五六七八九十]{2,}\s*年"
    r"|\d ?(?:bce?|ad|ce|bp)\b|\bad ?\d"
)
_IN_A_YEAR = re.compile(
    r"\b(?:in|since|from|until|by|of|and|to|năm|tháng \d+ năm) (?:1[0-9]|20)\d\d\b"
    r"|\b(?:1[0-9]|20)\d\d ?年(?:\d+月)?(?:\d+日)?|\((?:1[0-9]|20)\d\d\)"
)
_DATE = re.compile(
    _YEAR + r"|\b(?:january|february|april|june|july|august|september|october|november|december)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:days?|ends?)\b"
    r"|\b(?:march|may) \d|\d (?:march|may)\b|\b(?:in|of|since|until|by|every|each) (?:march|may)\b"
    r"|\b(?:spring|summer|autumn|winter|centur(?:y|ies)|decades?|ago|yesterday|midnight|noon)\b"
    r"|\b(?:every|each|at|by|one) (?:day|night|morning|evening|week|month|year|hour|dawn|dusk)\b"
    r"|\b\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|o'clock)|\b(?:daily|weekly|monthly|yearly|nightly)\b"
    r"|\b(?:tháng|ngày|thế kỷ|mùa|thứ|đời|triều|thời) \w|\bchủ nhật\b|\b(?:sáng|chiều|tối|đêm)\b"
    r"|[0-9〇零一二三四五六七八九十]+\s*[年月日号点]|世纪|年代|[春夏秋冬]|星期|周[一二三四五六日末]"
    r"|[早晚]上|清晨|凌晨|[年月]间|时期|朝"
)
_EVENT = re.compile(
    r"\b(?:when|whenever|if|after|before|during|until|while|once|as soon as|khi|sau|trước|lúc"
    r"|nếu)\b|之?[后前]|时候?|期间|如果|直到|一旦"
)

_LENGTH = (
    r"(?:mm|cm|m|km|ft|met(?:re|er)s?|(?:kilo|centi|milli)met(?:re|er)s?|feet|foot|inch(?:es)?"
    r"|miles?|yards?|fathoms?|mét|thước|gang|dặm|hải lý)(?![\w²])|公里|千米|厘米|毫米|英[尺里寸]"
    r"|海里|[米尺丈里寸]"
)
_TIME = (
    r"(?:ms|s|min|h|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?"
    r"|nights?|centur(?:y|ies)|giây|phút|giờ|tiếng|ngày|đêm|tuần|tháng|năm|thế kỷ)(?!\w)"
    r"|working days?|ngày làm việc|毫?秒|分钟?|个?小时|[天夜]|个?星期|周|个月|世纪"
    r"|(?<!\d{4})年|(?<!月\d)(?<!月\d\d)日"
)  # “2015年9月28日” is a date, “15年” a time
_MONEY = (
    r"[$€£¥₫₽₹]|\b(?:euros?|dollars?|pounds?|cents?|pence|francs?|rupees?|yen|yuan|usd|eur|gbp"
    r"|vnd|đồng|xu)\b|[\d百千万亿两二三四五六七八九十] ?[元块角]|[美欧日港]元|人民币"
)
_FREE = r"\bfree(?: of charge)?\b|\bmiễn phí\b|免费"
_MASS = (
    r"(?:mg|g|kg|t|lbs?|oz|tons?|tonnes?|pounds?|(?:kilo|milli)?grams?|stone|tạ|tấn|cân|ký)(?!\w)"
    r"|公斤|千克|毫克|[斤克吨两]"
)
_AREA = (
    r"(?:km²|m²|km2|m2|ha|hectares?|acres?|sq|square \w+|ki-lô-mét vuông|mét vuông|h[ée]c-?ta|mẫu"
    r"|sào)(?!\w)|平方\w*|公顷|亩"
)
_BYTES = r"(?:[kmgt]i?b|bytes?|bits?|(?:kilo|mega|giga|tera)bytes?|字节)(?!\w)"
_RATE = (
    r"(?:km/h|mph|m/s|knots?|hz|[kmg]hz|x|times|lần)(?!\w)|倍|节|"
    r"[^.;。]{0,24}?(?:\b(?:per|an?|each|every|mỗi|một) (?:second|minute|hour|giây|phút|giờ)|/s\b)"
)
_DEGREES = r"°|degrees?\b|độ\b|度"
_PERCENT = (
    r"%|per ?cent\b|percentage|phần trăm|[\d.]+ ?[‰％]|百分之|成\b|\b(?:half|third|quarter)\b"
)
_OFTEN = re.compile(
    r"\b(?:once|twice|times|daily|hourly|weekly|monthly|yearly|annually|nightly|always|never"
    r"|rarely|seldom)\b|\b(?:every|each|per|mỗi|hằng|hàng)\b|\blần\b|[每次]|经常|偶尔"
)


def _measure(unit: str) -> re.Pattern[str]:
    """A number, at most one word, and a unit: “35 minutes”, “two working days”, “四十二米”."""
    return re.compile(
        rf"(?<!every )(?<!each )(?<!mỗi )(?<!每)(?:{_DIGITS}|\b{_WORDED}|{_HAN}+|\b{_SINGLE})(?: "
        rf"|-|\b(?:and a )?half )?"
        rf"(?:[^\W\d]+ )?(?:{unit})"
    )


@dataclass(frozen=True, slots=True)
class Measure:
    """What can be measured of a thing, and how it is asked for and told."""

    asks: re.Pattern[str]  # in a question, folded, also without marks
    shows: re.Pattern[str]  # the value, in a folded sentence
    says: re.Pattern[str]  # words that name what is measured
    rivals: bool = False  # shares its units with others: “5 km long” tells no depth


def _row(asks: str, shows: str | re.Pattern[str], says: str, *, rivals: bool = False) -> Measure:
    shown = _measure(shows) if isinstance(shows, str) else shows
    return Measure(re.compile(asks), shown, re.compile(says), rivals)


_SIZED = (
    r"\b(?:is|are|was|be|has|have|of|to|at|about|than|size|sized|large|largest|larger|big|biggest"
    r"|maximum|limit\w*|là|có|tới|khoảng|lớn|cỡ)\b|=|[为是有达约大]"
)
_HOW_MANY_VI = r" (?:la |khoang |toi |den )?(?:bao nhieu|may)"
_NOUN = r"(?:what|which)(?:'s| is| was| are| were)? (?:the |its )?(?:\w+ ){0,2}?"

MEASURES = (
    _row(
        r"\bhow often\b|\bfrequency\b|\bbao lau mot lan\b|\bmay lan\b|多久.{0,3}一次"
        r"|多长时间.{0,3}一次",
        _OFTEN,
        r"",
    ),
    _row(
        r"\bhow much (?:do|does|did|would|will)\b.*\b(?:cost|charge|pay|earn|sell)|\bcosts? "
        r"\w*\s*\?*$"
        r"|\bhow (?:expensive|cheap)\b|\bhow much (?:is|are) (?:an?|the) (?:\w+ )?(?:ticket|fee"
        r"|fare"
        r"|entry|admission|licen[cs]e|subscription|rent|night)"
        rf"|\b{_NOUN}(?:price|cost|fee|fare|salary|budget|revenue|rent)\b|\bhow much money\b"
        r"|^(?:the )?(?:price|cost|fee|fare) of\b|\bcost per\b"
        r"|\bgia (?:ve |ban |tien |vao )?.*\bbao nhieu\b|\bbao nhieu (?:tien|dong)\b|\bgia bao "
        r"nhieu\b"
        r"|多少[钱元块]|价格|票价|费用|售价|几[块元]钱?",
        re.compile(rf"(?:{_MONEY}|{_FREE})"),
        r"",
    ),
    _row(
        rf"\bhow (?:tall|high)\b|\b{_NOUN}(?:height|elevation|altitude)\b|\b(?:height|elevation) "
        rf"of\b"
        rf"|\bcao{_HOW_MANY_VI}\b|\bchieu cao\b|多高|高度|海拔",
        _LENGTH,
        r"\b(?:tall(?:er|est)?|high(?:er|est)?|heights?|elevations?|altitudes?|rises?|above|cao)\b"
        r"|[高] |高|海拔",
        rivals=True,
    ),
    _row(
        rf"\bhow deep\b|\b{_NOUN}depth\b|\bdepth of\b|\bsau{_HOW_MANY_VI}\b|\b(?:chieu|do) sau\b"
        r"|多深|深度|水深",
        _LENGTH,
        r"\b(?:deep(?:er|est)?|depths?|below|sâu)\b|深",
        rivals=True,
    ),
    _row(
        rf"\bhow (?:wide|broad)\b|\b{_NOUN}(?:width|diameter)\b|\b(?:width|diameter) of\b"
        rf"|\brong{_HOW_MANY_VI}\b|\bchieu rong\b|多宽|宽度|直径",
        re.compile(rf"{_measure(_LENGTH).pattern}|{_measure(_AREA).pattern}"),
        r"\b(?:wide(?:r|st)?|broad(?:er|est)?|widths?|diameters?|across|rộng|đường kính|diện "
        r"tích)\b"
        r"|宽|直径|面积",
        rivals=True,
    ),
    _row(
        rf"\bhow thick\b|\b{_NOUN}thickness\b|\bthickness of\b|\bday{_HOW_MANY_VI}\b|\bdo day\b"
        rf"|多厚|厚度",
        _LENGTH,
        r"\b(?:thick(?:er|est)?|thickness|dày)\b|厚",
        rivals=True,
    ),
    _row(
        r"\bhow far\b|\bdistance\b|\bcach .*\b(?:bao xa|bao nhieu)\b|\bbao xa\b|多远|距离",
        re.compile(rf"{_measure(_LENGTH).pattern}|{_measure(_TIME).pattern}"),
        r"\b(?:far|distances?|away|from|between|cách|xa)\b|距|远|离",
        rivals=True,
    ),
    _row(
        rf"\bhow (?:old|young)\b|\b{_NOUN}age\b|\bbao nhieu tuoi\b|\bmay tuoi\b|多大年[纪龄]"
        rf"|几岁|多少岁"
        r"|年龄",
        re.compile(rf"{_measure(_TIME).pattern}|\baged? (?:of )?\d|\d+ ?tuổi|[\d{_HAN[1:-1]}]+岁"
        rf"|{_YEAR}"),
        r"\b(?:old|aged?|years?|born|founded|built|tuổi|sinh)\b|岁|生于|出生|建于",
    ),
    _row(
        rf"\bhow heavy\b|\bhow much (?:do|does|did) .*\bweigh\b|\b{_NOUN}(?:weight|mass)\b"
        rf"|\b(?:weight|mass) of\b|\bnang{_HOW_MANY_VI}\b|\bcan nang\b|多重|重量|体重",
        _MASS,
        r"\b(?:weigh(?:s|ed|t)?|mass|heavy|heaviest|nặng)\b|重",
    ),
    _row(
        rf"\bhow fast\b|\b{_NOUN}speed\b|\btoc do\b|\bnhanh{_HOW_MANY_VI}\b|多快|速度",
        re.compile(rf"{_measure(_RATE).pattern}|{_measure(_TIME).pattern}"),
        r"\b(?:fast(?:er|est)?|speeds?|per|nhanh|tốc độ|mỗi)\b|快|速|每",
    ),
    _row(
        rf"\b{_NOUN}temperature\b|\bhow (?:hot|cold|warm)\b|\bnhiet do\b|温度|气温|多少度|多[热冷]",
        _DEGREES,
        r"",
    ),
    _row(
        rf"\b{_NOUN}area\b|\bdien tich\b|面积",
        _AREA,
        r"",
    ),
    _row(
        rf"\b{_NOUN}(?:percentage|per ?cent|share|proportion)\b|\bpercent(?:age)? of\b|\bphan "
        rf"tram\b|百分之"
        r"|比例",
        re.compile(_PERCENT),
        r"",
    ),
    _row(
        r"\bhow long (?:is|are|was) (?:the|an?) (?:\w+ )?(?:bridge|river|road|path|wall|tunnel"
        r"|street|coast"
        r"|border|line|track|trail|beach|cable|pipe)|"
        rf"\b{_NOUN}length\b|\blength of\b|\bdai{_HOW_MANY_VI}\b|\bchieu dai\b"
        r"|长度|全长|多长(?!时间)",
        re.compile(rf"{_measure(_LENGTH).pattern}|{_measure(_TIME).pattern}|{_measure(_BYTES).pattern}"
                   rf"|\d ?(?:words?|pages?|characters?|từ|trang|[字页句]|个?字符)"
                   rf"|[一两二三四五]到?[一两二三四五]?句"),
        r"\b(?:long(?:er|est)?|lengths?|dài|stretch\w*|runs?|khoảng)\b|长",
        rivals=True,
    ),
    _row(
        r"\bhow long\b|\b(?:trong |mat |keo dai )?bao lau\b|多久|多长时间",
        re.compile(rf"{_measure(_TIME).pattern}|{_measure(_LENGTH).pattern}|{_DATE.pattern}"
                   rf"|[一两二三四五]到?[一两二三四五]?句|\d ?(?:words?|pages?|từ|trang|[字页句])"),
        r"",
    ),
    _row(
        rf"\bhow (?:big|large)\b|\b{_NOUN}size\b|\bsize of\b|\b(?:lon|to){_HOW_MANY_VI}\b|\bkich "
        rf"thuoc\b"
        r"|多大|大小",
        re.compile(
            rf"(?:{_SIZED}).*?(?:\d|\b{_WORDED}|{_HAN})|{_measure(_LENGTH).pattern}"
            rf"|{_measure(_AREA).pattern}|{_measure(_BYTES).pattern}"
        ),
        r"",
    ),
)  # fmt: skip
"""The first one whose `asks` is found is what is asked for."""

_LOCATED = re.compile(
    r"\b(?:in|within|among|beneath|throughout|at|on|near|between|along|under|beside|behind|inside|outside|across|around|into|from"
    r"|to|north|south|east|west|via|through) (?:of )?(?!(?:1[0-9]|20)\d\d\b|(?:order|addition|fact"
    r"|general|case|time|spring|summer|autumn|winter|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|mondays?|tuesdays?|wednesdays?|thursdays?"
    r"|fridays?|saturdays?|sundays?)\b)[^\W\d]|\b(?:northern|southern|eastern|western|capital)\b"
    r"|\b(?:ở|tại|nằm|giữa|trên|gần|phía|bên|dưới|trong|ngoài|quanh|từ) [^\W\d]"
    r"|位于|地处|坐落|[在从到][\u4e00-\u9fff]|[东南西北]|[边岸内里旁]"
)
_CAUSE = re.compile(
    r"\b(?:because|since|due to|so that|so|therefore|thus|hence|reasons?|caus(?:es?|ed|ing)|owing"
    r"|in order|thanks to|as a result|results?|otherwise|as|for|to|lead|leads|led|vì|bởi|do|để"
    r"|nên|nhờ|nguyên nhân|lý do|tránh|giúp|khiến)\b"
    r"|因|由于|所以|为了|以便|原因|导致|否则|使|避免|从而|才能"
)


def measure_asked(question: str) -> Measure | None:
    """What a question wants measured; None when it is no such question."""
    folded = fold(question)
    plain = strip_marks(folded)
    for each in MEASURES:
        if each.asks.search(folded) or each.asks.search(plain):
            return each
    return None


def says_measure(wanted: Measure, sentence: str) -> bool:
    """Whether a sentence tells it: the value, and no word that it is the value of another thing."""
    folded = fold(sentence)
    if not wanted.shows.search(folded):
        return False
    if not wanted.rivals or wanted.says.search(folded):
        return True
    return not any(each.says.search(folded) for each in MEASURES if each.rivals)


def says_date(sentence: str, *, exact: bool, habit: bool) -> bool:
    """Whether it tells when: a year if `exact`; for a `habit`, also a condition (“when …”)."""
    folded = fold(sentence)
    if exact:
        return bool(re.search(_YEAR, folded))
    return bool(_DATE.search(folded) or (habit and _EVENT.search(folded)))


def says_number(sentence: str) -> bool:
    """Whether it tells a number, other than that of a year and the article-like “one”."""
    return bool(_NUMBER.search(_IN_A_YEAR.sub(" ", fold(sentence))))


def says_place(sentence: str) -> bool:
    """Whether it tells a place, with or without a name."""
    return bool(_LOCATED.search(fold(sentence)))


def says_cause(sentence: str) -> bool:
    """Whether it gives a reason."""
    return bool(_CAUSE.search(fold(sentence)))


def beyond(text: str, asked: str) -> str:
    """`text` without the numbers that the question itself names."""
    for number in re.findall(r"\d[\d.,]*", asked):
        text = re.sub(rf"(?<!\d){re.escape(number.strip('.,'))}(?!\d)", " ", text)
    return text
