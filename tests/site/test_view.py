"""What stands around a page."""

from __future__ import annotations

from citewiki.site.head import Site
from citewiki.site.model import SiteModel
from citewiki.site.view import PageView, Surroundings, page_view
from tests.site.conftest import Model


def view_of(made: SiteModel, path: str, language: str = "en") -> PageView:
    return page_view(Surroundings(made, Site("Wiki", "", language)), made.pages[path], None, {})


def test_a_page_says_when_it_was_verified_and_how_sure_it_is(model: Model) -> None:
    made = model(
        {
            "ml/a.md": (
                "---\nlast_verified_at: 2026-05-02\nconfidence: 0.856\ntags: [x y]\n"
                "source_authority: paper\n---\n"
            )
        }
    )
    view = view_of(made, "ml/a.md")
    assert (view.verified, view.confidence, view.authority) == ("2 May 2026", 86, "paper")
    assert view.reasons == ("set by a person",)
    assert view.domain is not None
    assert view.domain.href == "../../domains/ml/"
    assert view.tags[0].href == "../../tags/#tag:x-y"
    assert (view.graph, view.mentions, view.banners) == ("", (), ())


def test_a_page_says_when_it_was_written_unless_it_was_verified_on_that_day(model: Model) -> None:
    made = model(
        {
            "a.md": "---\ningested_at: 2026-05-01\nlast_verified_at: 2026-05-02\n---\n",
            "b.md": "---\ningested_at: 2026-05-02\nlast_verified_at: 2026-05-02\n---\n",
        }
    )
    assert [view_of(made, path).changed for path in ("a.md", "b.md")] == ["1 May 2026", ""]


def test_backlinks_past_the_first_ten_are_folded(model: Model) -> None:
    made = model({"a.md": "", **{f"p{n:02}.md": f"In {n}: [[a]]." for n in range(15)}})
    view = view_of(made, "a.md")
    assert (len(view.mentions), len(view.more_mentions)) == (10, 5)
    assert view.mentions[0].sentences == ("In 0: a.",)


def test_mentions_without_a_link_stand_apart_from_backlinks(model: Model) -> None:
    files = {"db.md": "---\ntitle: Vector DB\n---\n", "l.md": "A [[Vector DB]] is a vector db."}
    made = model({**files, "m.md": "# M\n\nFirst. Ask the vector DB. Last."})
    view = view_of(made, "db.md")
    assert [item.page.text for item in view.mentions] == ["l"]
    assert [(item.page.href, item.sentences) for item in view.unlinked] == [
        ("../m/", ("Ask the vector DB.",))
    ]


def test_many_mentions_are_counted(model: Model) -> None:
    made = model({"Vector DB.md": "", **{f"p{n:02}.md": "A vector db." for n in range(12)}})
    view = view_of(made, "Vector DB.md")
    assert (len(view.unlinked), view.more_unlinked) == (10, 2)


def test_names_that_no_page_has_are_listed_once(model: Model) -> None:
    made = model(
        {
            "a.md": "[[Nobody]], [[nobody]], [[b]], [[index]], [[pic.png]] and [[Old]].",
            "b.md": "",
            "pic.png": b"x",
            "_archive/Old.md": "",
        }
    )
    assert view_of(made, "a.md").missing == ("Nobody",)


def test_what_front_matter_names_goes_before_pages_with_much_in_common(model: Model) -> None:
    made = model(
        {
            "a.md": "---\nsee: '[[z]]'\ntags: [rare]\n---\n",
            "b.md": "---\ntags: [rare]\n---\n",
            "z.md": "",
        }
    )
    assert [page.text for page in view_of(made, "a.md").related] == ["z", "b"]


def test_a_source_stands_once_with_the_words_that_the_page_takes_from_it(model: Model) -> None:
    made = model(
        {
            "a.md": (
                "---\nsources:\n  - {id: w, resource: 'https://x.y/post', locator: § One}\n"
                "  - {id: w, resource: 'https://x.y/post', locator: § Two}\n---\n"
                'Text.[^w.1]\n\n[^w.1]: <https://x.y/post>, § One: "well-known words, here"\n'
                "[^n]: A remark.\n"
            )
        }
    )
    (panel,) = view_of(made, "a.md").sources
    assert (panel.title, panel.href, panel.locators) == (
        "x.y/post",
        "https://x.y/post",
        ("§ One", "§ Two"),
    )
    (quote,) = panel.quotes
    assert (quote.words, quote.locator, quote.note) == (
        "well-known words, here",
        "§ One",
        "#fn:w.1",
    )
    assert quote.href == "https://x.y/post#:~:text=well%2Dknown%20words%2C%20here"


def test_a_text_in_another_language_than_the_site_says_so(model: Model) -> None:
    made = model({"a.md": "数据库把数据写到磁盘上，以后可以读出来。", "b.md": "Plain words."})
    assert [view_of(made, path).language for path in ("a.md", "b.md")] == ["zh", ""]
    assert [view_of(made, path, "zh").language for path in ("a.md", "b.md")] == ["", "en"]
