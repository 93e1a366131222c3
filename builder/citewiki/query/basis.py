"""Which sentences may be the basis of an answer.

A sentence may when it has the form that the question asks for (a date, a length, a person, …),
speaks of what is asked (the words that are left of the question beside the name of its subject, or
what people say in their place), and is about the subject that the question names.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from citewiki.markdown.structure import sentences
from citewiki.model import Page
from citewiki.query.forms import (
    Measure,
    beyond,
    measure_asked,
    says_cause,
    says_date,
    says_measure,
    says_number,
    says_place,
)
from citewiki.query.frames import defined, holds_name
from citewiki.query.persons import proper_names, says_person
from citewiki.query.question import Kind, Question
from citewiki.query.relations import relation_asked_last, relations_asked
from citewiki.text.folding import fold, name_key, strip_marks
from citewiki.text.tokens import content_words, is_unspaced, own_terms, query_terms, tokens
from citewiki.text.verbs import verb_forms

_Forms = frozenset[str]  # the index terms of one word, or a Han character that stands alone

_ASKING = frozenset(
    "value number amount quantity figure year date day month time name kind type sort reason cause "
    "place person way percentage share size length long many much old tall high deep wide thick "
    "far "
    "heavy fast big large often height depth width weight mass age speed price cost costs fee fare "
    "area distance temperature city country state town village street continent people man woman "
    "come comes came go goes went get gets got happen happens happened tell know say said list "
    "show "
    "explain describe identify give start starts begin begins end ends located location find map "
    "world main common example examples purpose role point meaning mean means meant impact effect "
    "result story form forms stage stages part parts component components element elements fact "
    "facts feature features characteristic characteristics idea concept function importance "
    "significance definition term word nickname difference differences relationship entity thing "
    "things organization organisation item items group last lasts lasted take takes took "
    "giá trị số năm ngày tháng tên loại lý do cách nơi cao sâu rộng dài dày nặng xa lâu tuổi lớn "
    "tiền đồng mét người cái chiếc".split()
)
"""Words that say what sort of answer is wanted: a sentence that gives it need not use them."""

_ORIGIN = re.compile(r"\bfrom\W*$")
"""“Where does it get its name from?” asks for an origin, which need not be a place."""

_ENDPOINT = re.compile(
    r"\bwhere (?:do|does|did|will) .+ (?:start|begin|end|finish|terminate|run|lead|go)"
    r"(?: from| to)?\W*$|\bwhere is the (?:start|end|terminus)\b"
    r"|\b(?:bắt đầu|kết thúc|xuất phát) (?:từ |ở )(?:đâu|chỗ nào)"
    r"|(?:起点|终点)|从哪里?(?:出发|开始)"
)
_ROUTE = re.compile(
    r"\b(?:from|starts?|started|begins?|began|ends?|ended|terminus|terminat\w*|departs?|leads?|leaves?"
    r"|between|to|từ|bắt đầu|kết thúc|xuất phát|đến)\b|[从自至到]|起点|终点|始[于发]"
)
"""“Where does the line start?” asks for an end of a way, not for where its whole lies."""

_POINTS = re.compile(
    r"(?:see|see also|cf\.?|xem|xem thêm|参[见看阅]|另见|详?见)[ :：《\[]?.{1,40}$"
)
"""A sentence that only sends to another page."""

_LIES = re.compile(
    r"\b(?:is|are|was|were) (?:an?|the) (?:[\w-]+ ){1,4}(?:in|on|at|near) \w"
    r"|\b(?:located|situated|lies|lie|stands?|found (?:in|on|at|near|within)|capital|nằm|ở|tại)\b"
    r"|位于|坐落|地处"
)
"""What says where something is, whatever it is called there."""

_HAN_FRAME = re.compile(
    "什么时候|什么|为什么|多少|怎么样?|怎样|如何|哪[一几两三四五]?[年天月日个位座种里儿些家国]?|几[个种次条位名座岁年月张本只项层]"
    "|有?多[深高长久大宽厚重远快]|是谁|谁|在哪|何[时处]|吗|呢|请问|[是的了在于有被由会能里和与及]|可以|一共|总共"
)
_HAN_COUNTED = re.compile(
    r"(?:多少|几)[个种次条位名座家本张只项层艘件款台间户道辆篇份句]?([\u4e00-\u9fff]{1,6}?)"
    r"(?=[的在是被有可能会吗了呢？?。]|$)"
)
_HAN_OF = re.compile(r"的([\u4e00-\u9fff]{1,6}?)(?:是|有|叫|为|分别)*(?:什么|多少|谁|哪)")
_HAN_WHICH = re.compile(r"(?:哪[一几两三四五]?[个种位座家款项]|什么)([\u4e00-\u9fff]{2,6})")
_VERBS = "do|does|did|are|is|was|were|has|have|had|can|could|will|would|should|must|may|might"
_COUNTS = r"two|three|four|five|six|seven|eight|nine|ten|\d+"
_STOPS = (
    r"do|does|did|are|is|was|were|has|have|had|can|could|will|would|should|must|may|might|in|on|of"
    r"|per|at|for|from|to|by|with|that|which|who|there|it|they|you|i|we|he|she"
)
_COUNTED = re.compile(
    rf"\bhow (?:many|much) (?!(?:{_STOPS})\b)((?:[\w'-]+ ){{0,3}}?[\w'-]+?)(?= (?:{_STOPS})\b|\W*$)"
    r"|\bbao nhiêu ([^\W\d]+)|\bmấy ([^\W\d]+)"
)
_OF = re.compile(
    r"\b(?:what|which|who)(?:'s| is| are| was| were) (?:the|its) ((?:[\w'-]+ ){0,2}[\w'-]+) "
    r"(?:of|for) \w"
    r"|^(?:list|name|give|show)(?: me)?(?: all)?(?: the)? ((?:[\w'-]+ ){0,2}[\w'-]+) (?:of|for"
    r"|in) \w"
)
_WHICH = re.compile(
    rf"\b(?:which|what) (?!(?:{_STOPS})\b)(?:(?:[\w'-]+ ){{0,2}}?([\w'-]+) (?:{_VERBS})\b"
    rf"|(?:(?:{_COUNTS}) )?([\w'-]+))"
)
"""The noun that “which” asks for: what stands before an auxiliary verb, else what follows first."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a sentence has to hold to be the basis of an answer."""

    kind: Kind
    asked: str
    measure: Measure | None  # what is to be measured
    relations: tuple[re.Pattern[str], ...]  # what is said of a thing; one is enough
    things: frozenset[str]  # terms of what is counted, listed or chosen; one is enough
    names: frozenset[str]  # terms of the proper names in the question
    subjects: tuple[frozenset[str], ...]  # terms of each page name in the question
    called: tuple[str, ...] = ()  # the words of its proper names, without case and accents
    defined: str = ""  # the name that is to be defined


