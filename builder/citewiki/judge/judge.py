"""The judge: for every claim, whether the pages that it cites say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from citewiki.judge.core import Judgement, judge_passages
from citewiki.judge.doubts import Doubt, points_elsewhere
from citewiki.judge.reading import Passage, passage
from citewiki.markdown.structure import Sentence, sentences
from citewiki.model import Check, Citation, Claim, Page, Verdict

AROUND = 6
"""Sentences before and after a quote that a claim may rest on too: with the quote about as many as
the passages have on which the judge was fitted."""


ABOUT = 0.15
"""Share of a claim's words in one sentence, from which a cited page is about it, though it may say
otherwise: of "Bob Miller designed it" it says "designed"."""


class Proposed(Protocol):
    """A claim that nobody has judged yet."""

    @property
    def text(self) -> str:
        """What it says."""

    @property
    def citations(self) -> tuple[Citation, ...]:
        """The pages that should say it."""


def judge(
    claims: Sequence[Proposed],
    pages: Mapping[str, Page],
    *,
    strict: bool = False,
    granted: frozenset[Doubt] = frozenset(),
) -> tuple[Claim, ...]:
    """The claims in their order, each with its verdict and the checks it turned on.

    `pages` are the pages at hand, by slug. A claim is held against what stands around the quotes
    that it cites; a quote that its page does not hold bears nothing. A claim that does not stand
    is outside the wiki when the cited pages are about something else and no page at hand says it.
    """
    return tuple(_judged(claim, pages, strict, granted) for claim in claims)


def _judged(
    claim: Proposed, pages: Mapping[str, Page], strict: bool, granted: frozenset[Doubt]
) -> Claim:
    missing = tuple(
        cited.quote
        for cited in claim.citations
        if cited.slug not in pages or cited.quote not in pages[cited.slug].body
    )
    cited = [
        _around(pages[each.slug], each.quote)
        for each in claim.citations
        if each.quote not in missing
    ]
    found = judge_passages(claim.text, cited, strict=strict, granted=granted)
    quotes = Check("quotes", bool(cited) and not missing, missing)
    if found.supported and quotes.passed:
        verdict = Verdict.SUPPORTED
    elif cited and (found.said >= ABOUT or points_elsewhere(claim.text)):
        verdict = Verdict.NOT_SUPPORTED  # the cited page is about it, but does not say it
    elif found.covered or any(_speak_of(claim.text, page).covered for page in pages.values()):
        verdict = Verdict.NOT_SUPPORTED
    else:
        verdict = Verdict.OUTSIDE_WIKI
    return Claim(claim.text, verdict, claim.citations, (quotes, *found.checks))


def _around(page: Page, quote: str) -> Passage:
    """The sentences of a quote and around it, under the page's title and the quote's heading."""
    start = page.body.find(quote)
    end = start + len(quote)
    every = _sentences(page.body)
    within = [at for at, each in enumerate(every) if each.start < end and start < each.end]
    if not within:  # a heading, or a line of code
        return passage([page.title, quote])
    chosen = every[max(0, within[0] - AROUND) : within[-1] + 1 + AROUND]
    return _passage(page, chosen, every[within[0]].heading)


def _speak_of(claim: str, page: Page) -> Judgement:
    """The judgement over the part of the page that says most of the claim."""
    return max(
        (judge_passages(claim, [part]) for part in _parts(page)),
        key=lambda judgement: (judgement.covered, judgement.score),
    )


def _parts(page: Page) -> Iterator[Passage]:
    """The page in overlapping parts of about the length that `_around` gives."""
    every = _sentences(page.body)
    for first in range(0, max(1, len(every) - AROUND), AROUND):
        chosen = every[first : first + 2 * AROUND]
        yield _passage(page, chosen, chosen[0].heading if chosen else "")


def _passage(page: Page, chosen: Sequence[Sentence], heading: str) -> Passage:
    called = (f"{page.title} ({alias})" for alias in page.aliases)
    titles = dict.fromkeys(filter(None, (page.title, *called, heading)))
    return passage([*titles, *(each.text for each in chosen)])


@lru_cache(maxsize=64)
def _sentences(body: str) -> tuple[Sentence, ...]:
    return tuple(sentences(body))
