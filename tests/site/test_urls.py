"""Addresses of pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Page
from citewiki.site.urls import domain_url, href, page_urls, relative, up
from citewiki.text.folding import name_key

NAMES = st.sampled_from(
    ["a", "A", "tags", "graph", "domains", "assets", "页面", "🍀", "x y", "log"]
)


def page(path: str, slug: str) -> Page:
    domain = path.partition("/")[0] if "/" in path else ""
    return Page(path=path, slug=slug, title=slug, body="", domain=domain)


def test_a_page_stands_under_its_folder_and_slug() -> None:
    pages = [page("ml/Über uns.md", "über-uns"), page("deep/er/x.md", "x"), page("top.md", "top")]
    assert page_urls(pages) == {
        "ml/Über uns.md": "ml/über-uns/",
        "deep/er/x.md": "deep/er/x/",
        "top.md": "top/",
    }


def test_a_page_never_takes_an_address_of_the_sites_own() -> None:
    pages = [page("tags.md", "tags"), page("domains/ml.md", "ml"), page("ml/x.md", "x")]
    assert page_urls(pages)["tags.md"] == "pages/tags/"
    assert page_urls(pages)["domains/ml.md"] == "pages/domains/ml/"


@given(st.lists(st.tuples(NAMES, NAMES), unique_by=lambda item: name_key(item[1])))
def test_no_two_pages_share_an_address(names: list[tuple[str, str]]) -> None:
    pages = [page(f"{folder}/{number}.md", slug) for number, (folder, slug) in enumerate(names)]
    urls = list(page_urls(pages).values())
    assert len({name_key(url) for url in urls}) == len(pages)


def test_links_are_made_relative_and_quoted() -> None:
    html = f'<a href="{href("页/x y/", "标")}">'
    assert relative(html, "a/b/") == '<a href="../../%E9%A1%B5/x%20y/#%E6%A0%87">'
    assert relative(html, "") == '<a href="./%E9%A1%B5/x%20y/#%E6%A0%87">'


def test_the_way_up_has_a_step_for_each_folder() -> None:
    assert (up(""), up("a/"), up("a/b/")) == ("./", "../", "../../")


def test_a_domain_with_a_slash_is_one_step() -> None:
    assert domain_url("a/b") == "domains/a-b/"
