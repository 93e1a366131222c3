"""What a reader is told before reading."""

from __future__ import annotations

from dataclasses import replace

from citewiki.model import Drift
from citewiki.site.banner import banners, disagreement
from citewiki.site.view import Surroundings, page_view
from tests.site.conftest import Model

STATES = {
    "old.md": "---\nsuperseded_by: mid\nsuperseded_at: 2026-05-01\nlast_verified_at: 2020-01-01\n---",
    "mid.md": "---\nsuperseded_by: away\n---",
    "_archive/away.md": "---\nsuperseded_by: new\n---",
    "soon.md": "---\nsuperseded_by: new\nsuperseded_at: 2026-05-01\nvalid_until: 2026-08-01\n---",
    "gone.md": "---\nsuperseded_by: hidden\n---",
    "round.md": "---\nsuperseded_by: about\n---",
    "about.md": "---\nsuperseded_by: round\n---",
    "over.md": "---\nvalid_until: 2026-05-12T14:00:00Z\nlast_verified_at: 2020-01-01\n---",
    "later.md": "---\nvalid_from: 2027-01-01\n---",
    "stale.md": "---\ningested_at: 2025-01-01\nlast_verified_at: 2026-02-11T13:59:59Z\n---",
    "fresh.md": "---\ningested_at: 2025-01-01\nlast_verified_at: 2026-02-11T14:00:00Z\n---",
    "new.md": "---\ntitle: New\nvalid_until: 2027-01-01\n---",
    "hidden.md": "---\nowner: alice\n---",
}


def said(model: Model, path: str) -> tuple[str, str, str]:
    """Kind, words and link of the one banner of the page at `path`."""
    made = model(STATES)
    (banner,) = banners(made, made.pages[path])
    return banner.kind, banner.text, banner.page.href if banner.page else ""


def test_a_superseded_page_links_the_newest_of_its_chain_through_archived_ones(
    model: Model,
) -> None:
    assert said(model, "old.md") == (
        "superseded",
        "This page has been superseded since 1 May 2026; read instead",
        "../new/",
    )


def test_a_page_whose_successor_is_still_to_come_holds_until_then(model: Model) -> None:
    kind, words, link = said(model, "soon.md")
    assert (kind, link) == ("superseded", "../new/")
    assert words == "This page holds until 1 Aug 2026; from then on, read"
    made = model(STATES)
    assert made.pages["soon.md"] in made.current()
    assert made.pages["old.md"] not in made.current()


def test_a_chain_that_leads_to_no_published_page_links_nothing(model: Model) -> None:
    for path in ("gone.md", "round.md", "about.md"):
        assert said(model, path) == ("superseded", "This page has been superseded.", "")


def test_the_graver_state_is_said_alone(model: Model) -> None:
    assert said(model, "over.md")[:2] == ("expired", "What this page says held until 12 May 2026.")
    assert "from 1 Jan 2027" in said(model, "later.md")[1]


def test_a_page_is_stale_once_nobody_has_verified_it_for_longer_than_the_wiki_allows(
    model: Model,
) -> None:
    assert "more than 90 days ago" in said(model, "stale.md")[1]
    made = model(STATES)
    assert banners(made, made.pages["fresh.md"]) == ()
    assert banners(made, made.pages["new.md"]) == ()


def test_both_pages_that_disagree_name_the_other_with_the_words_of_both(model: Model) -> None:
    made = model({"a.md": "The limit is **20**.", "b.md": "The limit is\n60."})
    drift = Drift(("a", "b"), ("a", "b"), ("The limit is **20**.", "The limit is\n60."), "")
    made = replace(made, drifts=(drift,))
    (one,), (other,) = (banners(made, made.pages[path]) for path in ("a.md", "b.md"))
    assert one.page is not None
    assert (one.page.href, one.quotes) == ("../b/", ("The limit is 20.", "The limit is 60."))
    assert other.quotes == ("The limit is 60.", "The limit is 20.")
    listed = disagreement(made, drift, "disagreements/")
    assert [page.href for page in listed.pages] == ["../a/", "../b/"]
    trusted = page_view(Surroundings(made), made.pages["a.md"], None, {})
    assert trusted.confidence is None


def test_an_open_drift_lowers_the_confidence_and_is_named(model: Model) -> None:
    made = model({"a.md": "---\nsource_authority: paper\n---\nx", "b.md": "y"})
    made = replace(made, drifts=(Drift(("a", "b"), ("a", "b"), ("x", "y"), ""),))
    view = page_view(Surroundings(made), made.pages["a.md"], None, {})
    assert (view.confidence, view.authority) == (45, "")
    assert view.reasons == ("from a paper", "another page says otherwise")


def test_a_condition_is_told_with_the_page_that_holds_beside_it(model: Model) -> None:
    scopes = (
        "---\nscopes:\n  - {beside: b, note: for new accounts}\n  - {beside: gone, note: x}\n---\n"
    )
    made = model({"a.md": scopes, "b.md": "B."})
    (banner,) = banners(made, made.pages["a.md"])
    assert (banner.kind, banner.page and banner.page.href) == ("scope", "../b/")
    assert "for new accounts" in banner.text
