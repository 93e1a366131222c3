"""What a sentence leaves unsaid of its subject, because its page or its first clause says it.

"The line has 31 stops" on the page of a tram line speaks of that line; in "X is 23 km long and has
31 stops" the second verb has the first one's subject. Only what is certain is filled in: a kind
with "the" that the title ends in or that the page's first sentence gives the title ("X is a
light-rail line"), a bare kind that the title begins with ("Công ty" of "Công ty An Phát"), and a
Chinese clause that begins with its verb.
"""

from __future__ import annotations

import re
from functools import lru_cache

from citewiki.text.relations import OF_TITLE

_THE = re.compile(r"^the\s+([^\W\d_]+)\s+", re.IGNORECASE)
_IS_A = re.compile(r"(?:is|was|are|were) (?:an?|the) ((?:[^\W\d_][\w-]*[ ]?){1,5})", re.IGNORECASE)
_IS_A_HAN = re.compile(r"[是为](?:一[\u4e00-\u9fff])?[^，,。；;]*?([\u4e00-\u9fff]{2})[，,。；;]")
_NOT_OF_THE_KIND = re.compile(
    r"\b(?:in|on|at|of|for|from|to|by|with|that|which|who|and|or|near|between|along|built|made|used"
    r"|founded|based|located|whose|where|as)\b.*",
    re.IGNORECASE,
)
_KINDS_VI = (
    "công ty|tập đoàn|ngân hàng|nhà máy|nhà hát|nhà thờ|nhà ga|trường|đại học|viện|bệnh viện"
    "|bảo tàng|thư viện|khách sạn|tổ chức|hiệp hội|câu lạc bộ|cầu|hầm|đập|cảng|sân bay|ga|tuyến"
    "|tòa nhà|tháp|chùa|đền|thành phố|tỉnh|huyện|quận|xã|phường|làng|sông|hồ|núi|đảo|vịnh|dự án"
)
"""Kinds of things that each have a name of their own: alone they mean the one at hand."""
_BARE_VI = re.compile(
    rf"^(?P<kind>{_KINDS_VI})\s+(?=(?:này\s+)?(?:có|được|là|do|dài|rộng|cao|nặng|nằm)\b)", re.I
)
_VERBS_HAN = (
    "全长|总长|全程|设有|拥有|共有|设|位于|坐落|建于|建成|始建|成立|创立|创建|通车|开通|开业|总投资|总面积"
    "|占地|海拔|容纳|雇用|现有|有(?=\\d)"
)
_VERB_FIRST_HAN = re.compile(rf"^(?={_VERBS_HAN})")
_KIND_HAN = re.compile(
    r"^(?:该|本|此|这[家条座个所])?([\u4e00-\u9fff]{1,4}?)(?=" + _VERBS_HAN + r"|[是有由])"
)

_FINITE = "is|was|are|were|has|had|have|có|được|là|dài|rộng|cao|nặng"
_SUBJECT = re.compile(rf"^([^,;:]{{2,80}}?)\s+(?=(?:{_FINITE})\b)", re.IGNORECASE)
_SUBJECT_HAN = re.compile(rf"^([^，,。；;]{{2,12}}?)(?={_VERBS_HAN})")
_SECOND = re.compile(
    rf",?\s+(?:and|và)\s+(?=(?:(?:{_FINITE})\b|[^\W\d_]+s\s+\d))|[，,、](?={_VERBS_HAN})",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def kinds(title: str, body: str) -> frozenset[str]:
    """What the first sentence about `title` says that it is: at most one word, folded.

    >>> sorted(kinds("Northline Tram", "Northline Tram is a light-rail line in Marlow."))
    ['line']
    """
    at = body.find(f"{title} ")
    if at >= 0 and (found := _IS_A.match(body, at + len(title) + 1)):
        words = _NOT_OF_THE_KIND.sub("", found[1]).split()
        return frozenset(word.lower() for word in words[-1:])
    at = body.find(title)
    if at >= 0 and (found := _IS_A_HAN.match(body, at + len(title))):
        return frozenset((found[1],))
    return frozenset()


def with_subject(text: str, title: str, kinds: frozenset[str] = frozenset()) -> str:
    """The title in the place of the words at the beginning that stand for it, or lack."""
    if found := OF_TITLE.match(text):
        return f"{title} {text[found.end() :]}"
    words = title.split()
    if the := _THE.match(text):
        kind = the[1].lower()
        if kind in kinds or (len(words) > 1 and words[-1].lower() == kind):
            return f"{title} {text[the.end() :]}"
    if title.isascii():
        return text
    bare = _BARE_VI.match(text)
    if bare and title.lower().startswith(f"{bare['kind'].lower()} "):
        return f"{title} {text[bare.end() :]}"
    if _VERB_FIRST_HAN.match(text):
        return title + text
    if (kind_han := _KIND_HAN.match(text)) and kind_han[1] in kinds:
        return title + text[kind_han.end() :]
    return text


def clauses(text: str) -> list[str]:
    """The clauses of a sentence that share its subject, each with it; the sentence if it has one.

    >>> clauses("The tram is 23 km long and has 31 stops.")
    ['The tram is 23 km long', 'The tram has 31 stops.']
    """
    first, *further = _SECOND.split(text)
    spaced, han = _SUBJECT.match(first), _SUBJECT_HAN.match(first)
    if not further or not (spaced or han):
        return [text]
    subject = f"{spaced[1]} " if spaced else han[1] if han else ""
    return [first, *(subject + clause for clause in further)]
