"""Mermaid diagrams."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewiki.site.diagrams import mermaid_file
from tests.site.conftest import BuildSite, Html

DIAGRAM = '```mermaid\ngraph TD\n  a[["Switch"]] --> b\n```\n'


@pytest.fixture(scope="module")
def site(build_site: BuildSite) -> Path:
    return build_site({"wiki/drawn.md": DIAGRAM, "wiki/plain.md": "No diagram.\n\n`mermaid`"})


def test_a_diagrams_source_stands_in_the_page(html: Html) -> None:
    assert html(DIAGRAM) == (
        '<pre class="cw-diagram"><code>graph TD\n  a[[&quot;Switch&quot;]] --&gt; b</code></pre>'
    )


def test_scripts_come_with_pages_that_hold_a_diagram_only(site: Path) -> None:
    drawn = (site / "drawn" / "index.html").read_text(encoding="utf-8")
    plain = (site / "plain" / "index.html").read_text(encoding="utf-8")
    assert 'src="../assets/diagrams.js" defer' in drawn
    assert "diagrams.js" not in plain


def test_mermaid_is_published_with_the_site_when_it_is_needed(
    site: Path, build_site: BuildSite
) -> None:
    source = mermaid_file()
    assert source is not None
    assert (site / "assets" / "mermaid.min.js").read_bytes() == source.read_bytes()
    without = build_site({"wiki/plain.md": "No diagram."})
    assert not (without / "assets" / "mermaid.min.js").exists()


def test_no_diagram_is_left_to_the_theme_which_would_ask_another_host(html: Html) -> None:
    shown = html('<pre class="mermaid">\ngraph TD; a-->b\n</pre>\n\n<div class="x mermaid">y</div>')
    assert 'class="mermaid"' not in shown
    assert " mermaid" not in shown
    assert shown.count("cw-diagram") == 2
