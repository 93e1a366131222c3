"""What the templates are given."""

from __future__ import annotations

from citewiki.site.view import domain_view, home_view, page_view, tag_id, tags_view
from tests.site.conftest import Model


def test_a_page_says_when_it_was_verified_and_how_sure_it_is(model: Model) -> None:
    made = model(
        {
            "ml/a.md": (
                "---\nlast_verified_at: 2026-05-02\nconfidence: 0.856\ntags: [x y]\n"
                "source_authority: paper\n---\n"
            )
        }
    )
    view = page_view(made, made.pages["ml/a.md"], None, {})
    assert (view.verified, view.confidence, view.authority) == ("2 May 2026", 86, "paper")
    assert view.reasons == ("set by a person",)
    assert view.domain is not None
    assert view.domain.href == "../../domains/ml/"
    assert view.tags[0].href == "../../tags/#tag:x-y"
    assert (view.graph, view.mentions, view.banners) == ("", (), ())


def test_backlinks_past_the_first_twenty_are_folded(model: Model) -> None:
    made = model({"a.md": "", **{f"p{n:02}.md": f"In {n}: [[a]]." for n in range(25)}})
    view = page_view(made, made.pages["a.md"], None, {})
    assert (len(view.mentions), len(view.more_mentions)) == (20, 5)
    assert view.mentions[0].sentences == ("In 0: a.",)


def test_home_lists_domains_news_and_what_is_linked(model: Model) -> None:
    made = model(
        {"ml/a.md": "---\ningested_at: 2026-01-02\n---\n[[b]]", "ml/b.md": "", "x.md": "[[b]]"}
    )
    view = home_view(made, "Wiki")
    assert (view.title, view.pages, view.links, view.has_graph) == ("Wiki", 3, 2, True)
    assert [(domain.text, domain.count, domain.note) for domain in view.domains] == [
        ("ml", 2, "b, a")
    ]
    assert [(entry.page.text, entry.day) for entry in view.entries] == [("a", "2 Jan 2026")]
    assert [(page.text, page.count) for page in view.linked] == [("b", 2)]


def test_domains_and_tags_list_their_pages(model: Model) -> None:
    made = model({"ml/a.md": "---\ntags: [t, 标签]\n---\n", "ml/b.md": "---\ntags: t\n---\n"})
    assert [entry.page.text for entry in domain_view(made, "ml").entries] == ["a", "b"]
    assert [(name, len(pages)) for name, _, pages in tags_view(made).tags] == [
        ("t", 2),
        ("标签", 1),
    ]
    assert tag_id("two words") == "tag:two-words"
