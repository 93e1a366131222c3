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


def test_a_domain_with_a_slash_is_one_step_and_shares_it_with_no_other() -> None:
    step = domain_url("a/b").removeprefix("domains/").removesuffix("/")
    assert step.startswith("a-b-")
    assert "/" not in step
    assert len({domain_url(name) for name in ("a/b", "a-b", "a.b", ".a.b", "..", ".", "-")}) == 7


def test_a_page_never_stands_where_a_file_of_the_site_does() -> None:
    names = ["index.html", "llms.txt", "404.HTML", "feed.xml", "graph.json", "photo.png"]
    pages = [page(f"{name}/{number}.md", name) for number, name in enumerate(names)]
    assert not set(names) & {step for url in page_urls(pages).values() for step in url.split("/")}


def test_a_name_too_long_for_a_disk_is_cut_and_stays_its_own() -> None:
    pages = [page(f"{n}.md", "页" * 100 + str(n)) for n in range(3)]
    urls = set(page_urls(pages).values())
    assert len(urls) == 3
    assert all(
        len(step.encode()) < 255
        for url in (*urls, domain_url("y" * 300))
        for step in url.split("/")
    )


def test_no_slug_leads_out_of_the_site() -> None:
    slugs = ["../../evil", "..", ".", "/abs", "a\\..\\b", "a/../../b", "x\0y"]
    for url in page_urls([page(f"f/{n}.md", slug) for n, slug in enumerate(slugs)]).values():
        assert not {"", ".", ".."} & set(url.rstrip("/").split("/"))
        assert not set("\\\0") & set(url)
