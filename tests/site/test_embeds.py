"""Pages within pages."""

from __future__ import annotations

from citewiki.site.render import Renderer
from tests.site.conftest import Html, Model, links

BOOK = "# Book\n\nPreface.\n\n## One\n\nFirst [[a]].\n\n### Deeper\n\nMore.\n\n## Two\n\nSecond.\n"


def test_a_page_is_transcluded_with_a_link_to_it(html: Html) -> None:
    shown = html("Before\n\n![[b]]\n\nAfter", {"b.md": BOOK})
    assert "<p>Preface.</p>" in shown
    assert "<p>Second.</p>" in shown
    assert ("../b/", "Book") in links(shown)
    assert "<h1" not in shown  # its title is the link


def test_a_section_is_transcluded_with_what_is_under_it(html: Html) -> None:
    shown = html("![[b#One]]", {"b.md": BOOK})
    assert "First" in shown
    assert "More." in shown
    assert "Preface" not in shown
    assert "Second" not in shown


def test_two_sections_of_one_page_are_both_shown(html: Html) -> None:
    shown = html("![[b#One]]\n\n![[b#Two]]", {"b.md": BOOK})
    assert "First" in shown
    assert "Second." in shown
    assert "embed-stopped" not in shown


def test_a_page_that_embeds_its_own_section_stops_with_a_notice(html: Html) -> None:
    shown = html("## S\n\nWords.\n\n![[#S]]\n")
    assert shown.count("Words.") == 1
    assert "embed-stopped" in shown


def test_a_page_may_embed_another_section_of_its_own(html: Html) -> None:
    shown = html("## S\n\nWords.\n\n## T\n\n![[#S]]\n")
    assert shown.count("Words.") == 2
    assert "embed-stopped" not in shown


def test_a_circle_of_embeds_stops_with_a_notice(model: Model) -> None:
    made = model({"a.md": "In A.\n\n![[b]]", "b.md": "In B.\n\n![[a]]"})
    renderer = Renderer(made)
    for path in ("a.md", "b.md"):
        shown = renderer.draw(path).body
        assert shown.count("In A.") == 1
        assert shown.count("In B.") == 1
        assert shown.count("embed-stopped") == 1


def test_embeds_that_double_at_every_step_stay_small(model: Model) -> None:
    pages = {f"p{n}.md": f"![[p{n + 1}]]\n\n![[p{n + 1}]]\n\n" + "word " * 500 for n in range(30)}
    shown = Renderer(model({"a.md": "![[p0]]", **pages})).draw("a.md").body
    assert len(shown) < 3_000_000
    assert "embed-stopped" in shown


def test_an_embed_brings_no_ids_and_its_links_lead_home(html: Html) -> None:
    body = "## One\n\n[up](#one) x[^1]\n\n[^1]: note\n"
    shown = html("## One\n\n![[b]]", {"b.md": body})
    assert shown.count('id="one"') == 1
    assert ("../b/#one", "up") in links(shown)
    assert 'id="fn' not in shown


def test_a_block_is_transcluded(html: Html) -> None:
    shown = html("![[b#^x]]", {"b.md": "Not this.\n\n- a\n    - inner\n- b\n\n^x\n\nNor this."})
    assert "inner" in shown
    assert "<li>b</li>" in shown
    assert "this" not in shown


def test_an_embed_in_a_sentence_is_no_paragraph(html: Html) -> None:
    shown = html("See ![[b]] here.", {"b.md": "Text."})
    assert "<p>See" not in shown
    assert "<p>Text.</p>" in shown


def test_a_missing_page_cannot_be_embedded(html: Html) -> None:
    assert 'class="missing"' in html("![[Nobody]]")
