"""Reading in a browser: previews, a page not found, paper."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served
from tests.site.conftest import BuildSite

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

FILES = {
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nredirect_from: [old-rag]\n---\n"
        "Uses a [[Vector DB]], its [[Vector DB#Tuning|tuning]], and this.[^1] See [the web](https://x.y/).\n\n"
        "[^1]: raw/p.md, § One: \"the exact words\"\n"
    ),
    "wiki/ml/vector-db.md": (
        "---\ntitle: Vector DB\n---\n# Vector DB\n\nKeeps vectors.\n\n## Tuning\n\nTurn the knob.\n\n"
        "### Deeper\n\nTurn it more.\n\n## Other\n\nNot that.\n"
    ),
    "wiki/zh/shuju.md": "---\ntitle: 数据库\n---\n数据库把数据写到磁盘上，以后可以读出来。*强调*",
}  # fmt: skip
BELOW = "some/where/"  # the folder of the server in which the site lies


@pytest.fixture(scope="module")
def address(build_site: BuildSite) -> Iterator[str]:
    with served(build_site(FILES), BELOW) as found:
        yield found


def preview(page: Page) -> Any:
    return page.locator(".cw-preview")


def test_a_link_shows_the_top_of_its_page_when_pointed_at(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    link = page.get_by_role("link", name="Vector DB").first
    link.hover()
    expect(preview(page)).to_contain_text("Keeps vectors.")
    expect(link).to_have_attribute("aria-describedby", "cw-preview")
    page.locator("h1").first.hover()
    expect(preview(page)).to_have_count(0)


def test_a_link_to_a_heading_shows_that_section_alone(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    page.get_by_role("link", name="tuning").hover()
    expect(preview(page)).to_contain_text("Turn the knob.")
    expect(preview(page)).to_contain_text("Turn it more.")
    expect(preview(page)).not_to_contain_text("Not that.")
    expect(preview(page)).not_to_contain_text("Keeps vectors.")


def test_a_footnote_is_shown_where_it_is_referred_to(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/", wait_until="networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.locator(".footnote-ref").hover()
    expect(preview(page)).to_contain_text("the exact words")
    assert requests == []


def test_the_keyboard_opens_a_preview_and_escape_closes_it(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    link = page.get_by_role("link", name="Vector DB").first
    for _ in range(60):
        page.keyboard.press("Tab")
        if link.evaluate("link => link === document.activeElement"):
            break
    expect(preview(page)).to_contain_text("Keeps vectors.")
    page.keyboard.press("Escape")
    expect(preview(page)).to_have_count(0)
    expect(link).to_be_focused()


def test_a_preview_can_be_pointed_at(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    page.get_by_role("link", name="Vector DB").first.hover()
    expect(preview(page)).to_be_visible()
    preview(page).hover()
    page.wait_for_timeout(400)  # longer than a preview waits before it goes
    expect(preview(page)).to_be_visible()


def test_other_sites_are_not_asked_and_each_page_once(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/", wait_until="networkidle")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for name in ("the web", "Vector DB", "tuning", "Vector DB"):
        page.get_by_role("link", name=name).first.hover()
        page.wait_for_timeout(400)
    assert requests == [f"{address}ml/vector-db/"]


def test_there_are_no_previews_where_nothing_hovers(browser: Browser, address: str) -> None:
    with browser.new_context(has_touch=True, is_mobile=True) as context:
        page = context.new_page()
        page.goto(f"{address}ml/rag/")
        page.get_by_role("link", name="tuning").tap()
        expect(page).to_have_url(f"{address}ml/vector-db/#tuning")
        expect(preview(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("asked", "title"),
    [
        ("ml/vectordb/", "Vector DB"),
        ("moved/to/vector-db/", "Vector DB"),
        ("vector-db.html", "Vector DB"),
        ("somewhere/old-rag", "RAG"),
        ("数据/", "数据库"),
    ],
)
def test_an_address_without_a_page_suggests_pages_of_like_names(
    page: Page, address: str, asked: str, title: str
) -> None:
    page.goto(address + asked)
    link = page.locator("#cw-near a").first
    expect(link).to_have_text(title)
    link.click()
    expect(page.locator("h1").first).to_contain_text(title)


def test_an_address_like_no_page_leads_home(page: Page, address: str) -> None:
    page.goto(f"{address}deep/down/zzzzzz/")
    page.get_by_role("link", name="All pages by domain").click()
    expect(page).to_have_url(f"{address}domains/")


def test_an_old_address_leads_to_the_page(page: Page, address: str) -> None:
    page.goto(f"{address}ml/old-rag/")
    expect(page).to_have_url(f"{address}ml/rag/")


def test_on_paper_addresses_are_printed_and_navigation_is_not(page: Page, address: str) -> None:
    page.goto(f"{address}ml/rag/")
    page.emulate_media(media="print")
    for part in (".md-header", ".md-sidebar--primary", ".cw-graph", ".md-footer"):
        expect(page.locator(part).first).to_be_hidden()
    expect(page.locator(".footnote")).to_be_visible()
    printed = page.get_by_role("link", name="the web").evaluate(
        "link => getComputedStyle(link, '::after').content"
    )
    assert "https://x.y/" in printed


def test_chinese_is_marked_as_such_and_not_slanted(page: Page, address: str) -> None:
    page.goto(f"{address}zh/shuju/")
    word = page.locator("article em")
    assert word.evaluate("word => word.closest('[lang]').lang") == "zh"
    assert word.evaluate("word => getComputedStyle(word).fontStyle") == "normal"


def test_without_a_script_the_text_and_what_stands_around_it_are_there(
    browser: Browser, address: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(f"{address}ml/vector-db/")
        expect(page.locator("article")).to_contain_text("Turn the knob.")
        expect(page.locator(".cw-foot")).to_contain_text("Linked from")
        page.goto(f"{address}no/such/page/")
        expect(page.get_by_role("link", name="Home").last).to_be_attached()
