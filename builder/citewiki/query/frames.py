"""Questions whose matter is only names: what a page is about, and how two pages differ.

“What is X?”, “tell me about X”, “X 是怎么回事？” want the page X in short; “the difference between
X and Y” wants what each of two pages says of itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Page
from citewiki.text.folding import fold, name_key, strip_marks
from citewiki.text.tokens import is_unspaced, own_terms, tokens

_LOOKED_AT = 12  # first sentences of a page, among which the defining one is looked for
_SHORTEST = 4  # terms of a sentence that says something; shorter ones are labels

_X = "(.+?)"
_TOPIC = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:so )?(?:what|who)(?:'s| is| are| was| were) {_X}(?: about| all about)?",
        rf"what (?:does|do) {_X} (?:mean|refer to)",
        rf"(?:please )?(?:tell|teach) (?:me|us) (?:more |something |everything )?about {_X}",
        rf"(?:please )?(?:explain|describe|define|summari[sz]e|introduce)(?: to me)?(?: what)? "
        rf"{_X}(?: is| are)?",
        rf"what (?:happened|happens) (?:in|at|to|during|with) {_X}",
        rf"how (?:does|do|did) {_X} (?:work|function)s?",
        rf"(?:what|anything) (?:do you know|can you tell me|is known|is there) about {_X}",
        rf"(?:the )?(?:meaning|definition|overview|summary) of {_X}|{_X} (?:meaning|definition)",
        rf"about {_X}",
        rf"{_X} (?:là gì|là ai|nghĩa là gì|có nghĩa là gì|là cái gì|là như thế nào)",
        rf"(?:hãy )?(?:kể(?: cho tôi)?|nói|giới thiệu|cho (?:tôi )?biết)(?: nghe)? về {_X}",
        rf"(?:hãy )?(?:giải thích|mô tả|trình bày|định nghĩa|tóm tắt) {_X}",
        rf"{_X} (?:hoạt động|vận hành|làm việc) (?:như )?thế nào",
        rf"(?:chuyện gì|điều gì) (?:đã )?xảy ra (?:với|ở|trong) {_X}",
        rf"(?:什么|谁|啥)是 ?{_X}",
        rf"{_X} ?(?:到底)?(?:是|指)的?(?:什么|谁|啥)(?:意思|东西|人|概念)?",
        rf"{_X} ?(?:是|到底是)?(?:怎么|咋)(?:一)?回事儿?",
        rf"(?:请)?(?:介绍|解释|说明|讲讲|说说|谈谈|描述)(?:一下|下)? ?(?:什么是)?{_X}",
        rf"(?:请)?(?:告诉我)?关于 ?{_X}(?:的(?:事|信息|情况))?",
        rf"{_X} ?(?:是)?(?:如何|怎么|怎样)(?:工作|运作|运行)的?",
    )
)  # fmt: skip
_DEFINED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:so )?what(?:'s| is| are)(?: an?)? (?!(?:the|my|your|our|their|his|her|its?|this|that"
        r"|these|those|there|good|typical|usual|common|normal|new|\w+ed|\w+ing)\b)"
        r"(?!.* (?:of|in|for|at|to|on|by|with|from|about|under|between|when|if|that|like)\b)"
        r"(\S+(?: \S+){0,2})",
        r"(?!.* của )(\S+(?: \S+){0,4}) (?:là gì|la gi)",
        r"(?:请问)?什么是([^的]+)",
        r"([^的]+?)(?:到底)?是什么",
    )
)
_AND = r"(?: and | or | vs\.? | versus | với | và | ?和 ?| ?与 ?| ?跟 ?| ?同 ?|、)"
_SIDES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\bdifferences? between (?P<a>.+?){_AND}(?P<b>.+)",
        r"^how (?:is|are|does|do) (?P<a>.+?) (?:different|differs?) from (?P<b>.+)",
        rf"^(?:compare|contrast|distinguish|differentiate)(?: between)? (?P<a>.+?)(?:{_AND}| "
        rf"(?:to|with|from) )(?P<b>.+)",
        r"^(?P<a>.+?) (?:vs\.?|versus|compared? (?:to|with)) (?P<b>.+)",
        r"^how does (?P<a>.+?) (?:compare) (?:to|with) (?P<b>.+)",
        rf"\b(?:khác nhau|khác biệt) (?:giữa|của) (?P<a>.+?){_AND}(?P<b>.+?)(?: là gì| ở đâu)?$",
        rf"\bso sánh (?P<a>.+?){_AND}(?P<b>.+)",
        rf"^(?P<a>.+?){_AND}(?P<b>.+?) khác (?:nhau|gì).*$",
        r"^(?P<a>.+?) (?:khác (?:với |gì (?:với |so với )?)?|so với )(?P<b>.+?)(?: (?:như )?thế "
        r"nào| ở đâu| chỗ nào| ra sao)?$",
        rf"^(?:请)?(?:比较|对比)(?:一下)? ?(?P<a>.+?){_AND}(?P<b>.+?)(?:的.{{1,6}})?$",
        rf"^(?P<a>.+?){_AND}(?P<b>.+?)(?:之间)?(?:的|有|有什么|有何|有哪些)*(?:区别|不同|差异|差别|异同).*$",
    )
)  # fmt: skip
_ARTICLE = re.compile(r"^(?:an?|the|của|cái) ")
_TELLS = re.compile(r"[.!?;:。！？；：…][\"'”’）)\]]*$")
_DEFINES = re.compile(
    r"\b(?:is|was|are|were) |\b(?:means?|refers? to|denotes?|consists? of|describes?|stands for"
    r"|là|nghĩa là|gồm)\b|是|指|即|称为|とは"
)


def topic(text: str) -> str:
    """The name that a question asks about and nothing else of; the whole text when it is no frame.

    >>> topic("Tell me about the Blue Glacier.")
    'blue glacier'
    """
    asked = _bare(text)
    for pattern in _TOPIC:
        if match := pattern.fullmatch(asked):
            return _ARTICLE.sub("", next(filter(None, match.groups())))
    return _ARTICLE.sub("", asked)


def defined(text: str) -> str:
    """The name in “what is X?”, “X là gì?”, “什么是X？”; "" when it is no such question.

    What is described (“what is the largest X”, “what is needed to …”) is no name: a page may say it
    in other words.

    >>> defined("What is a skip list?"), defined("What is the largest list?")
    ('skip list', '')
    """
    asked = _bare(text)
    return next((found[1] for each in _DEFINED if (found := each.fullmatch(asked))), "")


def holds_name(text: str, name: str) -> bool:
    """Whether `text` holds the words of a name on end, in any number, with or without accents."""
    wanted, said = (" ".join(own_terms(strip_marks(fold(each)))) for each in (name, text))
    return wanted in said if is_unspaced(wanted.replace(" ", "")) else f" {wanted} " in f" {said} "


def sides(text: str) -> tuple[str, str] | None:
    """The two names that a question compares; None when it is no comparison of two.

    >>> sides("What is the difference between MRR and nDCG?")
    ('mrr', 'ndcg')
    """
    asked = _bare(text)
    for pattern in _SIDES:
        if match := pattern.search(asked):
            first, second = (_ARTICLE.sub("", match[name].strip()) for name in ("a", "b"))
            return first, second
    return None


def page_called(name: str, pages: Iterable[Page]) -> Page | None:
    """The page with that title or alias, written in any case, number or with or without accents."""
    wanted = _key(name)
    plain = strip_marks(fold(name))
    for page in pages:
        for own in (page.title, *page.aliases):
            if wanted and (_key(own) == wanted or strip_marks(name_key(own)) == plain):
                return page
    return None


def leading(page: Page, most: int) -> list[Sentence]:
    """The sentence of a page that says what it is about, or else its first one, and what follows.

    Only what stands under one heading; labels, commands and the like do not count as sentences
    where there are others.
    """
    every = sentences(page.body)
    telling = [each for each in every if _TELLS.search(each.text) and _is_long(each)] or every
    title = set(tokens(page.title))
    held = [len(title & set(tokens(each.text))) for each in telling[:_LOOKED_AT]]
    defines = [bool(_DEFINES.search(fold(each.text))) for each in telling[:_LOOKED_AT]]
    opens = [0] if held and held[0] == len(title) else []
    whole = [at for at, count in enumerate(held) if count == len(title) and defines[at]]
    half = [at for at, count in enumerate(held) if 2 * count >= len(title) and defines[at]]
    first = next(iter((*opens, *whole, *half)), 0)
    return _together(telling[first : first + most])


def _is_long(sentence: Sentence) -> bool:
    return len(tokens(sentence.text)) >= _SHORTEST


def _together(found: Sequence[Sentence]) -> list[Sentence]:
    """Those under the heading of the first."""
    return [each for each in found if each.heading == found[0].heading]


def _bare(text: str) -> str:
    return " ".join(fold(text).strip(" \t?？!！.。…\"'“”").split())


def _key(name: str) -> Sequence[str]:
    return own_terms(fold(name))
