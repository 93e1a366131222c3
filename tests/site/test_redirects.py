"""Addresses that pages had before."""

from __future__ import annotations

import json

import pytest

from citewiki.markdown.wikilinks import wikilinks
from citewiki.site.links import Resolver
from citewiki.site.redirects import names_index, redirect_page, redirects
from tests.site.conftest import Model


def moved(*names: str) -> str:
    return "---\ntitle: New & Name\nslug: new\nredirect_from:\n" + "".join(
        f"  - {json.dumps(name, ensure_ascii=False)}\n" for name in names
    ) + "---\nText."  # fmt: skip


def test_a_former_slug_leads_on_from_the_pages_folder_and_an_address_from_the_root(
    model: Model,
) -> None:
    made = model({"ml/new.md": moved("old", "/notes/old-name/", "x/y.html", "旧页")})
    assert redirects(made) == {
        "ml/old/": "ml/new.md",
        "notes/old-name/": "ml/new.md",
        "x/y/": "ml/new.md",
        "ml/旧页/": "ml/new.md",
    }


def test_the_old_address_sends_browsers_and_search_engines_on(model: Model) -> None:
    made = model({"ml/new.md": moved("notes/old")})
    html = redirect_page(made, "notes/old/", "ml/new.md", "https://w.x/", "vi")
    assert '<link rel="canonical" href="https://w.x/ml/new/">' in html
    assert '<meta http-equiv="refresh" content="0; url=../../ml/new/">' in html
    assert '<a href="../../ml/new/">New &amp; Name</a>' in html
    assert '<html lang="vi">' in html


@pytest.mark.parametrize(
    "name",
    ["new", "ml/NEW", "other", "tags/x", "assets/citewiki.css", "../up", "a/../b", "", "/", ".",
     "https://evil.example/", "ml\\x", "a//b", "raw/p.pdf"],
)  # fmt: skip
def test_nothing_is_put_where_something_stands_or_out_of_the_site(model: Model, name: str) -> None:
    made = model({"ml/new.md": moved(name), "ml/other.md": ""})
    assert redirects(made) == {}


def test_of_two_pages_that_claim_an_address_one_has_it(model: Model) -> None:
    made = model(
        {"b.md": "---\nredirect_from: old\n---\n", "a.md": "---\nredirect_from: OLD\n---\n"}
    )
    assert redirects(made) == {"OLD/": "a.md"}


def test_links_by_the_old_slug_or_address_still_find_the_page(model: Model) -> None:
    made = model({"ml/new.md": moved("old", "notes/older"), "x.md": ""})
    for name in ("old", "Old", "older", "notes/older"):
        (link,) = wikilinks(f"[[{name}]]")
        assert Resolver(made).wikilink(link, "x.md").path == "ml/new.md", name


def test_a_page_of_that_name_goes_before_one_that_had_it(model: Model) -> None:
    made = model({"ml/new.md": moved("old"), "old.md": "", "x.md": ""})
    assert made.names.resolve("old", "x.md").path == "old.md"


def test_the_index_of_names_holds_what_visible_pages_are_and_were_called(model: Model) -> None:
    made = model(
        {
            "ml/new.md": moved("old"),
            "b.md": "---\naliases: [Bee]\n---\n",
            "s.md": "---\nowner: alice\nredirect_from: secret\n---\n",
        }
    )
    assert json.loads(names_index(made, redirects(made))) == [
        ["b", "b/", "Bee"],
        ["New & Name", "ml/new/", "ml/old"],
    ]
