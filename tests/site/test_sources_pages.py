"""The lists of sources, and of what became of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from citewiki.config import Config, SiteConfig
from citewiki.site.coverage import coverage_views
from citewiki.site.model import SiteModel, build_model
from citewiki.site.sources_pages import Shelf
from tests.conftest import NOW, MakeWiki

Make = Callable[..., SiteModel]


def section(id: str, *pages: str, status: str = "compiled", reason: str = "") -> dict[str, Any]:
    return {
        "id": id, "title": f"On {id}", "locator": f"§ {id}", "status": status,
        "reason": reason, "pages": list(pages),
    }  # fmt: skip


def record(id: str, *sections: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": id, "path": f"raw/{id}.pdf", "title": f"The {id}", "origin": f"{id}.pdf",
        "media_type": "application/pdf", "fetched_at": "2026-05-02T00:00:00Z",
        "sections": list(sections), **more,
    }  # fmt: skip


def page(source: str, *front: str) -> str:
    ref = f"sources:\n  - {{id: {source}, resource: raw/{source}.pdf}}"
    return "\n".join(("---", ref, *front, "---", "Text."))


@pytest.fixture
def made(make_wiki: MakeWiki) -> Make:
    """The model of a wiki of `pages` that holds the sources `records`."""

    def make(pages: dict[str, str], *records: dict[str, Any], **site: Any) -> SiteModel:
        lines = "".join(f"{json.dumps(each)}\n" for each in records)
        files = {f"wiki/{path}": text for path, text in pages.items()}
        root = make_wiki({"raw/manifest.jsonl": lines, **files})
        return build_model(root, Config(site=SiteConfig(**site)), NOW)

    return make


def test_a_source_is_listed_with_its_sections_and_the_pages_they_became(made: Make) -> None:
    model = made(
        {"ml/a.md": page("paper"), "ml/b.md": page("paper"), "c.md": page("paper")},
        record("paper", section("one", "a", "b"), section("two", status="pending")),
    )
    (view,) = Shelf(model).views()
    (source,) = view.sources
    assert (source.title, source.id, source.kind) == ("The paper", "source:paper", "PDF")
    assert (source.taken, source.origin) == ("2 May 2026", None)
    assert [(row.title, [each.href for each in row.pages]) for row in source.sections] == [
        ("On one", ["../ml/a/", "../ml/b/"])
    ]
    assert [each.text for each in source.others] == ["c"]


def test_a_source_leads_to_where_it_came_from_or_to_the_published_original(made: Make) -> None:
    web = record("post", section("one", "a"), origin="https://x.y/post")
    (view,) = Shelf(made({"a.md": page("post")}, web)).views()
    assert view.sources[0].origin
    assert (view.sources[0].origin.text, view.sources[0].origin.href) == ("x.y", "https://x.y/post")
    (view,) = Shelf(made({"a.md": page("post")}, web, publish_raw=True)).views()
    assert view.sources[0].origin
    assert view.sources[0].origin.href == "../raw/post.pdf"


def test_of_hidden_pages_no_source_section_or_number_is_told(made: Make) -> None:
    hidden = page("paper", "owner: alice")
    model = made(
        {"a.md": page("paper"), "s.md": hidden, "t.md": page("secret", "owner: alice")},
        record(
            "paper",
            section("one", "a"),
            section("private", "s"),
            section("both", "a", "s"),
            section("gone", "s", status="skipped"),
        ),
        record("secret", section("all", "t")),
    )
    shelf = Shelf(model)
    (view,) = shelf.views()
    assert view.total == 1
    assert [(row.title, len(row.pages)) for row in view.sources[0].sections] == [
        ("On one", 1),
        ("On both", 1),
    ]
    (coverage,) = coverage_views(model, shelf)
    assert coverage.counts == (("compiled", 2),)
    told = repr((view, coverage, shelf.urls))
    assert "secret" not in told
    assert "private" not in told


def test_many_sources_stand_on_several_pages_and_pages_lead_to_the_right_one(made: Make) -> None:
    names = [f"s{n}" for n in range(5)]
    model = made(
        {f"{name}.md": page(name) for name in names},
        *(record(name, section("one", name)) for name in names),
    )
    shelf = Shelf(model, per_page=4)
    views = shelf.views()
    assert [[source.title for source in view.sources] for view in views] == [
        ["The s0", "The s1"],
        ["The s2", "The s3"],
        ["The s4"],
    ]
    assert [view.url for view in views] == ["sources/", "sources/2/", "sources/3/"]
    assert views[1].newer
    assert views[1].newer.text == "The s0 – The s1"
    assert shelf.entry(model.files.originals["s4"], "ml/x/") == "../../sources/3/#source:s4"


def test_coverage_counts_every_section_by_its_state(made: Make) -> None:
    model = made(
        {"a.md": page("paper")},
        record(
            "paper",
            section("one", "a"),
            section("two", status="pending", reason="the budget is spent"),
            section("three", status="no_text", reason="a picture"),
        ),
    )
    (view,) = coverage_views(model, Shelf(model))
    assert view.counts == (("compiled", 1), ("pending", 1), ("without text", 1))
    (source,) = view.sources
    assert (source.source.href, source.percent) == ("../sources/#source:paper", 50)
    assert source.left == ()


def test_what_was_left_out_is_named_only_of_published_originals_and_ones_own(made: Make) -> None:
    sections = (section("one", "a"), section("two", status="skipped", reason="holds only links"))
    pages = {"a.md": page("paper")}
    published = made(pages, record("paper", *sections), publish_raw=True)
    (view,) = coverage_views(published, Shelf(published))
    assert [(left.title, left.state, left.reason) for left in view.sources[0].left] == [
        ("On two", "skipped", "holds only links")
    ]
    own = {"a.md": page("paper", "owner: alice")}
    records = record("paper", *sections, owner="alice", path="raw/users/alice/paper.pdf")
    records["sections"][0]["pages"] = ["a"]
    hers = made(own, records, viewer="alice")
    (view,) = coverage_views(hers, Shelf(hers))
    assert len(view.sources[0].left) == 1
    shared = {"a.md": page("paper", "owner: alice", "shared_with: ['*']")}
    anyone = made(shared, records)
    assert len(Shelf(anyone).views()) == 1
    assert coverage_views(anyone, Shelf(anyone)) == []


def test_a_snapshot_tells_no_coverage_and_no_later_date(made: Make) -> None:
    model = made({"a.md": page("paper")}, record("paper", section("one", "a")))
    then = replace(model, is_snapshot=True, now=NOW.replace(month=4))
    shelf = Shelf(then)
    assert coverage_views(then, shelf) == []
    assert shelf.views()[0].sources[0].taken == ""
