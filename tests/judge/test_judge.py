"""Verdicts on claims with citations."""

from __future__ import annotations

from citewiki.judge.judge import judge
from citewiki.model import Citation, Page, Verdict
from citewiki.query.answer import ProposedClaim

PAGE = Page(
    path="ops/sessions.md",
    slug="sessions",
    title="Sessions",
    body="# Sessions\n\nThe server keeps a session for 30 minutes.\n\n"
    "## Sharing\n\nSessions are not shared between [[Node|nodes]].\n",
)
OTHER = Page(
    path="ops/cache.md",
    slug="cache",
    title="Cache",
    body="Caching reduces latency by 40 percent.\n",
)
PAGES = {page.slug: page for page in (PAGE, OTHER)}


def verdict(text: str, slug: str, quote: str, *, strict: bool = False) -> Verdict:
    citation = Citation(PAGES[slug].title if slug in PAGES else slug, slug, "", quote)
    (claim,) = judge([ProposedClaim(text, (citation,))], PAGES, strict=strict)
    return claim.verdict


def test_a_quoted_sentence_is_supported_also_in_strict_mode() -> None:
    quote = "Sessions are not shared between [[Node|nodes]]."
    text = "Sessions are not shared between nodes."
    assert verdict(text, "sessions", quote) is Verdict.SUPPORTED
    assert verdict(text, "sessions", quote, strict=True) is Verdict.SUPPORTED


def test_a_claim_that_the_page_contradicts_is_not_supported() -> None:
    quote = "The server keeps a session for 30 minutes."
    text = "The server keeps a session for 45 minutes."
    assert verdict(text, "sessions", quote) is Verdict.NOT_SUPPORTED


def test_a_claim_that_another_page_says_is_not_supported_by_this_one() -> None:
    quote = "The server keeps a session for 30 minutes."
    text = "Caching reduces latency by 40 percent."
    assert verdict(text, "sessions", quote) is Verdict.NOT_SUPPORTED


def test_a_claim_of_which_no_page_speaks_is_outside_the_wiki() -> None:
    quote = "The server keeps a session for 30 minutes."
    text = "Berlin became the German capital again."
    assert verdict(text, "sessions", quote) is Verdict.OUTSIDE_WIKI


def test_a_quote_that_the_page_does_not_hold_bears_nothing() -> None:
    text = "The server keeps a session for 30 minutes."
    assert verdict(text, "sessions", "keeps sessions half an hour") is Verdict.NOT_SUPPORTED
    assert verdict(text, "unknown", text) is Verdict.NOT_SUPPORTED


def test_a_claim_without_citation_is_not_supported() -> None:
    (claim,) = judge([ProposedClaim("All sessions end.", ())], PAGES)
    assert claim.verdict is not Verdict.SUPPORTED


def test_no_claims_give_no_verdicts() -> None:
    assert judge([], PAGES) == ()
