"""Pages that have much in common."""

from __future__ import annotations

from citewiki.site.kinship import Kinship
from citewiki.site.model import SiteModel
from tests.site.conftest import Model


def related(made: SiteModel, path: str) -> list[str]:
    found = Kinship(made.pages, made.graph, made.tags).related(made.pages[path], 6)
    return [page.slug for page in found]


def test_pages_that_link_the_same_rare_page_are_related(model: Model) -> None:
    made = model({"a.md": "[[rare]]", "b.md": "[[rare]]", "rare.md": "", "c.md": ""})
    assert related(made, "a.md") == ["b"]
    assert related(made, "c.md") == []


def test_the_rarer_what_they_share_the_nearer(model: Model) -> None:
    many = {f"m{n}.md": "[[common]]" for n in range(4)}
    made = model(
        {
            "a.md": "[[rare]] [[common]]",
            "b.md": "[[rare]]",
            "rare.md": "",
            "common.md": "",
            **many,
        }
    )
    assert related(made, "a.md")[0] == "b"
    assert set(related(made, "a.md")) == {"b", "m0", "m1", "m2", "m3"}


def test_a_page_that_everybody_links_relates_nobody(model: Model) -> None:
    made = model({"hub.md": "", **{f"p{n}.md": "[[hub]]" for n in range(70)}})
    assert related(made, "p1.md") == []


def test_shared_tags_count_and_linked_pages_are_left_to_their_links(model: Model) -> None:
    tagged = "---\ntags: [t]\n---\n"
    made = model({"a.md": f"{tagged}[[b]]", "b.md": tagged, "c.md": tagged})
    assert related(made, "a.md") == ["c"]
    assert related(made, "b.md") == ["c"]