def demand(question: Question, pages: Sequence[Page]) -> Demand:
    """What `question` demands of sentences of `pages`.

    Beside the pages that the question names, those are its subject that one of them names where it
    speaks of what is asked: the way to an answer over two pages.
    """
    wanted = Demand(
        question.kind,
        question.text,
        measure_asked(question.text) if question.kind is Kind.HOW_MANY else None,
        tuple(relations_asked(question.text)),
        frozenset(_things(question)),
        frozenset(term for name in proper_names(question.text) for term in tokens(name)),
        tuple(named(question.text, pages)),
        called=tuple(map(_bare, " ".join(proper_names(question.text)).split())),
        defined=defined(question.text) if question.kind is Kind.DEFINITION else "",
    )
    last = tuple(relation_asked_last(question.text))
    if not wanted.subjects:
        return replace(wanted, relations=last)
    own = [page for page in pages if frozenset(tokens(page.title)) in wanted.subjects]
    said = " ".join(
        name_key(each.text)
        for page in own
        for each in sentences(page.body)
        if speaks_of(wanted, page, each.heading, each.text)
    )
    further = [page.title for page in pages if page not in own and name_key(page.title) in said]
    return replace(
        wanted,
        relations=last,
        subjects=(*wanted.subjects, *(frozenset(tokens(title)) for title in further)),
    )


def supports(wanted: Demand, page: Page, heading: str, sentence: str) -> bool:
    """Whether a sentence of `page`, under `heading`, may be the basis of an answer."""
    return (
        not _POINTS.match(fold(sentence))
        and says_more(wanted, page, sentence)
        and has_form(wanted, page, sentence)
        and speaks_of(wanted, page, heading, sentence)
        and is_about(wanted, page, heading, sentence)
    )


def says_more(wanted: Demand, page: Page, sentence: str) -> bool:
    """Whether it holds a word that question and title do not; for yes or no it need not."""
    if wanted.kind is Kind.YES_NO:
        return True
    known = {*tokens(wanted.asked), *tokens(page.title)}
    names = tokens(" ".join(proper_names(sentence)))  # “MIT”, though “mit” is a function word
    return not known.issuperset([*content_words(sentence), *names])


def has_form(wanted: Demand, page: Page, sentence: str) -> bool:
    """Whether it has the form that the question asks for, beyond what the question itself says."""
    kind = wanted.kind
    if kind is Kind.HOW_MANY:
        fresh = beyond(sentence, wanted.asked)
        return says_measure(wanted.measure, fresh) if wanted.measure else says_number(fresh)
    if kind is Kind.WHEN:
        asked = fold(wanted.asked)
        year = bool(re.search(r"\byear\b|\bnăm nào\b|哪一?年", asked))
        past = re.search(r"\b(?:was|were|did)\b", asked)
        return says_date(beyond(sentence, wanted.asked), exact=year, habit=not past)
    if kind is Kind.WHERE:
        asked = fold(wanted.asked)
        if _ENDPOINT.search(asked) and not _ROUTE.search(fold(sentence)):
            return False
        return bool(_ORIGIN.search(asked)) or says_place(sentence)
    if kind is Kind.WHO:
        left = [form for word in _left(wanted, page) for form in word]
        return says_person(sentence, f"{wanted.asked} {page.title}", left)
    if kind is Kind.WHY:
        return says_cause(sentence)
    return True


