"""The site in a browser: it draws, finds, and talks to nobody else."""

from __future__ import annotations

import functools
import http.server
import shutil
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.site.conftest import BuildSite

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: apt install chromium"),
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


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """The system's Chromium, which looks for nothing in the network by itself."""
    quiet = ("quic", "background-networking", "component-update", "sync", "gpu")
    return {
        "executable_path": CHROMIUM,
        "args": ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in quiet)],
    }


@pytest.fixture(scope="module")
def address(build_site: BuildSite) -> Iterator[str]:
    site = build_site(FILES)
    handler = functools.partial(_Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(page: Page, address: str) -> Iterator[Page]:
    """A page that fails its test on console errors and on requests to any other host."""
    faults: list[str] = []
    page.on(
        "console",
        lambda message: (
            faults.append(f"{message.text} {message.location}") if message.type == "error" else None
        ),
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:", "blob:"))
            else faults.append(request.url)
        ),
    )
    yield page
    assert not faults


NODE = """(title) => {
  const graph = document.querySelector(".cw-graph").graph;
  const node = graph.nodes.find((node) => node.title === title);
  const box = graph.canvas.getBoundingClientRect();
  const [x, y] = graph.place(node);
  return [box.left + x, box.top + y];
}"""


@pytest.mark.parametrize("path", ["", "ml/rag/", "domains/ml/", "domains/", "tags/", "graph/"])
def test_every_kind_of_page_opens_without_an_error(page: Page, address: str, path: str) -> None:
    page.goto(address + path)
    expect(page.locator("h1").first).to_be_attached()


def test_the_graph_is_drawn_and_a_click_opens_a_page(page: Page, address: str) -> None:
    page.goto(address + "graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph")
    painted = page.evaluate(
        """() => { const { context, canvas } = document.querySelector(".cw-graph").graph;
        return context.getImageData(0, 0, canvas.width, canvas.height).data.some((v) => v); }"""
    )
    assert painted
    x, y = page.evaluate(NODE, "Vector DB")
    page.mouse.move(x, y)
    expect(page.locator(".cw-tip")).to_contain_text("Vector DB")
    page.mouse.click(x, y)
    expect(page).to_have_url(address + "ml/vector-db/")


def test_a_missing_page_in_the_graph_opens_nothing(page: Page, address: str) -> None:
    page.goto(address + "graph/")
    page.wait_for_function("document.querySelector('.cw-graph').graph")
    x, y = page.evaluate(NODE, "Nobody")
    page.mouse.move(x, y)
    expect(page.locator(".cw-tip")).to_contain_text("no such page yet")
    page.mouse.click(x, y)
    expect(page).to_have_url(address + "graph/")


def test_the_graph_is_searched_and_walked_by_keyboard(page: Page, address: str) -> None:
    page.goto(address + "graph/")
    page.get_by_label("Find a page in the graph").fill("orph")
    page.keyboard.press("Enter")
    expect(page.locator(".cw-tip")).to_contain_text("Orphan")
    page.keyboard.press("Enter")
    expect(page).to_have_url(address + "ml/orphan/")


def test_a_domain_can_be_hidden(page: Page, address: str) -> None:
    page.goto(address + "graph/")
    button = page.get_by_label("Show or hide vi")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_page_shows_its_neighbours_and_who_links_to_it(page: Page, address: str) -> None:
    page.goto(address + "ml/vector-db/")
    expect(page.locator(".cw-foot")).to_contain_text("Uses a Vector DB and Nobody.")
    page.wait_for_function("document.querySelector('.cw-graph').graph")
    assert page.evaluate("document.querySelector('.cw-graph').graph.nodes.length") == 2


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


def test_a_phone_shows_a_page_without_scrolling_sideways(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    for path in ("", "ml/rag/", "graph/", "tags/"):
        page.goto(address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
