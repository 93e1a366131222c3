"""Obsidian's callouts."""

from __future__ import annotations

from tests.site.conftest import Html


def test_a_callout_becomes_an_admonition(html: Html) -> None:
    shown = html("> [!tip] Try *this*\n> It works.\n>\n> - really")
    assert shown.startswith('<div class="admonition tip">')
    assert '<p class="admonition-title">Try <em>this</em></p>' in shown
    assert "<p>It works.</p>" in shown
    assert "<li>really</li>" in shown


def test_a_callout_without_a_title_has_its_kind_for_one(html: Html) -> None:
    assert '<p class="admonition-title">Warning</p>' in html("> [!WARNING]\n> Mind the gap.")


def test_a_callout_can_be_folded(html: Html) -> None:
    assert html("> [!faq]- Why?\n> So.").startswith('<details class="question">\n<summary>Why?')
    assert '<details class="note" open="open">' in html("> [!note]+ x\n> y")


def test_two_callouts_in_a_row_are_two(html: Html) -> None:
    assert html("> [!note] a\n\n> [!note] b").count("<div") == 2


def test_a_plain_quote_stays_one(html: Html) -> None:
    assert "<blockquote>" in html("> [!important\n> words")


def test_a_callout_that_begins_with_an_embed_is_one_too(html: Html) -> None:
    shown = html("> [!quote] Said\n> ![[b#^x]]", {"b.md": "# B\n\nWords. ^x"})
    assert '<p class="admonition-title">Said</p>' in shown
    assert "<p>Words.</p>" in shown
    assert "[!quote]" not in shown
