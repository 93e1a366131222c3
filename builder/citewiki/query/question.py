"""What is being asked: the question checked, and the kind of answer that it wants."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum

from citewiki.errors import QuestionError
from citewiki.text.folding import fold, nfc, strip_marks
from citewiki.text.language import language

LONGEST = 4_000
"""Characters of the longest question; longer texts are documents, to be ingested and not asked."""


class Kind(StrEnum):
    """What sort of answer a question wants."""

    WHO = "who"
    WHEN = "when"
    WHERE = "where"
    HOW_MANY = "how_many"
    WHICH = "which"
    YES_NO = "yes_no"
    WHY = "why"
    HOW = "how"
    DEFINITION = "definition"
    LIST = "list"
    COMPARISON = "comparison"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Question:
    """A question that can be asked."""

    text: str  # NFC, white space made single
    kind: Kind
    language: str  # ISO 639-1; "" unknown
    wants_current: bool = False  # it asks for what is so now
    years: frozenset[int] = frozenset()  # that it names


def question(text: str) -> Question:
    """A question from what somebody typed; raises QuestionError when it cannot be asked."""
    visible = "".join(
        char if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn") else " "
        for char in text[: LONGEST + 1]
    )
    clean = nfc(" ".join(visible.split()))
    if not clean:
        raise QuestionError("the question is empty", hint='ask so: citewiki ask "What is …?"')
    if len(text) > LONGEST:
        raise QuestionError(
            f"the question has {len(text):,} characters, more than {LONGEST:,}",
            hint="ask about one thing, or take the text in with: citewiki ingest",
        )
    return Question(
        clean,
        kind_of(clean),
        language(clean),
        bool(_CURRENT.search(fold(clean))),
        frozenset(map(int, _YEAR.findall(clean))),
    )


def kind_of(text: str) -> Kind:
    """The first kind whose pattern is in `text`; English, Vietnamese (also unaccented), Chinese."""
    folded = fold(text)
    plain = strip_marks(folded)
    for kind, pattern in _KINDS:
        if pattern.search(folded) or pattern.search(plain):
            return kind
    return Kind.OTHER


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_KINDS = (
    (
        Kind.COMPARISON,
        _any(
            r"\bdifferences? between\b", r"\bdiffers?\b", r"\bcompared? (?:to|with)\b",
            r"\bversus\b", r"\bvs\b", r"^(?:compare|contrast|differentiate|distinguish)\b",
            r"\bkhac (?:nhau|gi|biet)", r"\bso (?:voi|sanh)\b",
            "区别", "不同", "差异", "相比", "比较",
        ),
    ),
    (
        Kind.WHY,
        _any(
            r"\bwhy\b", r"\bwhat (?:is|was|are|were) the (?:reason|cause)s?\b",
            r"\bwhat caused?s?\b",
            r"\b(?:vi|tai) sao\b", r"\bly do\b", "(?<![称作成认以名封版叫视变化])为什么", "为何",
            "原因",
            "なぜ",
        ),
    ),
    (
        Kind.WHEN,
        _any(
            r"^(?:\w+ )?when\b", r"\bwhen (?:is|are|was|were|do|does|did|has|had|can|will"
            r"|should)\b",
            r"\bwhen\s*\?*$", r"\b(?:what|which) (?:year|date|day|month|century|decade)\b",
            r"\b(?:khi|luc|nam|ngay|thang) nao\b", r"\bbao gio\b", "什么时候", "何时",
            "哪[一]?[年天月日]", "几[年月]", "いつ",
        ),
    ),
    (
        Kind.HOW_MANY,
        _any(
            r"\bhow (?:many|much|old|long|tall|far|large|big|often|high|deep|fast|wide|heavy"
            r"|thick|hot|cold)\b",
            r"\b(?:what|which) (?:number|percentage|per cent|share|proportion|amount|value)\b",
            r"^(?:the )?(?:number|price|cost|size|length|height|age|population) of\b",
            r"\b(?:what|which) (?:is|are|was|were) the (?:\w+ )?(?:number|price|cost|fee|size"
            r"|length|height"
            r"|depth|width|weight|age|speed|area|population|temperature|distance|duration"
            r"|percentage)\b",
            r"\bbao (?:nhieu|lau|xa)\b", r"\bmay (?:loai|cach|buoc|ngay|lan|nguoi|cai)\b",
            "多少", "几[个种次条位名岁座层本张只项家]", "多[大长久高远深宽厚重快]", "いくつ",
            "どれくらい",
        ),
    ),
    (
        Kind.WHERE,
        _any(
            r"\bwhere\b", r"\b(?:what|which) (?:city|country|place|state|town|continent)\b",
            r"\bo dau\b", r"\b(?:noi|cho) nao\b", "哪里", "哪儿", "何处",
            "在哪(?![一几两个种本款部项场])", "どこ",
        ),
    ),
    (Kind.WHO, _any(r"\bwho(?:m|se)?\b",
    r"^ai\b|\bai (?:la|da|viet|lam|tao|duoc)\b|\b(?:boi|cua|la) ai\b"
    r"|\bai\s*\?*$", "谁", "哪位", "誰", "だれ")),
    (
        Kind.LIST,
        _any(
            r"^(?:list|name|give|identify|mention)\b", r"^(?:some|\d+|two|three|four|five) facts\b",
            r"\bwhat are the (?:\w+ )?(?:types|kinds|steps|parts|members|names)\b",
            r"\b(?:which|what) (?:two|three|four|five|six|seven)\b",
            r"\bnhung \w+(?: \w+)? nao\b",
            r"\bgom nhung\b", "哪些", "哪[几两三四五]", "有什么",
        ),
    ),
    (
        Kind.DEFINITION,
        _any(
            r"^what(?:'s| is| are| was| were) (?!.*\b(?:of|in|for|at)\b)"
            r"[^\s?]+(?: [^\s?]+){0,4}\s*\?*$",
            r"\bwhat does .* mean\b", r"\bmeaning(?: of\b|\s*\??$)",
            r"\b(?:refers? to|known as|called|mean)\s*\??$",
            r"^define\b", r"\bdefinition of\b",
            r"^(?!.*\bcua\b).*\bla gi\b", r"\bnghia la\b", "^[^的]+是什么", "什么是", "指什么",
            "什么意思", "とは",
        ),
    ),
    (
        Kind.HOW,
        _any(r"\bhow\b", r"^(?:describe|explain|discuss|outline)\b",
        r"^(?:mo ta|giai thich|trinh bay)\b",
        r"\b(?:nhu )?the nao\b", r"\blam sao\b", r"\bcach nao\b", "如何",
        "怎么", "怎样"),
    ),
    (
        Kind.YES_NO,
        _any(
            r"^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|must|may)\b",
            r"\bco phai\b", r"\bphai khong\b", r"\bkhong\s*[?？]$", "吗[？?]?$", "是否", "是不是",
        ),
    ),
    (Kind.WHICH, _any(r"\bwhich\b", r"\bwhat\b", r"\b(?:nao|gi)\b", "哪", "什么", "何")),
)  # fmt: skip

_YEAR = re.compile(r"(?<![\d.,:/-])(?:19|20)\d\d(?![\d:]|[.,/-]\d)")
_CURRENT = _any(
    r"\b(?:now|nowadays|currently|current|today|at present|latest|newest|still|these days)\b",
    r"\b(?:hiện nay|hiện tại|bây giờ|hiện giờ|mới nhất|hôm nay|vẫn còn)\b",
    "现在", "目前", "当前", "如今", "最新", "今天", "仍然",
)  # fmt: skip
