"""Every kind of page, as it opens: without faults, small, readable by anyone, on any screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import CHROMIUM, needs
from tests.site.browsing import served, watch
from tests.site.conftest import REPOSITORY, BuildSite
from tests.site.everything import FILES, KINDS

pytestmark = [
    pytest.mark.browser,
    needs("browser", CHROMIUM, "Chromium is not installed: apt install chromium"),
]

AXE = REPOSITORY / "build/clients/node_modules/axe-core/axe.min.js"
OURS = REPOSITORY / "builder/citewiki/site/assets"
BELOW = "some/where/"  # the folder of the server in which the site lies
KB = 1024
GRAVE = ("serious", "critical")
OF_COLOURS = ("color-contrast", "link-in-text-block")
OF_PLACES = ("scrollable-region-focusable", "target-size", "aria-hidden-focus")
PHONE = {"width": 360, "height": 740}


@dataclass(frozen=True)
class Visit:
    """What was seen of one page."""

    faults: tuple[str, ...]  # errors, warnings, requests to others
    loaded: dict[str, int]  # our files that it loaded by itself, with their bytes
    inline: int  # bytes of script and style in the page, the theme's few included
    nodes: int  # elements
    headings: tuple[str, ...]  # of the first level
    widths: tuple[int, int]  # of what can be scrolled to: on a phone, on a desk
    violations: dict[str, tuple[str, ...]]  # rule and place, by how the page was looked at


def violations(page: Page, *rules: str) -> tuple[str, ...]:
    """The grave faults that axe finds, of all rules or of `rules`."""
    if not AXE.is_file():
        return ()
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    found = page.evaluate("options => axe.run(document, options)", options)
    return tuple(
        f"{each['id']} ({each['help']}): {node['html'][:150]} at {node['target']}"
        for each in found["violations"]
        if each["impact"] in GRAVE
        for node in each["nodes"]
    )


def width(page: Page) -> int:
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    return build_site(FILES)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site, BELOW) as found:
        yield found


@pytest.fixture(scope="module")
def visit(browser: Browser, address: str) -> Callable[[str], Visit]:
    """Opens a kind of page once: bright, then dark, then as small as on a phone.

    Of axe's rules all are asked first, and then those that turn on colours or on places.
    """
    seen: dict[str, Visit] = {}
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    ours = {path.name for path in OURS.iterdir()}

    def look(kind: str) -> Visit:
        page = context.new_page()
        faults = watch(page, address)
        loaded: dict[str, int] = {}

        def note(response: Any) -> None:
            name = urlsplit(response.url).path.rpartition("/")[2]
            if name in ours:
                loaded[name] = len(response.body())

        page.on("requestfinished", lambda request: note(request.response()))
        page.goto(address + KINDS[kind], wait_until="networkidle")
        if kind == "an answer":
            expect(page.locator("[data-cw-answer] a").first).to_be_visible()
        if kind == "graph":
            page.wait_for_function("document.querySelector('.cw-graph').graph?.tools")
        inline = page.evaluate(
            "[...document.querySelectorAll('script:not([src]):not([type=\"application/json\"]), style')]"
            ".reduce((sum, one) => sum + one.textContent.length, 0)"
        )
        nodes = page.evaluate("document.querySelectorAll('*').length")
        titles = tuple(page.locator("h1").all_text_contents())
        desk = width(page)
        found = {"bright": violations(page)}
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
        found["dark"] = violations(page, *OF_COLOURS)
        page.set_viewport_size({**PHONE})  # type: ignore[typeddict-item]
        found["phone"] = violations(page, *OF_PLACES)
        small = width(page)
        page.close()
        return Visit(tuple(faults), loaded, inline, nodes, titles, (small, desk), found)

    def once(kind: str) -> Visit:
        if kind not in seen:
            seen[kind] = look(kind)
        return seen[kind]

    return once


each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_a_page_opens_without_errors_and_asks_no_other_host(
    visit: Callable[[str], Visit], address: str, kind: str
) -> None:
    faults = visit(kind).faults
    if kind == "not found":  # nothing is there, and a script looks for the site's root
        looked = f"left the site: {address.removesuffix(BELOW)}"
        faults = tuple(each for each in faults if "404" not in each and looked not in each)
    assert faults == ()


@each_kind
def test_a_page_has_one_heading_of_the_first_level(
    visit: Callable[[str], Visit], kind: str
) -> None:
    assert len(visit(kind).headings) == 1


@each_kind
def test_a_page_needs_no_scrolling_sideways(visit: Callable[[str], Visit], kind: str) -> None:
    phone, desk = visit(kind).widths
    assert phone <= PHONE["width"]
    assert desk <= 1280


@needs("node", AXE.is_file(), "axe-core is not here: make clients")
@each_kind
def test_axe_finds_no_grave_fault(visit: Callable[[str], Visit], kind: str) -> None:
    assert AXE.is_file()
    assert {look: found for look, found in visit(kind).violations.items() if found} == {}


@each_kind
def test_our_own_script_and_style_stay_small(visit: Callable[[str], Visit], kind: str) -> None:
    seen = visit(kind)
    # The worker takes the place of the theme's; what answers questions comes with the first one.
    own = {
        name: size
        for name, size in seen.loaded.items()
        if name != "search.js" and (name in ("ask.js", "ask.css") or not name.startswith("ask"))
    }
    assert "citewiki.css" in own
    assert sum(own.values()) + seen.inline <= 60 * KB
    assert sum(seen.loaded.values()) <= 120 * KB


@each_kind
def test_a_page_of_a_small_wiki_has_few_elements(visit: Callable[[str], Visit], kind: str) -> None:
    assert visit(kind).nodes <= 600


def test_the_search_worker_is_smaller_than_the_one_it_replaces() -> None:
    import material

    (theirs,) = (Path(material.__file__).parent).glob("**/workers/search.*.min.js")
    assert (OURS / "search.js").stat().st_size < theirs.stat().st_size / 2


def test_a_page_of_html_is_small(site: Path) -> None:
    sizes = {path: path.stat().st_size for path in site.rglob("*.html")}
    assert len(sizes) > len(KINDS) - 3
    assert max(sizes.values()) <= 32 * KB
