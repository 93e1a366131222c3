"""What a page may show of other files, when its owner does not see all pages."""

from __future__ import annotations

import json

import pytest

from citewiki.config import Config, SiteConfig
from citewiki.model import SourceRef
from citewiki.site.files import Files
from citewiki.site.model import build_model
from tests.conftest import NOW, MakeWiki

SECRET = "---\nowner: alice\n---\n![[plan.png]] ![](shared.png)\n"
FILES = {
    "wiki/a/secret.md": SECRET,
    "wiki/a/plan.png": "",
    "wiki/a/shared.png": "",
    "wiki/a/loose.png": "",
    "wiki/open.md": "---\nshared_with: ['*']\n---\n![[shared.png]]",
    "wiki/bobs.md": "---\nowner: bob\nslug: bobs~bob\n---\n![[plan.png]] ![[shared.png]]",
    "wiki/byhand.md": "---\nowner: bob\n---\n![[plan.png]]",
    "wiki/alices.md": "---\nowner: alice\nshared_with: [bob]\n---\n![[plan.png]]",
    "raw/manifest.jsonl": "".join(
        json.dumps({"id": name, "path": f"raw/{name}.md", "title": name.title(), "sections": made})
        + "\n"
        for name, made in (
            ("hers", [{"pages": ["secret"]}]),
            ("his", [{"pages": ["bobs~bob"]}]),
            ("all", [{"pages": ["open"]}]),
            ("users/bob/sent", []),
        )
    ),
}


def files(make_wiki: MakeWiki, viewer: str, *without: str) -> Files:
    held = {path: text for path, text in FILES.items() if path not in without}
    return build_model(make_wiki(held), Config(site=SiteConfig(viewer=viewer)), NOW).files


@pytest.mark.parametrize("at", ["bobs.md", "byhand.md"])
def test_a_picture_of_a_page_that_is_not_seen_is_none(make_wiki: MakeWiki, at: str) -> None:
    found = files(make_wiki, "bob", "wiki/alices.md")
    assert found.resolve("plan.png", at) is None
    assert found.resolve("a/plan.png", at) is None


def test_a_picture_is_shown_by_its_owner_and_to_whom_a_page_with_it_is_shared(
    make_wiki: MakeWiki,
) -> None:
    found = files(make_wiki, "alice", "wiki/byhand.md")
    assert found.resolve("plan.png", "a/secret.md") == "a/plan.png"
    found = files(make_wiki, "bob")
    assert found.resolve("plan.png", "alices.md") == "a/plan.png"
    assert found.resolve("plan.png", "bobs.md") == "a/plan.png"


def test_what_the_operators_pages_show_everybody_may_show(make_wiki: MakeWiki) -> None:
    found = files(make_wiki, "bob")
    assert found.resolve("shared.png", "open.md") == "a/shared.png"
    assert found.resolve("shared.png", "bobs.md") == "a/shared.png"


def test_a_picture_that_no_page_shows_is_found_by_no_page_that_was_sent_in(
    make_wiki: MakeWiki,
) -> None:
    found = files(make_wiki, "bob")
    assert found.resolve("loose.png", "bobs.md") is None
    assert found.resolve("loose.png", "byhand.md") == "a/loose.png"


def test_a_page_that_was_sent_in_takes_no_picture_from_others(make_wiki: MakeWiki) -> None:
    found = files(make_wiki, "alice", "wiki/byhand.md")
    assert found.hidden == {"bobs.md"}
    assert found.resolve("plan.png", "alices.md") == "a/plan.png"


@pytest.mark.parametrize(
    ("path", "known"),
    [("bobs.md", {"his", "users/bob/sent", "all"}), ("open.md", {"hers", "his", "all"})],
)
def test_a_page_rests_on_originals_that_its_owner_can_know_of(
    make_wiki: MakeWiki, path: str, known: set[str]
) -> None:
    found = files(make_wiki, "bob")
    page = found.pages[path]
    refs = (SourceRef("all"), SourceRef("his"))
    object.__setattr__(found.pages["open.md"], "sources", refs[:1])
    given = found.originals_of(page, "hers", "his", "all", "users/bob/sent")
    assert set(given) == known | ({"users/bob/sent"} if path == "open.md" else set())
