"""The site's model: what is in it, and what is not."""

from __future__ import annotations

from datetime import UTC, datetime

from citewiki.config import Config, SiteConfig
from citewiki.site.model import last_change
from tests.site.conftest import Model


def test_pages_of_others_archived_pages_and_lists_are_not_in_it(model: Model) -> None:
    made = model(
        {
            "open.md": "[[hidden]] [[old]]",
            "hidden.md": "---\nowner: alice\n---\nx",
            "shared.md": "---\nowner: alice\nshared_with: ['*']\n---\nx",
            "_archive/old.md": "x",
            "put-away.md": "---\narchived_at: 2026-01-01\n---\nx",
            "index.md": "# Index",
            "log.md": "# Log",
        }
    )
    assert list(made.pages) == ["open.md", "shared.md"]
    assert made.hides_pages
    assert not made.graph.back


def test_a_viewer_sees_their_own_pages(model: Model) -> None:
    config = Config(site=SiteConfig(viewer="alice"))
    made = model({"a.md": "---\nowner: alice\n---\n", "b.md": "---\nowner: bob\n---\n"}, config)
    assert list(made.pages) == ["a.md"]


def test_backlinks_are_grouped_by_page_with_each_sentence_once(model: Model) -> None:
    made = model(
        {
            "b.md": "# Target",
            "z.md": "# Zed\n\nFirst [[b]]. Then [[b]] again.\n\n- item with [[b|it]]",
            "a.md": "Also see [[Target]].",
        }
    )
    assert [(link.page.path, link.sentences) for link in made.backlinks("b.md")] == [
        ("a.md", ("Also see Target.",)),
        ("z.md", ("First b.", "Then b again.", "item with it")),
    ]


def test_links_in_front_matter_count_and_say_nothing(model: Model) -> None:
    made = model({"a.md": "---\nrelated: ['[[b]]', '[[gone]]']\n---\n", "b.md": "b"})
    assert [(link.page.path, link.sentences) for link in made.backlinks("b.md")] == [("a.md", ())]
    assert [page.path for page in made.related(made.pages["a.md"])] == ["b.md"]


def test_scalar_and_null_tags_are_lists_of_texts(model: Model) -> None:
    made = model({"a.md": "---\ntags: word\n---\n", "b.md": "---\ntags: [null, 2024]\n---\n"})
    assert list(made.tags) == ["2024", "word"]


def test_the_newest_pages_come_first_and_undated_ones_not_at_all(model: Model) -> None:
    made = model(
        {
            "a.md": "---\ningested_at: 2026-01-01\n---\n",
            "b.md": "---\ningested_at: 2025-01-01\nlast_verified_at: 2026-02-01\n---\n",
            "c.md": "c",
        }
    )
    assert [(page.path, day) for page, day in made.newest(5)] == [
        ("b.md", datetime(2026, 2, 1, tzinfo=UTC)),
        ("a.md", datetime(2026, 1, 1, tzinfo=UTC)),
    ]
    assert last_change(made.pages["c.md"]) is None


def test_a_file_that_cannot_be_read_is_named_and_the_rest_goes_on(model: Model) -> None:
    made = model({"a.md": "a", "bad.md": b"\xff\xfe\x00"})
    assert list(made.pages) == ["a.md"]
    assert [problem.path for problem in made.problems] == ["bad.md"]


def test_most_linked_counts_pages_not_links(model: Model) -> None:
    made = model({"a.md": "[[b]] [[b]] [[c]]", "b.md": "[[c]]", "c.md": ""})
    assert [(page.path, count) for page, count in made.most_linked(2)] == [("c.md", 2), ("b.md", 1)]
