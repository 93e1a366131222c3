"""Pages that are made of lists."""

from __future__ import annotations

from citewiki.site.lists import (
    all_lists,
    domain_views,
    domains_views,
    home_view,
    stale_pages,
    tag_id,
    tag_urls,
    tags_views,
)  # fmt: skip
from citewiki.site.sources_pages import Shelf
from tests.site.conftest import Model


def test_home_lists_domains_news_and_what_is_linked(model: Model) -> None:
    made = model(
        {"ml/a.md": "---\ningested_at: 2026-04-02\n---\n[[b]]", "ml/b.md": "", "x.md": "[[b]]"}
    )
    view = home_view(made, "Wiki")
    assert (view.title, view.pages, view.links, view.has_graph) == ("Wiki", 3, 2, True)
    assert [(domain.text, domain.count, domain.note) for domain in view.domains] == [
        ("ml", 2, "b, a")
    ]
    assert [(entry.page.text, entry.day) for entry in view.entries] == [("a", "2 Apr 2026")]
    assert [(page.text, page.count) for page in view.linked] == [("b", 2)]
    assert view.stale == ()


def test_home_lists_what_nobody_has_checked_for_long_the_longest_first(model: Model) -> None:
    made = model(
        {
            "new.md": "---\nlast_verified_at: 2026-05-01\n---\n",
            "old.md": "---\nlast_verified_at: 2025-05-01\n---\n",
            "older.md": "---\ningested_at: 2024-05-01\n---\n",
            "over.md": "---\ningested_at: 2024-01-01\nvalid_until: 2025-01-01\n---\n",
        }
    )
    assert [page.slug for page, _ in stale_pages(made)] == ["older", "old"]
    view = home_view(made, "Wiki")
    assert [(entry.page.href, entry.day) for entry in view.stale] == [
        ("./older/", "1 May 2024"),
        ("./old/", "1 May 2025"),
    ]


def test_domains_and_tags_list_their_pages(model: Model) -> None:
    made = model({"ml/a.md": "---\ntags: [t, 标签]\n---\n", "ml/b.md": "---\ntags: t\n---\n"})
    (domain,) = domain_views(made, "ml")
    assert [entry.page.text for entry in domain.entries] == ["a", "b"]
    (tags,) = tags_views(made)
    assert [(tag.name, len(tag.pages)) for tag in tags.tags] == [("t", 2), ("标签", 1)]
    assert [tag.href for tag in tags.cloud] == ["../tags/#tag:t", "../tags/#tag:%E6%A0%87%E7%AD%BE"]
    assert tag_id("two words") == "tag:two-words"


def test_a_long_list_goes_on_at_an_address_with_a_number(model: Model) -> None:
    made = model({f"ml/p{n}.md": "" for n in range(5)})
    views = domain_views(made, "ml", per_page=2)
    assert [view.url for view in views] == ["domains/ml/", "domains/ml/2/", "domains/ml/3/"]
    assert [len(view.entries) for view in views] == [2, 2, 1]
    assert [view.pages for view in views] == [5, 5, 5]
    middle = views[1]
    assert middle.newer
    assert middle.older
    assert (middle.newer.href, middle.older.href) == (
        "../../../domains/ml/",
        "../../../domains/ml/3/",
    )
    assert (views[0].newer, views[2].older) == (None, None)
    assert middle.entries[0].page.href == "../../../ml/p2/"


def test_pages_without_a_domain_stand_below_the_domains_on_the_first_part_only(
    model: Model,
) -> None:
    made = model({"ml/a.md": "", **{f"p{n}.md": "" for n in range(3)}})
    first, second = domains_views(made, per_page=2)
    assert ([each.text for each in first.domains], second.domains) == (["ml"], ())


def test_many_tags_stand_on_several_pages_and_links_to_them_lead_there(model: Model) -> None:
    made = model({f"p{n}.md": f"---\ntags: [t{n}, all]\n---\n" for n in range(6)})
    views = tags_views(made, rows=8)
    assert [tag.name for view in views for tag in view.tags] == [
        "all", "t0", "t1", "t2", "t3", "t4", "t5",
    ]  # fmt: skip
    assert len(views) == 3
    assert len(views[0].cloud) == 7
    assert views[1].cloud == ()
    urls = tag_urls(made, rows=8)
    for view in views:
        assert all(urls[tag.name] == view.url for tag in view.tags)
    assert views[0].cloud[-1].href.endswith("tags/3/#tag:t5")


def test_no_page_can_stand_where_a_part_of_a_list_may(model: Model) -> None:
    made = model({"tags/2.md": "", "domains/ml/4.md": "", "sources/3.md": "", "tags/x.md": ""})
    assert dict(made.urls) == {
        "tags/2.md": "pages/tags/2/",
        "domains/ml/4.md": "pages/domains/ml/4/",
        "sources/3.md": "pages/sources/3/",
        "tags/x.md": "tags/x/",
    }


def test_no_two_lists_share_an_address(model: Model) -> None:
    made = model({"ml/a.md": "---\ntags: t\ningested_at: 2026-01-01\n---\n", "b.md": ""})
    urls = [view.url for _, view in all_lists(made, "Wiki", Shelf(made))]
    assert urls == ["", "domains/", "tags/", "graph/", "domains/ml/", "timeline/"]
