"""The site in use, below a folder of its server: keyboard, phone, paper, no script, other scripts."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served, watch
from tests.site.conftest import BuildSite
from tests.site.everything import FILES, KINDS

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

BELOW = "some/where/"
FRAME = (".md-header", ".md-sidebar--primary", ".md-sidebar--secondary", ".md-footer", ".md-top")
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def address(build_site: BuildSite) -> Iterator[str]:
    with served(build_site(FILES), BELOW) as found:
        yield found


@pytest.fixture
def page(page: Page, address: str) -> Iterator[Page]:
    """A page that fails its test on errors and on requests that leave the site."""
    faults = watch(page, address)
    yield page
    assert faults == []


def focused(page: Page) -> str:
    """The words of what has the focus."""
    words: str = page.evaluate(
        "(({ innerText, title, ariaLabel, placeholder }) =>"
        " innerText?.trim() || ariaLabel || title || placeholder || '')(document.activeElement)"
    )
    return words


# -- keyboard -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["a stale page", "tags", "graph"])
def test_the_first_stop_of_the_keyboard_leads_past_the_head(
    page: Page, address: str, kind: str
) -> None:
    page.goto(address + KINDS[kind])
    page.keyboard.press("Tab")
    skip = page.locator(".md-skip:focus")
    expect(skip).to_have_text("Skip to content")
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.md-content') !== null")


def test_the_keyboard_meets_the_head_then_the_navigation_then_the_text(
    page: Page, address: str
) -> None:
    page.goto(f"{address}ml/rag/")
    met = []
    for _ in range(20):
        page.keyboard.press("Tab")
        met.append(focused(page))
    places = [met.index(stop) for stop in ("citewiki", "Search", "Tags", "Graph", "ml")]
    assert places == sorted(places)


def test_the_keyboard_searches_and_opens_what_was_found(page: Page, address: str) -> None:
    page.goto(f"{address}tags/")
    expect(page.locator(".md-search__input")).to_be_attached()
    page.keyboard.press("/")
    expect(page.locator(".md-search__input")).to_be_focused()
    page.keyboard.type("neighbours")
    first = page.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", f"{address}ml/vector-db/?h=neighbours")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}ml/vector-db/?h=neighbours")
    expect(page.locator("article mark[data-md-highlight]").first).to_have_text("Neighbours")


def test_escape_closes_the_search(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".md-search__input").focus()
    expect(page.locator("#__search")).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator("#__search")).not_to_be_checked()


# -- dark and bright ------------------------------------------------------------------------------


def test_the_chosen_colours_stay_on_other_pages_and_visits(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(address)
    for name in ("Switch to light mode", "Switch to dark mode"):
        page.get_by_title(name).click()
    body = page.locator("body")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.goto(f"{address}ml/rag/")
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.reload()
    expect(body).to_have_attribute("data-md-color-scheme", "slate")
    page.get_by_title("Follow the system").click()
    expect(body).to_have_attribute("data-md-color-scheme", "default")


# -- phone ----------------------------------------------------------------------------------------


def test_a_phone_has_the_navigation_in_a_drawer(page: Page, address: str) -> None:
    page.set_viewport_size({**PHONE})  # type: ignore[typeddict-item]
    page.goto(f"{address}ml/vector-db/")
    drawer = page.locator(".md-sidebar--primary")
    expect(drawer).not_to_be_in_viewport()
    page.locator(".md-header label[for=__drawer]").click()
    expect(drawer).to_be_in_viewport()
    drawer.locator("label.md-nav__link").first.click()
    drawer.get_by_role("link", name="zh", exact=True).click()
    expect(page).to_have_url(f"{address}domains/zh/")


# -- within a page --------------------------------------------------------------------------------


def test_an_address_leads_to_a_place_on_the_page(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1000, "height": 300})
    for place in ("scripts-检索-增强", "^near", "fn:paper.2", "sources"):
        page.goto(f"{address}ml/vector-db/#{quote(place)}")
        expect(page.locator(f'[id="{place}"]')).to_be_in_viewport()
        expect(page.locator("h1")).not_to_be_in_viewport()


def test_the_table_of_contents_leads_to_a_heading_of_any_script(page: Page, address: str) -> None:
    page.goto(f"{address}ml/vector-db/")
    page.locator(".md-nav--secondary").get_by_role("link", name="Scripts 检索 增强").click()
    expect(page).to_have_url(f"{address}ml/vector-db/#{quote('scripts-检索-增强')}")


def test_code_is_copied_as_it_was_written(browser: Browser, address: str) -> None:
    rights = ["clipboard-read", "clipboard-write"]
    with browser.new_context(permissions=rights) as context:
        page = context.new_page()
        page.goto(f"{address}ml/vector-db/")
        page.locator(".highlight").hover()
        page.locator("[data-clipboard-target]").first.click()
        expect(page.locator(".md-dialog")).to_contain_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(
        "def near(vector: list[float], count: int = 10) -> list[str]:\n    return"
    )


def test_a_question_in_the_address_opens_the_answer_and_not_the_search(
    page: Page, address: str
) -> None:
    page.goto(address + KINDS["an answer"], wait_until="networkidle")
    expect(page.locator("[data-cw-answer]")).to_contain_text("Keeps vectors")
    expect(page.locator("#__search")).not_to_be_checked()


def test_links_of_search_graph_and_page_stay_below_the_folder(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    page.locator(".cw-graph").scroll_into_view_if_needed()
    expect(page.locator(".cw-graph svg circle").first).to_be_visible()
    outside = page.evaluate(
        """(address) => [...document.querySelectorAll("a[href], svg a, link[href], script[src]")]
        .map((each) => new URL(each.getAttribute("href") ?? each.getAttribute("src"), location).href)
        .filter((found) => !found.startsWith(address) && !found.includes("squidfunk.github.io"))""",
        address,
    )
    assert outside == []


# -- paper, and no script -------------------------------------------------------------------------


def test_on_paper_no_page_has_navigation(page: Page, address: str) -> None:
    page.emulate_media(media="print")
    for kind in ("home", "a page with everything", "tags", "sources", "graph"):
        page.goto(address + KINDS[kind])
        for part in FRAME:
            for each in page.locator(part).all():
                expect(each).to_be_hidden()
        if kind != "graph":
            expect(page.locator("h1")).to_be_visible()


def test_without_a_script_every_page_shows_its_text_and_the_way_on(
    browser: Browser, address: str
) -> None:
    links = {
        "home": "New and changed", "domains": "Đường phố", "tags": "thành phố", "timeline": "Old Store",
        "sources": "The book", "coverage": "The paper", "disagreements": "180 days", "log": "superseded",
        "graph": "GraphML", "ask": "Domains", "an answer": "switched off", "not found": "All pages by domain",
        "a domain": "Fetch, then write.", "a page with everything": "p. 4", "a stale page": "may be out of date",
        "a superseded page": "read instead Vector DB", "a page that disagrees": "Another page says otherwise",
        "a Vietnamese page": "Hàng cây xanh", "a Chinese page": "索引让查询更快",
    }  # fmt: skip
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        for kind, path in KINDS.items():
            page.goto(address + path)
            assert links[kind] in page.locator(".md-content").inner_text()
            if kind not in ("graph", "not found"):  # the graph takes the whole width
                navigation = page.locator(".md-nav--primary")
                expect(navigation.get_by_role("link", name="Tags", exact=True)).to_be_visible()


def test_a_missing_page_looks_like_the_others_wherever_the_site_lies(
    browser: Browser, address: str
) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto(f"{address}a/b/vector-db/")
    expect(page.locator("#cw-near a").first).to_have_text("Vector DB")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    expect(page.locator(".md-header")).to_have_css("position", "sticky")
    page.locator(".md-search__input").focus()
    page.keyboard.type("neighbours")
    first = page.locator(".md-search-result__link").first
    expect(first).to_have_attribute("href", f"{address}ml/vector-db/?h=neighbours")
    first.click()
    expect(page).to_have_url(f"{address}ml/vector-db/?h=neighbours")
    page.close()
