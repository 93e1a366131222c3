"""The graph in a browser: drawn, searched, filtered, walked, and read as a list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served, watch
from tests.site.conftest import BuildSite

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

FILES = {
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nsummary: Fetch, then write.\ntags: [retrieval]\n"
        "last_verified_at: 2020-01-01\n---\nUses a [[Vector DB]] and [[Nobody]].\n"
    ),
    "wiki/ml/vector-db.md": "# Vector DB\n\nKeeps vectors. Written in [[C++ (lang)]].",
    "wiki/code/cpp.md": "---\ntitle: C++ (lang)\ntags: [code]\n---\nFast. See [[Đường phố]].",
    "wiki/vi/duong-pho.md": "---\ntitle: Đường phố\n---\nNhững con đường ở Hà Nội.",
    "wiki/ml/orphan.md": "# Orphan\n\nAlone.",
}
SITE = Path(__file__).parents[2] / "builder/citewiki/site"


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    return build_site(FILES)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield found


@pytest.fixture
def page(page: Page, address: str) -> Iterator[Page]:
    """A page that fails its test on errors and on requests that leave the site."""
    faults = watch(page, address)
    yield page
    assert not faults


@pytest.fixture
def graph(page: Page, address: str) -> Page:
    """The page of the whole graph, when its tools are there."""
    page.goto(f"{address}graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph?.tools")
    return page


def at(page: Page, title: str) -> tuple[float, float]:
    """Where a node is in the window."""
    x, y = page.evaluate(
        """(title) => {
        const { graph } = document.querySelector(".cw-graph");
        const node = graph.nodes.find((node) => node.title === title);
        const box = graph.canvas.getBoundingClientRect();
        return [box.left + node.sx, box.top + node.sy]; }""",
        title,
    )
    return x, y


def shown(page: Page) -> set[str]:
    titles: list[str] = page.evaluate(
        "document.querySelector('.cw-graph').graph.nodes.filter((n) => !n.off).map((n) => n.title)"
    )
    return set(titles)


def chosen(page: Page) -> str | None:
    title: str | None = page.evaluate("document.querySelector('.cw-graph').graph.active?.title")
    return title


ALL = {"RAG", "Vector DB", "C++ (lang)", "Đường phố", "Orphan", "Nobody"}


def test_the_graph_is_drawn_and_a_click_opens_a_page(graph: Page, address: str) -> None:
    painted = graph.evaluate(
        """() => { const { context, canvas } = document.querySelector(".cw-graph").graph;
        return context.getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v); }"""
    )
    assert painted
    x, y = at(graph, "RAG")
    graph.mouse.move(x, y)
    tip = graph.locator(".cw-tip")
    expect(tip).to_contain_text("Fetch, then write.")
    expect(tip).to_contain_text("ml · stale · linked from 0 · links to 2")
    graph.mouse.click(x, y)
    expect(graph).to_have_url(f"{address}ml/rag/")


def test_a_missing_page_opens_nothing(graph: Page, address: str) -> None:
    x, y = at(graph, "Nobody")
    graph.mouse.move(x, y)
    expect(graph.locator(".cw-tip")).to_contain_text("no such page yet")
    graph.mouse.click(x, y)
    expect(graph).to_have_url(f"{address}graph/")


@pytest.mark.parametrize(("words", "title"), [("duong", "Đường phố"), ("c++ (", "C++ (lang)")])
def test_search_suggests_pages_and_goes_to_one(graph: Page, words: str, title: str) -> None:
    box = graph.get_by_label("Find a page in the graph")
    box.fill(words)
    expect(graph.locator(".cw-found li")).to_have_text([title])
    box.press("Enter")
    expect(graph.locator(".cw-tip")).to_contain_text(title)
    expect(graph.locator("canvas")).to_be_focused()


def test_the_keyboard_follows_links_and_opens_a_page(graph: Page, address: str) -> None:
    canvas = graph.locator("canvas")
    canvas.focus()
    canvas.press("/")
    expect(graph.get_by_label("Find a page in the graph")).to_be_focused()
    graph.keyboard.insert_text("vector")
    graph.keyboard.press("Enter")
    met = set()
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        canvas.press(key)
        met.add(chosen(graph))
        graph.evaluate(
            "() => { const { graph } = document.querySelector('.cw-graph');"
            "graph.choose(graph.nodes.find((node) => node.title === 'Vector DB')); }"
        )
    assert met <= {"RAG", "C++ (lang)", "Vector DB"}
    assert met & {"RAG", "C++ (lang)"}
    zoom = "document.querySelector('.cw-graph').graph.view.zoom"
    before = graph.evaluate(zoom)
    canvas.press("+")
    assert graph.evaluate(zoom) > before
    canvas.press("Escape")
    assert chosen(graph) is None
    expect(graph.locator(".cw-tip")).to_be_hidden()
    graph.evaluate(
        "() => { const { graph } = document.querySelector('.cw-graph');"
        "graph.choose(graph.nodes.find((node) => node.title === 'Orphan')); }"
    )
    canvas.press("ArrowUp")
    expect(graph.locator(".cw-tip")).to_contain_text("no link that way")
    canvas.press("Enter")
    expect(graph).to_have_url(f"{address}ml/orphan/")


def test_filters_say_what_is_shown_in_the_graph_and_in_the_list(graph: Page) -> None:
    assert shown(graph) == ALL
    graph.get_by_role("button", name="Show vi").click()
    assert shown(graph) == ALL - {"Đường phố"}
    graph.get_by_text("Filter", exact=True).click()
    graph.get_by_label("missing: only linked to").uncheck()
    graph.get_by_label("stale").uncheck()
    assert shown(graph) == {"Vector DB", "C++ (lang)", "Orphan"}
    graph.get_by_label("orphans: nothing links there").uncheck()
    assert shown(graph) == {"Vector DB", "C++ (lang)"}
    graph.get_by_label("Tag").select_option(label="code (1)")
    graph.get_by_text("The same as a list").click()
    expect(graph.locator(".cw-pages")).to_contain_text("1 pages")
    expect(graph.locator(".cw-pages tbody a")).to_have_text(["C++ (lang)"])


def test_age_tells_pages_verified_long_ago_from_others(graph: Page) -> None:
    graph.get_by_text("Filter", exact=True).click()
    graph.get_by_label("Verified").select_option(label="more than a year ago")
    assert shown(graph) == {"RAG"}
    graph.get_by_label("Verified").select_option(label="not said")
    assert shown(graph) == ALL - {"RAG"}


def test_colours_tell_domains_or_communities(graph: Page) -> None:
    graph.get_by_label("Communities").check()
    expect(graph.locator(".cw-legend button").first).to_contain_text("Vector DB")
    hues = graph.evaluate(
        "document.querySelector('.cw-graph').graph.nodes.filter((n) => n.hue === 0).length"
    )
    assert hues >= 3


def pick(page: Page, label: str, words: str) -> None:
    box = page.get_by_label(label, exact=True)
    box.fill(words)
    box.press("Enter")


def test_the_path_between_two_pages_is_listed_with_the_sentences(graph: Page) -> None:
    graph.get_by_text("Path between two pages").click()
    pick(graph, "From", "rag")
    pick(graph, "To", "duong")
    way = graph.locator(".cw-way")
    expect(way.locator("li a")).to_have_text(["RAG", "Vector DB", "C++ (lang)", "Đường phố"])
    expect(way).to_contain_text("3 links:")
    expect(way).to_contain_text("Written in C++ (lang).")
    bright = graph.evaluate("document.querySelector('.cw-graph').graph.spot.size")
    assert bright == 4


def test_a_path_against_the_links_and_no_path_at_all_are_told(graph: Page) -> None:
    graph.get_by_text("Path between two pages").click()
    pick(graph, "From", "duong")
    pick(graph, "To", "rag")
    expect(graph.locator(".cw-way")).to_contain_text("against their direction")
    expect(graph.locator(".cw-way li").nth(1)).to_contain_text("← C++ (lang)")
    pick(graph, "To", "orphan")
    expect(graph.locator(".cw-way")).to_contain_text("No path from “Đường phố” to “Orphan”")


def test_a_page_named_in_the_address_is_in_the_middle(page: Page, address: str) -> None:
    page.goto(f"{address}graph/#vi/duong-pho/")
    expect(page.locator(".cw-tip")).to_contain_text("Đường phố")


def test_a_finger_sees_first_and_opens_then(
    context: BrowserContext, address: str, browser: Any
) -> None:
    phone = browser.new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    phone.goto(f"{address}graph/")
    phone.wait_for_function("document.querySelector('.cw-graph').graph?.tools")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    x, y = at(phone, "Vector DB")
    phone.touchscreen.tap(x, y)
    expect(phone.locator(".cw-tip")).to_contain_text("Vector DB")
    assert phone.url == f"{address}graph/"
    phone.touchscreen.tap(x, y)
    expect(phone).to_have_url(f"{address}ml/vector-db/")
    phone.close()


def test_dark_has_its_own_colours(page: Page, address: str) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.goto(f"{address}graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph")
    graph = "document.querySelector('.cw-graph').graph"
    dark = page.evaluate(f"[{graph}.paper, {graph}.colours[0]]")
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph")
    light = page.evaluate(f"[{graph}.paper, {graph}.colours[0]]")
    assert all(one != other for one, other in zip(dark, light, strict=True))


def test_a_page_shows_what_is_near_without_asking_for_more(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(address)))
    page.goto(f"{address}ml/vector-db/")
    near = page.locator(".cw-graph")
    near.scroll_into_view_if_needed()
    expect(near.locator("svg circle")).to_have_count(3)
    assert "graph/data.json" not in asked
    near.get_by_role("link", name="RAG").hover()
    expect(near.locator(".cw-tip")).to_contain_text("linked from 0")
    near.get_by_role("button", name="2", exact=True).click()
    expect(near.locator("svg circle")).to_have_count(5)
    assert "graph/data.json" in asked
    near.get_by_role("button", name="1", exact=True).click()
    near.get_by_role("link", name="C++ (lang)").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}code/cpp/")


def test_the_home_page_shows_the_core(page: Page, address: str) -> None:
    page.goto(address)
    page.locator(".cw-graph").scroll_into_view_if_needed()
    expect(page.locator(".cw-graph svg circle")).to_have_count(5)


def test_a_frame_of_ten_thousand_pages_takes_as_long_as_a_few_passes_over_them(
    page: Page, address: str
) -> None:
    count = 10_000
    data = {
        "title": [f"Page {number}" for number in range(count)],
        "url": [f"d/p{number}/" for number in range(count)],
        "rank": [1 + 40 / (1 + number) for number in range(count)],
        "domains": ["d"],
        "colours": [0],
        "domain": [0] * count,
        "x": [(number * 7919) % 20_000 - 10_000 for number in range(count)],
        "y": [(number * 6007) % 20_000 - 10_000 for number in range(count)],
        "out": [[(number * step + 1) % count for step in (2, 3, 5, 7)] for number in range(count)],
    }
    page.route("**/graph/data.json", lambda route: route.fulfill(body=json.dumps(data)))
    page.goto(f"{address}graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph?.tools")
    frame, unit = page.evaluate(
        """() => {
        const { graph } = document.querySelector(".cw-graph");
        const least = (work) => Math.min(...Array.from({ length: 15 }, () => {
          const start = performance.now();
          work();
          return performance.now() - start;
        }));
        const objects = graph.nodes.map((node) => ({ ...node }));
        const pass = () => { for (let turn = 0; turn < 20; turn++)
          for (const one of objects) one.sx = Math.hypot(one.x * turn, one.y) + Math.sqrt(one.rank); };
        graph.draw();
        return [least(() => (graph.moveBy(3, 1), graph.draw())), least(pass)];
        }"""
    )
    assert frame < 25 * unit  # measured: about 4


def test_the_scripts_stay_small() -> None:
    size = {path.name: path.stat().st_size for path in (SITE / "assets").glob("graph*.js")}
    assert size["graph-data.js"] + size["graph-near.js"] <= 12 * 1024
    assert size["graph-data.js"] + size["graph-tools.js"] + size["graph.js"] <= 40 * 1024