def speaks_of(wanted: Demand, page: Page, heading: str, sentence: str) -> bool:
    """Whether it speaks of what is asked of the subject."""
    text = f"{heading} {sentence}"
    held = set(tokens(text))
    left = _left(wanted, page)
    told = any(says.search(fold(text)) for says in wanted.relations)
    if wanted.things:
        if _holds(wanted.things, held, text):
            return True
        if wanted.kind is Kind.HOW_MANY:  # a number of other things is no answer
            return told
        left = [word for word in left if not word & wanted.things]
        most = 2 * sum(_holds(word, held, text) for word in left) >= len(left)
        return most and (told or (bool(left) and not wanted.relations))
    if not left or told or any(_holds(word, held, text) for word in left):
        return True
    lies = wanted.kind is Kind.WHERE and not wanted.relations
    return lies and bool(_LIES.search(fold(sentence)))


def _holds(word: _Forms, terms: Collection[str], text: str) -> bool:
    return not word.isdisjoint(terms) or any(len(form) == 1 and form in text for form in word)


def is_about(wanted: Demand, page: Page, heading: str, sentence: str) -> bool:
    """Whether it is about a page that the question names; always true when it names none.

    What is to be defined has to be named, in the sentence or above it.
    """
    above = " . ".join((page.title, *page.aliases, heading))
    if wanted.defined and not holds_name(f"{above} . {sentence}", wanted.defined):
        return False
    if not wanted.subjects:
        return not wanted.called or any(name in _plain(page) for name in wanted.called)
    held = set(tokens(f"{page.title} {' '.join(page.aliases)} {heading} {sentence}"))
    return any(subject <= held for subject in wanted.subjects)


def _bare(word: str) -> str:
    return strip_marks(fold(word)).removesuffix("'s").removesuffix("’s").strip(".'’")


@lru_cache(maxsize=64)
def _plain(page: Page) -> str:
    """The whole text of a page, by which names are looked for: without case and accents."""
    return strip_marks(fold(f"{page.title} {' '.join(page.aliases)} {page.body}"))


def named(text: str, pages: Iterable[Page]) -> list[frozenset[str]]:
    """The terms of every page title or alias that `text` holds, without those inside others.

    A name of several words is held in any order: “the empty index incident” names the page
    “Incident of the empty index”.
    """
    asked = f" {' '.join(own_terms(text))} "
    every = set(tokens(text))
    found: dict[str, frozenset[str]] = {}
    for page in pages:
        for name in (page.title, *page.aliases):
            key = " ".join(own_terms(name))
            words = set(content_words(name))
            spelt = key in asked if key and is_unspaced(key) else f" {key} " in asked
            if key and (spelt or (len(words) > 1 and words <= every)):
                found[key] = frozenset(tokens(name))
    return [terms for terms in found.values() if not any(terms < other for other in found.values())]


def _things(question: Question) -> list[str]:
    """Terms of what is counted, listed or chosen."""
    folded = fold(question.text)
    if question.kind is Kind.HOW_MANY:
        match = _COUNTED.search(folded)
        if match and not measure_asked(question.text):
            words = next(filter(None, match.groups())).split()[:2]  # “people live”, “working days”
            return [term for term in content_words(" ".join(words)) if term not in _ASKING]
        if (match := _HAN_COUNTED.search(folded)) and not measure_asked(question.text):
            return tokens(match[1])
    if question.kind in (Kind.WHICH, Kind.LIST, Kind.OTHER, Kind.WHO):
        for pattern in (_OF, _WHICH):
            if match := pattern.search(folded):
                last = next(filter(None, match.groups())).split()[-1]
                return [
                    term for term in tokens(last) if term not in _ASKING and last not in _ASKING
                ]
        for pattern in (_HAN_OF, _HAN_WHICH):
            if match := pattern.search(folded):
                return tokens(match[1])
    return []


def _left(wanted: Demand, page: Page) -> list[_Forms]:
    """What is left of the question beside its subject and the words that only ask."""
    known = {
        *wanted.names,
        *tokens(" ".join((page.title, *page.aliases))),
        *(term for subject in wanted.subjects for term in subject),
    }
    words: dict[str, set[str]] = {}
    for term in query_terms(wanted.asked):
        if not is_unspaced(term.words):
            words.setdefault(term.words, set()).update(verb_forms(term.text))
    left = [
        frozenset(forms)
        for word, forms in words.items()
        if not forms & known and fold(word) not in _ASKING
    ]
    han = wanted.asked
    for name in sorted((page.title, *page.aliases), key=len, reverse=True):
        han = han.replace(name, " ")
    for run in re.findall(r"[\u3400-\u9fff]+", _HAN_FRAME.sub(" ", han)):
        pairs = frozenset(tokens(run)) - known
        if pairs:
            left.append(pairs)
    return left
