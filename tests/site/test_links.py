"""Where links lead, before any HTML is made."""

from __future__ import annotations

import pytest

from citewiki.config import Config, SiteConfig
from citewiki.markdown.wikilinks import wikilinks
from citewiki.site.links import Resolver, Target
from citewiki.site.model import build_model
from citewiki.site.urls import ROOT
from tests.conftest import NOW, MakeWiki
from tests.site.conftest import Model


def test_a_heading_is_found_by_its_words_whatever_the_signs(model: Model) -> None:
    resolver = Resolver(model({"b.md": "## What's new, in 2.0?\n"}))
    for written in (
        "[[b#What's new, in 2.0?]]",
        "[[b#whats-new-in-20]]",
        "[[b#What’s new in 2 0]]",
    ):
        target = resolver.wikilink(wikilinks(written)[0], "a.md")
        assert target.anchor == "whats-new-in-20" or "2 0" in written


def test_a_title_that_holds_a_number_sign_is_found_whole(model: Model) -> None:
    resolver = Resolver(model({"b.md": "---\ntitle: 'F# notes'\n---\n"}))
    assert resolver.wikilink(wikilinks("[[F# notes]]")[0], "a.md").path == "b.md"


@pytest.mark.parametrize(
    "address", ["", "#here", "?q", "https://x.y/b.md", "//x.y", "mailto:a@b", "tel:1", "data:x"]
)
def test_what_is_no_path_is_left_alone(model: Model, address: str) -> None:
    assert Resolver(model({"b.md": ""})).address(address, "a.md") is None


def test_addresses_of_the_site_are_known(model: Model) -> None:
    resolver = Resolver(model({"ml/b.md": ""}))
    for address in ("/ml/b/", "/tags/", "/graph/", "/domains/ml/", "ml/b", "ml/b.html"):
        target = resolver.address(address, "a.md")
        assert target is not None
        assert target.href.startswith(ROOT)


def test_an_original_is_linked_only_when_originals_are_published(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/ml/a.md": "", "raw/p.pdf": b"%PDF"})
    kept = Resolver(build_model(root, Config(), NOW)).address("../../raw/p.pdf#page=2", "ml/a.md")
    assert kept == Target("unpublished", note="the original is not published")
    config = Config(site=SiteConfig(publish_raw=True))
    shown = Resolver(build_model(root, config, NOW)).address("../../raw/p.pdf#page=2", "ml/a.md")
    assert shown == Target("file", f"{ROOT}raw/p.pdf#page=2")


def test_no_link_leaves_the_wiki(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "", "secret.txt": "x"})
    resolver = Resolver(build_model(root, Config(site=SiteConfig(publish_raw=True)), NOW))
    for address in ("../secret.txt", "../raw/../secret.txt", "/../secret.txt", "%2e%2e/secret.txt"):
        target = resolver.address(address, "a.md")
        assert target is not None
        assert target.href == ""


def test_a_block_that_is_not_there_is_no_target(model: Model) -> None:
    body = "# B\n\nOne. ^one\n\n- two ^two\n\n> three\n\n^three\n\n中文^four\n\n## Head ^five"
    resolver = Resolver(model({"a.md": "x", "b.md": body}))
    page = resolver.model.pages["b.md"]
    there = ("one", "two", "three", "four")
    assert [resolver.anchor(page, "", block) for block in there] == [f"^{each}" for each in there]
    assert resolver.anchor(page, "", "five") == "head"
    assert resolver.anchor(page, "", "six") == ""
    [link] = wikilinks("![[b#^six]]")
    assert not resolver.wikilink(link, "a.md").is_found
