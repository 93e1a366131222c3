"""The Ask page and the search of a large wiki, in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from citewiki.site import search
from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served, watch
from tests.site.conftest import BuildSite

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

FILES = {
    "wiki/places/mill.md": "---\ntitle: Old Mill\n---\n# Old Mill\n\nThe Old Mill was built in 1742.\n",
    "wiki/vi/duong-pho.md": "---\ntitle: Đường phố\ndomain: vi\n---\nNhững con đường ở Hà Nội.",
    "wiki/zh/agents.md": "---\ntitle: 智能体\n---\n多智能体系统通过向量检索找到页面。\n",
    "wiki/ml/carpenter.md": "---\ntitle: Jan\ndomain: people\n---\nJan was a carpenter <b>here</b>.",
}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; worker-src 'self'"
)


@pytest.fixture(scope="module")
def address(build_site: BuildSite) -> Iterator[str]:
    with served(build_site(FILES), policy=POLICY) as found:
        yield found


@pytest.fixture(scope="module")
def large(build_site: BuildSite) -> Iterator[str]:
    """The same site, as if it were one of a large wiki."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "LARGE", 2)
        site = build_site(FILES)
    with served(site, policy=POLICY) as found:
        yield found


@pytest.fixture
def page(page: Page) -> Iterator[Page]:
    """A page that fails its test on errors and on requests to other hosts."""
    faults = watch(page, "http://127.0.0.1:")
    yield page
    assert faults == []


def test_a_question_is_answered_with_a_link_to_the_sentence(page: Page, address: str) -> None:
    page.goto(f"{address}ask/")
    page.keyboard.type("When was the Old Mill built?")
    page.keyboard.press("Enter")
    answer = page.locator("[data-cw-answer]")
    expect(answer).to_contain_text("The Old Mill was built in 1742.")
    assert answer.get_attribute("aria-live") == "polite"
    expect(answer.get_by_role("link")).to_have_attribute("href", _mill(address))
    answer.get_by_role("link").click()
    expect(page.locator("h1")).to_contain_text("Old Mill")


def _mill(address: str) -> str:
    return f"{address}places/mill/#:~:text=The%20Old%20Mill%20was%20built%20in%201742."


def test_a_question_can_stand_in_the_address(page: Page, address: str) -> None:
    page.goto(f"{address}ask/?question=Who won the chess final?")
    expect(page.locator("[data-cw-answer]")).to_contain_text("No page is about this")
    expect(page.get_by_label("A question")).to_have_value("Who won the chess final?")


def test_the_ask_page_fits_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(f"{address}ask/?question=When was the Old Mill built?")
    expect(page.locator("[data-cw-answer]")).to_contain_text("1742")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_search_box_hands_a_question_on(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".md-search__input").first.click()
    page.keyboard.type("When was the mill built?")
    page.locator(".md-search-result__item").first.get_by_role("link").first.click()
    expect(page.locator("[data-cw-answer]")).to_contain_text("1742")


@pytest.mark.parametrize(
    ("words", "title", "passage"),
    [
        ("old mill", "Old Mill", "built in 1742"),
        ("duong pho", "Đường phố", "vi · Những con đường"),
        ("向量检索", "智能体", "多智能体系统"),
        ("carpen", "Jan", "people · Jan was a carpenter here."),
    ],
)
def test_a_large_wiki_is_searched_in_parts(
    page: Page, large: str, words: str, title: str, passage: str
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(large)
    page.locator(".md-search__input").first.click()
    page.keyboard.type(words)
    page.keyboard.press("End")  # what an input method enters comes without a key
    found = page.locator(".md-search-result__item").filter(has_text=title).first
    expect(found).to_contain_text(passage)
    assert any(url.endswith(".bin") for url in loaded)
