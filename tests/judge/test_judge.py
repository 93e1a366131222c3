"""Verdicts on claims with citations."""

from __future__ import annotations

import pytest

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
BRIDGE = Page(
    path="kern.md",
    slug="kern",
    title="Kern bridge",
    body="The Kern bridge crosses the Orr. It was designed by Anna Kern.\n\n"
    "Cầu do Lê Minh xây dựng. 大桥由李明建造。\n",
)
OTHER = Page(
    path="ops/cache.md",
    slug="cache",
    title="Cache",
    body="Caching reduces latency by 40 percent.\n",
)
PAGES = {page.slug: page for page in (PAGE, BRIDGE, OTHER)}


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


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Bob Miller designed it.", "It was designed by Anna Kern."),
        ("The designer was Bob Miller.", "It was designed by Anna Kern."),
        ("Bob Miller designed the Kern bridge in 1920.", "designed by Anna Kern"),
        ("It weighs 400 tonnes.", "It was designed by Anna Kern."),
        ("The Kern bridge weighs 400 tonnes.", "It was designed by Anna Kern."),
        ("Cầu do Trần Bình xây dựng.", "Cầu do Lê Minh xây dựng."),
        ("大桥由王强建造。", "大桥由李明建造。"),
    ],
)
def test_what_a_page_about_it_says_otherwise_or_not_at_all_is_not_supported(
    text: str, quote: str
) -> None:
    assert verdict(text, "kern", quote) is Verdict.NOT_SUPPORTED


@pytest.mark.parametrize(
    "text", ["Norland exports timber.", "Sông Hồng chảy qua Hà Nội.", "北京是中国的首都。"]
)
def test_what_cites_a_page_about_something_else_is_outside_the_wiki(text: str) -> None:
    assert verdict(text, "kern", "It was designed by Anna Kern.") is Verdict.OUTSIDE_WIKI


def test_a_quote_that_the_page_does_not_hold_bears_nothing() -> None:
    text = "The server keeps a session for 30 minutes."
    assert verdict(text, "sessions", "keeps sessions half an hour") is Verdict.NOT_SUPPORTED
    assert verdict(text, "unknown", text) is Verdict.NOT_SUPPORTED


def test_a_claim_without_citation_is_not_supported() -> None:
    (claim,) = judge([ProposedClaim("All sessions end.", ())], PAGES)
    assert claim.verdict is not Verdict.SUPPORTED


def test_no_claims_give_no_verdicts() -> None:
    assert judge([], PAGES) == ()
