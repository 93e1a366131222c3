"""Whether the pages answer a question, and what to say when they do not."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import exp

from citewiki.markdown.plain import plain
from citewiki.model import Caution, Claim, Drift, Page, Refusal
from citewiki.query.asked import NAMES_THE_ANSWER, asked_words
from citewiki.query.basis import demand, has_form, named, speaks_of
from citewiki.query.evidence import Evidence
from citewiki.query.forms import measure_asked
from citewiki.query.kinds import FORMED, asks_for_passing
from citewiki.query.pack import PackedPage
from citewiki.query.question import Kind, Question
from citewiki.query.relations import told_otherwise
from citewiki.query.terms import Weighed
from citewiki.query.times import if_it_holds
from citewiki.text.folding import fold
from citewiki.text.subjects import clauses, with_subject
from citewiki.text.tokens import is_stop, is_unspaced, tokens


@dataclass(frozen=True, slots=True)
class Signs:
    """What speaks in the pages for an answer; shares are of the question, by idf."""

    best: float  # share that one sentence of the best page holds
    two_best: float  # shares that the two best sentences of the best page hold, added; 0..2
    page: float  # share that this page holds
    relation: float  # share of what the question's verb asks of which that page speaks
    focus: float  # 1 when that page says the rarest word that its title does not; 0.5 none is left
    others: float  # mean score of the next four pages, relative to the first
    about: float  # share that the title and headings of the best basis hold
    titled: bool  # the question is a title
    named: bool  # the question names the page of the best basis, which tells who, when, where, …
    formed: bool  # one of the five best sentences has the form that is asked for, if there is one


WEIGHTS = {
    "two_best": 1.14,
    "page": 3.54,
    "relation": 0.61,
    "focus": 0.13,
    "others": -4.05,
    "about": -1.81,
    "asks": 2.72,
    "number": -0.78,
    "place": 0.64,
    "passing": -1.28,
    "formless": -1.11,
}
BIAS = -3.24
"""Logistic regression, fitted by `python -m bench.fit_refusal`; bench/README.md has the figures."""

ENOUGH = 0.5
"""Probability from which a question is answered."""

TOLD = frozenset((Kind.WHO, Kind.WHEN, Kind.WHERE, Kind.HOW_MANY))
"""Kinds whose answer a sentence shows by its form alone."""

NAMED = 0.3
"""… when it names the page, and a sentence there has the form that it asks for. With 0.2 to 0.4
CLAPNQ's figures are the same within chance."""

WHOLE = 0.9
"""Share of the question from which one sentence answers it, if the form is right: in a small wiki
the other signs mean little (a decision)."""

_ASKS_OR_NOW = frozenset(
    "ai gì nào đâu sao mấy nhiêu today now currently nowadays tomorrow yesterday tonight hôm nay "
    "hiện bây giờ what's who's where's".split()
)
"""Words that ask, or only say that the present is meant."""

UNRELATED = 0.3
"""A page that holds a smaller share of the question is not about it, and answers nothing."""


def signs(
    question: Question,
    weighed: Weighed,
    packed: Sequence[PackedPage],
    found: Sequence[Evidence],
) -> Signs | None:
    """The signs for the best evidence; None when no sentence may be the basis of an answer."""
    best = next((each for each in found if each.basis), None)
    if best is None or not packed or only_function_words(weighed):
        return None
    of_page = [each for each in found if each.rank == best.rank]
    asked = best.asked
    told: frozenset[str] = frozenset()
    if measure_asked(question.text) and best.typed:
        told = told_otherwise(asked.weights.keys() - best.covers, best.sentence.text)
    if told:
        told |= {word for word in asked.weights if fold(word) in NAMES_THE_ANSWER}
    first, *rest = sorted((item.hit.score for item in packed), reverse=True)
    title = set(tokens(best.page.title))
    beyond = [word for word in asked.rarest if word not in best.about]
    own = {id(best): asked.share(best.covers | told)}
    shares = sorted((own.get(id(each), each.own) for each in of_page), reverse=True)
    return Signs(
        best=shares[0],
        two_best=sum(shares[:2]),
        page=asked.share(best.on_page | told),
        relation=max(each.relation for each in of_page),
        focus=1.0 if told.intersection(beyond[:1]) else best.focus,
        others=sum(rest[:4]) / 4 / first if first > 0 else 0.0,
        about=asked.share(best.about),
        titled={term.text for term in weighed.terms} == title and not weighed.missing,
        named=question.kind in TOLD and bool(named(question.text, [best.page])),
        formed=any(each.typed for each in found[:5]),
    )


def features(question: Question, sign: Signs) -> dict[str, float]:
    """What `WEIGHTS` weighs: the signs, and what is known of the question itself."""
    return {
        "two_best": sign.two_best,
        "page": sign.page,
        "relation": sign.relation,
        "focus": sign.focus,
        "others": sign.others,
        "about": sign.about,
        "asks": float(question.kind is not Kind.OTHER or sign.titled),
        "number": float(question.kind is Kind.HOW_MANY),
        "place": float(question.kind is Kind.WHERE),
        "passing": float(asks_for_passing(question.text)),
        "formless": float(question.kind in FORMED and not sign.formed),
    }


