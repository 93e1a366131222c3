"""Searching the site in a browser, backlinks, and the colours that the system asks for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served, watch
from tests.site.conftest import BuildSite

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

FILES = {
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nsummary: Fetch, then write.\ntags: [retrieval]\n---\n"
        "Uses a [[Vector DB]] and [[Nobody]].\n\n## 检索 增强\n\n多智能体系统通过向量检索找到页面。\n"
    ),
    "wiki/ml/vector-db.md": "---\ntitle: Vector DB\n---\n# Vector DB\n\nKeeps vectors. See [[RAG]].",
    "wiki/vi/duong-pho.md": "---\ntitle: Đường phố\n---\nNhững con đường ở Hà Nội.",
    "wiki/ml/orphan.md": "# Orphan\n\nAlone.",
}


@pytest.fixture(scope="module")
def address(build_site: BuildSite) -> Iterator[str]:
    with served(build_site(FILES)) as found:
        yield found


@pytest.fixture
def page(page: Page, address: str) -> Iterator[Page]:
    """A page that fails its test on console errors and on requests to any other host."""
    faults = watch(page, address)
    yield page
    assert not faults


def test_a_page_shows_who_links_to_it(page: Page, address: str) -> None:
    page.goto(address + "ml/vector-db/")
    expect(page.locator(".cw-foot")).to_contain_text("Uses a Vector DB and Nobody.")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("智能体", "检索 增强"),
        ("向量检索", "检索 增强"),
        ("duong", "Đường phố"),
        ("đường", "Đường phố"),
        ("vect", "Vector DB"),
        ("retrieval", "RAG"),
    ],
)
def test_search_finds_every_script(page: Page, address: str, words: str, title: str) -> None:
    page.goto(address)
    box = page.locator(".md-search__input")
    box.focus()
    expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")
    page.keyboard.insert_text(words)
    page.keyboard.press("Shift")  # input methods end with a key; the box listens for one
    expect(page.locator(".md-search-result__list")).to_contain_text(title)


def test_words_that_no_page_holds_find_nothing(page: Page, address: str) -> None:
    page.goto(address)
    box = page.locator(".md-search__input")
    box.focus()
    expect(page.locator(".md-search-result__meta")).to_have_text("Type to start searching")
    box.press_sequentially("zzzz")
    expect(page.locator(".md-search-result__meta")).to_have_text("No matching documents")


def test_dark_and_light_follow_the_system(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(address)
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.emulate_media(color_scheme="light")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "default")