def probability(question: Question, sign: Signs) -> float:
    """That the pages answer the question."""
    weighed = sum(WEIGHTS[name] * value for name, value in features(question, sign).items())
    return 1 / (1 + exp(-(weighed + BIAS)))


def answers(question: Question, sign: Signs | None) -> bool:
    """Whether the evidence is enough."""
    if sign is None or sign.page < UNRELATED:
        return False
    if sign.best >= WHOLE and sign.formed and question.kind is not Kind.OTHER:
        return True
    return probability(question, sign) >= (NAMED if sign.named else ENOUGH)


def refuse(question: Question, weighed: Weighed, packed: Sequence[PackedPage]) -> Refusal:
    """The refusal for a question that no page at hand answers."""
    words = asked_words(question.text, weighed)
    content = {word for word in words.weights if says_matter(word)}
    near = [
        item.page.title
        for item in packed
        if (held := words.held_in(f"{item.page.title} {item.page.body}") & content)
        and (words.share(held) >= UNRELATED or named(question.text, [item.page]))
    ][:4]
    most = 6 if question.language == "vi" else 3  # syllables make words there
    rare = [word for word in words.rarest if says_matter(word) and not is_unspaced(word)][:most]
    topic = ", ".join(_phrases(question.text, rare)) or question.text
    if not near:
        return Refusal(
            "no_relevant_page",
            f"No page is about this ({topic}).",
            (),
            "Take in a source about it: citewiki ingest PATH; or ask with other words.",
        )
    return Refusal(
        "not_stated",
        "There are pages about this, but none of them says it.",
        tuple(near),
        "Ask with other words, or take in a source that says it: citewiki ingest PATH.",
    )


def says_matter(word: str) -> bool:
    """Whether a word of a question says what it is about: it asks nothing and tells no "now"."""
    return not (is_stop(word) or is_stop(fold(word)) or fold(word) in _ASKS_OR_NOW)


def _phrases(asked: str, words: Collection[str]) -> list[str]:
    """Words of a question as they stand there; those side by side are one phrase."""
    runs: list[list[str]] = [[]]
    for written in asked.split():
        bare = written.strip("?？!.,;:“”\"'()")
        if bare in words:
            runs[-1].append(bare)
        if bare not in words or bare != written:
            runs.append([])
    return list(dict.fromkeys(" ".join(run) for run in runs if run))


def refuse_empty() -> Refusal:
    """The refusal of a wiki that has no page for anybody to read."""
    return Refusal(
        "no_relevant_page",
        "The wiki is empty: it has no page that could answer.",
        (),
        "Take in a source first: citewiki ingest PATH.",
    )


def only_function_words(weighed: Weighed) -> bool:
    """Whether nothing of the question that pages hold says what it is about."""
    return all(is_stop(term.word) or is_stop(term.text) for term in weighed.terms)


def refuse_conflict(drift: Sequence[Drift]) -> Refusal:
    """The refusal when pages contradict each other on what is asked."""
    first = drift[0]
    titles = dict.fromkeys(title for each in drift for title in each.titles)
    return Refusal(
        "conflict",
        f"Pages contradict each other: {first.message}.",
        tuple(titles),
        f"Resolve it: citewiki supersede {first.pages[1]} {first.pages[0]}, or say when each "
        "holds: citewiki drift --interactive; or ask with --drift auto, where the newest wins.",
    )


def concerns(question: Question, drift: Drift, pages: Mapping[str, Page]) -> bool:
    """Whether pages disagree on what is asked, and not on what a cited sentence says besides.

    A sentence of one clause says one thing; of several, both have to answer the question, and none
    of them is what a page is.
    """
    said = list(zip((pages[slug] for slug in drift.pages), drift.quotes, strict=True))
    told = [with_subject(" ".join(plain(quote).split()), page.title) for page, quote in said]
    if all(len(clauses(text)) == 1 for text in told):
        return True
    if question.kind in (Kind.DEFINITION, Kind.COMPARISON):
        return False
    wanted = demand(question, [page for page, _ in said])
    return all(
        has_form(wanted, page, quote) and speaks_of(wanted, page, "", quote) for page, quote in said
    )


def refuse_stale(stale: Sequence[Page], caution: Caution) -> Refusal:
    """The refusal when only pages that may no longer hold answer the question.

    `caution` says why the first of them may not.
    """
    first = stale[0]
    return Refusal(
        "stale",
        f"The page that says it may no longer hold: {caution.message}.",
        tuple(page.title for page in stale[:4]),
        f"Reverify it: check wiki/{first.path} against its source, and {if_it_holds(caution)}; "
        "or ask about the time it held for, with --as-of DATE, or with --allow-stale.",
    )


def refuse_unstated(claims: Sequence[Claim]) -> Refusal:
    """The refusal of a strict question that `claims` answer, of which none is stated."""
    cited = dict.fromkeys(each for claim in claims for each in claim.citations)
    first = next(iter(cited))
    return Refusal(
        "not_stated",
        f"“{first.page}” speaks of it, but no sentence of a page states it by itself.",
        tuple(dict.fromkeys(each.page for each in cited)),
        "Ask without --strict; or say it on the page in one sentence that stands alone: with names "
        "in place of words such as “it”, and without a doubt.",
    )
